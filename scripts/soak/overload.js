const { createHistogram, performance } = require('node:perf_hooks')
const { setTimeout: wait } = require('node:timers/promises')
const { Pool } = require('undici')
const { findRate } = require('./find-rate')
const { createRandom, ROWS } = require('./ledger')
const { megabytes, printTable } = require('./print')
const { beginLoad, runLoad } = require('./run-load')
const { startServer } = require('./start-server')

/** Clients, each with one request at a time; beyond that they stand in line. */
const CONNECTIONS = 500
/** Milliseconds after which they hang up. */
const PATIENCE = 5000
/** Milliseconds within which an answer is worth something. */
const IN_TIME = 1000
const WORKS = 1000
const TYPE = 'application/vnd.api+json'

/** Times as many as hold, and the part of the seconds that it lasts. */
const PHASES = [
  ['before', 0.5, 0.2],
  ['three times as many', 3, 1],
  ['the first seconds after', 0.5, 0.1],
  ['later', 0.5, 0.3],
]

/** What becomes of three times as many requests as hold, with the option `overload` and without. What was unexpected, in words. */
exports.overload = async ({ title, dataSource }, { seconds, rate: wanted, seed }) => {
  const rate = wanted ?? (await findLimit(dataSource, { seconds, seed }))
  const problems = []
  for (const [index, overload] of ['on', 'off'].entries()) {
    const rows = index === 0 && wanted !== undefined ? ROWS : {}
    const server = await startServer(dataSource, {
      rows,
      options: { overload },
    })
    const clients = createClients(server, createRandom(seed))
    try {
      if (wanted !== undefined && index === 0) await fill(clients)
      await clients.connect()
      await runLoad({
        rate: rate / 2,
        seconds: 2,
        perform: clients.performIn(createPhase()),
      })
      const at = new Date().toISOString()
      console.log(`\n${title}, overload: '${overload}', begun at ${at}; ${Math.round(rate)} a second hold.\n`)
      const phases = await runPhases(server, clients, { rate, seconds })
      printPhases(phases)
      problems.push(...findProblems(phases, overload, await server.ask('rss')))
    } finally {
      await clients.close()
      await server.stop()
    }
  }
  return problems
}

async function findLimit(dataSource, { seconds, seed }) {
  const server = await startServer(dataSource, { rows: ROWS })
  const clients = createClients(server, createRandom(seed))
  try {
    await fill(clients)
    let phase
    const startRecords = () => {
      phase = createPhase()
      return { all: phase.times }
    }
    const perform = (due) => clients.performIn(phase)(due)
    const steps = []
    const tell = (step) => steps.push(step)
    const { rate } = await findRate({
      server,
      perform,
      startRecords,
      tell,
      seconds: seconds < 20 ? 0.5 : 4,
    })
    return rate
  } finally {
    await clients.close()
    await server.stop()
  }
}

/** Ten reads of a page, and a write. */
function createClients({ url }, random) {
  const pool = new Pool(url, {
    connections: CONNECTIONS,
    keepAliveTimeout: 60_000,
    headersTimeout: PATIENCE,
    bodyTimeout: PATIENCE,
  })
  const page = '/works?include=author,tags&page[size]=50&sort=-size'
  const ask = () => {
    if (random.below(11) > 0)
      return {
        method: 'GET',
        path: encodeURI(page),
        headers: { accept: TYPE },
      }
    const id = String(1 + random.below(WORKS))
    return send('PATCH', `/works/${id}`, {
      type: 'films',
      id,
      attributes: { size: random.below(1000) },
    })
  }
  return {
    request: (asking) => pool.request(asking),
    /** As a proxy has them: a process that is busy lets in one new connection after the other, and slowly. */
    async connect() {
      for (let opened = 50; opened <= CONNECTIONS; opened += 50) {
        // They are all under way at once, so that each has a connection of its own.
        const asking = Array.from({ length: opened }, () => pool.request({ method: 'OPTIONS', path: '/works' }))
        for (const { body } of await Promise.all(asking)) await body.dump()
      }
    },
    performIn: (phase) => async (due) => {
      try {
        const { statusCode, headers, body } = await pool.request(ask())
        const text = await body.text()
        tellOf(phase, {
          status: statusCode,
          headers,
          text,
          took: performance.now() - due,
        })
      } catch (error) {
        if (/TIMEOUT/.test(error.code)) phase.givenUp += 1
        else phase.problems.push(String(error))
      }
    },
    close: () => pool.destroy(),
  }
}

