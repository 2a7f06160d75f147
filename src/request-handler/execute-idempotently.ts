import { createHash, randomUUID } from 'node:crypto'
import { type ResolvedIdempotencyOptions, UNSAFE_METHODS } from '../endpoints/idempotency'
import type { RequestScope } from '../endpoints/request-scope'
import { type ErrorCode, RETRYABLE_API_ERROR_CODES } from '../errors/catalogue'
import { InvariantError } from '../errors/invariant'
import { createJsonApiError, JsonApiError } from '../errors/json-api-error'
import type { RequestObservation } from '../observation/observation'
import type { HttpRequest } from '../request/http/http-request'
import { readIdempotencyKey } from '../request/http/read-idempotency-key'
import type {
  IdempotencyClaimRequest,
  IdempotencyClaimResult,
  IdempotencyStore,
  StoredResponse,
} from '../store/idempotency-store'
import { reportErrorAndCreateResponse } from './error-response'
import { executeRequestAndCreateResponse, type ParsedRequest } from './execute-request-and-create-response'
import type { HttpResponse } from './http-response'

/** The key of a request, and the store that holds it. */
interface IdempotentRequest {
  readonly claim: IdempotencyClaimRequest
  readonly store: IdempotencyStore
}

/** Reads the idempotency key of a request, and returns it with the store that holds it. Returns `undefined` without a key. */
export function readIdempotencyClaimAndStore(
  request: HttpRequest,
  { core: { idempotency }, observation }: RequestScope,
): IdempotentRequest | undefined {
  const claim = idempotency && readClaim(request, idempotency)
  if (idempotency === undefined || claim === undefined) return undefined
  const { store } = idempotency
  return { claim, store: observation === undefined ? store : toObservedKeys(store, observation) }
}

/** Executes a request once: repeated requests get the stored response, unless it was a server error. */
export async function executeIdempotently(
  { claim, store }: IdempotentRequest,
  call: ParsedRequest,
): Promise<HttpResponse> {
  const { scope, responseContext } = call
  const claimed = await store.claim(claim)
  if (claimed.kind === 'taken') return replayResponse(claimed, claim)
  try {
    return await executeClaimed({ claim, store }, call)
  } catch (error) {
    const response = reportErrorAndCreateResponse(error, responseContext, scope.core, scope.observation)
    await settleFailed({ claim, store }, error, response).catch(scope.onError)
    return response
  }
}

async function executeClaimed({ claim, store }: IdempotentRequest, call: ParsedRequest): Promise<HttpResponse> {
  const { deadline, onError } = call.scope
  const response = await executeRequestAndCreateResponse(call, async (written, { native }) => {
    if (store.completion === 'afterCommit') return
    // Another request has taken over the expired lease. Its write is kept, and this one is rolled back.
    if ((await store.complete(claim, toStoredResponse(written), native)) === 'lost') throw inProgressError()
  })
  if (store.completion === 'inTransaction') return response
  // The write is committed: errors are reported, and not returned.
  const completing = store.complete(claim, toStoredResponse(response), undefined).then(assertKept)
  await (deadline?.race(completing) ?? completing).catch(onError)
  return response
}

/** Stores the response to a failed request, or frees its key so that a repetition is performed. */
async function settleFailed(
  { claim, store }: IdempotentRequest,
  error: unknown,
  response: HttpResponse,
): Promise<void> {
  if (isPermanent(error, response)) await store.complete(claim, toStoredResponse(response), undefined)
  // If the write is committed, its response is not stored: the key stays taken until its lease ends, so that it is not performed twice at once.
  else if (store.completion === 'afterCommit' && isOutcomeUnknown(error)) return
  // Together with a committed write its response is stored, and `release` keeps it.
  else await store.release(claim)
}

