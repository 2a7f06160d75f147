import type { Reply } from '../response/reply'
import { type Api, readingRulesOf } from './api'
import type { Looking } from './find-rights'
import type { DoneWrite } from './run-write'

/** What a write answers, and what is left to be done once its transaction has ended well. */
export interface Performed {
  readonly value: Reply
  readonly done: DoneWrite
}

/** One transaction, all hooks within; `afterCommit` behind it. */
export async function performWrite(api: Api, walk: (looking: Looking) => Promise<Performed>): Promise<Reply> {
  const { value, done } = await api.store.transaction(async (transaction) => {
    const performed = await walk({ transaction, rules: readingRulesOf(api), context: api.context })
    await api.beforeCommit?.(performed.value, transaction)
    return performed
  })
  await tellCommitted(done, api)
  return value
}

/** The write stands: what goes wrong now is reported, not answered. */
async function tellCommitted({ definition, write }: DoneWrite, { report }: Api): Promise<void> {
  try {
    await definition.afterCommit(write)
  } catch (error) {
    report(error)
  }
}
