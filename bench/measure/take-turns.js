const { countsAt } = require('../data/tables')
const { requestsOf } = require('../workloads')
const { load, percentile } = require('./load')

const REQUESTS = 2000

/** After each part it is looked at what the server has used up. */
const PART_SECONDS = 0.1

/** A server that waits for a database, or for the processor, gets no longer than so many times its seconds. */
const PATIENCE = 6

/** Code that has not run often, and caches that are empty, would be measured otherwise. */
const SHORTEST_WARM_UP = 0.4

/**
 * Measures a workload: `rounds` turns of each server, of `seconds` of its CPU, after as much and more to warm up. Each round goes in the
 * other direction, so that whatever slows down with time hits all.
 */
exports.takeTurns = async (workload, { playing, results, rounds, seconds, scale }) => {
  const requests = new Map()
  for (const server of playing) {
    const { contestant, prepared } = server
    requests.set(server, requestsOf(workload, { contestant, prepared, counts: countsAt(scale), count: REQUESTS }))
    await takeTurn(server, requests.get(server), { seconds: Math.max(seconds * 2, SHORTEST_WARM_UP) })
  }
  for (let round = 0; round < rounds; round++)
    for (const server of round % 2 === 0 ? playing : [...playing].reverse())
      results[server.name].cells.push(await takeTurn(server, requests.get(server), { seconds, first: round * 577 }))
}

async function takeTurn(server, requests, { seconds, first = 0 }) {
  await server.ask('forgetPeak')
  const before = await server.ask('usage')
  const end = performance.now() + seconds * PATIENCE * 1000
  const total = { answered: 0, failed: 0, seconds: 0, times: [] }
  let usage
  do {
    const part = await load(server, requests, { seconds: PART_SECONDS, first: first + total.answered })
    for (const sum of ['answered', 'failed', 'seconds']) total[sum] += part[sum]
    total.times.push(...part.times)
    usage = await server.ask('usage')
  } while (usage.cpu - before.cpu < seconds * 1e6 && performance.now() < end)
  const { answered, failed, times } = total
  const cpu = (usage.cpu - before.cpu) / answered
  return { cpu, rate: answered / total.seconds, p99: percentile(times, 0.99), peak: usage.peak, failed, answered }
}
