import type { QueryRunner } from 'typeorm'
import type { Caches } from '../../../cache/caches'
import type { CacheDefinition } from '../../../cache/segmented-lru-cache'
import type { Dialect } from '../dialects/dialect'
import type { RunStatement } from '../drivers/run-statement'
import type { Mapping, RowTable } from '../mapping/mapping'
import { bind, printSql, type Sql, toSql } from '../sql/sql'

/**
 * Returns true if the stored row can differ from the returned one: a trigger or rule changes it, the table is partitioned, or the writer may not read
 * it. Queried at most once a minute for each table.
 */
export function hasTriggers(part: RowTable, asking: TriggerContext): boolean | Promise<boolean> {
  const known = asking.caches.of(LOOKUPS).get(part.table)
  return known !== undefined && known.until > performance.now() ? known.hasTriggers : lookUp(part, asking)
}

interface TriggerContext {
  readonly mapping: Mapping
  readonly caches: Caches
  readonly queryRunner: QueryRunner
  readonly run: RunStatement
}

async function lookUp(
  part: RowTable,
  { mapping: { dialect }, caches, queryRunner, run }: TriggerContext,
): Promise<boolean> {
  const question = selectTriggers(part, dialect)
  const found = question === undefined || (await run(queryRunner, printSql(question, dialect))).records.length > 0
  caches.of(LOOKUPS).set(part.table, { hasTriggers: found, until: performance.now() + CACHE_MS })
  return found
}

interface TriggerLookup {
  readonly hasTriggers: boolean
  /** Milliseconds, as `performance.now` has them. */
  readonly until: number
}

const LOOKUPS: CacheDefinition<TriggerLookup> = { name: 'trigger lookups', maxEntries: 1000 }
const CACHE_MS = 60_000

/** `undefined`: it can't be asked. */
function selectTriggers({ table, metadata }: RowTable, { name }: Dialect): Sql | undefined {
  if (name === 'sqlite') {
    const isOn = toSql`type = 'trigger' and lower(tbl_name) = lower(${bind(metadata.tableName)})`
    return toSql`select 1 from sqlite_master where ${isOn} union all select 1 from sqlite_temp_master where ${isOn}`
  }
  if (name !== 'postgres') return undefined
  const hasTrigger = toSql`exists (select 1 from pg_trigger where tgrelid = pg_class.oid and not tgisinternal)`
  const isOther = toSql`relkind <> 'r' or relhasrules or relhassubclass or relrowsecurity or ${hasTrigger}`
  return toSql`select 1 from pg_class where oid = to_regclass(${bind(table)}) and (${isOther})`
}
