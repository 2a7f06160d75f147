import { createHash, randomUUID } from 'node:crypto'
import type { Api, BeforeCommit } from '../endpoints/api'
import { type Idempotency, KEYED_METHODS } from '../endpoints/idempotency'
import { type ErrorCode, PASSING_ERRORS } from '../errors/catalogue'
import { JsonApiError, problem } from '../errors/json-api-error'
import type { HttpRequest } from '../request/http-request'
import { readIdempotencyKey } from '../request/read-idempotency-key'
import type { Reply } from '../response/reply'
import type { ClaimOutcome, KeptAnswer, KeyClaim } from '../store/idempotency-store'
import type { HttpReply } from './exchange'

/** How a request is performed, and what is answered then. */
export interface Answering {
  perform(beforeCommit: BeforeCommit | undefined): Promise<Reply>
  accept(reply: Reply): HttpReply
  refuse(error: unknown): HttpReply
}

/**
 * Performs a request with an `Idempotency-Key` once: whoever sends it again gets the first answer again, unless that was that the server
 * failed.
 */
export async function answerOnce(claimed: Claimed, answering: Answering): Promise<HttpReply> {
  const { store, claim } = claimed
  const outcome = await store.claim(claim)
  if (outcome.kind === 'taken') return answerAgain(outcome, claim)
  try {
    return await performClaimed(claimed, answering)
  } catch (error) {
    return refuseClaimed(error, claimed, answering)
  }
}

/** The key of a request, with what keeps it. */
interface Claimed extends Pick<Idempotency, 'store'>, Pick<Api, 'report' | 'deadline'> {
  readonly claim: KeyClaim
}

/** `undefined`: it has no key, or keys mean nothing. */
export function claimKey(request: HttpRequest, { idempotency, report }: Api): Claimed | undefined {
  const claim = idempotency && claimOf(request, idempotency)
  return idempotency && claim && { claim, store: idempotency.store, report, deadline: request.deadline }
}

/** Reading needs no key. */
function claimOf(request: HttpRequest, idempotency: Idempotency): KeyClaim | undefined {
  const method = KEYED_METHODS.find((each) => each === request.method)
  if (method === undefined) return undefined
  const key = readIdempotencyKey(request.headers)
  if (key === undefined && idempotency.requiredFor.includes(method)) throw missingKey(method)
  if (key === undefined) return undefined
  return {
    key: hashOf([idempotency.owner(request.context), key]),
    request: hashOf(wordsOf(request), request.body),
    holder: randomUUID(),
    claimedFor: idempotency.claimedFor * 1000,
    keptFor: idempotency.keptFor * 1000,
  }
}

/** What decides about what is done. How it is to be answered (`Accept`, `Prefer`) makes no other request of it. */
function wordsOf({ method, mountPath, path, queryString, headers }: HttpRequest): readonly unknown[] {
  return [method, mountPath + path, queryString, headers['content-type'], ...conditionsIn(headers)]
}

function conditionsIn(headers: HttpRequest['headers']): readonly unknown[] {
  return [headers['if-match'], headers['if-none-match']]
}

/** In hexadecimal digits, which no database takes for the same in upper and lower case. */
function hashOf(words: readonly unknown[], body: Uint8Array = new Uint8Array()): string {
  return createHash('sha256').update(JSON.stringify(words)).update(body).digest('hex')
}

function answerAgain({ request, answer }: ClaimOutcome & { kind: 'taken' }, claim: KeyClaim): HttpReply {
  if (request !== claim.request) throw refusal('idempotency.key-reused', 'Take a new key for each new request.')
  if (answer === undefined) throw inProgress()
  return { ...answer, body: answer.body }
}

async function performClaimed({ claim, store, report, deadline }: Claimed, answering: Answering): Promise<HttpReply> {
  let answer: HttpReply | undefined
  const reply = await answering.perform(async (due, { native }) => {
    answer = answering.accept(due)
    if (store.keeps === 'afterCommit') return
    // Others believed this one dead: theirs is the write that stands.
    if ((await store.complete(claim, toKept(answer), native)) === 'lost') throw inProgress()
  })
  answer ??= answering.accept(reply)
  // The write stands: what goes wrong now is reported, not answered.
  if (store.keeps === 'afterCommit') {
    const keeping = store.complete(claim, toKept(answer), undefined)
    await (deadline?.race(keeping) ?? keeping).catch(report)
  }
  return answer
}

async function refuseClaimed(error: unknown, { claim, store, report }: Claimed, answering: Answering) {
  const answer = answering.refuse(error)
  const settled = isLasting(error, answer) ? store.complete(claim, toKept(answer), undefined) : store.release(claim)
  await settled.catch(report)
  return answer
}

function toKept({ body, ...answer }: HttpReply): KeptAnswer {
  return { ...answer, body: body instanceof Uint8Array ? Buffer.from(body).toString() : body }
}

/** Whether the same request can't go better later. */
function isLasting(error: unknown, { status }: HttpReply): boolean {
  if (!(error instanceof JsonApiError) || status >= 500) return false
  return !error.problems.some((each) => TEMPORARY_STATUSES.has(each.status) || PASSING_ERRORS.has(each.code))
}

/** Timeout, too early, too many requests: whoever gets one of these is to try again. */
const TEMPORARY_STATUSES: ReadonlySet<number> = new Set([408, 425, 429])

function inProgress(): JsonApiError {
  return refusal('idempotency.in-progress', 'Send it again later, with the same key.')
}

function missingKey(method: string): JsonApiError {
  return refusal('header.idempotency-key-missing', `A ${method} needs one: a UUID in quotes, new for each new request.`)
}

function refusal(code: ErrorCode, detail: string): JsonApiError {
  return new JsonApiError([problem(code, detail, { header: 'Idempotency-Key' })])
}
