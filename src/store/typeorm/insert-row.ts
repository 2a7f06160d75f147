import { randomUUID } from 'node:crypto'
import { InvariantError } from '../../errors/invariant'
import type { StoredType } from '../../graph/resource-graph'
import type { CreatePlan } from '../../plan/write-plan'
import { inPart, setByKey } from './change-rows'
import { checkIdIsFree } from './check-id-is-free'
import { divide } from './column-parts'
import { freeRights } from './free-rights'
import { type GatheredKey, gatherKey } from './gather-key'
import { guardRights } from './guard-rights'
import { isKey } from './key-sql'
import { bindKey, holdKey } from './keys'
import type { Key, Mapping, TableMapping, TablePart } from './mapping'
import { checkSentAgree, foreignValues, type OwnKey, ownKeysOf, ownValues } from './own-keys'
import type { StatementResult } from './run-statement'
import { identifier, join, NOTHING, type Sql, toSql, value } from './sql'
import { stampsOfCreate } from './stamps'
import type { Assignments, Writing } from './writing'

export interface InsertedRow {
  readonly key: Key
  readonly id: string
}

/** One insert, with what listeners have `changed`; columns that nothing was said of get their defaults. */
export async function insertRow(plan: CreatePlan, changed: Assignments, writing: Writing): Promise<InsertedRow> {
  const { mapping } = writing
  const table = mapping.tableOf(plan.type)
  const gathered = gatherKey(plan, changed, mapping)
  const known = isComplete(gathered) ? gathered : undefined
  const keys = ownKeysOf(plan.links, mapping, known)
  checkSentAgree(keys)
  await guardRights(plan.links, writing)
  await checkIdIsFree(plan, known, writing)
  await freeRights(keys, () => [], writing)
  const assignments = new Map([...newValues(plan, { gathered, keys }, mapping), ...changed])
  const [topmost, ...others] = table.parts
  const result = await writing.run(insertInto(topmost, assignments, known, mapping))
  const key = known ?? readKey(result, gathered, table, mapping)
  // SQLite makes up an integer that is free in this table, whatever the column's default is.
  if (known === undefined && mapping.dialect.name === 'sqlite') await checkIdIsFree(plan, key, writing)
  for (const part of others) await writing.run(insertInto(part, withKey(assignments, table, key), key, mapping))
  await countBehind(gathered, table, writing)
  const toItself = keys.filter((own) => own.key === undefined)
  if (toItself.length > 0) {
    checkSentAgree(ownKeysOf(plan.links, mapping, key))
    await linkToItself(toItself, key, plan.type, writing)
  }
  return { key, id: table.toId(key) }
}

/** What the columns of a new row are given. */
export function newValues(
  plan: CreatePlan,
  { gathered, keys }: { readonly gathered: GatheredKey; readonly keys: readonly OwnKey[] },
  mapping: Mapping,
): Assignments {
  const table = mapping.tableOf(plan.type)
  return new Map([
    ...table.defaults,
    ...stampsOfCreate(mapping, plan.type),
    ...generatedValues(table, mapping),
    ...typeAndKey(plan, table, gathered),
    ...[...plan.values].flatMap(([attribute, held]) => {
      const behind = divide(mapping.columnOf(plan.type, attribute), held)
      return behind.map(([{ column, toDatabase }, part]) => [column, value(toDatabase(part))] as const)
    }),
    ...ownValues(keys),
  ])
}

function isComplete(gathered: GatheredKey): boolean {
  return gathered.every((part) => part !== undefined)
}

/** Beside the primary key; elsewhere TypeORM gives these as well. */
function generatedValues({ parts }: TableMapping, { nameOf }: Mapping): Assignments {
  const columns = parts.flatMap(({ metadata }) => metadata.columns)
  const generated = columns.filter((column) => column.generationStrategy === 'uuid' && !column.isPrimary)
  return new Map(generated.map((column) => [nameOf(column), value(randomUUID())]))
}

function typeAndKey({ type }: CreatePlan, { key, discriminator }: TableMapping, gathered: GatheredKey): Assignments {
  const parts = key.map(({ column }, place) => ({ column, part: gathered[place] }))
  return new Map([
    ...(discriminator ? [[discriminator.column, value(discriminator.valueOf(type))] as const] : []),
    ...parts.filter(({ part }) => part !== undefined).map(({ column, part }) => [column, value(part)] as const),
  ])
}

function insertInto(part: TablePart, assignments: Assignments, known: Key | undefined, mapping: Mapping): Sql {
  const isToBeTold = known === undefined && canReturn(mapping)
  const key = part.key.map((column, place) => identifier(`${column} as key${place}`))
  const returning = isToBeTold ? toSql` returning ${join(key, ', ')}` : NOTHING
  return toSql`insert into ${identifier(part.table)} ${rowOf(inPart(assignments, part), mapping.dialect.name)}${returning}`
}

/** MariaDB can, MySQL can't. */
function canReturn({ dialect, dataSource: { driver } }: Mapping): boolean {
  return dialect.name !== 'mysql' || driver.isReturningSqlSupported('insert')
}

function withKey(assignments: Assignments, { key: columns }: TableMapping, key: Key): Assignments {
  return new Map([...assignments, ...columns.map(({ column }, place) => [column, value(key[place])] as const)])
}

function rowOf(assignments: Assignments, dialect: Mapping['dialect']['name']): Sql {
  if (assignments.size === 0) return dialect === 'mysql' ? toSql`() values ()` : toSql`default values`
  const columns = join([...assignments.keys()].map(identifier), ', ')
  return toSql`(${columns}) values (${join([...assignments.values()], ', ')})`
}

/** MySQL tells of the part that counts up, and of no other. */
function readKey(
  { records, raw }: StatementResult,
  gathered: GatheredKey,
  { parts: [{ table }], key: columns }: TableMapping,
  mapping: Mapping,
): Key {
  const told = columns.map(({ metadata: { generationStrategy } }, place) => {
    if (canReturn(mapping)) return records[0]?.[place]
    return gathered[place] ?? (columns.length === 1 || generationStrategy === 'increment' ? insertIdOf(raw) : undefined)
  })
  if (told.includes(undefined)) throw new InvariantError(`The database did not tell the id of a new row in ${table}.`)
  return told.length === 1 ? told : bindKey(columns, holdKey(columns, told))
}

/** Of a key that counts up; 0 where the table has none. */
function insertIdOf(raw: unknown): unknown {
  return typeof raw === 'object' && raw !== null && 'insertId' in raw && raw.insertId !== 0 ? raw.insertId : undefined
}

/** Or else the counter would come to the key one day, and the row would be refused to whoever is served then. */
async function countBehind(
  gathered: GatheredKey,
  { parts: [{ table }], key }: TableMapping,
  { mapping, run }: Writing,
): Promise<void> {
  const place = key.findIndex(({ metadata }) => metadata.generationStrategy === 'increment')
  const column = key[place]
  if (column === undefined || gathered[place] === undefined) return
  const counter = { table, column: column.metadata.databaseName }
  const statement = mapping.dialect.countBehind(counter, value(gathered[place]))
  if (statement !== undefined) await run(statement)
}

/** What could not be said before the database had given the key. */
async function linkToItself(keys: readonly OwnKey[], key: Key, type: StoredType, writing: Writing): Promise<void> {
  const assignments = new Map(keys.flatMap(({ link }) => [...foreignValues(link.columns, key)]))
  await setByKey([type], assignments, (own) => isKey(own, key), writing)
}
