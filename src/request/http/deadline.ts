import { createJsonApiError, type JsonApiError } from '../../errors/json-api-error'

/**
 * The time limit of a request. Work for the request can check whether it has expired, or listen for that. It has one timer
 * per request; listeners and the abort signal are created on demand.
 */
export class Deadline {
  private readonly milliseconds: number
  private readonly rejectRequest: (error: JsonApiError) => void
  private timer: NodeJS.Timeout
  private pendingExpiry: NodeJS.Immediate | undefined
  private listeners: Set<() => void> | undefined
  private controller: AbortController | undefined
  private mayHaveTakenEffect = false
  private isSettled = false
  private isOver = false

  /** `rejectRequest` is called on expiry, unless the request may have taken effect. */
  constructor(milliseconds: number, rejectRequest: (error: JsonApiError) => void) {
    this.milliseconds = milliseconds
    this.rejectRequest = rejectRequest
    this.timer = setTimeout(expireSoon, milliseconds, this)
  }

  get hasExpired(): boolean {
    return this.isOver
  }

  /** A signal that aborts on expiry. */
  get signal(): AbortSignal {
    this.controller ??= new AbortController()
    if (this.isOver) this.controller.abort(timeoutError())
    return this.controller.signal
  }

  /** Throws if it has expired. */
  check(): void {
    if (this.isOver) throw timeoutError()
  }

  /** Adds a listener for the expiry. Returns a function that removes it. */
  onExpire(listener: () => void): () => void {
    this.listeners ??= new Set()
    this.listeners.add(listener)
    return () => void this.listeners?.delete(listener)
  }

  /** Waits for work until the expiry, and ignores its result after that. */
  race<Value>(work: Promise<Value>): Promise<Value> {
    return new Promise((resolve, reject) => {
      const giveUp = () => reject(timeoutError())
      const removeListener = this.onExpire(giveUp)
      work.then(resolve, reject).finally(removeListener)
      if (this.isOver) giveUp()
    })
  }

  /** Restarts the time limit for work that runs while the response is sent, and waits for it. */
  async raceRestarted<Value>(work: () => Promise<Value>): Promise<Value> {
    this.stopTimer()
    if (!this.isOver) this.timer = setTimeout(expireSoon, this.milliseconds, this)
    try {
      return await this.race(work())
    } finally {
      this.stopTimer()
    }
  }

  /** `yes`: the request may take effect from now on, so it can't be rejected any more. */
  setMayTakeEffect(isDecided: 'yes' | 'no'): void {
    this.mayHaveTakenEffect = isDecided === 'yes'
  }

  /** Marks the response as known: expiry does not change it any more. */
  markResponseKnown(): void {
    this.isSettled = true
  }

  /** Stops the timer after the response. */
  stopTimer(): void {
    clearTimeout(this.timer)
    clearImmediate(this.pendingExpiry)
  }

  /** After a blocked event loop timers run first, so this processes results that have arrived before it expires. */
  expireSoon(): void {
    this.pendingExpiry = setImmediate(expire, this)
  }

  /** Calls the listeners first, because they may still settle the response. */
  expire(): void {
    this.isOver = true
    this.controller?.abort(timeoutError())
    for (const listener of [...(this.listeners ?? [])]) listener()
    if (!this.mayHaveTakenEffect && !this.isSettled) this.rejectRequest(timeoutError())
  }
}

function expireSoon(deadline: Deadline): void {
  deadline.expireSoon()
}

function expire(deadline: Deadline): void {
  deadline.expire()
}

function timeoutError(): JsonApiError {
  return createJsonApiError('server.timeout', 'Try again later, or ask for less at once.')
}
