// Compares the implementations on one database: first the responses and statements of each, then the load, in turns.
const { countsAt } = require('../data/tables')
const { requestsOf, WORKLOADS } = require('../workloads')
const { findDifference, resourcesOf, send, withETags } = require('./check')
const { startServer } = require('./start-server')
const { interleave } = require('./interleave')

/** Number of requests before the one whose statements are counted, because first requests fill caches. */
const WARM_UP_REQUESTS = 2

/**
 * Returns the results by workload and implementation: `{ bytes, statements, turns: [{ cpu, databaseCpu, rate, p99, peak, failed }] }`, or `{ excluded }`
 * with the reason.
 */
exports.compareImplementations = async ({ implementations, workloads, database, rounds, seconds, scale = 1, log }) => {
  const servers = await startAll(implementations, { database, scale, watched: true })
  let results
  try {
    results = await checkAll(servers, workloads, scale)
  } finally {
    await stopAll(servers)
  }
  log(`${database}: all responses are the same`)
  if (seconds === 0) return results
  const measured = await startAll(implementations, { database, scale })
  try {
    for (const workload of workloads) {
      const included = measured.filter(({ name }) => results[workload][name].excluded === undefined)
      await interleave(workload, { servers: included, results: results[workload], rounds, seconds, scale })
      log(`${database}: ${workload} measured, ${WORKLOADS[workload].title}`)
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
      const { result, documents } = await check(server, workload, scale)
      results[workload][server.name] = result
      if (documents === undefined) continue
      expected ??= documents
      const mayDiffer = server.implementation.differs?.[workload] !== undefined
      for (const [index, document] of documents.entries()) {
        const difference = findDifference(document, expected[index], { workload, mayDiffer })
        if (difference !== undefined)
          throw new Error(`${workload}: '${server.name}' returns another response: ${difference}`)
      }
    }
  }
  return results
}

async function check(server, workload, scale) {
  const { implementation, prepared } = server
  const excluded = exclusionOf(server, workload)
  if (excluded !== undefined) return { result: { excluded } }
  const all = requestsOf(workload, { implementation, prepared, counts: countsAt(scale) })
  const requests = await withETags(server, all.slice(0, WARM_UP_REQUESTS + 1), workload)
  const responses = []
  for (const request of requests) {
    await server.call('statements')
    responses.push(await send(server, request))
  }
  const statements = await server.call('statements')
  try {
    const documents = responses.map((response) => resourcesOf(response, workload))
    return { result: { bytes: Buffer.byteLength(responses[WARM_UP_REQUESTS].text), statements, turns: [] }, documents }
  } catch (error) {
    throw new Error(`${workload}: '${server.name}' fails`, { cause: error })
  }
}

function exclusionOf({ name, implementation: { excluded = {}, only, whyOnly } }, workload) {
  const { only: implementations } = WORKLOADS[workload]
  if (implementations !== undefined && !implementations.includes(name))
    return 'does not implement it in this comparison'
  return only === undefined || only.includes(workload) ? excluded[workload] : whyOnly
}
