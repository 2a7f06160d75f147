const { performance } = require('node:perf_hooks')
const { setTimeout: wait } = require('node:timers/promises')
const { createOverloadClients, createPhase } = require('./overload-clients')
const { createExpectedState, createRandom, ROWS } = require('./expected-state')
const { printTable } = require('./print')
const { startLoad, runLoad } = require('./run-load')
const { startServer } = require('./start-server')

const WORKS = 1000
/** Client timeout in milliseconds. */
const TIMEOUT = 60_000
/** Seconds until both servers are fully loaded. */
const RAMP_UP = 1

/** Measured at the same time, so that both share the conditions of the machine. */
const PAIRS = [
  [
    ['false', false],
    ['queue timeout', { maxConcurrency: null, queueTimeout: TIMEOUT }],
  ],
  [
    ['concurrency limit', { maxConcurrency: 100, queueTimeout: null }],
    ['concurrency limit and queue timeout', { maxConcurrency: 100, queueTimeout: 200 }],
  ],
  [
    ['false', false],
    ['true', true],
  ],
]

/** Measures the cost of the parts of `loadShedding` under overload, with two servers side by side. Returns the problems found. */
exports.compareLoadShedding = async ({ title, dataSource }, { seconds, rate = 600, seed }) => {
  const random = createRandom(seed)
  const shared = { dataSource, random, expectedState: createExpectedState(random) }
  const rows = []
  const problems = []
  for (const [index, pair] of PAIRS.entries()) {
    const competitors = []
    try {
      for (const [position, [name, loadShedding]] of pair.entries()) {
        const isFirst = index === 0 && position === 0
        competitors.push(await start(name, loadShedding, { ...shared, rows: isFirst ? ROWS : {} }))
        if (isFirst) await competitors[0].clients.fill(WORKS)
      }
      for (const { clients } of competitors) await warmUp(clients)
      rows.push(...(await compare(competitors, { rate, seconds })))
      problems.push(...competitors.flatMap(({ clients }) => clients.problems))
    } finally {
      for (const { clients } of competitors) await clients.close()
      for (const { server } of competitors) await server.stop()
    }
  }
  console.log(
    `\n${title}, ${rate} requests per second to each of two servers at the same time, for ${seconds} seconds.\n`,
  )
  console.log(
    printTable(['loadShedding', 'responses per second', 'rejected per second', 'CPU (ms) per response'], rows),
  )
  return problems
}

async function start(name, loadShedding, { dataSource, rows, expectedState, random }) {
  const server = await startServer(dataSource, { rows, options: { loadShedding } })
  return { name, server, clients: createOverloadClients(server, { expectedState, random, timeout: TIMEOUT }) }
}

async function warmUp(clients) {
  await clients.connect()
  await runLoad({ rate: 100, seconds: 2, perform: clients.performIn(createPhase()) })
}

async function compare(competitors, { rate, seconds }) {
  const phases = competitors.map(({ name }) => createPhase(name, seconds))
  const sample = async ({ server, clients }, index) => {
    const { cpu } = await server.query('usage')
    return { at: performance.now(), cpu, succeeded: clients.succeeded(), rejected: phases[index].rejections.count }
  }
  const loads = competitors.map(({ clients }, index) =>
    startLoad({ rate, seconds: seconds + RAMP_UP, perform: clients.performIn(phases[index]) }),
  )
  await wait(RAMP_UP * 1000)
  const first = await Promise.all(competitors.map(sample))
  await Promise.all(loads)
  const last = await Promise.all(competitors.map(sample))
  return competitors.map(({ name }, index) => rowOf(name, first[index], last[index]))
}

function rowOf(name, first, last) {
  const succeeded = last.succeeded - first.succeeded
  const perSecond = (count) => ((1000 * count) / (last.at - first.at)).toFixed(0)
  const cpuPerResponse = succeeded === 0 ? '' : ((last.cpu - first.cpu) / 1000 / succeeded).toFixed(2)
  return [name, perSecond(succeeded), perSecond(last.rejected - first.rejected), cpuPerResponse]
}
