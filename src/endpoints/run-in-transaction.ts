import type { EndpointResult } from '../response/endpoint-result'
import { type Api, readRulesOf } from './api'
import type { ExecutedWrite } from './execute-write'
import type { OpenTransaction } from './open-transaction'

/** Work in the transaction that is open, or else in one of its own, which runs as a whole again when it met another; `afterCommit` behind it. */
export async function runInTransaction(
  api: Api,
  work: (open: OpenTransaction) => Promise<EndpointResult>,
): Promise<EndpointResult> {
  if (api.openTransaction !== undefined) return work(api.openTransaction)
  const rules = readRulesOf(api)
  const { reply, writes } = await api.store.transaction(async (transaction) => {
    const writes: ExecutedWrite[] = []
    const reply = await work({ transaction, rules, onWritten: (done) => void writes.push(done) })
    await api.beforeCommit?.(reply, transaction)
    return { reply, writes }
  })
  for (const done of writes) await runAfterCommit(done, api)
  return reply
}

/** The write stands: what goes wrong now is reported, not answered. */
async function runAfterCommit({ definition, write }: ExecutedWrite, { onError, deadline }: Api): Promise<void> {
  try {
    const telling = definition.afterCommit(write)
    if (telling !== undefined) await (deadline?.race(Promise.resolve(telling)) ?? telling)
  } catch (error) {
    onError(error)
  }
}
