const { median } = require('../measure/tables')

/**
 * CPU of this process in microseconds for a call of each, in turns: `{ name: work }` -> `{ name: microseconds }`, medians of rounds that
 * take so many milliseconds each.
 */
exports.timeEach = async (works, { rounds = 7, milliseconds = 60 } = {}) => {
  const times = Object.fromEntries(Object.keys(works).map((name) => [name, []]))
  for (let round = -1; round < rounds; round++)
    for (const [name, work] of inTurn(Object.entries(works), round)) {
      const time = await timeOnce(work, milliseconds)
      // The first one only warms up.
      if (round >= 0) times[name].push(time)
    }
  return Object.fromEntries(Object.entries(times).map(([name, all]) => [name, median(all)]))
}

function inTurn(works, round) {
  return round % 2 === 0 ? works : [...works].reverse()
}

/** Where calls are quick, the clock is read after every few, so that it costs nothing. */
async function timeOnce(work, milliseconds) {
  const before = process.cpuUsage()
  const end = performance.now() + milliseconds
  let calls = 0
  do {
    const value = work()
    if (value instanceof Promise) await value
    calls++
  } while ((calls > 8 && (calls & 7) !== 0) || performance.now() < end)
  const { user, system } = process.cpuUsage(before)
  return (user + system) / calls
}
