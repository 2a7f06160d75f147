import type { IncomingMessage, ServerResponse } from 'node:http'
import type { HttpReply } from '../exchange/exchange'
import { toOverloadReply } from '../exchange/refuse-overload'
import type { OverloadOptions } from '../graph/overload'

/** At start-up. `undefined`: nobody is kept out, and nothing is to be spent on it. */
export function buildAdmission(overload: OverloadOptions | 'off'): Admission | undefined {
  return overload === 'off' ? undefined : new Admission(overload)
}

/** Decides which requests are answered while there is no time for all of them. */
export class Admission {
  /** For those who are kept out. */
  readonly refusal: HttpReply
  private readonly concurrent: number
  private readonly wait: number
  private readonly admitted = new WeakMap<IncomingMessage, 'inside' | 'outside'>()
  private underWay = 0
  /** Since when the process has been at work on what came in at once. */
  private turnSince: number | undefined

  constructor({ concurrent, wait, retryAfter }: OverloadOptions) {
    this.refusal = toOverloadReply(retryAfter)
    this.concurrent = concurrent ?? Number.POSITIVE_INFINITY
    this.wait = wait ?? Number.POSITIVE_INFINITY
  }

  /** Of a request that has just come. Whoever is admitted has to leave. */
  admits(request: IncomingMessage): boolean {
    return !this.hasWaited() && this.enter(request)
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

  /**
   * Node takes what has come on all connections before it looks for more. Where the database is a file each is answered before the next one
   * is read: never are two under way, and the last has waited for all others.
   */
  private hasWaited(): boolean {
    const now = performance.now()
    if (this.turnSince !== undefined) return now - this.turnSince > this.wait
    this.turnSince = now
    setImmediate(() => {
      this.turnSince = undefined
    })
    return false
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
  return (request, response) => {
    if (!admission.admits(request)) return refuse(request, response)
    void serve(request, response).finally(() => admission.leaveAfter(request, response))
  }
}
