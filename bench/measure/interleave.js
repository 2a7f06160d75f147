const { countsAt } = require('../data/tables')
const { requestsOf } = require('../workloads')
const { load, percentile } = require('./load')

const REQUESTS = 2000

/** A server that waits for a database, or for the processor, gets no longer than so many times its seconds. */
const PATIENCE = 6

/** A server is warm when so many turns in a row have made it no faster, by so large a part. */
const TURNS_OF_THE_SAME = 4
const FASTER = 0.05

/** What never settles is measured all the same. */
const MOST_WARM_UPS = 20

/**
 * Measures a workload: `rounds` turns of each server, of `seconds` of its CPU, once it is warm. Each round goes in the other direction, so
 * that whatever slows down with time hits all.
 */
exports.interleave = async (workload, { playing, results, rounds, seconds, scale }) => {
  const requests = new Map()
  for (const server of playing) {
    const { implementation, prepared } = server
    requests.set(server, requestsOf(workload, { implementation, prepared, counts: countsAt(scale), count: REQUESTS }))
    await warmUp(server, requests.get(server), seconds)
  }
  for (let round = 0; round < rounds; round++)
    for (const server of round % 2 === 0 ? playing : [...playing].reverse())
      results[server.name].cells.push(await takeTurn(server, requests.get(server), { seconds, first: round * 577 }))
}

/** Code that has not run often, and caches that are empty, are slower by several times, the more of it a server has. */
async function warmUp(server, requests, seconds) {
  let best = Number.POSITIVE_INFINITY
  let same = 0
  for (let turn = 0; turn < MOST_WARM_UPS && same < TURNS_OF_THE_SAME; turn++) {
    const { cpu } = await takeTurn(server, requests, { seconds, first: turn * 311 })
    same = cpu < best * (1 - FASTER) ? 0 : same + 1
    best = Math.min(best, cpu)
  }
}

/** In parts as long as all should be: after each it is looked at what the server has used up. Shorter ones would be mostly beginnings. */
async function takeTurn(server, requests, { seconds, first = 0 }) {
  await server.ask('forgetPeak')
  const before = await server.ask('usage')
  const end = performance.now() + seconds * PATIENCE * 1000
  const total = { answered: 0, failed: 0, seconds: 0, times: [] }
  let usage
  do {
    const part = await load(server, requests, { seconds, first: first + total.answered })
    for (const sum of ['answered', 'failed', 'seconds']) total[sum] += part[sum]
    total.times.push(...part.times)
    usage = await server.ask('usage')
  } while (usage.cpu - before.cpu < seconds * 1e6 && performance.now() < end)
  const { answered, failed, times } = total
  const cpu = (usage.cpu - before.cpu) / answered
  return { cpu, rate: answered / total.seconds, p99: percentile(times, 0.99), peak: usage.peak, failed, answered }
}
