const { setTimeout: wait } = require('node:timers/promises')
const { Pool } = require('undici')
const { createClient } = require('./client')
const { createExpectedState, createRandom, ROWS } = require('./expected-state')
const { printTable } = require('./print')
const { startServer } = require('./start-server')
const writes = require('./writes')

const WORKS = 200
const WARM_UP = 3000
const REQUESTS = 400
const ROUNDS = 15

/** A single slot, which is occupied permanently. */
const REJECTING = { loadShedding: { maxConcurrency: 1, queueTimeout: null }, limits: { timeout: null } }

const SMALLEST = '/tags/1'
const PAGE = '/works?include=author,tags&page[size]=50&sort=-size'

/** For each case: the server, the request, and the expected status. */
const CASES = [
  ['a rejection', 'rejecting', SMALLEST, 503],
  ['the smallest GET, loadShedding: false', 'off', SMALLEST, 200],
  ['the smallest GET, loadShedding: true', 'on', SMALLEST, 200],
  ['a page of 50 with includes, loadShedding: false', 'off', PAGE, 200],
  ['a page of 50 with includes, loadShedding: true', 'on', PAGE, 200],
]

/** Measures the cost of a 503, and of admission control for other requests. Returns the problems found. */
exports.measureRejections = async ({ title, dataSource }, { seed }) => {
  const connections = []
  const open = async (options, rows) => {
    const server = await startServer(dataSource, { rows, options, holdsRequests: true })
    connections.push(await connect(server))
    return connections.at(-1)
  }
  try {
    const off = await open({ loadShedding: false }, ROWS)
    const servers = { off, on: await open({ loadShedding: true }, {}), rejecting: await open(REJECTING, {}) }
    await fill(servers.off, seed)
    await servers.rejecting.occupySlot()
    const measured = await measure(servers)
    console.log(`\n${title}, ${ROUNDS} times ${REQUESTS} sequential requests of each kind, in turns.\n`)
    const rows = measured.map(({ title, times }) => [title, medianOf(times), Math.min(...times), Math.max(...times)])
    console.log(printTable(['CPU of the server, µs per request', 'median', 'minimum', 'maximum'], rows))
    // Takes the minimum, because other load on the machine only adds time.
    const [rejection, smallest] = measured.map(({ times }) => Math.min(...times))
    return rejection < smallest ? [] : [`a rejection takes ${rejection} µs, a response ${smallest} µs`]
  } finally {
    for (const { close } of connections) await close()
  }
}

async function connect(server) {
  const pool = new Pool(server.url, { connections: 1 })
  const held = new Pool(server.url, { connections: 1, headersTimeout: 0 })
  const get = async (path, expected) => {
    const { statusCode, body } = await pool.request({ method: 'GET', path })
    await body.dump()
    if (statusCode !== expected) throw new Error(`GET ${path}: expected ${expected}, found ${statusCode}`)
  }
  return {
    url: server.url,
    /** Occupies a slot until the end. */
    async occupySlot() {
      held.request({ method: 'GET', path: SMALLEST, headers: { 'x-hold': '1' } }).catch(() => {})
      while ((await server.query('usage')).heldRequests === 0) await wait(10)
    },
    /** CPU time of one request in microseconds. */
    async timeOf(path, expected, count) {
      const before = await server.query('usage')
      for (let sent = 0; sent < count; sent += 1) await get(path, expected)
      return Math.round(((await server.query('usage')).cpu - before.cpu) / count)
    },
    async close() {
      await Promise.all([pool.destroy(), held.destroy()])
      await server.stop()
    },
  }
}

async function fill({ url }, seed) {
  const random = createRandom(seed)
  const client = createClient(url, { record() {}, connections: 1 })
  const expectedState = createExpectedState(random)
  while (expectedState.size() < WORKS) await writes.createWork({ client, expectedState, random })
  await client.close()
}

async function measure(servers) {
  const cases = CASES.map(([title, name, path, expected]) => ({
    title,
    times: [],
    time: (count) => servers[name].timeOf(encodeURI(path), expected, count),
  }))
  for (const { time } of cases) await time(WARM_UP)
  for (let round = 0; round < ROUNDS; round += 1) for (const { time, times } of cases) times.push(await time(REQUESTS))
  return cases
}

function medianOf(times) {
  return times.toSorted((left, right) => left - right)[Math.floor(times.length / 2)]
}
