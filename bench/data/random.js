/** Numbers from 0 to 1 that are the same on every machine: SplitMix32. */
exports.createRandom = (seed) => {
  let state = seed >>> 0
  return () => {
    state = (state + 0x9e3779b9) | 0
    let mixed = Math.imul(state ^ (state >>> 16), 0x21f0aaad)
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97)
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32
  }
}

/** From 1 to a number, which is among them. */
exports.upTo = (random, largest) => 1 + Math.floor(random() * largest)
