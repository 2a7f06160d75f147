import fc from 'fast-check'

/** Of the data and of the queries alike; `STEMMA_SEED=7 npm test -- test/properties` is another run. */
export const SEED = Number(process.env.STEMMA_SEED ?? 1)

/** `STEMMA_RUNS=20` tries twenty times as much; CI four times. */
export const EFFORT = Number(process.env.STEMMA_RUNS ?? 1)

/** For one property with all that is shrunk, in milliseconds. */
const LIMIT = 20_000 * EFFORT

/** For one test. */
export const TIME_LIMIT = LIMIT + 20_000

/** Choices that are the same for the same seed. */
export interface Random {
  below(limit: number): number
  chance(probability: number): boolean
  pick<Item>(items: readonly Item[]): Item
  some<Item>(items: readonly Item[], most: number): readonly Item[]
}

export function randomOf(seed: number): Random {
  let state = seed >>> 0
  // mulberry32
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (limit: number) => Math.floor(next() * limit)
  const pick = <Item>(items: readonly Item[]) => items[below(items.length)] as Item
  return {
    below,
    pick,
    chance: (probability) => next() < probability,
    some: (items, most) =>
      items.length === 0 ? [] : [...new Set(Array.from({ length: below(most + 1) }, () => pick(items)))],
  }
}

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
  const property = fc.asyncProperty(values, check)
  const parameters = { seed: SEED, numRuns: runs * EFFORT, interruptAfterTimeLimit: LIMIT }
  const { counterexample, errorInstance } = await fc.check(property, parameters)
  if (counterexample === null) return
  throw new Error(`STEMMA_SEED=${SEED} ${JSON.stringify(counterexample[0].url)}`, { cause: errorInstance })
}
