import { createErrorDetails, JsonApiError } from '../../../errors/json-api-error'
import { selfAndAncestors } from '../../../graph/model/inheritance'
import type { CreatePlan } from '../../../plan/write-plan'
import type { Key, PhysicalTable, ResourceTypeMapping } from '../mapping/database-mapping'
import { inheritanceStrategyOf } from '../metadata/inheritance-strategy'
import { createColumnsInKeysCompiler } from '../reading/lock-rows'
import { joinSql, rawSql } from '../sql/sql'
import { listDistinctTableMappings } from './update-matching-rows'
import { compileSelectForUpdate, type SqlWriteContext } from './write-statements'

/** A row of one type with the others, before or after its insert. */
interface RowWithKey {
  readonly plan: CreatePlan
  /** `undefined` if the database generates it. */
  readonly knownKey: Key | undefined
}

/**
 * Ensures that no other table of the hierarchy has these ids. With one table per concrete class, no constraint prevents that. Runs one statement for each
 * other table.
 */
export async function ensureNewIdsUnusedInOtherTables(
  rows: readonly RowWithKey[],
  context: SqlWriteContext,
): Promise<void> {
  const { mapping, run, certify } = context
  const [first] = rows
  if (first === undefined) return
  const { type } = first.plan
  const ownTable = mapping.tableOf(type)
  if (inheritanceStrategyOf(ownTable.metadata) !== 'tablePerConcreteClass') return
  const isUnique = ownTable.key.every(({ metadata }) => metadata.generationStrategy === 'uuid')
  const keys = rows.flatMap(({ plan: { id }, knownKey }) =>
    knownKey === undefined || (id === undefined && isUnique) ? [] : [knownKey],
  )
  const topmost = selfAndAncestors(type).at(-1) ?? type
  const otherTables = listDistinctTableMappings(topmost.concreteTypes, mapping).flatMap(({ tables: [part] }) => {
    return part.table === ownTable.tables[0].table ? [] : [part]
  })
  if (keys.length === 0 || otherTables.length === 0) return
  // In one order, so that two transactions don't wait for each other.
  const names = keys.map((key) => `${topmost.name}/${JSON.stringify(key.map(String))}`).sort()
  const lock = mapping.dialect.advisoryLocks(names)
  if (lock !== undefined) await run(lock)
  await certify?.(type, keys)
  for (const part of otherTables) await ensureIdsAreUnusedIn(part, keys, ownTable, context)
}

async function ensureIdsAreUnusedIn(
  part: PhysicalTable,
  keys: readonly Key[],
  ownTable: ResourceTypeMapping,
  { mapping, run }: SqlWriteContext,
): Promise<void> {
  const columns = part.key.map(rawSql)
  const hasKey = createColumnsInKeysCompiler(keys, ownTable, mapping)
  const { records } = await run(compileSelectForUpdate(joinSql(columns, ', '), part, [hasKey(columns)], mapping))
  if (records.length === 0) return
  const detail = 'A resource with this id already exists.'
  throw new JsonApiError([{ ...createErrorDetails('resource.id-exists', detail), field: 'id' }])
}
