import { type EndpointResult, withCompleteDocument } from '../response/endpoint-result'
import type { RequestUrl } from '../response/links'
import type { Api } from './api'
import type { ExecutedWrite } from './execute-write'
import type { WriteContext } from './find-related'
import { respondAccepted } from './respond-accepted'
import { runInTransaction } from './run-in-transaction'

/** What has been done, and how it is answered if it was done at once. */
export interface PendingResult {
  readonly executed: ExecutedWrite
  readonly toResult: () => Promise<EndpointResult>
}

/** Each has its own, also where it is never aborted: who listens to it, and forgets to stop, does so until the request is over. */
function signalOf({ deadline }: Api): AbortSignal {
  return deadline?.signal ?? new AbortController().signal
}

/** One transaction, all hooks within. */
export function performWrite(
  api: Api,
  requestUrl: RequestUrl,
  execute: (writeContext: WriteContext) => Promise<PendingResult>,
): Promise<EndpointResult> {
  return runInTransaction(api, async ({ transaction, rules, onWritten }) => {
    const writeContext = { transaction, rules, context: api.context, signal: signalOf(api) }
    const { executed, toResult } = await execute(writeContext)
    onWritten(executed)
    const reply =
      executed.accepted === undefined ? toResult() : respondAccepted(executed.accepted, writeContext, requestUrl, api)
    // What hooks say of records is a part of the write: where one fails, nothing is kept.
    return withCompleteDocument(await reply)
  })
}
