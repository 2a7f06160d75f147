// Clients of an overload: more concurrent requests than the server can handle, ten page reads for each write.
const { createHistogram, performance } = require('node:perf_hooks')
const { Pool } = require('undici')
const { createClient } = require('./client')
const writes = require('./writes')

/** Minimum number of connections. Each carries one request at a time, and a request that waits here for a connection could not get a 503. */
const CONNECTIONS = 500
/** Seconds that a request may occupy a connection. A rejected request occupies it for less than a second. */
const OCCUPIED = 0.5
/** Milliseconds after which a response is too late. */
const IN_TIME = 1000
const TYPE = 'application/vnd.api+json'
const PAGE = {
  method: 'GET',
  path: encodeURI('/works?include=author,tags&page[size]=50&sort=-size'),
  headers: { accept: TYPE },
}

/** `maxRate`: maximum number of requests per second. `timeout`: client timeout in milliseconds. */
exports.createOverloadClients = ({ url }, { expectedState, random, timeout, maxRate = 0 }) => {
  const connections = Math.max(CONNECTIONS, Math.ceil(maxRate * OCCUPIED))
  const pool = new Pool(url, {
    connections,
    keepAliveTimeout: 60_000,
    headersTimeout: timeout,
    bodyTimeout: timeout,
  })
  const client = createClient(url, { record() {}, connections: 8 })
  const problems = []
  const unconfirmed = []
  let succeeded = 0
  /** Returns the status, or `undefined` after the client's timeout. */
  const send = async (request, expected, { phase, due }) => {
    try {
      const { statusCode: status, headers, body } = await pool.request(request)
      const text = await body.text()
      const took = performance.now() - due
      if (status === expected) succeeded += 1
      else if (!isRejection({ status, headers, text }))
        problems.push(`${request.method}: ${status}: ${text.slice(0, 200)}`)
      record(phase, status === expected ? 'succeeded' : 'rejected', took)
      return status
    } catch (error) {
      if (/TIMEOUT/.test(error.code)) phase.timedOut += 1
      else problems.push(String(error))
      return undefined
    }
  }
  const write = async (work, timing) => {
    const size = random.below(1000)
    const status = await send(toChange(work, size), 204, timing)
    // Not repeated: the write may have happened or may still happen.
    if (status === undefined) return unconfirmed.push({ work, size })
    if (status === 204) work.size = size
    expectedState.release(work)
  }
  return {
    client,
    problems,
    succeeded: () => succeeded,
    async fill(works) {
      while (expectedState.size() < works)
        await Promise.all(Array.from({ length: 8 }, () => writes.createWork({ client, expectedState, random })))
    },
    /** Opens the connections in advance, as a proxy does. A busy process accepts new connections slowly. */
    async connect() {
      for (let opened = 50; opened < connections + 50; opened += 50) {
        // Concurrent requests, so that each opens a connection.
        const requests = Array.from({ length: Math.min(opened, connections) }, () =>
          pool.request({ method: 'OPTIONS', path: '/works' }),
        )
        for (const { body } of await Promise.all(requests)) await body.dump()
      }
    },
    performIn: (phase) => (due) => {
      const work = random.below(11) === 0 ? expectedState.reserve(({ type }) => type === 'films') : undefined
      return work === undefined ? send(PAGE, 200, { phase, due }) : write(work, { phase, due })
    },
    /** Reads the results of writes that timed out. */
    async settle() {
      for (const { work, size } of unconfirmed.splice(0)) {
        const { document } = await client.expect(200, 'GET', `/films/${work.id}`)
        if (document.data.attributes.size === size) work.size = size
        expectedState.release(work)
      }
    },
    async close() {
      await Promise.all([pool.destroy(), client.close()])
    },
  }
}

function toChange({ type, id }, size) {
  return {
    method: 'PATCH',
    path: `/works/${id}`,
    headers: { accept: TYPE, 'content-type': TYPE },
    body: JSON.stringify({ data: { type, id, attributes: { size } } }),
  }
}

function isRejection({ status, headers, text }) {
  return status === 503 && headers['retry-after'] === '1' && text.includes('"server.overloaded"')
}

/** Creates the counters of a phase. */
exports.createPhase = (name, seconds) => ({
  ...{ name, seconds },
  times: createHistogram(),
  rejections: createHistogram(),
  inTime: 0,
  timedOut: 0,
  samples: [],
})

function record(phase, outcome, took) {
  const time = Math.max(1, Math.round(took * 1000))
  if (outcome === 'rejected') return phase.rejections.record(time)
  phase.times.record(time)
  if (took <= IN_TIME) phase.inTime += 1
}
