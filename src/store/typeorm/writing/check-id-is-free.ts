import { clientError, JsonApiError } from '../../../errors/json-api-error'
import { selfAndAncestors } from '../../../graph/model/inheritance'
import type { CreatePlan } from '../../../plan/write-plan'
import { param } from '../../../query/tree/param'
import { keyEquals } from '../joins/key-conditions'
import type { Key, RowTable } from '../mapping/mapping'
import { inheritanceStrategyOf } from '../metadata/inheritance-strategy'
import { identifier, join, toSql } from '../sql/sql'
import { distinctTables } from './change-rows'
import type { SqlWriteContext } from './writing'

/**
 * In several tables no constraint prevents two rows of a hierarchy with one id: a given id is looked up in the other tables, with one statement for
 * each.
 */
export async function checkIdIsFree(
  { type, id }: CreatePlan,
  key: Key | undefined,
  writing: SqlWriteContext,
): Promise<void> {
  const { mapping, run } = writing
  const own = mapping.tableOf(type)
  if (key === undefined || inheritanceStrategyOf(own.metadata) !== 'tablePerConcreteClass') return
  if (id === undefined && own.key.every(({ metadata }) => metadata.generationStrategy === 'uuid')) return
  const topmost = selfAndAncestors(type).at(-1) ?? type
  const others = distinctTables(topmost.concreteTypes, mapping).flatMap(({ tables: [part] }) => {
    return part.table === own.tables[0].table ? [] : [part]
  })
  if (others.length === 0) return
  const alone = mapping.dialect.advisoryLock(`${topmost.name}/${JSON.stringify(key.map(String))}`)
  if (alone !== undefined) await run(alone)
  for (const part of others) await checkTable(part, key, writing)
}

/** MySQL locks the gap where the row would be, so no other transaction inserts it. */
async function checkTable(part: RowTable, key: Key, { mapping, run }: SqlWriteContext): Promise<void> {
  const columns = part.key.map(identifier)
  const locked = mapping.dialect.lock(ALIAS)
  const from = toSql`from ${identifier(`${part.table} ${ALIAS}`)} where ${keyEquals(columns, param(key))}${locked}`
  const { records } = await run(toSql`select ${join(columns, ', ')} ${from}`)
  if (records.length === 0) return
  throw new JsonApiError([
    { ...clientError('resource.id-exists', 'A resource with this id exists already.'), field: 'id' },
  ])
}

const ALIAS = 'each_row'
