import { randomUUID } from 'node:crypto'
import { InvariantError } from '../../errors/invariant'
import type { CreatePlan } from '../../plan/write-plan'
import { divide } from './column-parts'
import { type GatheredKey, gatherKey } from './gather-key'
import { isKey, keySql } from './key-sql'
import { bindKey, holdKey } from './keys'
import type { Key, Mapping, TableMapping } from './mapping'
import { foreignValues, freeRights, type OwnKey, ownKeysOf } from './own-keys'
import type { StatementResult } from './run-statement'
import { identifier, join, NOTHING, type Sql, toSql, value } from './sql'
import { stampsOfCreate } from './stamps'
import { type Assignments, setClause, type Writing } from './writing'

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
  await freeRights(keys, plan.type, [], writing)
  const assignments = new Map([
    ...stampsOfCreate(mapping, plan.type),
    ...generatedValues(table, mapping),
    ...typeAndKey(plan, table, gathered),
    ...[...plan.values].flatMap(([attribute, held]) => {
      const behind = divide(mapping.columnOf(plan.type, attribute), held)
      return behind.map(([{ column, toDatabase }, part]) => [column, value(toDatabase(part))] as const)
    }),
    ...keys.flatMap(({ key, link }) => (key === undefined ? [] : [...foreignValues(link.columns, key)])),
    ...changed,
  ])
  const result = await writing.run(insertInto(table, assignments, known, mapping))
  const key = known ?? readKey(result, gathered, table, mapping)
  await countBehind(gathered, table, writing)
  const toItself = keys.filter((own) => own.key === undefined)
  if (toItself.length > 0) await linkToItself(toItself, key, table, writing)
  return { key, id: table.toId(key) }
}

function isComplete(gathered: GatheredKey): boolean {
  return gathered.every((part) => part !== undefined)
}

/** Beside the primary key; elsewhere TypeORM gives these as well. */
function generatedValues({ metadata }: TableMapping, { dialect }: Mapping): Assignments {
  const generated = metadata.columns.filter((column) => column.generationStrategy === 'uuid' && !column.isPrimary)
  return new Map(generated.map((column) => [dialect.quote(column.databaseName), value(randomUUID())]))
}

function typeAndKey({ type }: CreatePlan, { key, discriminator }: TableMapping, gathered: GatheredKey): Assignments {
  const parts = key.map(({ column }, place) => ({ column, part: gathered[place] }))
  return new Map([
    ...(discriminator ? [[discriminator.column, value(discriminator.valueOf(type))] as const] : []),
    ...parts.filter(({ part }) => part !== undefined).map(({ column, part }) => [column, value(part)] as const),
  ])
}

function insertInto(table: TableMapping, assignments: Assignments, known: Key | undefined, { dialect }: Mapping): Sql {
  const isToBeTold = known === undefined && dialect.name !== 'mysql'
  const returning = isToBeTold ? toSql` returning ${join(keySql(table.key), ', ')}` : NOTHING
  return toSql`insert into ${identifier(table.name)} ${rowOf(assignments, dialect.name)}${returning}`
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
  { name, key: columns }: TableMapping,
  { dialect }: Mapping,
): Key {
  const told = columns.map(({ metadata: { databaseName, generationStrategy } }, place) => {
    if (dialect.name !== 'mysql') return records[0]?.[databaseName]
    return gathered[place] ?? (columns.length === 1 || generationStrategy === 'increment' ? insertIdOf(raw) : undefined)
  })
  if (told.includes(undefined)) throw new InvariantError(`The database did not tell the id of a new row in ${name}.`)
  return told.length === 1 ? told : bindKey(columns, holdKey(columns, told))
}

/** Of a key that counts up; 0 where the table has none. */
function insertIdOf(raw: unknown): unknown {
  return typeof raw === 'object' && raw !== null && 'insertId' in raw && raw.insertId !== 0 ? raw.insertId : undefined
}

/** Or else the counter would come to the key one day, and the row would be refused to whoever is served then. */
async function countBehind(
  gathered: GatheredKey,
  { name, key }: TableMapping,
  { mapping, run }: Writing,
): Promise<void> {
  const place = key.findIndex(({ metadata }) => metadata.generationStrategy === 'increment')
  const column = key[place]
  if (column === undefined || gathered[place] === undefined) return
  const counter = { table: name, column: column.metadata.databaseName }
  const statement = mapping.dialect.countBehind(counter, value(gathered[place]))
  if (statement !== undefined) await run(statement)
}

/** What could not be said before the database had given the key. */
async function linkToItself(
  keys: readonly OwnKey[],
  key: Key,
  { name, key: columns }: TableMapping,
  { run }: Writing,
): Promise<void> {
  const assignments = new Map(keys.flatMap(({ link }) => [...foreignValues(link.columns, key)]))
  await run(toSql`update ${identifier(name)} set ${setClause(assignments)} where ${isKey(keySql(columns), key)}`)
}
