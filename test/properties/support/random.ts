import fc from 'fast-check'

/** The seed of rows and queries. Change it with `STEMMA_SEED=7 npm test -- test/properties`. */
export const SEED = Number(process.env.STEMMA_SEED ?? 1)

/** A factor for the number of runs and the time limits. */
export const EFFORT = Number(process.env.STEMMA_RUNS ?? 0.5)

/** Returns the minimum number of cases of a kind, which is lower for less effort. */
export const atLeast = (runs: number) => runs * Math.min(EFFORT, 1)

/** Milliseconds for one property, including shrinking. */
export const LIMIT = 20_000 * EFFORT

/** Milliseconds for one run, also on a busy machine. */
export const RUN_TIMEOUT = 10_000

/** Milliseconds for one test. */
export const TIME_LIMIT = LIMIT + 20_000

export interface WithUrl {
  readonly url: string
}

/**
 * Checks a property for generated values. A failure is shrunk, and reported with its URL and error, because generated values may contain
 * cyclic references.
 */
export async function holdsFor<Value extends WithUrl>(
  values: fc.Arbitrary<Value>,
  runs: number,
  check: (value: Value) => Promise<void>,
): Promise<void> {
  await holdsWithin({ values, runs: Math.ceil(runs * EFFORT), check, limit: LIMIT, timeout: RUN_TIMEOUT })
}

export interface HoldsOptions<Value> {
  readonly values: fc.Arbitrary<Value>
  readonly runs: number
  readonly check: (value: Value) => Promise<void>
  /** Milliseconds for all runs. After them, a part of the runs is enough. */
  readonly limit: number
  /** Milliseconds after which a run fails. */
  readonly timeout: number
}

/** Returns the number of runs, all of which passed. */
export async function holdsWithin<Value extends WithUrl>(options: HoldsOptions<Value>): Promise<number> {
  const { values, runs, check, limit, timeout } = options
  let last: Promise<void> = Promise.resolve()
  let current: WithUrl = { url: '' }
  const property = fc.asyncProperty(values, (value) => {
    current = value
    last = waitFor(check(value), timeout)
    return last
  })
  const result = await fc.check(property, { seed: SEED, numRuns: runs, interruptAfterTimeLimit: limit })
  if (result.counterexample !== null) throw toFailure(result.counterexample[0], result.errorInstance)
  const { failed, interrupted, numRuns } = result
  // The time limit interrupts the last run, but its result counts.
  await last.catch((cause) => {
    throw toFailure(current, cause)
  })
  const summary = `${numRuns} of ${runs} runs in ${limit} ms`
  if (failed || numRuns < runs / MIN_RUNS_DIVISOR) throw new Error(`STEMMA_SEED=${SEED} ${summary}: too few.`)
  if (interrupted) process.stderr.write(`${expect.getState().currentTestName}: ${summary}\n`)
  return numRuns
}

/** After the time limit, the number of runs divided by this is enough. */
export const MIN_RUNS_DIVISOR = 4

async function waitFor(checked: Promise<void>, timeout: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const tooLong = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`Timed out after ${timeout} ms.`)), timeout)
  })
  try {
    await Promise.race([checked, tooLong])
  } finally {
    clearTimeout(timer)
  }
}

function toFailure({ url }: WithUrl, cause: unknown): Error {
  return new Error(`STEMMA_SEED=${SEED} ${JSON.stringify(url)}`, { cause })
}
