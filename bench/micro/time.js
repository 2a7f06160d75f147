const { median } = require('../measure/tables')

/** Each starts a clock, and returns a function that reads it in microseconds. `cpu` is hardly affected by other load on the machine. */
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

/** The CPU time of this process excludes the time of a database in another process. */
exports.clockOf = (database) => (database === 'sqlite' ? 'cpu' : 'elapsed')

/** Measures a single call. */
exports.timeCall = async (task, clock = 'cpu') => {
  const read = CLOCKS[clock]()
  await task()
  return read()
}

/**
 * Measures `{ name: task }` in turns, and returns `{ name: microseconds }` for one call: medians over rounds of `milliseconds` for each task.
 */
exports.timeEach = async (tasks, { rounds = 7, milliseconds = 60, clock = 'cpu' } = {}) => {
  const times = Object.fromEntries(Object.keys(tasks).map((name) => [name, []]))
  for (let round = -1; round < rounds; round++)
    for (const [name, task] of inTurn(Object.entries(tasks), round)) {
      const time = await timeOnce(task, milliseconds, clock)
      // The first round is a warm-up.
      if (round >= 0) times[name].push(time)
    }
  return Object.fromEntries(Object.entries(times).map(([name, all]) => [name, median(all)]))
}

/** Reverses the order in every second round. */
function inTurn(tasks, round) {
  return round % 2 === 0 ? tasks : [...tasks].reverse()
}

/** Reads the clock after every eighth call, so that reading it hardly affects short calls. */
async function timeOnce(task, milliseconds, clock) {
  const read = CLOCKS[clock]()
  const end = performance.now() + milliseconds
  let calls = 0
  do {
    const value = task()
    if (value instanceof Promise) await value
    calls++
  } while ((calls > 8 && (calls & 7) !== 0) || performance.now() < end)
  return read() / calls
}
