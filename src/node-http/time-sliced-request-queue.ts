import { AsyncResource } from 'node:async_hooks'

/**
 * Starts requests in slices of time, and yields to the event loop between them. Node processes all received data before it accepts one new
 * connection, so a handler that never yields keeps new connections waiting.
 */
export class TimeSlicedRequestQueue {
  private readonly maxWait: number
  private readonly waiting: QueuedRequest[] = []
  /** When the current slice began; `undefined` if none is running. */
  private workingSince: number | undefined

  /** `maxWait`: milliseconds after which a waiting request is rejected. */
  constructor(maxWait: number) {
    this.maxWait = maxWait
  }

  /** Starts a request now, or after the requests before it. */
  enqueue(begin: () => void, onShed: () => void): void {
    const at = performance.now()
    if (this.workingSince === undefined) {
      this.workingSince = at
      setImmediate(this.startSlice)
    }
    if (this.waiting.length === 0 && at - this.workingSince < MAX_SLICE_MS) begin()
    // Without `bind`, the whole slice would run in the asynchronous context of its first request.
    else this.waiting.push({ begin: AsyncResource.bind(begin), onShed: AsyncResource.bind(onShed), at })
  }

  private readonly startSlice = (): void => {
    this.workingSince = performance.now()
    this.step()
  }

  private step(): void {
    this.rejectLate(performance.now() - this.maxWait)
    const first = this.waiting.shift()
    if (first === undefined) {
      this.workingSince = undefined
      return
    }
    first.begin()
    // By then, the request has done everything that it can without I/O.
    queueMicrotask(() => process.nextTick(this.continueSlice))
  }

  private readonly continueSlice = (): void => {
    if (performance.now() - (this.workingSince ?? 0) < MAX_SLICE_MS) this.step()
    else setImmediate(this.startSlice)
  }

  private rejectLate(since: number): void {
    const firstInTime = this.waiting.findIndex(({ at }) => at >= since)
    for (const { onShed } of this.waiting.splice(0, firstInTime < 0 ? this.waiting.length : firstInTime)) onShed()
  }
}

interface QueuedRequest {
  readonly begin: () => void
  readonly onShed: () => void
  readonly at: number
}

/** The maximum duration of a slice in milliseconds. */
export const MAX_SLICE_MS = 10
