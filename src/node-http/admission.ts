import type { IncomingMessage, ServerResponse } from 'node:http'
import type { HttpReply } from '../exchange/exchange'
import { toOverloadReply } from '../exchange/refuse-overload'
import type { OverloadOptions } from '../graph/overload'
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

  /** What a client takes its time for keeps nobody else out. Fails if others have come meanwhile, and if the request was given up. */
  async outside<Value>(request: IncomingMessage, work: () => Promise<Value>): Promise<Value> {
    if (this.admitted.get(request) === 'inside') {
      this.underWay -= 1
      this.admitted.set(request, 'outside')
    }
    const value = await work()
    if (!this.admitted.has(request) || !this.enter(request)) throw NO_PLACE
    return value
  }

  /** What to answer where `outside` has failed for want of a place. */
  refusalFor(error: unknown): HttpReply | undefined {
    return error === NO_PLACE ? this.refusal : undefined
  }

  /**
   * Once nothing more is done for the answer. That the client has not taken all of it yet costs memory, and no time; of an answer that is made
   * while it is sent it keeps a connection to the database.
   */
  leaveAfter(request: IncomingMessage, response: ServerResponse): void {
    if (response.writableEnded || response.destroyed) {
      this.leave(request)
      return
    }
    const { socket } = request
    const leave = () => {
      response.off('close', leave)
      socket.off('close', leave)
      this.leave(request)
    }
    response.on('close', leave)
    // A response that waits behind another one on its connection is not told that the connection has ended.
    socket.on('close', leave)
    if (socket.destroyed) leave()
  }

  private enter(request: IncomingMessage): boolean {
    if (this.underWay >= this.concurrent) return false
    this.underWay += 1
    this.admitted.set(request, 'inside')
    return true
  }

  private leave(request: IncomingMessage): void {
    if (this.admitted.get(request) === 'inside') this.underWay -= 1
    this.admitted.delete(request)
  }
}

const NO_PLACE = new Error('There are as many requests under way as there may be.')

type Serve<Incoming> = (request: Incoming, response: ServerResponse) => Promise<void>

/** Serves who is admitted; the others are refused before anything of their request is looked at. */
export function admitting<Incoming extends IncomingMessage>(
  admission: Admission,
  serve: Serve<Incoming>,
  refuse: (request: Incoming, response: ServerResponse) => void,
): (request: Incoming, response: ServerResponse) => void {
  return (request, response) =>
    admission.receive(request, {
      serve: () => void serve(request, response).finally(() => admission.leaveAfter(request, response)),
      refuse: () => refuse(request, response),
    })
}

interface Decided {
  readonly serve: () => void
  readonly refuse: () => void
}
