import { clientError, JsonApiError } from '../../errors/json-api-error'

/**
 * The moment at which a request has taken as long as it may. Whoever works for it can ask whether it has passed, or be told when it does. One timer
 * for each request, and no more unless somebody asks.
 */
export class Deadline {
  private readonly milliseconds: number
  private readonly rejectRequest: (error: JsonApiError) => void
  private timer: NodeJS.Timeout
  private last: NodeJS.Immediate | undefined
  private listeners: Set<() => void> | undefined
  private controller: AbortController | undefined
  private isDecided = false
  private isSettled = false
  private isOver = false

  /** `onShed`: refuses the request, unless what it asks for may be done by then. */
  constructor(milliseconds: number, giveUp: (error: JsonApiError) => void) {
    this.milliseconds = milliseconds
    this.rejectRequest = giveUp
    this.timer = setTimeout(expireSoon, milliseconds, this)
  }

  get hasExpired(): boolean {
    return this.isOver
  }

  /** Aborted when it passes. */
  get signal(): AbortSignal {
    this.controller ??= new AbortController()
    if (this.isOver) this.controller.abort(tookTooLong())
    return this.controller.signal
  }

  /** Throws when it has passed. */
  check(): void {
    if (this.isOver) throw tookTooLong()
  }

  /** Gives what takes it back. */
  onExpire(listener: () => void): () => void {
    this.listeners ??= new Set()
    this.listeners.add(listener)
    return () => void this.listeners?.delete(listener)
  }

  /** Waits for work no longer than this. What becomes of it later is nobody's matter. */
  race<Value>(work: Promise<Value>): Promise<Value> {
    return new Promise((resolve, reject) => {
      const giveUp = () => reject(tookTooLong())
      const forget = this.onExpire(giveUp)
      work.then(resolve, reject).finally(forget)
      if (this.isOver) giveUp()
    })
  }

  /** The same for work that goes on while its answer is sent: it has as much time again. */
  async raceRestarted<Value>(work: () => Promise<Value>): Promise<Value> {
    this.end()
    if (!this.isOver) this.timer = setTimeout(expireSoon, this.milliseconds, this)
    try {
      return await this.race(work())
    } finally {
      this.end()
    }
  }

  /** `yes`: what is asked for may be done from now on, and refusing it would be a lie. */
  decide(isDecided: 'yes' | 'no'): void {
    this.isDecided = isDecided === 'yes'
  }

  /** What is answered is known: that it passes is no reason to say something else. */
  settle(): void {
    this.isSettled = true
  }

  /** The request has its answer. */
  end(): void {
    clearTimeout(this.timer)
    clearImmediate(this.last)
  }

  /** Where the process stood still, timers come first: what has come meanwhile is looked at before it is too late. */
  expireSoon(): void {
    this.last = setImmediate(expire, this)
  }

  /** Whoever is told of it can still settle what is answered. */
  expire(): void {
    this.isOver = true
    this.controller?.abort(tookTooLong())
    for (const listener of [...(this.listeners ?? [])]) listener()
    if (!this.isDecided && !this.isSettled) this.rejectRequest(tookTooLong())
  }
}

function expireSoon(deadline: Deadline): void {
  deadline.expireSoon()
}

function expire(deadline: Deadline): void {
  deadline.expire()
}

function tookTooLong(): JsonApiError {
  return new JsonApiError([clientError('server.timeout', 'Try again later, or ask for less at once.')])
}
