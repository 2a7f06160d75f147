import type { Requested } from '../response/links'
import { type Reply, writeInFull } from '../response/reply'
import { answerAccepted } from './answer-accepted'
import type { Api } from './api'
import type { Looking } from './find-rights'
import type { DoneWrite } from './run-write'
import { transact } from './transact'

/** What has been done, and how it is answered if it was done at once. */
export interface Performed {
  readonly done: DoneWrite
  readonly answer: () => Promise<Reply>
}

/** Each has its own, also where it is never aborted: who listens to it, and forgets to stop, does so until the request is over. */
function signalOf({ deadline }: Api): AbortSignal {
  return deadline?.signal ?? new AbortController().signal
}

/** One transaction, all hooks within. */
export function performWrite(
  api: Api,
  requested: Requested,
  walk: (looking: Looking) => Promise<Performed>,
): Promise<Reply> {
  return transact(api, async ({ transaction, rules, noteDone }) => {
    const looking = { transaction, rules, context: api.context, signal: signalOf(api) }
    const { done, answer } = await walk(looking)
    noteDone(done)
    const reply = done.accepted === undefined ? answer() : answerAccepted(done.accepted, looking, requested, api)
    // What hooks say of records is a part of the write: where one fails, nothing is kept.
    return writeInFull(await reply)
  })
}
