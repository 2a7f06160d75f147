import type { QueryRunner } from 'typeorm'
import type { Caches } from '../../../cache/caches'
import { JsonApiError } from '../../../errors/json-api-error'
import type { StoredType } from '../../../graph/model/resource-graph'
import type { ReadPlan } from '../../../plan/read-plan'
import type { CreatePlan, UpdatePlan } from '../../../plan/write-plan'
import { Param } from '../../../query/tree/param'
import type { ReadResult } from '../../read-result'
import { isOutcomeUnknown, reportAndCreateOutcomeUnknownError } from '../drivers/find-timeout-or-outage'
import { findConstraintViolation, isRetryableError } from '../drivers/find-violation'
import { hasTransactionSubscribers } from '../drivers/query-listeners'
import type { RunStatement, StatementResult } from '../drivers/run-statement'
import { takeUnreplicatedCommitError } from '../drivers/unreplicated-commits'
import { compileKeyEqualsValueExactly } from '../joins/key-conditions'
import { rootSqlScope } from '../joins/scope'
import type { DatabaseMapping, Key } from '../mapping/database-mapping'
import { findKeyOfId } from '../mapping/keys'
import { cacheKeyParts } from '../select/compile-statements'
import type { CompiledQueryCache, QueryWithBoundStatement } from '../select/compiled-query-cache'
import { type SelectedColumns, selectPlanLayerColumns } from '../select/select-columns'
import { joinSql, rawSql, type Sql, type Statement, sqlTag } from '../sql/sql'
import { discardConnection, runWithQueryCancelledAtDeadline } from '../transactions/cancel-query'
import { tryRunAutocommitStatement } from '../transactions/run-on-connection'
import type { CommitAndRetryOptions } from '../transactions/run-transaction-with-retries'
import { assignmentsOfNewRow } from './insert-rows'
import { isAutoIncremented, resolveKeyBeforeInsert } from './resolve-key-before-insert'
import {
  type ForeignKeyChangeWithTarget,
  findForeignKeysIfAllWritableWithRow,
  isReadPlanOfOwnRowOnly,
  isReturnedRowUnreliable,
  resourceTypeSupportsSingleStatementWrite,
} from './single-statement-support'
import { assignmentsOfUpdate } from './update-rows'
import {
  type Assignments,
  assignmentsInTable,
  type ColumnValues,
  compileConditionalInsert,
  compileInsert,
  compileUpdate,
  liveRowOfTypesConditions,
} from './write-statements'

interface SingleWriteContext extends Pick<CommitAndRetryOptions, 'deadline' | 'onError'> {
  readonly mapping: DatabaseMapping
  readonly queryCache: CompiledQueryCache
  readonly caches: Caches
  readonly run: RunStatement
}

/** Writes a row and reads it back in one statement, as decision 007 describes; `undefined` if the write needs a transaction. */
export async function tryWriteInOneStatement(
  plan: CreatePlan | UpdatePlan,
  readPlan: ReadPlan,
  context: SingleWriteContext,
): Promise<ReadResult | undefined> {
  const { mapping, deadline } = context
  const { dataSource } = mapping
  const { type } = plan
  const isSupported = resourceTypeSupportsSingleStatementWrite(type, mapping) && isReadPlanOfOwnRowOnly(readPlan, type)
  if (!isSupported || hasTransactionSubscribers(dataSource)) return undefined
  const write = toSingleStatementRowWrite(plan, mapping)
  if (write === undefined || write.assignments.size === 0) return undefined
  const { query, statement } = compileRowWrite(write, readPlan, context)
  const result = await tryRunAutocommitStatement(dataSource, (queryRunner) =>
    runWithQueryCancelledAtDeadline(deadline, { dataSource, queryRunner }, () =>
      runUnlessTriggers(type, statement, queryRunner, context),
    ),
  )
  const row = result?.records[0] && query.columns.readRow(result.records[0])
  return row && { rows: [row], total: undefined, hasMore: false }
}

async function runUnlessTriggers(
  type: StoredType,
  statement: Statement,
  queryRunner: QueryRunner,
  context: SingleWriteContext,
): Promise<StatementResult | undefined> {
  const { mapping, run, deadline } = context
  if (await isReturnedRowUnreliable(mapping.tableOf(type).tables[0].table, queryRunner, context)) return undefined
  // If this fails, no statement was sent and the outcome is known.
  await queryRunner.connect()
  deadline?.check()
  deadline?.setMayTakeEffect('yes')
  try {
    const result = await run(queryRunner, statement)
    const unreplicated = takeUnreplicatedCommitError(queryRunner)
    if (unreplicated !== undefined) throw reportAndCreateOutcomeUnknownError(unreplicated, context)
    return result
  } catch (error) {
    if (isOutcomeUnknown(error)) {
      await discardConnection(queryRunner)
      throw reportAndCreateOutcomeUnknownError(error, context)
    }
    if (findConstraintViolation(error) === undefined && !isRetryableError(error)) throw error
    return undefined
  }
}

