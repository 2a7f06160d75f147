const { performance } = require('node:perf_hooks')
const { setTimeout: wait } = require('node:timers/promises')
const { findDifferences } = require('./compare')
const { createCrowd, createPhase } = require('./crowd')
const { findRate } = require('./find-rate')
const { isShort, judgeOverload, judgeTimes } = require('./judge-overload')
const { createLedger, createRandom, ROWS } = require('./ledger')
const { megabytes, printTable } = require('./print')
const { beginLoad, runLoad } = require('./run-load')
const { startServer } = require('./start-server')

const WORKS = 1000
/** Client timeout in milliseconds. Without load shedding, clients wait without timeout. */
const PATIENCE = 5000
const LONG_PATIENCE = 60_000
/** Milliseconds between two samples of the server. */
const LOOK = 250
const MOST_TOLD = 20
/** Requests per second. No process can sustain three times this rate. */
const MOST_TRIED = 5000

/** The phases: their rate as a multiple of the sustained rate, and their share of the time. */
const PHASES = [
  ['before', 0.5, 0.2],
  ['three times as many', 3, 1],
  ['the first seconds after', 0.5, 0.1],
  ['later', 0.5, 0.3],
]
const MOST = Math.max(...PHASES.map(([, times]) => times))

/**
 * Sends three times the sustained rate, with the option `loadShedding` and without. Compares the database with the confirmed writes. A
 * short run leaves out the server without load shedding. Returns the unexpected findings as texts.
 */
exports.overload = async ({ title, dataSource, readRows }, { seconds, rate: wanted, seed }) => {
  const random = createRandom(seed)
  const given = {
    dataSource,
    random,
    ledger: createLedger(random),
    patience: isShort(seconds) ? LONG_PATIENCE : PATIENCE,
  }
  const problems = []
  const { rate, limit } = await withCrowd({ ...given, rows: ROWS, overload: false }, async (server, crowd) => {
    await crowd.fill(WORKS)
    const found = await chooseRate(server, crowd, { wanted, seconds })
    await crowd.settle()
    problems.push(...crowd.problems)
    return found
  })
  for (const overload of isShort(seconds) ? [true] : [true, false])
    await withCrowd({ ...given, rows: {}, overload, most: rate * MOST }, async (server, crowd) => {
      await crowd.connect()
      await runLoad({ rate: rate / 2, seconds: 2, perform: crowd.performIn(createPhase()) })
      const at = new Date().toISOString()
      console.log(
        `\n${title}, loadShedding: ${overload}, begun at ${at}; ${Math.round(rate)} a second hold: ${limit}.\n`,
      )
      const run = isShort(seconds) ? runUntilRefused : runPhases
      const phases = await run(server, crowd, { rate, seconds })
      printPhases(phases)
      if (overload === false) printJudged(judgeTimes(phases, rate))
      await crowd.settle()
      const different = await findDifferences({ client: crowd.client, ledger: given.ledger, readRows })
      problems.push(...judgeOverload(phases, { overload, rate, seconds }), ...crowd.problems, ...different)
    })
  return problems.slice(0, MOST_TOLD)
}

async function withCrowd({ dataSource, rows, overload, ...crowding }, work) {
  const server = await startServer(dataSource, { rows, options: { loadShedding: overload } })
  const crowd = createCrowd(server, crowding)
  try {
    return await work(server, crowd)
  } finally {
    await crowd.close()
    await server.stop()
  }
}

async function chooseRate(server, crowd, { wanted, seconds }) {
  if (wanted !== undefined) return { rate: wanted, limit: 'given by --rate' }
  let phase
  const startRecords = () => {
    phase = createPhase()
    return { all: phase.times }
  }
  const steps = []
  const tell = ({ rate, utilization, p99, left }) =>
    steps.push([Math.round(rate), `${Math.round(utilization * 100)} %`, p99.toFixed(1), left])
  const perform = (due) => crowd.performIn(phase)(due)
  const { rate, limit } = await findRate({
    server,
    perform,
    startRecords,
    tell,
    seconds: isShort(seconds) ? 0.5 : 4,
  })
  console.log(printTable(['a second', 'busy', 'p99 (ms)', 'left at the end'], steps))
  return { rate, limit: `beyond, ${limit}` }
}

/** Finds a rate that the server rejects. */
async function runUntilRefused(server, crowd, { rate, seconds }) {
  const phases = await runPhases(server, crowd, { rate, seconds })
  if (rate > MOST_TRIED || phases.some(({ refusals }) => refusals.count > 0)) return phases
  return [...phases, ...(await runUntilRefused(server, crowd, { rate: 3 * rate, seconds }))]
}

/** Runs the phases in sequence, without waiting for requests in progress. */
async function runPhases(server, crowd, { rate, seconds }) {
  const phases = []
  const ended = []
  let isOver = false
  const watching = (async () => {
    while (!isOver) {
      const { rss, cpu, reported } = await server.ask('use')
      crowd.problems.push(...reported)
      const idle = performance.eventLoopUtilization().idle
      phases.at(-1)?.samples.push({ at: performance.now(), answered: crowd.answered(), rss, cpu, idle })
      await wait(LOOK)
    }
  })()
  for (const [name, times, part] of PHASES) {
    const phase = createPhase(name, seconds * part)
    phases.push(phase)
    const load = { rate: rate * times, seconds: phase.seconds, perform: crowd.performIn(phase) }
    const { begun, ended: last } = await beginLoad(load)
    phase.begun = begun
    ended.push(last)
  }
  await Promise.all(ended)
  isOver = true
  await watching
  return phases
}

const HEADS = [
  ...['', 'asked', 'answered', 'p50 (ms)', 'p99', 'max', 'within 1 s', 'refused', 'p99 (ms)', 'hung up'],
  ...['meanwhile', 'CPU (ms) each', 'MiB', 'clients busy'],
]

function printPhases(phases) {
  const time = (histogram, percentile) =>
    histogram.count === 0 ? '' : (histogram.percentile(percentile) / 1000).toFixed(1)
  const rows = phases.map(({ name, seconds, begun, times, refusals, inTime, givenUp, samples }) => [
    ...[`${name}, ${seconds.toFixed(0)} s`, begun, times.count, time(times, 50), time(times, 99), time(times, 100)],
    ...[`${(inTime / seconds).toFixed(0)} a second`, refusals.count, time(refusals, 99), givenUp],
    ...printUse(samples),
  ])
  console.log(printTable(HEADS, rows))
  console.log(
    '\nMeanwhile: what was answered, whenever it was asked for; CPU of the server, refusals included, for each of those.',
  )
}

/** Prints the samples that were taken with responses. */
function printUse(samples) {
  if (samples.length === 0) return ['', '', '', '']
  const [first, last] = [samples[0], samples.at(-1)]
  const most = megabytes(Math.max(...samples.map(({ rss }) => rss)))
  const answered = last.answered - first.answered
  if (answered === 0) return ['', '', most, '']
  const perSecond = (1000 * answered) / (last.at - first.at)
  const each = ((last.cpu - first.cpu) / 1000 / answered).toFixed(2)
  const busy = 1 - (last.idle - first.idle) / (last.at - first.at)
  return [`${perSecond.toFixed(0)} a second`, each, most, `${Math.round(100 * busy)} %`]
}

function printJudged(judged) {
  const told = judged.length === 0 ? ['nothing was worse than it may be with the option'] : judged
  console.log(`\nWithout it: ${told.join('; ')}.`)
}
