import { AsyncResource } from 'node:async_hooks'

/**
 * Shares the time of the process between requests and all else that waits for it. Node takes what has come on all connections before it looks for
 * more, and lets one new connection in each time: whoever does all of the work at once keeps everybody else at the door.
 */
export class Turns {
  private readonly wait: number
  private readonly waiting: Waiting[] = []
  /** Since when the process has been at work on requests, without having looked at anything else. */
  private workingSince: number | undefined

  /** `wait`: milliseconds after which a request that has not had its turn is given up. */
  constructor(wait: number) {
    this.wait = wait
  }

  /** Begins at once, or when those that came before have begun. */
  take(begin: () => void, giveUp: () => void): void {
    const at = performance.now()
    if (this.workingSince === undefined) {
      this.workingSince = at
      setImmediate(this.turn)
    }
    if (this.waiting.length === 0 && at - this.workingSince < LONGEST_TURN) begin()
    // Else all of a turn would be done in the asynchronous context of the request that came first.
    else this.waiting.push({ begin: AsyncResource.bind(begin), giveUp: AsyncResource.bind(giveUp), at })
  }

  private readonly turn = (): void => {
    this.workingSince = performance.now()
    this.step()
  }

  private step(): void {
    this.giveUpLate(performance.now() - this.wait)
    const first = this.waiting.shift()
    if (first === undefined) {
      this.workingSince = undefined
      return
    }
    first.begin()
    // By then it has done all that needs nothing from outside of the process.
    queueMicrotask(() => process.nextTick(this.goOn))
  }

  private readonly goOn = (): void => {
    if (performance.now() - (this.workingSince ?? 0) < LONGEST_TURN) this.step()
    else setImmediate(this.turn)
  }

  private giveUpLate(since: number): void {
    const late = this.waiting.findIndex(({ at }) => at >= since)
    for (const { giveUp } of this.waiting.splice(0, late < 0 ? this.waiting.length : late)) giveUp()
  }
}

interface Waiting {
  readonly begin: () => void
  readonly giveUp: () => void
  readonly at: number
}

/** Milliseconds that may pass until all else is looked at. */
export const LONGEST_TURN = 10
