/** A random generator with a seed. */
export interface Random {
  /** Returns an integer from 0 to `below` - 1. */
  number(below: number): number
  /** Returns true in this percentage of calls. */
  chance(percent: number): boolean
  pick<Value>(values: readonly Value[]): Value
  /** Returns this many different elements in random order. */
  sample<Value>(values: readonly Value[], count: number): Value[]
}

/** mulberry32, by Tommy Ettinger. 32 bits of state are enough for random choices of tests. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const number = (below: number) => Math.floor(next() * below)
  const pick = <Value>(values: readonly Value[]): Value => {
    if (values.length === 0) throw new Error('The list is empty.')
    return values[number(values.length)] as Value
  }
  const sample = <Value>(values: readonly Value[], count: number): Value[] => {
    const rest = [...values]
    const taken: Value[] = []
    while (taken.length < count && rest.length > 0) taken.push(...rest.splice(number(rest.length), 1))
    return taken
  }
  return { number, chance: (percent) => next() * 100 < percent, pick, sample }
}

/** The seed of a single case, so that it can be repeated alone. */
export function seedOf(seed: number, index: number): number {
  return (Math.imul(seed + 1, 0x9e3779b1) ^ Math.imul(index + 1, 0x85ebca6b)) >>> 0
}
