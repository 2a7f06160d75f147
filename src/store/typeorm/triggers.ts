import type { QueryRunner } from 'typeorm'
import type { Dialect } from './dialect'
import type { Mapping, TablePart } from './mapping'
import type { RunStatement } from './run-statement'
import { printSql, type Sql, toSql, value } from './sql'

/**
 * Whether a row may be another one than that which a statement has given back: a trigger or a rule of the database changes it, it lies in a
 * part of its table, or whoever writes it may not see it. Asked of a table at most once a minute.
 */
export function hasTriggers(part: TablePart, asking: Asking): boolean | Promise<boolean> {
  const known = KNOWN.get(part)
  return known !== undefined && known.until > performance.now() ? known.hasTriggers : ask(part, asking)
}

interface Asking {
  readonly mapping: Mapping
  readonly queryRunner: QueryRunner
  readonly run: RunStatement
}

async function ask(part: TablePart, { mapping: { dialect }, queryRunner, run }: Asking): Promise<boolean> {
  const question = selectTriggers(part, dialect)
  const found = question === undefined || (await run(queryRunner, printSql(question, dialect))).records.length > 0
  KNOWN.set(part, { hasTriggers: found, until: performance.now() + KEPT_FOR })
  return found
}

interface Known {
  readonly hasTriggers: boolean
  /** Milliseconds, as `performance.now` has them. */
  readonly until: number
}

const KNOWN = new WeakMap<TablePart, Known>()
const KEPT_FOR = 60_000

/** `undefined`: it can't be asked. */
function selectTriggers({ table, metadata }: TablePart, { name }: Dialect): Sql | undefined {
  if (name === 'sqlite') {
    const isOn = toSql`type = 'trigger' and lower(tbl_name) = lower(${value(metadata.tableName)})`
    return toSql`select 1 from sqlite_master where ${isOn} union all select 1 from sqlite_temp_master where ${isOn}`
  }
  if (name !== 'postgres') return undefined
  const hasTrigger = toSql`exists (select 1 from pg_trigger where tgrelid = pg_class.oid and not tgisinternal)`
  const isOther = toSql`relkind <> 'r' or relhasrules or relhassubclass or relrowsecurity or ${hasTrigger}`
  return toSql`select 1 from pg_class where oid = to_regclass(${value(table)}) and (${isOther})`
}
