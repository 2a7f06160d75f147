const { setTimeout: wait } = require('node:timers/promises')
const { Pool } = require('undici')
const { createClient } = require('./client')
const { createLedger, createRandom, ROWS } = require('./ledger')
const { printTable } = require('./print')
const { startServer } = require('./start-server')
const writes = require('./writes')

const WORKS = 200
const WARM_UP = 3000
const REQUESTS = 400
const ROUNDS = 15

/** A single slot, which is occupied permanently. */
const REFUSING = { loadShedding: { maxConcurrency: 1, queueTimeout: null }, limits: { timeout: null } }

const SMALLEST = '/tags/1'
const PAGE = '/works?include=author,tags&page[size]=50&sort=-size'

/** For each case: the server, the request, and the expected status. */
const ASKED = [
  ['a refusal', 'refusing', SMALLEST, 503],
  ['the smallest GET, loadShedding: false', 'off', SMALLEST, 200],
  ['the smallest GET, loadShedding: true', 'on', SMALLEST, 200],
  ['a page of 50 with what it includes, loadShedding: false', 'off', PAGE, 200],
  ['a page of 50 with what it includes, loadShedding: true', 'on', PAGE, 200],
]

/** Measures the cost of a 503, and of admission control for other requests. Returns the unexpected findings as texts. */
exports.refusals = async ({ title, dataSource }, { seed }) => {
  const opened = []
  const open = async (options, rows) => {
    const server = await startServer(dataSource, { rows, options, keeps: true })
    opened.push(await connect(server))
    return opened.at(-1)
  }
  try {
    const off = await open({ loadShedding: false }, ROWS)
    const servers = { off, on: await open({ loadShedding: true }, {}), refusing: await open(REFUSING, {}) }
    await fill(servers.off, seed)
    await servers.refusing.keep()
    const measured = await measure(servers)
    console.log(`\n${title}, ${ROUNDS} times ${REQUESTS} requests of each kind by turns, one after the other.\n`)
    const rows = measured.map(({ title, times }) => [title, medianOf(times), Math.min(...times), Math.max(...times)])
    console.log(printTable(['CPU of the server, µs a request', 'median', 'least', 'most'], rows))
    // Takes the minimum, because other load on the machine only adds time.
    const [refusal, smallest] = measured.map(({ times }) => Math.min(...times))
    return refusal < smallest ? [] : [`a refusal takes ${refusal} µs, and an answer ${smallest}`]
  } finally {
    for (const { close } of opened) await close()
  }
}

async function connect(server) {
  const pool = new Pool(server.url, { connections: 1 })
  const kept = new Pool(server.url, { connections: 1, headersTimeout: 0 })
  const ask = async (path, expected) => {
    const { statusCode, body } = await pool.request({ method: 'GET', path })
    await body.dump()
    if (statusCode !== expected) throw new Error(`GET ${path}: expected ${expected}, found ${statusCode}`)
  }
  return {
    url: server.url,
    /** Occupies a slot until the end. */
    async keep() {
      kept.request({ method: 'GET', path: SMALLEST, headers: { 'x-kept': '1' } }).catch(() => {})
      while ((await server.ask('use')).kept === 0) await wait(10)
    },
    /** CPU time of one request in microseconds. */
    async timeOf(path, expected, count) {
      const before = await server.ask('use')
      for (let asked = 0; asked < count; asked += 1) await ask(path, expected)
      return Math.round(((await server.ask('use')).cpu - before.cpu) / count)
    },
    async close() {
      await Promise.all([pool.destroy(), kept.destroy()])
      await server.stop()
    },
  }
}

async function fill({ url }, seed) {
  const random = createRandom(seed)
  const client = createClient(url, { record() {}, connections: 1 })
  const ledger = createLedger(random)
  while (ledger.size() < WORKS) await writes.createOne({ client, ledger, random })
  await client.close()
}

async function measure(servers) {
  const asked = ASKED.map(([title, name, path, expected]) => ({
    title,
    times: [],
    time: (count) => servers[name].timeOf(encodeURI(path), expected, count),
  }))
  for (const { time } of asked) await time(WARM_UP)
  for (let round = 0; round < ROUNDS; round += 1) for (const { time, times } of asked) times.push(await time(REQUESTS))
  return asked
}

function medianOf(times) {
  return times.toSorted((one, other) => one - other)[Math.floor(times.length / 2)]
}
