/** The time limits that run, of requests that have `limits: { duration }` of this many milliseconds. A test ends them without waiting. */
export interface TimeLimits {
  readonly running: number
  passFirst(): void
  passAll(): void
  /** Gives the timers of the process back. */
  close(): void
}

export function watchTimeLimits(duration: number): TimeLimits {
  const { setTimeout, clearTimeout } = globalThis
  const running = new Map<unknown, () => void>()
  const set = (callback: (...given: unknown[]) => void, milliseconds?: number, ...given: unknown[]) => {
    const timer = setTimeout(callback, milliseconds, ...given)
    if (milliseconds === duration) running.set(timer, () => callback(...given))
    return timer
  }
  const clear = (timer: NodeJS.Timeout) => {
    running.delete(timer)
    clearTimeout(timer)
  }
  Object.assign(globalThis, { setTimeout: set, clearTimeout: clear })
  const passFirst = () => {
    for (const [timer, pass] of [...running].slice(0, 1)) {
      clear(timer as NodeJS.Timeout)
      pass()
    }
  }
  return {
    get running() {
      return running.size
    },
    passFirst,
    passAll() {
      while (running.size > 0) passFirst()
    },
    close: () => void Object.assign(globalThis, { setTimeout, clearTimeout }),
  }
}
