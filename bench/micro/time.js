const { median } = require('../measure/tables')

/** Microseconds since a moment: CPU of this process, which holds also while the machine has other work, or what the clock says. */
const CLOCKS = {
  cpu: () => {
    const before = process.cpuUsage()
    return () => {
      const { user, system } = process.cpuUsage(before)
      return user + system
    }
  },
  elapsed: () => {
    const before = performance.now()
    return () => (performance.now() - before) * 1000
  },
}

/** What a database in a process of its own takes is no CPU of this one. */
exports.clockOf = (database) => (database === 'sqlite' ? 'cpu' : 'elapsed')

/** One call alone. */
exports.timeCall = async (work, clock = 'cpu') => {
  const read = CLOCKS[clock]()
  await work()
  return read()
}

/**
 * Microseconds for a call of each, in turns: `{ name: work }` -> `{ name: microseconds }`, medians of rounds that take so many milliseconds
 * each.
 */
exports.timeEach = async (works, { rounds = 7, milliseconds = 60, clock = 'cpu' } = {}) => {
  const times = Object.fromEntries(Object.keys(works).map((name) => [name, []]))
  for (let round = -1; round < rounds; round++)
    for (const [name, work] of inTurn(Object.entries(works), round)) {
      const time = await timeOnce(work, milliseconds, clock)
      // The first one only warms up.
      if (round >= 0) times[name].push(time)
    }
  return Object.fromEntries(Object.entries(times).map(([name, all]) => [name, median(all)]))
}

function inTurn(works, round) {
  return round % 2 === 0 ? works : [...works].reverse()
}

/** Where calls are quick, the clock is read after every few, so that it costs nothing. */
async function timeOnce(work, milliseconds, clock) {
  const read = CLOCKS[clock]()
  const end = performance.now() + milliseconds
  let calls = 0
  do {
    const value = work()
    if (value instanceof Promise) await value
    calls++
  } while ((calls > 8 && (calls & 7) !== 0) || performance.now() < end)
  return read() / calls
}
