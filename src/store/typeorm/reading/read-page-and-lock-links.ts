import type { ReadPlan } from '../../../plan/read-plan'
import { Param } from '../../../query/tree/param'
import type { ReadResult } from '../../read-result'
import { compileKeyEqualsValue } from '../joins/key-conditions'
import type { DatabaseMapping } from '../mapping/database-mapping'
import { getKeyOfCheckedId, keysOfValidIds } from '../mapping/keys'
import { joinSql, rawSql, type Sql, sqlTag, toSqlStatement } from '../sql/sql'
import { executeReadPlan } from './execute-read-plan'
import type { ReadExecutionContext } from './load-includes'
import { createColumnsInKeysCompiler, lockMatchingRows, type QualifyColumns } from './lock-rows'

/**
 * Reads a page of a relationship whose foreign keys are stored in other rows, and locks its links. The source row is locked already, so that no member
 * is added or removed afterwards. Returns `undefined` if a member was removed in the meantime.
 */
export async function readPageAndLockLinks(
  plan: ReadPlan,
  context: ReadExecutionContext,
): Promise<ReadResult | undefined> {
  const { mapping } = context
  // SQLite has one writer at a time.
  if (mapping.dialect.name === 'sqlite') return executeReadPlan(plan, context, 'noLock')
  if (readsLatestRows(plan, mapping)) return executeReadPlan(plan, context, 'lockLinks')
  const page = await executeReadPlan(plan, context, 'noLock')
  return (await lockLinks(plan, page, context)) < page.rows.length ? undefined : page
}

/**
 * Returns true if a locking select has to read the page. In MariaDB and MySQL a plain select reads the snapshot of the transaction, and a locking
 * select reads the current rows. Parts of a union can't be locked.
 */
function readsLatestRows({ layer: { range, type } }: ReadPlan, mapping: DatabaseMapping): boolean {
  return (
    mapping.dialect.name === 'mysql' && range?.kind !== 'cursors' && mapping.tableOf(type).tableRowSources.length === 1
  )
}

/** Locks the links of the members. Returns the number of members that are still linked. */
async function lockLinks(
  { layer }: ReadPlan,
  { rows }: ReadResult,
  { mapping, run }: ReadExecutionContext,
): Promise<number> {
  if (rows.length === 0 || layer.criteria.kind !== 'relatedTo') return rows.length
  const { relationship, source } = layer.criteria
  const { dialect } = mapping
  const { target } = relationship
  const relation = mapping.relationOf(relationship)
  const sourceKey = getKeyOfCheckedId(mapping, source.type, source.id)
  const ids = rows.map(({ id }) => id)
  const hasKey = createColumnsInKeysCompiler(keysOfValidIds(mapping, target, ids), mapping.tableOf(target), mapping)
  const runSql = (sql: Sql) => run(toSqlStatement(sql, dialect))
  switch (relation.kind) {
    case 'owning':
      return rows.length
    case 'inverse': {
      const key = mapping.tableOf(target).key.map(({ column }) => column)
      const where = (columns: QualifyColumns) => [
        hasKey(columns(key)),
        compileKeyEqualsValue(columns(relation.columns.map(({ column }) => column)), new Param(sourceKey)),
      ]
      return (await lockMatchingRows({ type: target, deleted: 'excluded', where }, { mapping, run: runSql })).length
    }
    case 'junction': {
      const relatedColumns = relation.relatedColumns.map(rawSql)
      const isOfSource = compileKeyEqualsValue(relation.sourceColumns.map(rawSql), new Param(sourceKey))
      const pairs = sqlTag`${rawSql(`${relation.table} ${ALIAS}`)} where ${isOfSource} and ${hasKey(relatedColumns)}`
      const { records } = await runSql(
        sqlTag`select ${joinSql(relatedColumns, ', ')} from ${pairs}${dialect.lock(ALIAS)}`,
      )
      return records.length
    }
  }
}

const ALIAS = 'pairs'
