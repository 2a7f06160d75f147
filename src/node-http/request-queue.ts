import { AsyncResource } from 'node:async_hooks'

/**
 * Divides the time of the process between requests and other events. Node handles everything that has arrived on its connections before it
 * polls again, and accepts one new connection per poll. So a handler that never yields would block all other connections.
 */
export class RequestQueue {
  private readonly maxWait: number
  private readonly waiting: QueuedRequest[] = []
  /** The time since when the process has worked on requests without polling. */
  private workingSince: number | undefined

  /** `queueTimeout`: milliseconds after which a waiting request is shed. */
  constructor(wait: number) {
    this.maxWait = wait
  }

  /** Starts a request at once, or after those that came before it. */
  enqueue(begin: () => void, giveUp: () => void): void {
    const at = performance.now()
    if (this.workingSince === undefined) {
      this.workingSince = at
      setImmediate(this.startSlice)
    }
    if (this.waiting.length === 0 && at - this.workingSince < MAX_SLICE_MS) begin()
    // Without this, all requests of a slice would run in the asynchronous context of the first one.
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
    // By then the request has done everything that needs no I/O.
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

/** Milliseconds until the process polls for other events. */
export const MAX_SLICE_MS = 10
