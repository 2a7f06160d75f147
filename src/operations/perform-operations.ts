import type { Api } from '../endpoints/api'
import type { OpenTransaction } from '../endpoints/open-transaction'
import { perform } from '../endpoints/perform'
import type { DoneWrite } from '../endpoints/run-write'
import { transact } from '../endpoints/transact'
import { InvariantError } from '../errors/invariant'
import { JsonApiError, problem } from '../errors/json-api-error'
import type { Operation, PerformOperations, WriteIntent } from '../request/intent'
import type { Requested } from '../response/links'
import type { Reply } from '../response/reply'
import { decideConditions } from './decide-conditions'
import { type LocalIds, withIds } from './local-ids'
import { toOperationError } from './operation-errors'
import { type Performed, toResultsReply } from './to-results'

/** POST /operations: one after the other, in one transaction. https://jsonapi.org/ext/atomic/#processing */
export function performOperations(asked: PerformOperations, api: Api, requested: Requested): Promise<Reply> {
  const { operations, preference, document } = asked
  return transact(api, async (open) => {
    const ids: LocalIds = new Map()
    const performed: Performed[] = []
    for (const operation of await decideConditions(operations, open, api)) {
      const { reply, done } = await performOne(operation, { ids, open, api, requested, document })
      if (operation.added !== undefined) ids.set(operation.added, done.write.id)
      performed.push({ operation, reply })
    }
    return toResultsReply(performed, preference, api.options)
  })
}

interface Performing extends Pick<PerformOperations, 'document'> {
  readonly ids: LocalIds
  readonly open: OpenTransaction
  readonly api: Api
  readonly requested: Requested
}

async function performOne(operation: Operation, { ids, open, api, requested, document }: Performing) {
  const writes: DoneWrite[] = []
  const noteDone = (done: DoneWrite) => {
    writes.push(done)
    open.noteDone(done)
  }
  try {
    const intent = withIds(operation.intent, ids)
    const walk = () => perform(intent, { ...api, open: { ...open, noteDone } }, requested)
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
function onlyOneOf([done, another]: readonly DoneWrite[]): DoneWrite {
  if (done === undefined || another !== undefined) throw new InvariantError('An operation is one write.')
  if (done.accepted === undefined) return done
  const detail = 'A rule leaves this write for later, which can only be done by a request of its own.'
  throw new JsonApiError([problem('operation.accepted', detail)])
}
