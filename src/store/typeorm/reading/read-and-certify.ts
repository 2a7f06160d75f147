import type { StoredType } from '../../../graph/model/resource-graph'
import type { ReadPlan } from '../../../plan/read-plan'
import type { ReadResult } from '../../read-result'
import type { CertifyGaleraRows } from '../cluster/certify-rows'
import { keysOfValidIds } from '../mapping/keys'
import { executeReadPlan } from './execute-read-plan'
import type { ReadExecutionContext } from './load-includes'

/** Reads and locks rows, and certifies them, so that a write at another node of the cluster that locks them too fails. */
export async function readAndLockInGaleraCluster(
  plan: ReadPlan,
  context: ReadExecutionContext,
  certify: CertifyGaleraRows,
): Promise<ReadResult> {
  const read = await executeReadPlan(plan, context, 'lock')
  const idsByType = new Map<StoredType, string[]>()
  for (const { type, id } of read.rows) idsByType.set(type, [...(idsByType.get(type) ?? []), id])
  for (const [type, ids] of idsByType) await certify(type, keysOfValidIds(context.mapping, type, ids))
  return read
}
