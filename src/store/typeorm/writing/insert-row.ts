import { randomUUID } from 'node:crypto'
import { InvariantError } from '../../../errors/invariant'
import { createErrorDetails, JsonApiError } from '../../../errors/json-api-error'
import { selfAndAncestors } from '../../../graph/model/inheritance'
import type { StoredType } from '../../../graph/model/resource-graph'
import type { CreatePlan } from '../../../plan/write-plan'
import { Param } from '../../../query/tree/param'
import type { StatementResult } from '../drivers/run-statement'
import { keyEquals } from '../joins/key-conditions'
import { flattenEmbeddedValue } from '../mapping/embedded-columns'
import { toDatabaseKey, toRuntimeKey } from '../mapping/keys'
import type { Key, Mapping, PhysicalTable, TableMapping } from '../mapping/mapping'
import { inheritanceStrategyOf } from '../metadata/inheritance-strategy'
import { bindConstant, bindValue, join, rawSql, type Sql, sqlTag } from '../sql/sql'
import { dateAndVersionInsertAssignments } from './automatic-columns'
import { clearPreviousOneToOne, ensureRelatedRowsExist } from './lock-related-rows'
import {
  assignmentsOfForeignKey,
  assignmentsOfForeignKeys,
  ensureForeignKeysAgree,
  type OwnedForeignKey,
  ownedForeignKeysOfChanges,
} from './owned-foreign-keys'
import { type PartialKey, resolveKeyOfNewRow } from './resolve-key-of-new-row'
import { tablesOfTypes, updateRowsByKey } from './update-matching-rows'
import {
  type Assignments,
  assignmentsInTable,
  assignmentsOfColumnValues,
  type ColumnValues,
  compileInsert,
  compileSelectForUpdate,
  type SqlWriteContext,
} from './write-statements'

/** Inserts a row with the values that listeners `changed`. Other columns get their defaults. Returns the key of the row. */
export async function insertRow(plan: CreatePlan, changed: ColumnValues, context: SqlWriteContext): Promise<Key> {
  const { mapping } = context
  const table = mapping.tableOf(plan.type)
  const partialKey = resolveKeyOfNewRow(plan, changed, mapping)
  const known = isComplete(partialKey) ? partialKey : undefined
  const keys = ownedForeignKeysOfChanges(plan.links, mapping, known)
  ensureForeignKeysAgree(keys)
  await ensureRelatedRowsExist(plan.links, context)
  await ensureIdIsUnused(plan, known, context)
  await clearPreviousOneToOne(keys, () => [], context)
  const assignments = new Map([
    ...insertAssignments(plan, { partialKey, keys }, mapping),
    ...assignmentsOfColumnValues(changed),
  ])
  const [topmost, ...others] = table.tables
  const result = await context.run(insertPart(topmost, assignments, known, mapping))
  const key = known ?? readKey(result, partialKey, table, mapping)
  // SQLite generates an integer that is free in this table, whatever the column's default is.
  if (known === undefined && mapping.dialect.name === 'sqlite') await ensureIdIsUnused(plan, key, context)
  for (const part of others) await context.run(insertPart(part, withKey(assignments, table, key), key, mapping))
  await advanceSequence(partialKey, table, context)
  const toItself = keys.filter((own) => own.key === undefined)
  if (toItself.length > 0) {
    ensureForeignKeysAgree(ownedForeignKeysOfChanges(plan.links, mapping, key))
    await linkToItself(toItself, key, plan.type, context)
  }
  return key
}

/** Returns the assignments of a new row. */
export function insertAssignments(
  plan: CreatePlan,
  { partialKey, keys }: { readonly partialKey: PartialKey; readonly keys: readonly OwnedForeignKey[] },
  mapping: Mapping,
): Assignments {
  const table = mapping.tableOf(plan.type)
  return new Map([
    ...table.defaults,
    ...dateAndVersionInsertAssignments(mapping, plan.type),
    ...generatedValues(table, mapping),
    ...typeAndKey(plan, table, partialKey),
    ...[...plan.values].flatMap(([attribute, held]) => {
      const behind = flattenEmbeddedValue(mapping.columnOf(attribute), held)
      return behind.map(([{ column, toDatabase }, part]) => [column, bindValue(toDatabase(part))] as const)
    }),
    ...assignmentsOfForeignKeys(keys),
  ])
}

function isComplete(partialKey: PartialKey): boolean {
  return partialKey.every((part) => part !== undefined)
}

/** Beside the primary key; elsewhere TypeORM gives these as well. */
function generatedValues({ tables }: TableMapping, { nameOf }: Mapping): Assignments {
  const columns = tables.flatMap(({ metadata }) => metadata.columns)
  const generated = columns.filter((column) => column.generationStrategy === 'uuid' && !column.isPrimary)
  return new Map(generated.map((column) => [nameOf(column), bindValue(randomUUID())]))
}

