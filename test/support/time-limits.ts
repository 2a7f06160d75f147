import promises from 'node:timers/promises'

/** Milliseconds, which pass when a test lets them. No test takes as long. */
export const DURATION = 20_000

/** Controls the running timers of requests with `limits: { timeout }` of this many milliseconds, so that tests need not wait. */
export interface TimeLimits {
  readonly running: number
  /** Fires the timers that have run for their full time. */
  pass(milliseconds: number): void
  passFirst(): void
  passAll(): void
  /** Restores the timers of the process. */
  close(): void
}

interface PendingTimer {
  remaining: number
  readonly end: () => void
}

export function watchTimeLimits(duration: number): TimeLimits {
  const { setTimeout, clearTimeout } = globalThis
  const { setTimeout: wait } = promises
  const running = new Map<unknown, PendingTimer>()
  const set = (callback: (...args: unknown[]) => void, milliseconds?: number, ...args: unknown[]) => {
    const timer = setTimeout(callback, milliseconds, ...args)
    if (milliseconds === duration) running.set(timer, { remaining: duration, end: () => callback(...args) })
    return timer
  }
  const clear = (timer: NodeJS.Timeout) => {
    running.delete(timer)
    clearTimeout(timer)
  }
  const waitWatched: typeof wait = (milliseconds, value, options) => {
    if (milliseconds !== duration) return wait(milliseconds, value, options)
    return new Promise((resolve, reject) => {
      const timer = set(() => resolve(value as never), milliseconds)
      if (options?.ref === false) timer.unref()
      options?.signal?.addEventListener('abort', () => {
        clear(timer)
        reject(options.signal?.reason)
      })
    })
  }
  Object.assign(globalThis, { setTimeout: set, clearTimeout: clear })
  promises.setTimeout = waitWatched
  const end = (timer: unknown) => {
    const ended = running.get(timer)
    clear(timer as NodeJS.Timeout)
    ended?.end()
  }
  const passFirst = () => {
    for (const timer of [...running.keys()].slice(0, 1)) end(timer)
  }
  return {
    get running() {
      return running.size
    },
    pass(milliseconds) {
      for (const [timer, limit] of [...running]) {
        limit.remaining -= milliseconds
        if (limit.remaining <= 0) end(timer)
      }
    },
    passFirst,
    passAll() {
      while (running.size > 0) passFirst()
    },
    close() {
      Object.assign(globalThis, { setTimeout, clearTimeout })
      promises.setTimeout = wait
    },
  }
}
