// One database: first what each implementation answers and with which statements, then load, in turns.
const { countsAt } = require('../data/tables')
const { requestsOf, WORKLOADS } = require('../workloads')
const { findDifference, resourcesOf, send } = require('./check')
const { startServer } = require('./start-server')
const { interleave } = require('./interleave')

/** How many requests are sent before statements are counted: what a first one prepares is not counted. */
const BEFORE = 2

/**
 * Gives by workload and implementation what was found: `{ bytes, statements, cells: [{ cpu, rate, p99, peak, failed }] }`, or `{ out }` with
 * the reason.
 */
exports.compareImplementations = async ({ implementations, workloads, database, rounds, seconds, scale = 1, tell }) => {
  const servers = await startAll(implementations, { database, scale, watched: true })
  let results
  try {
    results = await checkAll(servers, workloads, scale)
  } finally {
    await stopAll(servers)
  }
  tell(`${database}: all answer the same`)
  if (seconds === 0) return results
  const measured = await startAll(implementations, { database, scale })
  try {
    for (const workload of workloads) {
      const playing = measured.filter(({ name }) => results[workload][name].out === undefined)
      await interleave(workload, { playing, results: results[workload], rounds, seconds, scale })
      tell(`${database}: ${workload} measured, ${WORKLOADS[workload].title}`)
    }
  } finally {
    await stopAll(measured)
  }
  return results
}

async function startAll(implementations, options) {
  const servers = []
  for (const [name, implementation] of Object.entries(implementations)) {
    const server = await startServer(name, implementation, options)
    servers.push({ ...server, implementation, prepared: await implementation.prepare?.(server.url) })
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
      const differs = server.implementation.differs?.[workload] !== undefined
      for (const [place, answer] of answers.entries()) {
        const difference = findDifference(answer, expected[place], differs)
        if (difference !== undefined) throw new Error(`${workload}: '${server.name}' answers otherwise: ${difference}`)
      }
    }
  }
  return results
}

async function check(server, workload, scale) {
  const { implementation, prepared } = server
  const out = reasonOf(implementation, workload)
  if (out !== undefined) return { result: { out } }
  const requests = requestsOf(workload, { implementation, prepared, counts: countsAt(scale), count: BEFORE + 1 })
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
