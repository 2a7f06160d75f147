// Clients of an overload: more concurrent requests than the server can handle, ten page reads for each write.
const { createHistogram, performance } = require('node:perf_hooks')
const { Pool } = require('undici')
const { createClient } = require('./client')
const writes = require('./writes')

/** Minimum number of connections. Each carries one request at a time, and a request that waits here for a connection could not get a 503. */
const CONNECTIONS = 500
/** Seconds that a request may occupy a connection. A rejected request occupies it for less than a second. */
const TAKEN = 0.5
/** Milliseconds after which a response is too late. */
const IN_TIME = 1000
const TYPE = 'application/vnd.api+json'
const PAGE = {
  method: 'GET',
  path: encodeURI('/works?include=author,tags&page[size]=50&sort=-size'),
  headers: { accept: TYPE },
}

/** `most`: maximum number of requests per second. `patience`: client timeout in milliseconds. */
exports.createCrowd = ({ url }, { ledger, random, patience, most = 0 }) => {
  const connections = Math.max(CONNECTIONS, Math.ceil(most * TAKEN))
  const pool = new Pool(url, {
    connections,
    keepAliveTimeout: 60_000,
    headersTimeout: patience,
    bodyTimeout: patience,
  })
  const client = createClient(url, { record() {}, connections: 8 })
  const problems = []
  const unsure = []
  let answered = 0
  /** Returns the status, or `undefined` after the client's timeout. */
  const send = async (asked, expected, { phase, due }) => {
    try {
      const { statusCode: status, headers, body } = await pool.request(asked)
      const text = await body.text()
      const took = performance.now() - due
      if (status === expected) answered += 1
      else if (!isRefusal({ status, headers, text })) problems.push(`${asked.method}: ${status}: ${text.slice(0, 200)}`)
      record(phase, status === expected ? 'answered' : 'refused', took)
      return status
    } catch (error) {
      if (/TIMEOUT/.test(error.code)) phase.givenUp += 1
      else problems.push(String(error))
      return undefined
    }
  }
  const write = async (work, asking) => {
    const size = random.below(1000)
    const status = await send(toChange(work, size), 204, asking)
    // Not repeated: the write may have happened or may still happen.
    if (status === undefined) return unsure.push({ work, size })
    if (status === 204) work.size = size
    ledger.giveBack(work)
  }
  return {
    client,
    problems,
    answered: () => answered,
    async fill(works) {
      while (ledger.size() < works)
        await Promise.all(Array.from({ length: 8 }, () => writes.createOne({ client, ledger, random })))
    },
    /** Opens the connections in advance, as a proxy does. A busy process accepts new connections slowly. */
    async connect() {
      for (let opened = 50; opened < connections + 50; opened += 50) {
        // Concurrent requests, so that each opens a connection.
        const asking = Array.from({ length: Math.min(opened, connections) }, () =>
          pool.request({ method: 'OPTIONS', path: '/works' }),
        )
        for (const { body } of await Promise.all(asking)) await body.dump()
      }
    },
    performIn: (phase) => (due) => {
      const work = random.below(11) === 0 ? ledger.take(({ type }) => type === 'films') : undefined
      return work === undefined ? send(PAGE, 200, { phase, due }) : write(work, { phase, due })
    },
    /** Reads the results of writes that timed out. */
    async settle() {
      for (const { work, size } of unsure.splice(0)) {
        const { document } = await client.expect(200, 'GET', `/films/${work.id}`)
        if (document.data.attributes.size === size) work.size = size
        ledger.giveBack(work)
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

function isRefusal({ status, headers, text }) {
  return status === 503 && headers['retry-after'] === '1' && text.includes('"server.overloaded"')
}

/** Creates the counters of a phase. */
exports.createPhase = (name, seconds) => ({
  ...{ name, seconds },
  times: createHistogram(),
  refusals: createHistogram(),
  inTime: 0,
  givenUp: 0,
  samples: [],
})

function record(phase, what, took) {
  const time = Math.max(1, Math.round(took * 1000))
  if (what === 'refused') return phase.refusals.record(time)
  phase.times.record(time)
  if (took <= IN_TIME) phase.inTime += 1
}
