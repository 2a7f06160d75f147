import { SegmentedLruCache } from '../../../src/cache/segmented-lru-cache'

let forgotten: number[]
let kept: SegmentedLruCache<number>

beforeEach(() => {
  forgotten = []
  kept = new SegmentedLruCache({ name: 'numbers', maxEntries: 10, onEvict: (value) => forgotten.push(value) })
})

const numbers = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => from + index)
const add = (from: number, to: number) => {
  for (const each of numbers(from, to)) kept.set(`${each}`, each)
}
const found = (from: number, to: number) => numbers(from, to).filter((each) => kept.get(`${each}`) !== undefined)

it('keeps all values up to its size', () => {
  add(0, 10)
  expect(found(0, 10)).toEqual(numbers(0, 10))
  expect(forgotten).toEqual([])
})

it('evicts values that were never read, oldest first', () => {
  add(0, 15)
  expect(forgotten).toEqual(numbers(0, 5))
  expect(found(0, 15)).toEqual(numbers(5, 15))
})

it('keeps values that were read over new ones', () => {
  add(0, 8)
  expect(found(0, 8)).toEqual(numbers(0, 8))
  add(100, 1000)
  expect(found(0, 8)).toEqual(numbers(0, 8))
  expect(forgotten).toEqual(numbers(100, 998))
})

it('has room for new values, which replace old ones once they are read', () => {
  add(0, 10)
  found(0, 10)
  found(0, 10)
  for (const each of numbers(100, 110)) {
    add(each, each + 1)
    expect(found(each, each + 1)).toEqual([each])
  }
  expect(found(102, 110)).toEqual(numbers(102, 110))
  expect(found(0, 10)).toEqual([])
})

it('never exceeds its size', () => {
  for (const each of numbers(0, 200)) {
    add(each, each + 1)
    if (each % 3 === 0) found(each - 5, each)
  }
  expect(200 - forgotten.length).toBeLessThanOrEqual(10)
  expect(new Set(forgotten).size).toBe(forgotten.length)
})

it('replaces the value of a key', () => {
  kept.set('a', 1)
  kept.set('a', 2)
  expect(kept.get('a')).toBe(2)
  kept.set('a', 3)
  expect(kept.get('a')).toBe(3)
})

it('reports each value when it is cleared', () => {
  add(0, 4)
  found(0, 2)
  kept.clear()
  expect(forgotten.toSorted()).toEqual(numbers(0, 4))
  expect(found(0, 4)).toEqual([])
})

it('evicts by the size of values and keys', () => {
  const sized = new SegmentedLruCache<string>({
    name: 'sized',
    maxEntries: 10,
    size: { max: 20, of: (value, key) => key.length + value.length },
  })
  sized.set('a', 'x'.repeat(20))
  sized.set('b', 'x'.repeat(10))
  sized.set('c', 'x'.repeat(10))
  expect(['a', 'b', 'c'].filter((key) => sized.get(key) !== undefined)).toEqual(['c'])
})

it.each([1, 2])('keeps the latest value with the size %d', (maxEntries) => {
  const few = new SegmentedLruCache<number>({ name: 'few', maxEntries, onEvict: (value) => forgotten.push(value) })
  for (const each of numbers(0, 5)) {
    few.set(`${each}`, each)
    expect([few.get(`${each}`), few.get(`${each}`)]).toEqual([each, each])
  }
  expect(forgotten.length).toBe(5 - maxEntries)
})
