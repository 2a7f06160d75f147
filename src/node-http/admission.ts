import type { IncomingMessage, ServerResponse } from 'node:http'
import type { HttpReply } from '../exchange/exchange'
import { toOverloadReply } from '../exchange/refuse-overload'
import type { OverloadOptions } from '../graph/overload'
import type { Deadline } from '../request/deadline'
import { Turns } from './turns'

/** At start-up. `undefined`: nobody is kept out, and nothing is to be spent on it. */
export function buildAdmission(overload: OverloadOptions | 'off'): Admission | undefined {
  return overload === 'off' ? undefined : new Admission(overload)
}

/** Decides which requests are answered while there is no time for all of them. */
export class Admission {
  /** For those who are kept out. */
  readonly refusal: HttpReply
  private readonly concurrent: number
  /** `undefined`: whoever comes begins. */
  private readonly turns: Turns | undefined
  private readonly admitted = new WeakMap<IncomingMessage, 'inside' | 'outside'>()
  private underWay = 0

  constructor({ concurrent, wait, retryAfter }: OverloadOptions) {
    this.refusal = toOverloadReply(retryAfter)
    this.concurrent = concurrent ?? Number.POSITIVE_INFINITY
    this.turns = wait === null ? undefined : new Turns(wait)
  }

  /** Of a request that has just come. Whoever is admitted has to leave. */
  receive(request: IncomingMessage, { serve, refuse }: Decided): void {
    const begin = () => (this.enter(request) ? serve() : refuse())
    if (this.turns === undefined) begin()
    else this.turns.take(begin, refuse)
  }

  /** What a client takes its time for keeps nobody else out. `NoPlace`: others have come meanwhile, or the request was given up. */
  async outside<Value>(request: IncomingMessage, work: () => Promise<Value>): Promise<Value | NoPlace> {
    if (this.admitted.get(request) === 'inside') {
      this.underWay -= 1
      this.admitted.set(request, 'outside')
    }
    const value = await work()
    return this.admitted.has(request) && this.enter(request) ? value : new NoPlace(this.refusal)
  }

  /** Once nothing more is done for the answer. That the client has not taken all of it yet costs memory, and no time. */
  leave(request: IncomingMessage): void {
    if (this.admitted.get(request) === 'inside') this.underWay -= 1
    this.admitted.delete(request)
  }

  private enter(request: IncomingMessage): boolean {
    if (this.underWay >= this.concurrent) return false
    this.underWay += 1
    this.admitted.set(request, 'inside')
    return true
  }
}

/** In place of what was waited for. */
export class NoPlace {
  readonly refusal: HttpReply

  constructor(refusal: HttpReply) {
    this.refusal = refusal
  }
}

/** Until all that is answered is made. */
type Serve<Incoming> = (request: Incoming, response: ServerResponse) => Promise<void>

/** Serves who is admitted; the others are refused before anything of their request is looked at. */
export function admitting<Incoming extends IncomingMessage>(
  admission: Admission,
  serve: Serve<Incoming>,
  refuse: (request: Incoming, response: ServerResponse) => void,
): (request: Incoming, response: ServerResponse) => void {
  return (request, response) =>
    admission.receive(request, {
      serve: () => void serve(request, response).finally(() => admission.leave(request)),
      refuse: () => refuse(request, response),
    })
}

type Read<Incoming, Value> = (request: Incoming, deadline: Deadline | undefined) => Promise<Value>

/** Reads what a client takes its time to send. */
export function readOutside<Incoming extends IncomingMessage, Value>(
  admission: Admission | undefined,
  read: Read<Incoming, Value>,
): Read<Incoming, Value | NoPlace> {
  if (admission === undefined) return read
  return (request, deadline) => admission.outside(request, () => read(request, deadline))
}

interface Decided {
  readonly serve: () => void
  readonly refuse: () => void
}
