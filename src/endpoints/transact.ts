import type { Reply } from '../response/reply'
import { type Api, readingRulesOf } from './api'
import type { OpenTransaction } from './open-transaction'
import type { DoneWrite } from './run-write'

/** Work in the transaction that is open, or else in one of its own, which runs as a whole again when it met another; `afterCommit` behind it. */
export async function transact(api: Api, work: (open: OpenTransaction) => Promise<Reply>): Promise<Reply> {
  if (api.open !== undefined) return work(api.open)
  const rules = readingRulesOf(api)
  const { reply, writes } = await api.store.transaction(async (transaction) => {
    const writes: DoneWrite[] = []
    const reply = await work({ transaction, rules, noteDone: (done) => void writes.push(done) })
    await api.beforeCommit?.(reply, transaction)
    return { reply, writes }
  })
  for (const done of writes) await tellCommitted(done, api)
  return reply
}

/** The write stands: what goes wrong now is reported, not answered. */
async function tellCommitted({ definition, write }: DoneWrite, { report, deadline }: Api): Promise<void> {
  try {
    const telling = definition.afterCommit(write)
    if (telling !== undefined) await (deadline?.race(Promise.resolve(telling)) ?? telling)
  } catch (error) {
    report(error)
  }
}
