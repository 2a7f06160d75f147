const { performance } = require('node:perf_hooks')
const { setTimeout: wait } = require('node:timers/promises')

/** Milliseconds between two checks of the clock. */
const TICK = 2

/**
 * Starts `perform(due)` at a constant rate, whether earlier calls have ended or not, and waits for the last one. `due` is the planned time,
 * so that delays are measured too.
 */
exports.runLoad = async (load) => {
  const begun = await exports.beginLoad(load)
  return { ...begun, seconds: await begun.ended }
}

/** Does the same without waiting for the last calls. `ended`: resolves to the total seconds. */
exports.beginLoad = async ({ rate, seconds, perform }) => {
  const start = performance.now()
  const total = Math.round(rate * seconds)
  const underWay = new Set()
  let most = 0
  for (let begun = 0; begun < total; ) {
    const due = Math.min(total, Math.floor(((performance.now() - start) / 1000) * rate) + 1)
    for (; begun < due; begun += 1) {
      const work = perform(start + (begun / rate) * 1000).finally(() => underWay.delete(work))
      underWay.add(work)
    }
    most = Math.max(most, underWay.size)
    await wait(TICK)
  }
  const ended = Promise.all(underWay).then(() => (performance.now() - start) / 1000)
  return { begun: total, left: underWay.size, most, ended }
}

/** Chooses an element at random, by weight. */
exports.chooserOf = (weights) => {
  const total = weights.reduce((sum, [weight]) => sum + weight, 0)
  return (random) => {
    let rest = random.next() * total
    for (const [weight, choice] of weights) {
      rest -= weight
      if (rest < 0) return choice
    }
    return weights[0][1]
  }
}
