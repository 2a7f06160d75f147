import type { QueryRunner } from 'typeorm'
import type { Caches } from '../../../cache/caches'
import type { StoredType } from '../../../graph/model/resource-graph'
import type { Layer, ReadPlan } from '../../../plan/read-plan'
import type { CreatePlan, UpdatePlan } from '../../../plan/write-plan'
import { Param } from '../../../query/tree/param'
import type { ReadResult } from '../../read-result'
import { isOutcomeUnknown, outcomeUnknownError } from '../drivers/find-store-failure'
import { findViolation, isRetryable } from '../drivers/find-violation'
import { hasTransactionSubscribers } from '../drivers/query-listeners'
import type { RunStatement, StatementResult } from '../drivers/run-statement'
import { keyEqualsExactly } from '../joins/key-conditions'
import { rootScope } from '../joins/scope'
import { findKey } from '../mapping/keys'
import type { Key, Mapping } from '../mapping/mapping'
import { type CompileContext, cacheKeyParts } from '../select/compile-statements'
import { type SelectedColumns, selectColumns } from '../select/select-columns'
import type { CompiledQuery, StatementCache } from '../select/statement-cache'
import { identifier, join, type Sql, type Statement, toSql } from '../sql/sql'
import { discardConnection, runUntilDeadline } from '../transactions/cancel-query'
import { runSingleStatement } from '../transactions/run-on-connection'
import type { TransactionOptions } from '../transactions/run-transaction'
import { insertAssignments } from './insert-row'
import { resolvePrimaryKey } from './resolve-primary-key'
import {
  type ForeignKeyWithTarget,
  findForeignKeys,
  hasTriggers,
  isReadFromRowAlone,
  supportsSingleStatement,
} from './single-statement-support'
import { updateAssignments } from './update-row'
import {
  type Assignments,
  assignmentsInTable,
  type ColumnValues,
  insertInto,
  presentTypeConditions,
  updateWhere,
} from './write-statements'

interface SingleWriteContext extends Pick<TransactionOptions, 'deadline' | 'onError'> {
  readonly mapping: Mapping
  readonly statementCache: StatementCache
  readonly caches: Caches
  readonly run: RunStatement
}

/** Writes and reads back in one statement, if decision 034 allows it. */
export async function writeInOneStatement(
  plan: CreatePlan | UpdatePlan,
  { layer, projection }: ReadPlan,
  context: SingleWriteContext,
): Promise<ReadResult | undefined> {
  const { mapping, statementCache, deadline } = context
  const { dataSource } = mapping
  const { type } = plan
  if (
    !supportsSingleStatement(type, mapping) ||
    !isReadFromRowAlone(layer, projection, type) ||
    hasTransactionSubscribers(dataSource)
  )
    return undefined
  const write = toRowWrite(plan, mapping)
  if (write === undefined || write.assignments.size === 0) return undefined
  const { query, statement } = compileRowWrite(write, { layer, projection, mapping, statementCache })
  const done = await runSingleStatement(dataSource, (queryRunner) =>
    runUntilDeadline(deadline, { dataSource, queryRunner }, () =>
      runUnlessTriggers(type, statement, queryRunner, context),
    ),
  )
  const row = done?.records[0] && query.columns.readRow(done.records[0])
  return row && { rows: [row], total: undefined, hasMore: false }
}

async function runUnlessTriggers(
  type: StoredType,
  statement: Statement,
  queryRunner: QueryRunner,
  { mapping, caches, run, deadline, onError }: SingleWriteContext,
): Promise<StatementResult | undefined> {
  const [part] = mapping.tableOf(type).tables
  if (await hasTriggers(part, { mapping, caches, queryRunner, run })) return undefined
  // A failure up to here sent nothing.
  await queryRunner.connect()
  deadline?.check()
  deadline?.decide('yes')
  try {
    return await run(queryRunner, statement)
  } catch (error) {
    if (isOutcomeUnknown(error)) {
      await discardConnection(queryRunner)
      throw outcomeUnknownError(error, { onError })
    }
    if (findViolation(error) === undefined && !isRetryable(error)) throw error
    return undefined
  }
}

const NOTHING_CHANGED: ColumnValues = new Map()