function send(method, path, data) {
  return {
    method,
    path,
    headers: { accept: TYPE, 'content-type': TYPE },
    body: JSON.stringify({ data }),
  }
}

async function fill({ request }) {
  for (let index = 0; index < WORKS; index += 1) {
    const attributes = {
      title: `Film ${index}`,
      size: index,
      isSilent: index % 2 === 0,
    }
    const author = {
      data: { type: 'authors', id: String(1 + (index % ROWS.Author.length)) },
    }
    const tags = {
      data: [{ type: 'tags', id: String(1 + (index % ROWS.Tag.length)) }],
    }
    const { statusCode, body } = await request(
      send('POST', '/films', {
        type: 'films',
        attributes,
        relationships: { author, tags },
      }),
    )
    await body.dump()
    if (statusCode !== 201) throw new Error(`POST /films: ${statusCode}`)
  }
}

function createPhase(name) {
  return {
    name,
    times: createHistogram(),
    refusals: createHistogram(),
    inTime: 0,
    givenUp: 0,
    most: 0,
    problems: [],
  }
}

function tellOf(phase, { status, headers, text, took }) {
  const time = Math.max(1, Math.round(took * 1000))
  if (status === 200 || status === 204) {
    phase.times.record(time)
    if (took <= IN_TIME) phase.inTime += 1
    return
  }
  phase.refusals.record(time)
  const isRefusal = status === 503 && headers['retry-after'] === '1' && text.includes('"server.overloaded"')
  if (!isRefusal) phase.problems.push(`${status}: ${text.slice(0, 200)}`)
}

/** One behind the other; what is under way goes on while the next one begins. */
async function runPhases(server, clients, { rate, seconds }) {
  const phases = []
  const ended = []
  let current
  let isOver = false
  const watching = (async () => {
    while (!isOver) {
      const { rss } = await server.ask('rss')
      if (current !== undefined) current.most = Math.max(current.most, rss)
      await wait(250)
    }
  })()
  for (const [name, times, part] of PHASES) {
    current = createPhase(name)
    phases.push(current)
    const load = {
      rate: rate * times,
      seconds: seconds * part,
      perform: clients.performIn(current),
    }
    current.seconds = load.seconds
    const { begun, ended: last } = await beginLoad(load)
    current.begun = begun
    ended.push(last)
  }
  await Promise.all(ended)
  isOver = true
  await watching
  return phases
}

function printPhases(phases) {
  const heads = [
    '',
    'asked',
    'answered',
    'p50 (ms)',
    'p99',
    'max',
    'within 1 s',
    'refused',
    'p99 (ms)',
    'hung up',
    'MiB',
  ]
  const time = (histogram, percentile) =>
    histogram.count === 0 ? '' : (histogram.percentile(percentile) / 1000).toFixed(1)
  const rows = phases.map(({ name, seconds, begun, times, refusals, inTime, givenUp, most }) => [
    ...[`${name}, ${seconds.toFixed(0)} s`, begun, times.count, time(times, 50), time(times, 99), time(times, 100)],
    ...[`${(inTime / seconds).toFixed(0)} a second`, refusals.count, time(refusals, 99), givenUp, megabytes(most)],
  ])
  console.log(printTable(heads, rows))
}

function findProblems(phases, overload, { reported }) {
  const told = [...phases.flatMap(({ problems }) => problems), ...reported]
  const refused = phases.reduce((sum, { refusals }) => sum + refusals.count, 0)
  if (overload === 'on' && refused === 0) told.push('nobody was refused')
  if (overload === 'off' && refused > 0) told.push(`${refused} were refused, though nobody should have been`)
  return told.slice(0, 20)
}
