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
import type { Key, Mapping, PhysicalTable, ResourceTypeMapping } from '../mapping/mapping'
import { inheritanceStrategyOf } from '../metadata/inheritance-strategy'
import { boundConstantSql, boundValueSql, joinSql, rawSql, type Sql, sqlTag } from '../sql/sql'
import { dateAndVersionInsertAssignments } from './automatic-columns'
import { clearPreviousOneToOne, ensureRelatedRowsExist } from './lock-related-rows'
import {
  assignmentsOfForeignKey,
  assignmentsOfForeignKeys,
  ensureForeignKeysAgree,
  type OwnedForeignKey,
  ownedForeignKeysOfChanges,
} from './owned-foreign-keys'
import { type PartialKey, resolveKeyBeforeInsert } from './resolve-key-before-insert'
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

/** Inserts a row and returns its key. `changed`: the values that listeners changed. Other columns get their defaults. */
export async function insertRow(plan: CreatePlan, changed: ColumnValues, context: SqlWriteContext): Promise<Key> {
  const { mapping } = context
  const table = mapping.tableOf(plan.type)
  const partialKey = resolveKeyBeforeInsert(plan, changed, mapping)
  const knownKey = isComplete(partialKey) ? partialKey : undefined
  const keys = ownedForeignKeysOfChanges(plan.links, mapping, knownKey)
  ensureForeignKeysAgree(keys)
  await ensureRelatedRowsExist(plan.links, context)
  await ensureIdIsUnused(plan, knownKey, context)
  await clearPreviousOneToOne(keys, () => [], context)
  const assignments = new Map([
    ...insertAssignments(plan, { partialKey, keys }, mapping),
    ...assignmentsOfColumnValues(changed),
  ])
  const [topmost, ...lowerTables] = table.tables
  const result = await context.run(insertPart(topmost, assignments, knownKey, mapping))
  const key = knownKey ?? readKey(result, partialKey, table, mapping)
  // SQLite generates an integer that is unused in this table, but other tables of the hierarchy may use it.
  if (knownKey === undefined && mapping.dialect.name === 'sqlite') await ensureIdIsUnused(plan, key, context)
  for (const part of lowerTables) await context.run(insertPart(part, withKey(assignments, table, key), key, mapping))
  await advanceSequence(partialKey, table, context)
  const toItself = keys.filter((foreignKey) => foreignKey.key === undefined)
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
    ...[...plan.values].flatMap(([attribute, value]) => {
      const columnValues = flattenEmbeddedValue(mapping.columnOf(attribute), value)
      return columnValues.map(([{ column, toDatabase }, part]) => [column, boundValueSql(toDatabase(part))] as const)
    }),
    ...assignmentsOfForeignKeys(keys),
  ])
}

function isComplete(partialKey: PartialKey): boolean {
  return partialKey.every((part) => part !== undefined)
}

/** Generates the UUIDs of columns outside the primary key, as TypeORM does. */
function generatedValues({ tables }: ResourceTypeMapping, { nameOf }: Mapping): Assignments {
  const columns = tables.flatMap(({ metadata }) => metadata.columns)
  const generated = columns.filter((column) => column.generationStrategy === 'uuid' && !column.isPrimary)
  return new Map(generated.map((column) => [nameOf(column), boundValueSql(randomUUID())]))
}

function typeAndKey(
  { type }: CreatePlan,
  { key, discriminator }: ResourceTypeMapping,
  partialKey: PartialKey,
): Assignments {
  const parts = key.map(({ column }, index) => ({ column, part: partialKey[index] }))
  return new Map([
    ...(discriminator ? [[discriminator.column, boundConstantSql(discriminator.valueOf(type))] as const] : []),
    ...parts.filter(({ part }) => part !== undefined).map(({ column, part }) => [column, boundValueSql(part)] as const),
  ])
}

function insertPart(part: PhysicalTable, assignments: Assignments, knownKey: Key | undefined, mapping: Mapping): Sql {
  const insert = compileInsert(part, [assignmentsInTable(assignments, part)], mapping)
  if (knownKey !== undefined || !supportsReturning(mapping)) return insert
  const key = part.key.map((column, index) => rawSql(`${column} as key${index}`))
  return sqlTag`${insert} returning ${joinSql(key, ', ')}`
}

