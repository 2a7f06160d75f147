import type { QueryRunner } from 'typeorm'
import type { Caches } from '../../../cache/caches'
import type { StoredType } from '../../../graph/model/resource-graph'
import type { ReadPlan } from '../../../plan/read-plan'
import type { CreatePlan, UpdatePlan } from '../../../plan/write-plan'
import type { ReadResult } from '../../read-result'
import { isOutcomeUnknown, outcomeUnknownError } from '../drivers/find-failure'
import { findViolation, isRetryable } from '../drivers/find-violation'
import { hasTransactionSubscribers } from '../drivers/query-listeners'
import type { RunStatement, StatementResult } from '../drivers/run-statement'
import { findKey } from '../mapping/keys'
import type { Key, Mapping } from '../mapping/mapping'
import type { StatementCache } from '../select/statement-cache'
import type { Statement } from '../sql/sql'
import { discardConnection, runUntilDeadline } from '../transactions/cancel-query'
import { runSingleStatement } from '../transactions/run-on-connection'
import type { TransactionOptions } from '../transactions/run-transaction'
import { compileRowWrite, type RowWrite } from './compile-row-write'
import { newValues } from './insert-row'
import { resolvePrimaryKey } from './resolve-primary-key'
import { foreignKeysIn, isReadFromRowAlone, supportsSingleStatement } from './single-statement-support'
import { hasTriggers } from './triggers'
import { changedValues } from './update-row'
import type { ColumnValues } from './writing'

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
      await discardConnection({ queryRunner })
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
  const keys = foreignKeysIn(links, mapping)
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
    assignments: newValues(plan, { gathered, keys }, mapping),
    related: keys,
  }
}

function toUpdate(plan: UpdatePlan, mapping: Mapping): RowWrite | undefined {
  const { type, id, links } = plan
  const key: Key | undefined = findKey(mapping, type, id)
  const keys = foreignKeysIn(links, mapping)
  if (keys === undefined || key === undefined) return undefined
  return { kind: 'update', type, key, assignments: changedValues(plan, { key, keys }, mapping), related: keys }
}
