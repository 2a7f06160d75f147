import { JsonApiError, problem } from '../../errors/json-api-error'
import { selfAndAncestors } from '../../graph/inheritance'
import type { CreatePlan } from '../../plan/write-plan'
import { tablesOf } from './change-rows'
import { isKey } from './key-sql'
import type { Key, TablePart } from './mapping'
import { identifier, join, toSql } from './sql'
import { layoutOf } from './table-layout'
import type { Writing } from './writing'

/**
 * Where the rows of a hierarchy lie in several tables, no constraint keeps two of them from having one id: what is given from outside is
 * looked up in the others, one statement for each.
 */
export async function checkIdIsFree({ type, id }: CreatePlan, key: Key | undefined, writing: Writing): Promise<void> {
  const { mapping, run } = writing
  const own = mapping.tableOf(type)
  if (key === undefined || layoutOf(own.metadata) !== 'perConcreteType') return
  if (id === undefined && own.key.every(({ metadata }) => metadata.generationStrategy === 'uuid')) return
  const topmost = selfAndAncestors(type).at(-1) ?? type
  const others = tablesOf(topmost.concreteTypes, mapping).flatMap(({ parts: [part] }) => {
    return part.table === own.parts[0].table ? [] : [part]
  })
  if (others.length === 0) return
  const alone = mapping.dialect.lockName(`${topmost.name}/${JSON.stringify(key.map(String))}`)
  if (alone !== undefined) await run(alone)
  for (const part of others) await checkTable(part, key, writing)
}

/** MySQL locks the gap where such a row would be, so that nobody puts it there now. */
async function checkTable(part: TablePart, key: Key, { mapping, run }: Writing): Promise<void> {
  const columns = part.key.map(identifier)
  const locked = mapping.dialect.lock(ALIAS)
  const from = toSql`from ${identifier(`${part.table} ${ALIAS}`)} where ${isKey(columns, key)}${locked}`
  const { records } = await run(toSql`select ${join(columns, ', ')} ${from}`)
  if (records.length === 0) return
  throw new JsonApiError([
    { ...problem('resource.id-taken', 'There is a resource with this id already.'), field: 'id' },
  ])
}

const ALIAS = 'each_row'
