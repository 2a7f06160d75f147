const { performance } = require('node:perf_hooks')
const { setTimeout: wait } = require('node:timers/promises')

/** Milliseconds between two checks of the clock. */
const TICK = 2

/**
 * Starts `perform(due)` at a constant rate, whether earlier calls have ended or not, and waits for the last one. `due` is the planned time,
 * so that delays are measured too.
 */
exports.runLoad = async (load) => {
  const started = await exports.startLoad(load)
  return { ...started, seconds: await started.ended }
}

/** Does the same without waiting for the last calls. `ended`: resolves to the total seconds. */
exports.startLoad = async ({ rate, seconds, perform }) => {
  const start = performance.now()
  const total = Math.round(rate * seconds)
  const inProgress = new Set()
  let maxConcurrency = 0
  for (let started = 0; started < total; ) {
    const due = Math.min(total, Math.floor(((performance.now() - start) / 1000) * rate) + 1)
    for (; started < due; started += 1) {
      const work = perform(start + (started / rate) * 1000).finally(() => inProgress.delete(work))
      inProgress.add(work)
    }
    maxConcurrency = Math.max(maxConcurrency, inProgress.size)
    await wait(TICK)
  }
  const ended = Promise.all(inProgress).then(() => (performance.now() - start) / 1000)
  return { started: total, unfinished: inProgress.size, maxConcurrency, ended }
}

/** Chooses an element at random, by weight. */
exports.createWeightedChoice = (weights) => {
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
