const { performance } = require('node:perf_hooks')
const { setTimeout: wait } = require('node:timers/promises')
const { findDifferences } = require('./compare')
const { createOverloadClients, createPhase } = require('./overload-clients')
const { findRate } = require('./find-rate')
const { isShort, judgeOverload, judgeTimes } = require('./judge-overload')
const { createExpectedState, createRandom, ROWS } = require('./expected-state')
const { megabytes, printTable } = require('./print')
const { startLoad, runLoad } = require('./run-load')
const { startServer } = require('./start-server')

const WORKS = 1000
/** Client timeout in milliseconds. Without load shedding, clients wait without timeout. */
const TIMEOUT = 5000
const LONG_TIMEOUT = 60_000
/** Milliseconds between two samples of the server. */
const SAMPLE_INTERVAL = 250
const MAX_PRINTED = 20
/** Requests per second. No process can sustain three times this rate. */
const MAX_RATE = 5000

/** The phases: their rate as a multiple of the sustained rate, and their share of the time. */
const PHASES = [
  ['before', 0.5, 0.2],
  ['overload', 3, 1],
  ['directly afterwards', 0.5, 0.1],
  ['later', 0.5, 0.3],
]
const MAX_FACTOR = Math.max(...PHASES.map(([, factor]) => factor))

/**
 * Sends three times the sustained rate, with the option `loadShedding` and without. Compares the database with the confirmed writes. A
 * short run leaves out the server without load shedding. Returns the problems found.
 */
exports.overload = async ({ title, dataSource, readRows }, { seconds, rate: fixedRate, seed }) => {
  const random = createRandom(seed)
  const shared = {
    dataSource,
    random,
    expectedState: createExpectedState(random),
    timeout: isShort(seconds) ? LONG_TIMEOUT : TIMEOUT,
  }
  const problems = []
  const { rate, limit } = await withClients({ ...shared, rows: ROWS, loadShedding: false }, async (server, clients) => {
    await clients.fill(WORKS)
    const found = await chooseRate(server, clients, { fixedRate, seconds })
    await clients.settle()
    problems.push(...clients.problems)
    return found
  })
  for (const loadShedding of isShort(seconds) ? [true] : [true, false])
    await withClients({ ...shared, rows: {}, loadShedding, maxRate: rate * MAX_FACTOR }, async (server, clients) => {
      await clients.connect()
      await runLoad({ rate: rate / 2, seconds: 2, perform: clients.performIn(createPhase()) })
      const at = new Date().toISOString()
      console.log(
        `\n${title}, loadShedding: ${loadShedding}, started at ${at}; sustained rate: ${Math.round(rate)} per second; ${limit}.\n`,
      )
      const run = isShort(seconds) ? runUntilRejected : runPhases
      const phases = await run(server, clients, { rate, seconds })
      printPhases(phases)
      if (loadShedding === false) printProblemsWithout(judgeTimes(phases, rate))
      await clients.settle()
      const differences = await findDifferences({
        client: clients.client,
        expectedState: shared.expectedState,
        readRows,
      })
      problems.push(...judgeOverload(phases, { loadShedding, rate, seconds }), ...clients.problems, ...differences)
    })
  return problems.slice(0, MAX_PRINTED)
}

async function withClients({ dataSource, rows, loadShedding, ...options }, work) {
  const server = await startServer(dataSource, { rows, options: { loadShedding } })
  const clients = createOverloadClients(server, options)
  try {
    return await work(server, clients)
  } finally {
    await clients.close()
    await server.stop()
  }
}

