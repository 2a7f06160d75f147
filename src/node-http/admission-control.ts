import type { IncomingMessage, ServerResponse } from 'node:http'
import type { LoadSheddingOptions } from '../graph/options/load-shedding'
import type { Deadline } from '../request/http/deadline'
import type { HttpResponse } from '../request-handler/http-response'
import { toOverloadResponse } from '../request-handler/overload-response'
import { RequestQueue } from './request-queue'

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
  private readonly queue: RequestQueue | undefined
  private readonly admitted = new WeakMap<IncomingMessage, 'inside' | 'outside'>()
  private active = 0

  constructor({ maxConcurrency, queueTimeout, retryAfter }: LoadSheddingOptions) {
    this.denial = toOverloadResponse(retryAfter)
    this.concurrent = maxConcurrency ?? Number.POSITIVE_INFINITY
    this.queue = queueTimeout === null ? undefined : new RequestQueue(queueTimeout)
  }

  /** Of a request that has just come. Whoever is admitted has to leave. */
  admit(request: IncomingMessage, { serve, deny }: AdmissionHandlers): void {
    const begin = () => (this.enter(request) ? serve() : deny())
    if (this.queue === undefined) begin()
    else this.queue.enqueue(begin, deny)
  }

  /** What a client takes its time for keeps nobody else out. `AdmissionDenied`: others have come meanwhile, or the request was given up. */
  async releaseDuring<Value>(request: IncomingMessage, work: () => Promise<Value>): Promise<Value | AdmissionDenied> {
    if (this.admitted.get(request) === 'inside') {
      this.active -= 1
      this.admitted.set(request, 'outside')
    }
    const value = await work()
    return this.admitted.has(request) && this.enter(request) ? value : new AdmissionDenied(this.denial)
  }

  /** Once nothing more is done for the answer. That the client has not taken all of it yet costs memory, and no time. */
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

/** In place of what was waited for. */
export class AdmissionDenied {
  readonly denial: HttpResponse

  constructor(refusal: HttpResponse) {
    this.denial = refusal
  }
}

/** Until all that is answered is made. */
type Serve<Incoming> = (request: Incoming, response: ServerResponse) => Promise<void>

/** Serves who is admitted; the others are refused before anything of their request is looked at. */
export function withAdmissionControl<Incoming extends IncomingMessage>(
  admission: AdmissionControl,
  serve: Serve<Incoming>,
  refuse: (request: Incoming, response: ServerResponse) => void,
): (request: Incoming, response: ServerResponse) => void {
  return (request, response) =>
    admission.admit(request, {
      serve: () => void serve(request, response).finally(() => admission.leave(request)),
      deny: () => refuse(request, response),
    })
}

type ReadFromClient<Incoming, Value> = (request: Incoming, deadline: Deadline | undefined) => Promise<Value>

/** Reads what a client takes its time to send. */
export function readReleasingSlot<Incoming extends IncomingMessage, Value>(
  admission: AdmissionControl | undefined,
  read: ReadFromClient<Incoming, Value>,
): ReadFromClient<Incoming, Value | AdmissionDenied> {
  if (admission === undefined) return read
  return (request, deadline) => admission.releaseDuring(request, () => read(request, deadline))
}

interface AdmissionHandlers {
  readonly serve: () => void
  readonly deny: () => void
}