/** `undefined`: the write needs several statements, or a value is invalid, which the transactional path reports. */
function toRowWrite(plan: CreatePlan | UpdatePlan, mapping: Mapping): RowWrite | undefined {
  try {
    return plan.kind === 'create' ? toInsert(plan, mapping) : toUpdate(plan, mapping)
  } catch (error) {
    if (findViolation(error) === undefined) throw error
    return undefined
  }
}

function toInsert(plan: CreatePlan, mapping: Mapping): RowWrite | undefined {
  const { type, id, links } = plan
  const { key } = mapping.tableOf(type)
  const keys = findForeignKeys(links, mapping)
  if (keys === undefined || (id !== undefined && findKey(mapping, type, id) === undefined)) return undefined
  const gathered = resolvePrimaryKey(plan, NOTHING_CHANGED, mapping)
  // Its counter would have to be taken behind it.
  const isCounted = key.some(
    ({ metadata }, place) => metadata.generationStrategy === 'increment' && gathered[place] !== undefined,
  )
  if (isCounted) return undefined
  return {
    kind: 'insert',
    type,
    key: undefined,
    assignments: insertAssignments(plan, { gathered, keys }, mapping),
    related: keys,
  }
}

function toUpdate(plan: UpdatePlan, mapping: Mapping): RowWrite | undefined {
  const { type, id, links } = plan
  const key: Key | undefined = findKey(mapping, type, id)
  const keys = findForeignKeys(links, mapping)
  if (keys === undefined || key === undefined) return undefined
  return { kind: 'update', type, key, assignments: updateAssignments(plan, { key, keys }, mapping), related: keys }
}

/** A row that is written by one statement. */
export interface RowWrite {
  readonly kind: 'insert' | 'update'
  readonly type: StoredType
  /** The key of an existing row. */
  readonly key: Key | undefined
  readonly assignments: Assignments
  readonly related: readonly ForeignKeyWithTarget[]
}

export interface CompiledRowWrite {
  readonly sql: Sql
  readonly columns: SelectedColumns
}

interface RowCompileContext extends CompileContext {
  readonly layer: Layer
}

/**
 * Compiles a write of a row that reads it back. It writes nothing, and returns no row, if a row that it refers to is missing.
 *
 * `insert into "articles" ("title", "blogId") select ?, ? where exists (select … from "blogs" where "id" = ?) returning …`
 */
export function compileRowWrite(
  write: RowWrite,
  { layer, projection, mapping, statementCache }: RowCompileContext,
): CompiledQuery<CompiledRowWrite> {
  const { kind, type, assignments } = write
  const key = new Param(write.key ?? [])
  const related = write.related
    .flatMap(({ related }) => related ?? [])
    .map((row) => ({ ...row, key: new Param(row.key) }))
  const assigned = [...assignments].map(([column, { text, values }]) => [column, text, values])
  const nodes = [kind, type, assigned, related, key, ...cacheKeyParts(layer, projection)]
  return statementCache.getOrCompile(nodes, () => {
    const [part] = mapping.tableOf(type).tables
    const columns = selectColumns(layer, projection, { ...rootScope(mapping, type), alias: part.table })
    const own = assignmentsInTable(assignments, part)
    const found = related.map((row) => isThere(row.type, row.key, mapping))
    const written =
      kind === 'insert'
        ? insertInto(part, own, mapping, found)
        : updateWhere(part, own, [...isRowWith(type, key, mapping), ...found])
    return { columns, sql: toSql`${written} returning ${columns.sql}` }
  })
}

function isThere(type: StoredType, key: Param<Key>, mapping: Mapping): Sql {
  const [part] = mapping.tableOf(type).tables
  const rows = toSql`select 1 from ${identifier(part.table)} where ${join(isRowWith(type, key, mapping), ' and ')}`
  return mapping.dialect.exists(rows)
}

function isRowWith(type: StoredType, key: Param<Key>, mapping: Mapping): readonly Sql[] {
  const { tables, key: of } = mapping.tableOf(type)
  const [part] = tables
  return [
    ...keyEqualsExactly(part.key.map(identifier), key, of, mapping.dialect),
    ...presentTypeConditions(part, [type], mapping),
  ]
}
