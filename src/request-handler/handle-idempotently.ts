import { createHash, randomUUID } from 'node:crypto'
import type { Api, BeforeCommit } from '../endpoints/api'
import { type Idempotency, UNSAFE_METHODS } from '../endpoints/idempotency'
import { type ErrorCode, TRANSIENT_ERRORS } from '../errors/catalogue'
import { clientError, JsonApiError } from '../errors/json-api-error'
import type { HttpRequest } from '../request/http/http-request'
import { readIdempotencyKey } from '../request/http/read-idempotency-key'
import type { EndpointResult } from '../response/endpoint-result'
import type { ClaimResult, KeyClaim, StoredResponse } from '../store/idempotency-store'
import type { HttpResponse } from './http-response'

/** How a request is performed, and what is answered then. */
export interface RequestExecution {
  perform(beforeCommit: BeforeCommit | undefined): Promise<EndpointResult>
  toResponse(reply: EndpointResult): HttpResponse
  toErrorResponse(error: unknown): HttpResponse
}

/**
 * Performs a request with an `Idempotency-Key` once: whoever sends it again gets the first answer again, unless that was that the server
 * failed.
 */
export async function handleIdempotently(claimed: ClaimedKey, answering: RequestExecution): Promise<HttpResponse> {
  const { store, claim } = claimed
  const outcome = await store.claim(claim)
  if (outcome.kind === 'taken') return replayResponse(outcome, claim)
  try {
    return await executeClaimed(claimed, answering)
  } catch (error) {
    return respondToClaimedError(error, claimed, answering)
  }
}

/** The key of a request, with what keeps it. */
interface ClaimedKey extends Pick<Idempotency, 'store'>, Pick<Api, 'onError' | 'deadline'> {
  readonly claim: KeyClaim
}

/** `undefined`: it has no key, or keys mean nothing. */
export function claimKey(request: HttpRequest, { idempotency, onError }: Api): ClaimedKey | undefined {
  const claim = idempotency && claimOf(request, idempotency)
  return idempotency && claim && { claim, store: idempotency.store, onError, deadline: request.deadline }
}

/** Reading needs no key. */
function claimOf(request: HttpRequest, idempotency: Idempotency): KeyClaim | undefined {
  const method = UNSAFE_METHODS.find((each) => each === request.method)
  if (method === undefined) return undefined
  const key = readIdempotencyKey(request.headers)
  if (key === undefined && idempotency.requiredMethods.includes(method)) throw missingKey(method)
  if (key === undefined) return undefined
  return {
    key: fingerprintOf([idempotency.owner(request.context), key]),
    request: fingerprintOf(fingerprintParts(request), request.body),
    claimId: randomUUID(),
    leaseMs: idempotency.leaseSeconds * 1000,
    retentionMs: idempotency.retentionSeconds * 1000,
  }
}

/** What decides about what is done. How it is to be answered (`Accept`, `Prefer`) makes no other request of it. */
function fingerprintParts({ method, mountPath, path, queryString, headers }: HttpRequest): readonly unknown[] {
  return [method, mountPath + path, queryString, headers['content-type'], ...conditionsIn(headers)]
}

function conditionsIn(headers: HttpRequest['headers']): readonly unknown[] {
  return [headers['if-match'], headers['if-none-match']]
}

/** In hexadecimal digits, which no database takes for the same in upper and lower case. */
function fingerprintOf(words: readonly unknown[], body: Uint8Array = new Uint8Array()): string {
  return createHash('sha256').update(JSON.stringify(words)).update(body).digest('hex')
}

function replayResponse({ request, answer }: ClaimResult & { kind: 'taken' }, claim: KeyClaim): HttpResponse {
  if (request !== claim.request) throw refusal('idempotency.key-reused', 'Take a new key for each new request.')
  if (answer === undefined) throw inProgress()
  return { ...answer, body: answer.body }
}

async function executeClaimed(
  { claim, store, onError, deadline }: ClaimedKey,
  answering: RequestExecution,
): Promise<HttpResponse> {
  let answer: HttpResponse | undefined
  const reply = await answering.perform(async (due, { native }) => {
    answer = answering.toResponse(due)
    if (store.completion === 'afterCommit') return
    // Others believed this one dead: theirs is the write that stands.
    if ((await store.complete(claim, toStoredResponse(answer), native)) === 'lost') throw inProgress()
  })
  answer ??= answering.toResponse(reply)
  // The write stands: what goes wrong now is reported, not answered.
  if (store.completion === 'afterCommit') {
    const keeping = store.complete(claim, toStoredResponse(answer), undefined)
    await (deadline?.race(keeping) ?? keeping).catch(onError)
  }
  return answer
}

async function respondToClaimedError(
  error: unknown,
  { claim, store, onError }: ClaimedKey,
  answering: RequestExecution,
) {
  const answer = answering.toErrorResponse(error)
  const settled = isPermanent(error, answer)
    ? store.complete(claim, toStoredResponse(answer), undefined)
    : store.release(claim)
  await settled.catch(onError)
  return answer
}

function toStoredResponse({ body, ...answer }: HttpResponse): StoredResponse {
  return { ...answer, body: body instanceof Uint8Array ? Buffer.from(body).toString() : body }
}

/** Whether the same request can't go better later. */
function isPermanent(error: unknown, { status }: HttpResponse): boolean {
  if (!(error instanceof JsonApiError) || status >= 500) return false
  return !error.errors.some((each) => TEMPORARY_STATUSES.has(each.status) || TRANSIENT_ERRORS.has(each.code))
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
  return new JsonApiError([clientError(code, detail, { header: 'Idempotency-Key' })])
}
