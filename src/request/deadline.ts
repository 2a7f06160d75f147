import { JsonApiError, problem } from '../errors/json-api-error'

/**
 * The moment at which a request has taken as long as it may. Whoever works for it can ask whether it has passed, or be told when it does. One timer
 * for each request, and no more unless somebody asks.
 */
export class Deadline {
  private readonly timer: NodeJS.Timeout
  private readonly giveUp: (error: JsonApiError) => void
  private listeners: Set<() => void> | undefined
  private controller: AbortController | undefined
  private isDecided = false
  private isOver = false

  /** `giveUp`: refuses the request, unless what it asks for may be done by then. */
  constructor(milliseconds: number, giveUp: (error: JsonApiError) => void) {
    this.giveUp = giveUp
    this.timer = setTimeout(pass, milliseconds, this)
  }

  get hasPassed(): boolean {
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
  onPass(listener: () => void): () => void {
    this.listeners ??= new Set()
    this.listeners.add(listener)
    return () => void this.listeners?.delete(listener)
  }

  /** Waits for work no longer than this. What becomes of it later is nobody's matter. */
  race<Value>(work: Promise<Value>): Promise<Value> {
    return new Promise((resolve, reject) => {
      const giveUp = () => reject(tookTooLong())
      const forget = this.onPass(giveUp)
      work.then(resolve, reject).finally(forget)
      if (this.isOver) giveUp()
    })
  }

  /** `yes`: what is asked for may be done from now on, and refusing it would be a lie. */
  decide(isDecided: 'yes' | 'no'): void {
    this.isDecided = isDecided === 'yes'
  }

  /** The request has its answer. */
  end(): void {
    clearTimeout(this.timer)
  }

  pass(): void {
    this.isOver = true
    this.controller?.abort(tookTooLong())
    for (const listener of [...(this.listeners ?? [])]) listener()
    if (!this.isDecided) this.giveUp(tookTooLong())
  }
}

function pass(deadline: Deadline): void {
  deadline.pass()
}

function tookTooLong(): JsonApiError {
  return new JsonApiError([problem('server.timeout', 'Try again later, or ask for less at once.')])
}