/** Throws if another request took the key over after the lease: it may have performed the committed write a second time. */
function assertKept(completed: 'kept' | 'lost'): void {
  if (completed === 'kept') return
  throw new InvariantError(
    'Another request took over the idempotency key of a committed write, which may be performed twice. Raise leaseSeconds above the longest duration of a write.',
  )
}

/** Wraps a store so that its durations are observed as time of the database. */
function toObservedKeys(store: IdempotencyStore, observation: RequestObservation): IdempotencyStore {
  return {
    completion: store.completion,
    claim: (claim) => observation.during('database', () => store.claim(claim)),
    complete: (...completed) => observation.during('database', () => store.complete(...completed)),
    release: (claim) => observation.during('database', () => store.release(claim)),
  }
}

/** Reads the key of a write and its fingerprint. Reads need no key. */
function readClaim(request: HttpRequest, idempotency: ResolvedIdempotencyOptions): IdempotencyClaimRequest | undefined {
  const method = UNSAFE_METHODS.find((each) => each === request.method)
  if (method === undefined) return undefined
  const key = readIdempotencyKey(request.headers)
  if (key === undefined && idempotency.requiredMethods.includes(method)) throw missingKeyError(method)
  if (key === undefined) return undefined
  return {
    keyHash: fingerprintOf([idempotency.owner(request.context), key]),
    requestHash: fingerprintOf(identifyingParts(request), request.body),
    claimId: randomUUID(),
    leaseMs: idempotency.leaseSeconds * 1000,
    retentionMs: idempotency.retentionSeconds * 1000,
  }
}

/** Returns the parts of a request that determine its effect. `Accept` and `Prefer` only affect the response. */
function identifyingParts({ method, mountPath, path, queryString, headers }: HttpRequest): readonly unknown[] {
  const { 'content-type': contentType, 'if-match': ifMatch, 'if-none-match': ifNoneMatch } = headers
  return [method, mountPath + path, queryString, contentType, ifMatch, ifNoneMatch]
}

/** Returns a hash in lower-case hexadecimal digits, so that case-insensitive collations distinguish all keys. */
function fingerprintOf(parts: readonly unknown[], body: Uint8Array = new Uint8Array()): string {
  return createHash('sha256').update(JSON.stringify(parts)).update(body).digest('hex')
}

function replayResponse(
  { requestHash, response }: IdempotencyClaimResult & { kind: 'taken' },
  claim: IdempotencyClaimRequest,
): HttpResponse {
  if (requestHash !== claim.requestHash)
    throw idempotencyKeyError('idempotency.key-reused', 'Take a new key for each new request.')
  if (response === undefined) throw inProgressError()
  return { ...response, body: response.body }
}

function toStoredResponse({ body, ...response }: HttpResponse): StoredResponse {
  return { ...response, body: body instanceof Uint8Array ? Buffer.from(body).toString() : body }
}

/** Returns true if a repeated request would fail again. */
function isPermanent(error: unknown, { status }: HttpResponse): boolean {
  if (!(error instanceof JsonApiError) || status >= 500) return false
  return !error.errors.some((each) => TEMPORARY_STATUSES.has(each.status) || RETRYABLE_API_ERROR_CODES.has(each.code))
}

function isOutcomeUnknown(error: unknown): boolean {
  return error instanceof JsonApiError && error.errors.some(({ code }) => code === 'write.outcome-unknown')
}

/** Timeout, too early, too many requests: the client should try again. */
const TEMPORARY_STATUSES: ReadonlySet<number> = new Set([408, 425, 429])

function inProgressError(): JsonApiError {
  return idempotencyKeyError('idempotency.in-progress', 'Send it again later, with the same key.')
}

function missingKeyError(method: string): JsonApiError {
  return idempotencyKeyError(
    'header.idempotency-key-missing',
    `Send it with every ${method}: a UUID in quotes, new for each new request.`,
  )
}

function idempotencyKeyError(code: ErrorCode, detail: string): JsonApiError {
  return createJsonApiError(code, detail, { header: 'Idempotency-Key' })
}
