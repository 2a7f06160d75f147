import type { IncomingMessage } from 'node:http'
import { createJsonApiError } from '../errors/json-api-error'
import type { LoadSheddingOptions } from '../graph/options/limits'
import { buildConstantResponse, type HttpResponse } from '../request-handler/http-response'
import { toResultOfJsonApiError } from '../response/to-error-document'
import { TimeSlicedRequestQueue } from './time-sliced-request-queue'

/** Builds admission control at startup. Returns `undefined` if load shedding is off, so that requests skip it. */
export function buildAdmissionControl(options: LoadSheddingOptions | false): AdmissionControl | undefined {
  return options === false ? undefined : new AdmissionControl(options)
}

/** Limits how many requests are answered at the same time, and rejects the others with 503. */
export class AdmissionControl {
  /** The response to rejected requests. */
  readonly denial: HttpResponse
  private readonly concurrent: number
  /** `undefined` without a queue timeout: each admitted request starts at once. */
  private readonly queue: TimeSlicedRequestQueue | undefined
  private readonly admitted = new WeakMap<IncomingMessage, 'inside' | 'outside'>()
  private active = 0

  constructor({ maxConcurrency, queueTimeout, retryAfter }: LoadSheddingOptions) {
    this.denial = toOverloadResponse(retryAfter)
    this.concurrent = maxConcurrency ?? Number.POSITIVE_INFINITY
    this.queue = queueTimeout === null ? undefined : new TimeSlicedRequestQueue(queueTimeout)
  }

  /** Admits or rejects a new request. Call `leave` for every admitted one. */
  admit(request: IncomingMessage, { serve, deny }: AdmissionHandlers): void {
    const begin = () => (this.enter(request) ? serve() : deny())
    if (this.queue === undefined) begin()
    else this.queue.enqueue(begin, deny)
  }

  /** Releases the slot while a client sends its body, since the client decides how long that takes. Returns `AdmissionDenial` if no slot is free afterwards, or if the request timed out. */
  async releaseDuring<Value>(request: IncomingMessage, work: () => Promise<Value>): Promise<Value | AdmissionDenial> {
    if (this.admitted.get(request) === 'inside') {
      this.active -= 1
      this.admitted.set(request, 'outside')
    }
    const value = await work()
    return this.admitted.has(request) && this.enter(request) ? value : new AdmissionDenial(this.denial)
  }

  /** Releases the slot once the response is complete. The client may still be receiving it. */
  leave(request: IncomingMessage): void {
    if (this.admitted.get(request) === 'inside') this.active -= 1
    this.admitted.delete(request)
  }

  private enter(request: IncomingMessage): boolean {
    if (this.active >= this.concurrent) return false
    this.active += 1
    this.admitted.set(request, 'inside')
    return true
  }
}

/** Returned in place of a value if the request was rejected. */
export class AdmissionDenial {
  readonly denial: HttpResponse

  constructor(denial: HttpResponse) {
    this.denial = denial
  }
}

interface AdmissionHandlers {
  readonly serve: () => void
  readonly deny: () => void
}

/** Builds the response to rejected requests. It is built once, so that a rejection takes little time. */
function toOverloadResponse(retryAfter: number): HttpResponse {
  return buildConstantResponse({
    ...toResultOfJsonApiError(OVERLOADED),
    headers: { 'retry-after': String(retryAfter) },
  })
}

const OVERLOADED = createJsonApiError('server.overloaded', 'Nothing was done. Send it again after a while.')