function typeAndKey({ type }: CreatePlan, { key, discriminator }: TableMapping, partialKey: PartialKey): Assignments {
  const parts = key.map(({ column }, place) => ({ column, part: partialKey[place] }))
  return new Map([
    ...(discriminator ? [[discriminator.column, bindConstant(discriminator.valueOf(type))] as const] : []),
    ...parts.filter(({ part }) => part !== undefined).map(({ column, part }) => [column, bindValue(part)] as const),
  ])
}

function insertPart(part: PhysicalTable, assignments: Assignments, known: Key | undefined, mapping: Mapping): Sql {
  const insert = compileInsert(part, assignmentsInTable(assignments, part), mapping)
  if (known !== undefined || !canReturn(mapping)) return insert
  const key = part.key.map((column, place) => rawSql(`${column} as key${place}`))
  return sqlTag`${insert} returning ${join(key, ', ')}`
}

/** MariaDB can, MySQL can't. */
function canReturn({ dialect, dataSource: { driver } }: Mapping): boolean {
  return dialect.name !== 'mysql' || driver.isReturningSqlSupported('insert')
}

function withKey(assignments: Assignments, { key: columns }: TableMapping, key: Key): Assignments {
  return new Map([...assignments, ...columns.map(({ column }, place) => [column, bindValue(key[place])] as const)])
}

/** MySQL returns the auto-increment part of a key only. */
function readKey(
  { records, raw }: StatementResult,
  partialKey: PartialKey,
  { tables: [{ table }], key: columns }: TableMapping,
  mapping: Mapping,
): Key {
  const parts = columns.map(({ metadata: { generationStrategy } }, place) => {
    if (canReturn(mapping)) return records[0]?.[place]
    return (
      partialKey[place] ?? (columns.length === 1 || generationStrategy === 'increment' ? insertIdOf(raw) : undefined)
    )
  })
  if (parts.includes(undefined))
    throw new InvariantError(`The database did not return the id of a new row in ${table}.`)
  return parts.length === 1 ? parts : toDatabaseKey(columns, toRuntimeKey(columns, parts))
}

/** Returns the generated key; MySQL reports 0 if the table has no counter. */
function insertIdOf(raw: unknown): unknown {
  return typeof raw === 'object' && raw !== null && 'insertId' in raw && raw.insertId !== 0 ? raw.insertId : undefined
}

/** Otherwise the counter would reach the key one day, and an insert would fail. */
async function advanceSequence(
  partialKey: PartialKey,
  { tables: [{ table }], key }: TableMapping,
  { mapping, run }: SqlWriteContext,
): Promise<void> {
  const place = key.findIndex(({ metadata }) => metadata.generationStrategy === 'increment')
  const column = key[place]
  if (column === undefined || partialKey[place] === undefined) return
  const counter = { table, column: column.metadata.databaseName }
  const statement = mapping.dialect.advanceSequence(counter, bindValue(partialKey[place]))
  if (statement !== undefined) await run(statement)
}

/** Links a row to itself after the database has generated its key. */
async function linkToItself(
  keys: readonly OwnedForeignKey[],
  key: Key,
  type: StoredType,
  context: SqlWriteContext,
): Promise<void> {
  const assignments = new Map(keys.flatMap(({ link }) => [...assignmentsOfForeignKey(link.columns, key)]))
  await updateRowsByKey([type], assignments, (own) => keyEquals(own, new Param(key)), context)
}

/**
 * In several tables no constraint prevents two rows of a hierarchy with one id: a given id is looked up in the other tables, with one statement for
 * each.
 */
async function ensureIdIsUnused(
  { type, id }: CreatePlan,
  key: Key | undefined,
  context: SqlWriteContext,
): Promise<void> {
  const { mapping, run } = context
  const own = mapping.tableOf(type)
  if (key === undefined || inheritanceStrategyOf(own.metadata) !== 'tablePerConcreteClass') return
  if (id === undefined && own.key.every(({ metadata }) => metadata.generationStrategy === 'uuid')) return
  const topmost = selfAndAncestors(type).at(-1) ?? type
  const others = tablesOfTypes(topmost.concreteTypes, mapping).flatMap(({ tables: [part] }) => {
    return part.table === own.tables[0].table ? [] : [part]
  })
  if (others.length === 0) return
  const alone = mapping.dialect.advisoryLock(`${topmost.name}/${JSON.stringify(key.map(String))}`)
  if (alone !== undefined) await run(alone)
  for (const part of others) await checkTable(part, key, context)
}

async function checkTable(part: PhysicalTable, key: Key, { mapping, run }: SqlWriteContext): Promise<void> {
  const columns = part.key.map(rawSql)
  const { records } = await run(
    compileSelectForUpdate(join(columns, ', '), part, [keyEquals(columns, new Param(key))], mapping),
  )
  if (records.length === 0) return
  const detail = 'A resource with this id exists already.'
  throw new JsonApiError([{ ...createErrorDetails('resource.id-exists', detail), field: 'id' }])
}
