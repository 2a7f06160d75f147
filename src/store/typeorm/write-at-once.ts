import type { QueryRunner } from 'typeorm'
import type { StoredType } from '../../graph/resource-graph'
import type { ReadPlan } from '../../plan/read-plan'
import type { CreatePlan, UpdatePlan } from '../../plan/write-plan'
import type { ReadResult } from '../read-result'
import type { CompiledStatements } from './compiled'
import { withStatement } from './connection-gate'
import { isUncertain, uncertain } from './failure'
import { gatherKey } from './gather-key'
import { inTime } from './give-up'
import { newValues } from './insert-row'
import { toKey } from './keys'
import type { Key, Mapping } from './mapping'
import { foreignKeysIn, isRowAlone, isWrittenAlone } from './plain-rows'
import { prepareWritten, type RowWrite } from './prepare-written'
import type { RunStatement, StatementResult } from './run-statement'
import type { TransactionEnd } from './run-transaction'
import { isTransactionHeard } from './somebody-told'
import type { Statement } from './sql'
import { hasTriggers } from './triggers'
import { changedValues } from './update-row'
import { isConflict, violationIn } from './violation'
import type { Assignments } from './writing'

interface Surroundings extends Pick<TransactionEnd, 'deadline' | 'report'> {
  readonly mapping: Mapping
  readonly compiled: CompiledStatements
  readonly run: RunStatement
}

/** What may be done at once: docs/internals/decisions/034. */
export async function writeAtOnce(
  plan: CreatePlan | UpdatePlan,
  { layer, shown }: ReadPlan,
  surroundings: Surroundings,
): Promise<ReadResult | undefined> {
  const { mapping, compiled, deadline } = surroundings
  const { dataSource } = mapping
  const { type } = plan
  if (!isWrittenAlone(type, mapping) || !isRowAlone(layer, shown, type) || isTransactionHeard(dataSource))
    return undefined
  const write = toRowWrite(plan, mapping)
  if (write === undefined || write.assignments.size === 0) return undefined
  const { made, statement } = prepareWritten(write, { layer, shown, mapping, compiled })
  const done = await withStatement(dataSource, (queryRunner) =>
    inTime(deadline, { dataSource, queryRunner }, () => runAlone(type, statement, queryRunner, surroundings)),
  )
  const row = done?.records[0] && made.columns.readRow(done.records[0])
  return row && { rows: [row], total: undefined, hasMore: false }
}

async function runAlone(
  type: StoredType,
  statement: Statement,
  queryRunner: QueryRunner,
  { mapping, run, deadline, report }: Surroundings,
): Promise<StatementResult | undefined> {
  const [part] = mapping.tableOf(type).parts
  if (await hasTriggers(part, { mapping, queryRunner, run })) return undefined
  // What fails here was not sent.
  await queryRunner.connect()
  deadline?.check()
  deadline?.decide('yes')
  try {
    return await run(queryRunner, statement)
  } catch (error) {
    if (isUncertain(error)) throw uncertain(error, { report })
    if (violationIn(error) === undefined && !isConflict(error)) throw error
    return undefined
  }
}

const NOTHING_CHANGED: Assignments = new Map()

/** `undefined`: it takes more than one statement, or its values are refused, which is told of in steps. */
function toRowWrite(plan: CreatePlan | UpdatePlan, mapping: Mapping): RowWrite | undefined {
  try {
    return plan.kind === 'create' ? toInsert(plan, mapping) : toUpdate(plan, mapping)
  } catch (error) {
    if (violationIn(error) === undefined) throw error
    return undefined
  }
}

function toInsert(plan: CreatePlan, mapping: Mapping): RowWrite | undefined {
  const { type, id, links } = plan
  const { key } = mapping.tableOf(type)
  const keys = foreignKeysIn(links, mapping)
  if (keys === undefined || (id !== undefined && toKey(mapping, type, id) === undefined)) return undefined
  const gathered = gatherKey(plan, NOTHING_CHANGED, mapping)
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
    rights: keys,
  }
}

function toUpdate(plan: UpdatePlan, mapping: Mapping): RowWrite | undefined {
  const { type, id, links } = plan
  const key: Key | undefined = toKey(mapping, type, id)
  const keys = foreignKeysIn(links, mapping)
  if (keys === undefined || key === undefined) return undefined
  return { kind: 'update', type, key, assignments: changedValues(plan, { key, keys }, mapping), rights: keys }
}