const NO_CHANGES: ColumnValues = new Map()

/** Converts a plan to the write of one row; `undefined` if it needs several statements, or if a value is invalid, which the transaction reports. */
function toSingleStatementRowWrite(
  plan: CreatePlan | UpdatePlan,
  mapping: DatabaseMapping,
): SingleStatementRowWrite | undefined {
  try {
    return plan.kind === 'create' ? toInsert(plan, mapping) : toUpdate(plan, mapping)
  } catch (error) {
    if (findConstraintViolation(error) === undefined && !(error instanceof JsonApiError)) throw error
    return undefined
  }
}

function toInsert(plan: CreatePlan, mapping: DatabaseMapping): SingleStatementRowWrite | undefined {
  const { type, id, relationshipChanges } = plan
  const keys = findForeignKeysIfAllWritableWithRow(relationshipChanges, mapping)
  if (keys === undefined || (id !== undefined && findKeyOfId(mapping, type, id) === undefined)) return undefined
  const partialKey = resolveKeyBeforeInsert(plan, NO_CHANGES, mapping)
  // A key that the client set needs a further statement, which advances the sequence of generated keys.
  const isGenerated = mapping.tableOf(type).key.map(isAutoIncremented)
  if (partialKey.some((part, index) => part !== undefined && isGenerated[index])) return undefined
  const assignments = assignmentsOfNewRow(plan, { partialKey, keys }, mapping)
  const key = partialKey.includes(undefined) ? undefined : partialKey
  return { kind: 'insert', type, key, assignments, related: keys }
}

function toUpdate(plan: UpdatePlan, mapping: DatabaseMapping): SingleStatementRowWrite | undefined {
  const { type, id, relationshipChanges } = plan
  const key = findKeyOfId(mapping, type, id)
  const keys = findForeignKeysIfAllWritableWithRow(relationshipChanges, mapping)
  if (keys === undefined || key === undefined) return undefined
  return { kind: 'update', type, key, assignments: assignmentsOfUpdate(plan, { key, keys }, mapping), related: keys }
}

/** The write of one row by one statement. */
interface SingleStatementRowWrite {
  readonly kind: 'insert' | 'update'
  readonly type: StoredType
  /** `undefined` if the database generates it. */
  readonly key: Key | undefined
  readonly assignments: Assignments
  readonly related: readonly ForeignKeyChangeWithTarget[]
}

interface CompiledRowWrite {
  readonly sql: Sql
  readonly columns: SelectedColumns
}

/**
 * Compiles a write of a row that reads it back. It writes nothing and returns no row if a related row is missing.
 *
 * `insert into "articles" ("title", "blogId") select ?, ? where exists (select … from "blogs" where "id" = ?) returning …`
 */
function compileRowWrite(
  write: SingleStatementRowWrite,
  { layer, projection }: ReadPlan,
  { mapping, queryCache }: SingleWriteContext,
): QueryWithBoundStatement<CompiledRowWrite> {
  const { kind, type, assignments } = write
  const key = new Param(write.key ?? [])
  const related = write.related
    .flatMap(({ related }) => related ?? [])
    .map((row) => ({ ...row, key: new Param(row.key) }))
  const assigned = [...assignments].map(([column, { text, values }]) => [column, text, values])
  const nodes = [kind, type, assigned, related, key, ...cacheKeyParts(layer, projection)]
  return queryCache.getOrCompile(nodes, () => {
    const [part] = mapping.tableOf(type).tables
    const columns = selectPlanLayerColumns(layer, projection, { ...rootSqlScope(mapping, type), alias: part.table })
    const ownAssignments = assignmentsInTable(assignments, part)
    const relatedExist = related.map((row) => rowExists(row.type, row.key, mapping))
    const statement =
      kind === 'update'
        ? compileUpdate(part, ownAssignments, [...keyConditions(type, key, mapping), ...relatedExist])
        : relatedExist.length > 0
          ? compileConditionalInsert(part, ownAssignments, relatedExist)
          : compileInsert(part, [ownAssignments], mapping)
    return { columns, sql: sqlTag`${statement} returning ${columns.sql}` }
  })
}

function rowExists(type: StoredType, key: Param<Key>, mapping: DatabaseMapping): Sql {
  const [part] = mapping.tableOf(type).tables
  const rows = sqlTag`select 1 from ${rawSql(part.table)} where ${joinSql(keyConditions(type, key, mapping), ' and ')}`
  return mapping.dialect.exists(rows)
}

function keyConditions(type: StoredType, key: Param<Key>, mapping: DatabaseMapping): readonly Sql[] {
  const { tables, key: keyMapping } = mapping.tableOf(type)
  const [part] = tables
  return [
    ...compileKeyEqualsValueExactly(part.key.map(rawSql), key, keyMapping, mapping.dialect),
    ...liveRowOfTypesConditions(part, [type], mapping),
  ]
}