/** Returns true if an insert can return columns. MariaDB supports that, and MySQL does not. */
function supportsReturning({ dialect, dataSource: { driver } }: Mapping): boolean {
  return dialect.name !== 'mysql' || driver.isReturningSqlSupported('insert')
}

function withKey(assignments: Assignments, { key: columns }: ResourceTypeMapping, key: Key): Assignments {
  return new Map([...assignments, ...columns.map(({ column }, index) => [column, boundValueSql(key[index])] as const)])
}

/** Reads the key of a new row. MySQL returns only the auto-increment part, so the other parts must be known. */
function readKey(
  { records, raw }: StatementResult,
  partialKey: PartialKey,
  { tables: [{ table }], key: columns }: ResourceTypeMapping,
  mapping: Mapping,
): Key {
  const parts = columns.map(({ metadata: { generationStrategy } }, index) => {
    if (supportsReturning(mapping)) return records[0]?.[index]
    return (
      partialKey[index] ?? (columns.length === 1 || generationStrategy === 'increment' ? insertIdOf(raw) : undefined)
    )
  })
  if (parts.includes(undefined))
    throw new InvariantError(`The database did not return the id of a new row in ${table}.`)
  return parts.length === 1 ? parts : toDatabaseKey(columns, toRuntimeKey(columns, parts))
}

/** Returns the generated key; `undefined` if the table has no counter, for which MySQL reports 0. */
function insertIdOf(raw: unknown): unknown {
  return typeof raw === 'object' && raw !== null && 'insertId' in raw && raw.insertId !== 0 ? raw.insertId : undefined
}

/** Advances the counter of a generated key past a key that the client set. Otherwise a later insert would fail when the counter reaches it. */
async function advanceSequence(
  partialKey: PartialKey,
  { tables: [{ table }], key }: ResourceTypeMapping,
  { mapping, run }: SqlWriteContext,
): Promise<void> {
  const index = key.findIndex(({ metadata }) => metadata.generationStrategy === 'increment')
  const column = key[index]
  if (column === undefined || partialKey[index] === undefined) return
  const counter = { table, column: column.metadata.databaseName }
  const statement = mapping.dialect.advanceSequence(counter, boundValueSql(partialKey[index]))
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
 * Ensures that no other table of the hierarchy has this id. With one table per concrete class, no constraint prevents that. Runs one statement for each
 * other table.
 */
async function ensureIdIsUnused(
  { type, id }: CreatePlan,
  key: Key | undefined,
  context: SqlWriteContext,
): Promise<void> {
  const { mapping, run } = context
  const ownTable = mapping.tableOf(type)
  if (key === undefined || inheritanceStrategyOf(ownTable.metadata) !== 'tablePerConcreteClass') return
  if (id === undefined && ownTable.key.every(({ metadata }) => metadata.generationStrategy === 'uuid')) return
  const topmost = selfAndAncestors(type).at(-1) ?? type
  const otherTables = tablesOfTypes(topmost.concreteTypes, mapping).flatMap(({ tables: [part] }) => {
    return part.table === ownTable.tables[0].table ? [] : [part]
  })
  if (otherTables.length === 0) return
  const lock = mapping.dialect.advisoryLock(`${topmost.name}/${JSON.stringify(key.map(String))}`)
  if (lock !== undefined) await run(lock)
  for (const part of otherTables) await ensureIdIsUnusedIn(part, key, context)
}

async function ensureIdIsUnusedIn(part: PhysicalTable, key: Key, { mapping, run }: SqlWriteContext): Promise<void> {
  const columns = part.key.map(rawSql)
  const { records } = await run(
    compileSelectForUpdate(joinSql(columns, ', '), part, [keyEquals(columns, new Param(key))], mapping),
  )
  if (records.length === 0) return
  const detail = 'A resource with this id already exists.'
  throw new JsonApiError([{ ...createErrorDetails('resource.id-exists', detail), field: 'id' }])
}
