import { randomUUID } from 'node:crypto'
import { InvariantError } from '../../errors/invariant'
import type { CreatePlan } from '../../plan/write-plan'
import type { Mapping, TableMapping } from './mapping'
import { freeRights, type OwnKey, ownKeysOf } from './own-keys'
import type { StatementResult } from './run-statement'
import { identifier, join, NOTHING, type Sql, toSql, value } from './sql'
import { stampsOfCreate } from './stamps'
import { type Assignments, keyOf, setClause, type Writing } from './writing'

export interface InsertedRow {
  readonly key: unknown
  readonly id: string
}

/** One insert, with what listeners have `changed`; columns that nothing was said of get their defaults. */
export async function insertRow(plan: CreatePlan, changed: Assignments, writing: Writing): Promise<InsertedRow> {
  const { mapping } = writing
  const table = mapping.tableOf(plan.type)
  const key = knownKey(plan, mapping)
  const keys = ownKeysOf(plan.links, mapping, key)
  await freeRights(keys, plan.type, [], writing)
  const assignments = new Map([
    ...stampsOfCreate(mapping, plan.type),
    ...generatedValues(table, mapping),
    ...typeAndKey(plan, table, key),
    ...[...plan.values].map(([attribute, held]) => {
      const { column, toDatabase } = mapping.columnOf(plan.type, attribute)
      return [column, value(toDatabase(held))] as const
    }),
    ...keys.filter((own) => own.key !== undefined).map((own) => [own.column, value(own.key)] as const),
    ...changed,
  ])
  const result = await writing.run(insertInto(table, assignments, key, mapping))
  const row = key === undefined ? readKey(result, table, mapping) : { key, id: table.toId(key) }
  if (key !== undefined) await countBehind(key, table, writing)
  const toItself = keys.filter((own) => own.key === undefined)
  if (toItself.length > 0) await linkToItself(toItself, row.key, table, writing)
  return row
}

/** Known before the row is there: named by the client, or a uuid of our making. */
function knownKey({ type, id }: CreatePlan, mapping: Mapping): unknown {
  if (id !== undefined) return keyOf(mapping, type, id)
  const { metadata, toDatabase } = mapping.tableOf(type).id
  return metadata.generationStrategy === 'uuid' ? toDatabase(randomUUID()) : undefined
}

/** Beside the primary key; elsewhere TypeORM gives these as well. */
function generatedValues({ metadata }: TableMapping, { dialect }: Mapping): Assignments {
  const generated = metadata.columns.filter((column) => column.generationStrategy === 'uuid' && !column.isPrimary)
  return new Map(generated.map((column) => [dialect.quote(column.databaseName), value(randomUUID())]))
}

function typeAndKey({ type }: CreatePlan, { id, discriminator }: TableMapping, key: unknown): Assignments {
  return new Map([
    ...(discriminator ? [[discriminator.column, value(discriminator.valueOf(type))] as const] : []),
    ...(key === undefined ? [] : [[id.column, value(key)] as const]),
  ])
}

function insertInto(table: TableMapping, assignments: Assignments, key: unknown, { dialect }: Mapping): Sql {
  const returning =
    key === undefined && dialect.name !== 'mysql' ? toSql` returning ${identifier(table.id.column)}` : NOTHING
  return toSql`insert into ${identifier(table.name)} ${rowOf(assignments, dialect.name)}${returning}`
}

function rowOf(assignments: Assignments, dialect: Mapping['dialect']['name']): Sql {
  if (assignments.size === 0) return dialect === 'mysql' ? toSql`() values ()` : toSql`default values`
  const columns = join([...assignments.keys()].map(identifier), ', ')
  return toSql`(${columns}) values (${join([...assignments.values()], ', ')})`
}

function readKey({ records, raw }: StatementResult, table: TableMapping, { dialect }: Mapping): InsertedRow {
  const key = dialect.name === 'mysql' ? insertIdOf(raw) : records[0]?.[table.id.metadata.databaseName]
  if (key === undefined) throw new InvariantError(`The database did not tell the id of a new row in ${table.name}.`)
  return { key, id: table.toId(key) }
}

/** Of a key that counts up; 0 where the table has none. */
function insertIdOf(raw: unknown): unknown {
  return typeof raw === 'object' && raw !== null && 'insertId' in raw && raw.insertId !== 0 ? raw.insertId : undefined
}

/** Or else the counter would come to the key one day, and the row would be refused to whoever is served then. */
async function countBehind(key: unknown, { name, id }: TableMapping, { mapping, run }: Writing): Promise<void> {
  const { generationStrategy, databaseName } = id.metadata
  if (generationStrategy !== 'increment') return
  const statement = mapping.dialect.countBehind({ table: name, column: databaseName }, value(key))
  if (statement !== undefined) await run(statement)
}

/** What could not be said before the database had given the key. */
async function linkToItself(
  keys: readonly OwnKey[],
  key: unknown,
  { name, id }: TableMapping,
  { run }: Writing,
): Promise<void> {
  const assignments = new Map(keys.map(({ column }) => [column, value(key)]))
  await run(
    toSql`update ${identifier(name)} set ${setClause(assignments)} where ${identifier(id.column)} = ${value(key)}`,
  )
}
