import { AsyncResource } from 'node:async_hooks'

/**
 * Shares the time of the process between requests and all else that waits for it. Node takes what has come on all connections before it looks for
 * more, and lets one new connection in each time: a handler that never yields keeps all other connections waiting.
 */
export class RequestQueue {
  private readonly maxWait: number
  private readonly waiting: QueuedRequest[] = []
  /** Since when the process has been at work on requests, without having looked at anything else. */
  private workingSince: number | undefined

  /** `queueTimeout`: milliseconds after which a request that has not had its turn is given up. */
  constructor(wait: number) {
    this.maxWait = wait
  }

  /** Begins at once, or when those that came before have begun. */
  enqueue(begin: () => void, giveUp: () => void): void {
    const at = performance.now()
    if (this.workingSince === undefined) {
      this.workingSince = at
      setImmediate(this.startSlice)
    }
    if (this.waiting.length === 0 && at - this.workingSince < MAX_SLICE_MS) begin()
    // Else all of a turn would be done in the asynchronous context of the request that came first.
    else this.waiting.push({ begin: AsyncResource.bind(begin), onShed: AsyncResource.bind(giveUp), at })
  }

  private readonly startSlice = (): void => {
    this.workingSince = performance.now()
    this.step()
  }

  private step(): void {
    this.shedLate(performance.now() - this.maxWait)
    const first = this.waiting.shift()
    if (first === undefined) {
      this.workingSince = undefined
      return
    }
    first.begin()
    // By then it has done all that needs nothing from outside of the process.
    queueMicrotask(() => process.nextTick(this.continueSlice))
  }

  private readonly continueSlice = (): void => {
    if (performance.now() - (this.workingSince ?? 0) < MAX_SLICE_MS) this.step()
    else setImmediate(this.startSlice)
  }

  private shedLate(since: number): void {
    const late = this.waiting.findIndex(({ at }) => at >= since)
    for (const { onShed } of this.waiting.splice(0, late < 0 ? this.waiting.length : late)) onShed()
  }
}

interface QueuedRequest {
  readonly begin: () => void
  readonly onShed: () => void
  readonly at: number
}

/** Milliseconds that may pass until all else is looked at. */
export const MAX_SLICE_MS = 10
