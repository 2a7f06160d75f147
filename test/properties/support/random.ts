import fc from 'fast-check'

/** Of the data and of the queries alike; `STEMMA_SEED=7 npm test -- test/properties` is another run. */
export const SEED = Number(process.env.STEMMA_SEED ?? 1)

/** `STEMMA_RUNS=20` tries twenty times as much as `STEMMA_RUNS=1`. A run of all tests tries half of that. */
export const EFFORT = Number(process.env.STEMMA_RUNS ?? 0.5)

/** How many of `runs` have to be of a kind: time may be over before there are more. */
export const atLeast = (runs: number) => runs * Math.min(EFFORT, 1)

/** For one property with all that is shrunk, in milliseconds. */
export const LIMIT = 20_000 * EFFORT

/** For one run of it, on a machine that has other work too. */
export const PATIENCE = 10_000

/** For one test. */
export const TIME_LIMIT = LIMIT + 20_000

/** What is asked for. */
export interface Asked {
  readonly url: string
}

/**
 * Holds for all that is generated. A failure is shrunk, and told by its URL and by what `check` has thrown: to print all that was generated
 * would have no end, as types know each other.
 */
export async function holdsFor<Value extends Asked>(
  values: fc.Arbitrary<Value>,
  runs: number,
  check: (value: Value) => Promise<void>,
): Promise<void> {
  await holdsWithin({ values, runs: Math.ceil(runs * EFFORT), check, limit: LIMIT, patience: PATIENCE })
}

export interface Holding<Value> {
  readonly values: fc.Arbitrary<Value>
  readonly runs: number
  readonly check: (value: Value) => Promise<void>
  /** Milliseconds for all runs. When they are over a part of the runs has to do. */
  readonly limit: number
  /** Milliseconds for each run. One that takes longer has failed: a server that never answers has not held anything. */
  readonly patience: number
}

/** Returns the number of runs, all of which passed. */
export async function holdsWithin<Value extends Asked>(holding: Holding<Value>): Promise<number> {
  const { values, runs, check, limit, patience } = holding
  let last: Promise<void> = Promise.resolve()
  let asked: Asked = { url: '' }
  const property = fc.asyncProperty(values, (value) => {
    asked = value
    last = waitFor(check(value), patience)
    return last
  })
  const found = await fc.check(property, { seed: SEED, numRuns: runs, interruptAfterTimeLimit: limit })
  if (found.counterexample !== null) throw toFailure(found.counterexample[0], found.errorInstance)
  const { failed, interrupted, numRuns } = found
  // The limit breaks off the last run; what becomes of it counts all the same.
  await last.catch((cause) => {
    throw toFailure(asked, cause)
  })
  const told = `${numRuns} of ${runs} runs in ${limit} ms`
  if (failed || numRuns < runs / FEWEST) throw new Error(`STEMMA_SEED=${SEED} ${told}: too few to say that it holds.`)
  if (interrupted) process.stderr.write(`${expect.getState().currentTestName}: ${told}\n`)
  return numRuns
}

/** When time is over, one in so many is enough: machines are busy. */
export const FEWEST = 4

async function waitFor(checked: Promise<void>, patience: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const tooLong = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`No end after ${patience} ms.`)), patience)
  })
  try {
    await Promise.race([checked, tooLong])
  } finally {
    clearTimeout(timer)
  }
}

function toFailure({ url }: Asked, cause: unknown): Error {
  return new Error(`STEMMA_SEED=${SEED} ${JSON.stringify(url)}`, { cause })
}
