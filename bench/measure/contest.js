// One database: first what each contestant answers and with which statements, then load, in turns.
const { countsAt } = require('../data/tables')
const { requestsOf, WORKLOADS } = require('../workloads')
const { findDifference, resourcesOf, send } = require('./check')
const { startServer } = require('./start-server')
const { takeTurns } = require('./take-turns')

/** How many requests are sent before statements are counted: what a first one prepares is not counted. */
const BEFORE = 2

/**
 * Gives by workload and contestant what was found: `{ bytes, statements, cells: [{ cpu, rate, p99, peak, failed }] }`, or `{ out }` with
 * the reason.
 */
exports.holdContest = async ({ contestants, workloads, database, rounds, seconds, scale = 1, tell }) => {
  const servers = await startAll(contestants, { database, scale, watched: true })
  let results
  try {
    results = await checkAll(servers, workloads, scale)
  } finally {
    await stopAll(servers)
  }
  tell(`${database}: all answer the same`)
  if (seconds === 0) return results
  const measured = await startAll(contestants, { database, scale })
  try {
    for (const workload of workloads) {
      const playing = measured.filter(({ name }) => results[workload][name].out === undefined)
      await takeTurns(workload, { playing, results: results[workload], rounds, seconds, scale })
      tell(`${database}: ${workload} measured, ${WORKLOADS[workload].title}`)
    }
  } finally {
    await stopAll(measured)
  }
  return results
}

async function startAll(contestants, options) {
  const servers = []
  for (const [name, contestant] of Object.entries(contestants)) {
    const server = await startServer(name, contestant, options)
    servers.push({ ...server, contestant, prepared: await contestant.prepare?.(server.url) })
  }
  return servers
}

function stopAll(servers) {
  return Promise.all(servers.map((server) => server.stop()))
}

async function checkAll(servers, workloads, scale) {
  const results = {}
  for (const workload of workloads) {
    results[workload] = {}
    let expected
    for (const server of servers) {
      const { result, answers } = await check(server, workload, scale)
      results[workload][server.name] = result
      if (answers === undefined) continue
      expected ??= answers
      const differs = server.contestant.differs?.[workload] !== undefined
      for (const [place, answer] of answers.entries()) {
        const difference = findDifference(answer, expected[place], differs)
        if (difference !== undefined) throw new Error(`${workload}: '${server.name}' answers otherwise: ${difference}`)
      }
    }
  }
  return results
}

async function check(server, workload, scale) {
  const { contestant, prepared } = server
  const out = reasonOf(contestant, workload)
  if (out !== undefined) return { result: { out } }
  const requests = requestsOf(workload, { contestant, prepared, counts: countsAt(scale), count: BEFORE + 1 })
  const texts = []
  for (const request of requests) {
    await server.ask('statements')
    texts.push(await send(server, request))
  }
  const statements = await server.ask('statements')
  try {
    const answers = texts.map((text) => resourcesOf(text, workload))
    return { result: { bytes: Buffer.byteLength(texts[BEFORE].text), statements, cells: [] }, answers }
  } catch (error) {
    throw new Error(`${workload}: '${server.name}' fails`, { cause: error })
  }
}

function reasonOf({ out = {}, only, why }, workload) {
  return only === undefined || only.includes(workload) ? out[workload] : why
}
