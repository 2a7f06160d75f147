// The state that results from the confirmed writes. The API and the database must have it at the end.
const { slugOf } = require('./model')

const AUTHORS = 50
const TAGS = 20

/** The initial rows. They are never deleted. */
exports.ROWS = {
  Author: Array.from({ length: AUTHORS }, (_, index) => ({ name: `Author ${index + 1}` })),
  Tag: Array.from({ length: TAGS }, (_, index) => ({ name: `Tag ${index + 1}` })),
}
exports.TAGS = TAGS

/** Thrown for an unexpected response: an error of the server, or of these scripts. */
exports.UnexpectedResponse = class UnexpectedResponse extends Error {}

exports.createExpectedState = (random) => {
  const works = new Map()
  const list = []
  const deletedAt = new Map()
  const authors = new Map(exports.ROWS.Author.map(({ name }, index) => [String(index + 1), name]))
  let clock = 0
  let creating = 0
  const tick = () => {
    clock += 1
    return clock
  }
  const markReserved = (work) => Object.assign(work, { isReserved: true, changedAt: tick() })
  const add = (work) => {
    works.set(work.id, Object.assign(work, { isReserved: false, changedAt: tick(), index: list.push(work) - 1 }))
  }
  const remove = (work) => {
    const last = list.pop()
    if (last !== work) {
      list[work.index] = last
      last.index = work.index
    }
    works.delete(work.id)
    deletedAt.set(work.id, tick())
    // Bounded; a check needs recent deletions only.
    if (deletedAt.size > 20_000) deletedAt.delete(deletedAt.keys().next().value)
  }
  return {
    works,
    authors,
    tick,
    size: () => works.size,
    /** Reserves a work exclusively, until `release`. Returns `undefined` if there is none. */
    reserve(isWanted = () => true) {
      for (let attempt = 0; attempt < 20; attempt += 1) {
        const work = list[random.below(list.length)]
        if (work === undefined) return undefined
        if (work.isReserved || !isWanted(work)) continue
        return markReserved(work)
      }
      return undefined
    },
    markReserved,
    release: (work) => Object.assign(work, { isReserved: false, changedAt: tick() }),
    any: () => list[random.below(list.length)],
    anyDeletedId: () => [...deletedAt.keys()][random.below(Math.min(deletedAt.size, 100))],
    anyInitialAuthor: () => String(1 + random.below(AUTHORS)),
    addedAuthors: () => [...authors.keys()].filter((id) => Number(id) > AUTHORS),
    /** During `work`, a resource may exist whose creation is not confirmed yet. */
    async whileCreating(work) {
      creating += 1
      try {
        return await work()
      } finally {
        tick()
        creating -= 1
      }
    },
    add,
    remove,
    /** Returns true if a read that began at `since` may or may not find the resource. */
    isUncertain(id, since) {
      const known = works.get(id)
      if (known !== undefined) return known.isReserved || known.changedAt > since
      return creating > 0 || (deletedAt.get(id) ?? 0) > since
    },
  }
}

/** Returns the attributes that documents show. */
exports.attributesOf = ({ type, title, size, isSilent }) =>
  type === 'books' ? { title, size, slug: slugOf(title) } : { title, size, isSilent }

/** Creates a generator that returns the same numbers for the same seed: Mulberry32. */
exports.createRandom = (seed) => {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  return { next, below: (limit) => Math.floor(next() * limit) }
}
