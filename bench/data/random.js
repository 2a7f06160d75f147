/** Returns a generator of numbers from 0 to 1 (SplitMix32). The same seed gives the same numbers on every machine. */
exports.createRandom = (seed) => {
  let state = seed >>> 0
  return () => {
    state = (state + 0x9e3779b9) | 0
    let mixed = Math.imul(state ^ (state >>> 16), 0x21f0aaad)
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97)
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32
  }
}

/** Returns an integer from 1 to `max`, inclusive. */
exports.randomUpTo = (random, max) => 1 + Math.floor(random() * max)

const WORDS = (
  'the quick brown fox jumps over a lazy dog while seven "wise" owls watch from tall trees near Köln and count naïve mice ' +
  'that hide below old roots café by café until morning brings rain'
).split(' ')

/** Returns words with at least `length` characters in all. */
exports.textOf = (random, length) => {
  let result = ''
  while (result.length < length) result += `${result === '' ? '' : ' '}${WORDS[Math.floor(random() * WORDS.length)]}`
  return result
}
