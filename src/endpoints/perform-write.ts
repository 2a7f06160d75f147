import type { Requested } from '../response/links'
import type { Reply } from '../response/reply'
import { answerAccepted } from './answer-accepted'
import { type Api, readingRulesOf } from './api'
import type { Looking } from './find-rights'
import type { DoneWrite } from './run-write'

/** What has been done, and how it is answered if it was done at once. */
export interface Performed {
  readonly done: DoneWrite
  readonly answer: () => Promise<Reply>
}

/** One transaction, all hooks within; `afterCommit` behind it. */
export async function performWrite(
  api: Api,
  requested: Requested,
  walk: (looking: Looking) => Promise<Performed>,
): Promise<Reply> {
  const { done, reply } = await api.store.transaction(async (transaction) => {
    const looking = { transaction, rules: readingRulesOf(api), context: api.context }
    const { done, answer } = await walk(looking)
    const reply = await (done.accepted === undefined
      ? answer()
      : answerAccepted(done.accepted, looking, requested, api))
    await api.beforeCommit?.(reply, transaction)
    return { done, reply }
  })
  await tellCommitted(done, api)
  return reply
}

/** The write stands: what goes wrong now is reported, not answered. */
async function tellCommitted({ definition, write }: DoneWrite, { report }: Api): Promise<void> {
  try {
    await definition.afterCommit(write)
  } catch (error) {
    report(error)
  }
}
