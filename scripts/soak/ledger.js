// The confirmed writes, which the API must show and the database must contain at the end.
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
exports.Unexpected = class Unexpected extends Error {}

exports.createLedger = (random) => {
  const works = new Map()
  const list = []
  const gone = new Map()
  const authors = new Map(exports.ROWS.Author.map(({ name }, index) => [String(index + 1), name]))
  let clock = 0
  let creating = 0
  const tick = () => {
    clock += 1
    return clock
  }
  const hold = (work) => Object.assign(work, { isBusy: true, touched: tick() })
  const remember = (work) => {
    works.set(work.id, Object.assign(work, { isBusy: false, touched: tick(), place: list.push(work) - 1 }))
  }
  const forget = (work) => {
    const last = list.pop()
    if (last !== work) {
      list[work.place] = last
      last.place = work.place
    }
    works.delete(work.id)
    gone.set(work.id, tick())
    // Keeps more deleted ids than the delay of a check needs.
    if (gone.size > 20_000) gone.delete(gone.keys().next().value)
  }
  return {
    works,
    authors,
    tick,
    size: () => works.size,
    /** Reserves a work exclusively, until `giveBack`. Returns `undefined` if there is none. */
    take(isWanted = () => true) {
      for (let attempt = 0; attempt < 20; attempt += 1) {
        const work = list[random.below(list.length)]
        if (work === undefined) return undefined
        if (work.isBusy || !isWanted(work)) continue
        return hold(work)
      }
      return undefined
    },
    hold,
    giveBack: (work) => Object.assign(work, { isBusy: false, touched: tick() }),
    any: () => list[random.below(list.length)],
    anyGone: () => [...gone.keys()][random.below(Math.min(gone.size, 100))],
    startAuthor: () => String(1 + random.below(AUTHORS)),
    otherAuthors: () => [...authors.keys()].filter((id) => Number(id) > AUTHORS),
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
    remember,
    forget,
    /** Returns true if a read that began at `since` may or may not find the resource. */
    isUncertain(id, since) {
      const known = works.get(id)
      if (known !== undefined) return known.isBusy || known.touched > since
      return creating > 0 || (gone.get(id) ?? 0) > since
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
