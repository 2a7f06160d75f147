import type { Api } from '../endpoints/api'
import type { ExecutedWrite } from '../endpoints/execute-write'
import type { OpenTransaction } from '../endpoints/open-transaction'
import { perform } from '../endpoints/perform'
import { runInTransaction } from '../endpoints/run-in-transaction'
import { InvariantError } from '../errors/invariant'
import { clientError, JsonApiError } from '../errors/json-api-error'
import type { Operation, PerformOperations, WriteIntent } from '../request/intent/intent'
import type { EndpointResult } from '../response/endpoint-result'
import type { RequestUrl } from '../response/links'
import { evaluateConditions } from './evaluate-conditions'
import { type LocalIds, withIds } from './local-ids'
import { toOperationError } from './operation-errors'
import { type OperationResult, toOperationsResult } from './to-results'

/** POST /operations: one after the other, in one transaction. https://jsonapi.org/ext/atomic/#processing */
export function performOperations(asked: PerformOperations, api: Api, requestUrl: RequestUrl): Promise<EndpointResult> {
  const { operations, preference, document } = asked
  return runInTransaction(api, async (open) => {
    const ids: LocalIds = new Map()
    const performed: OperationResult[] = []
    for (const operation of await evaluateConditions(operations, open, api)) {
      const { reply, done } = await performOne(operation, { ids, open, api, requestUrl, document })
      if (operation.added !== undefined) ids.set(operation.added, done.write.id)
      performed.push({ operation, reply })
    }
    return toOperationsResult(performed, preference, api.options)
  })
}

interface OperationContext extends Pick<PerformOperations, 'document'> {
  readonly ids: LocalIds
  readonly open: OpenTransaction
  readonly api: Api
  readonly requestUrl: RequestUrl
}

async function performOne(operation: Operation, { ids, open, api, requestUrl, document }: OperationContext) {
  const writes: ExecutedWrite[] = []
  const onWritten = (done: ExecutedWrite) => {
    writes.push(done)
    open.onWritten(done)
  }
  try {
    const intent = withIds(operation.intent, ids)
    const walk = () => perform(intent, { ...api, openTransaction: { ...open, onWritten } }, requestUrl)
    const reply = await (api.observation?.operation(nameOf(intent), walk) ?? walk())
    return { reply, done: onlyOneOf(writes) }
  } catch (error) {
    throw toOperationError(error, operation, document)
  }
}

/** `createResource men` */
function nameOf(intent: WriteIntent): string {
  return `${intent.kind} ${'target' in intent ? intent.target.type.name : intent.type.name}`
}

/** What is left for later is neither kept nor undone together with the others. */
function onlyOneOf([done, another]: readonly ExecutedWrite[]): ExecutedWrite {
  if (done === undefined || another !== undefined) throw new InvariantError('An operation is one write.')
  if (done.accepted === undefined) return done
  const detail = 'A rule leaves this write for later, which can only be done by a request of its own.'
  throw new JsonApiError([clientError('operation.async-not-supported', detail)])
}
