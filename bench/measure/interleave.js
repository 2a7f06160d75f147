const { countsAt } = require('../data/tables')
const { requestsOf } = require('../workloads')
const { withETags } = require('./check')
const { timeBetween } = require('./database-times')
const { load, percentile } = require('./load')

/** Limit of a turn, as a multiple of its CPU seconds, for servers that wait for the database or the processor. */
const MAX_ELAPSED_FACTOR = 6

/** A server is warm after this number of turns in a row without an improvement of at least this fraction. */
const STABLE_TURNS = 4
const MIN_IMPROVEMENT = 0.05

/** Limit for servers whose times stay unstable. */
const MAX_WARM_UP_TURNS = 20

/**
 * Measures a workload after a warm-up: `rounds` turns of each server, of `seconds` of its CPU time. Each round reverses the order, so that a
 * slowdown over time affects all servers equally.
 */
exports.interleave = async (workload, { servers, results, rounds, seconds, scale }) => {
  const requests = new Map()
  for (const server of servers) {
    const { implementation, prepared } = server
    const plain = requestsOf(workload, { implementation, prepared, counts: countsAt(scale) })
    requests.set(server, await withETags(server, plain, workload))
    await warmUp(server, requests.get(server), seconds)
  }
  for (let round = 0; round < rounds; round++)
    for (const server of round % 2 === 0 ? servers : [...servers].reverse())
      results[server.name].turns.push(await takeTurn(server, requests.get(server), seconds))
}

/** Code that has run rarely and empty caches make requests several times slower, most of all for servers with much code. */
async function warmUp(server, requests, seconds) {
  let best = Number.POSITIVE_INFINITY
  let stable = 0
  for (let turn = 0; turn < MAX_WARM_UP_TURNS && stable < STABLE_TURNS; turn++) {
    const { cpu } = await takeTurn(server, requests, seconds)
    stable = cpu < best * (1 - MIN_IMPROVEMENT) ? 0 : stable + 1
    best = Math.min(best, cpu)
  }
}

/** Sends load in parts of `seconds` until the server has used that CPU time. Shorter parts would mostly measure the start of a load. */
async function takeTurn(server, requests, seconds) {
  await server.call('resetPeak')
  const before = await server.call('usage')
  const databaseBefore = await server.databaseTimes()
  const end = performance.now() + seconds * MAX_ELAPSED_FACTOR * 1000
  const total = { answered: 0, failed: 0, seconds: 0, times: [] }
  let usage
  do {
    const part = await load(server, requests, { seconds })
    for (const figure of ['answered', 'failed', 'seconds']) total[figure] += part[figure]
    total.times.push(...part.times)
    usage = await server.call('usage')
  } while (usage.cpu - before.cpu < seconds * 1e6 && performance.now() < end)
  const { answered, failed, times } = total
  const cpu = (usage.cpu - before.cpu) / answered
  const databaseCpu = timeBetween(databaseBefore, await server.databaseTimes()) / answered
  const rate = answered / total.seconds
  return { cpu, databaseCpu, rate, p99: percentile(times, 0.99), peak: usage.peak, failed, answered }
}