async function chooseRate(server, clients, { fixedRate, seconds }) {
  if (fixedRate !== undefined) return { rate: fixedRate, limit: 'set by --rate' }
  let phase
  const startMetrics = () => {
    phase = createPhase()
    return { all: phase.times }
  }
  const steps = []
  const onStep = ({ rate, utilization, p99, unfinished }) =>
    steps.push([Math.round(rate), `${Math.round(utilization * 100)} %`, p99.toFixed(1), unfinished])
  const perform = (due) => clients.performIn(phase)(due)
  const { rate, limit } = await findRate({
    server,
    perform,
    startMetrics,
    onStep,
    seconds: isShort(seconds) ? 0.5 : 4,
  })
  console.log(printTable(['requests per second', 'utilization', 'p99 (ms)', 'unfinished at the end'], steps))
  return { rate, limit: `above it, ${limit}` }
}

/** Finds a rate that the server rejects. */
async function runUntilRejected(server, clients, { rate, seconds }) {
  const phases = await runPhases(server, clients, { rate, seconds })
  if (rate > MAX_RATE || phases.some(({ rejections }) => rejections.count > 0)) return phases
  return [...phases, ...(await runUntilRejected(server, clients, { rate: 3 * rate, seconds }))]
}

/** Runs the phases in sequence, without waiting for requests in progress. */
async function runPhases(server, clients, { rate, seconds }) {
  const phases = []
  const endings = []
  let isOver = false
  const sampling = (async () => {
    while (!isOver) {
      const { rss, cpu, reported } = await server.query('usage')
      clients.problems.push(...reported)
      const idle = performance.eventLoopUtilization().idle
      phases.at(-1)?.samples.push({ at: performance.now(), succeeded: clients.succeeded(), rss, cpu, idle })
      await wait(SAMPLE_INTERVAL)
    }
  })()
  for (const [name, factor, share] of PHASES) {
    const phase = createPhase(name, seconds * share)
    phases.push(phase)
    const load = { rate: rate * factor, seconds: phase.seconds, perform: clients.performIn(phase) }
    const { started, ended } = await startLoad(load)
    phase.started = started
    endings.push(ended)
  }
  await Promise.all(endings)
  isOver = true
  await sampling
  return phases
}

const HEADS = [
  ...['', 'requests', 'succeeded', 'p50 (ms)', 'p99', 'max', 'within 1 s', 'rejected', 'p99 (ms)', 'timed out'],
  ...['all responses', 'CPU (ms) per response', 'max MiB', 'client utilization'],
]

function printPhases(phases) {
  const time = (histogram, percentile) =>
    histogram.count === 0 ? '' : (histogram.percentile(percentile) / 1000).toFixed(1)
  const rows = phases.map(({ name, seconds, started, times, rejections, inTime, timedOut, samples }) => [
    ...[`${name}, ${seconds.toFixed(0)} s`, started, times.count, time(times, 50), time(times, 99), time(times, 100)],
    ...[`${(inTime / seconds).toFixed(0)} per second`, rejections.count, time(rejections, 99), timedOut],
    ...printUsage(samples),
  ])
  console.log(printTable(HEADS, rows))
  console.log(
    '\nAll responses: those sent during the phase, to requests of earlier phases too. CPU per response includes rejections.',
  )
}

/** Prints the samples that were taken with responses. */
function printUsage(samples) {
  if (samples.length === 0) return ['', '', '', '']
  const [first, last] = [samples[0], samples.at(-1)]
  const maxMemory = megabytes(Math.max(...samples.map(({ rss }) => rss)))
  const succeeded = last.succeeded - first.succeeded
  if (succeeded === 0) return ['', '', maxMemory, '']
  const perSecond = (1000 * succeeded) / (last.at - first.at)
  const cpu = ((last.cpu - first.cpu) / 1000 / succeeded).toFixed(2)
  const busy = 1 - (last.idle - first.idle) / (last.at - first.at)
  return [`${perSecond.toFixed(0)} per second`, cpu, maxMemory, `${Math.round(100 * busy)} %`]
}

function printProblemsWithout(problems) {
  console.log(`\nWithout load shedding: ${problems.length === 0 ? 'no problems' : problems.join('; ')}.`)
}
