// Clients of an overload: more at once than can be answered. Ten read a page for one that writes.
const { createHistogram, performance } = require('node:perf_hooks')
const { Pool } = require('undici')
const { createClient } = require('./client')
const writes = require('./writes')

/** At least. Each has one request at a time; who finds none that is free would stand in line here, where nobody can be refused. */
const CONNECTIONS = 500
/** Seconds that each may be taken for: whoever is refused has waited for a part of one. */
const TAKEN = 0.5
/** Milliseconds within which an answer is worth something. */
const IN_TIME = 1000
const TYPE = 'application/vnd.api+json'
const PAGE = {
  method: 'GET',
  path: encodeURI('/works?include=author,tags&page[size]=50&sort=-size'),
  headers: { accept: TYPE },
}

/** `most`: requests in a second, at most. `patience`: milliseconds after which they hang up. */
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
  /** Gives the status, or `undefined` where nobody waited for it. */
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
    // Nobody writes it again: it has happened, or it will, or not.
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
    /** As a proxy has them: a process that is busy lets in one new connection after the other, and slowly. */
    async connect() {
      for (let opened = 50; opened < connections + 50; opened += 50) {
        // They are all under way at once, so that each has a connection of its own.
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
    /** Sees what has become of writes that nobody waited for. */
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

/** What became of the requests that were begun in it. */
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
