const { setTimeout: wait } = require('node:timers/promises')
const { createClient, createMetrics } = require('./client')
const { findDifferences } = require('./compare')
const { findRate } = require('./find-rate')
const { createExpectedState, createRandom, ROWS } = require('./expected-state')
const { megabytes, printTable, timesRow, slopeOf, TIME_HEADINGS } = require('./print')
const reads = require('./reads')
const { createWeightedChoice, runLoad } = require('./run-load')
const { startServer } = require('./start-server')
const writes = require('./writes')

/** Weights that add up to about a hundred. */
const MIX = [
  [18, reads.readList],
  [26, reads.readResource],
  [5, reads.readConditionally],
  [5, reads.resolveLinkage],
  [3, reads.readDeleted],
  [2, reads.readInvalid],
  [18, writes.createOrDelete],
  [10, writes.update],
  [3, writes.updateIfMatch],
  [5, writes.updateRelationships],
  [4, writes.runOperations],
  [2, writes.createRejected],
]

const CONNECTIONS = 64
/** Share of the sustained rate. The rest is a reserve for other load on the machine. */
const RATE_SHARE = 0.5
/** Seconds below which a run does not check memory growth. */
const SHORT = 60
/** Share of the time before memory is compared. */
const WARM_UP = 0.25
/** Bytes. */
const MAX_GROWTH = 3 * 1024 * 1024
const MAX_PRINTED = 20

/** Runs the soak test. Returns the problems found. */
exports.soak = async ({ title, dataSource, readRows }, { seconds, rate: fixedRate, seed }) => {
  const server = await startServer(dataSource, { rows: ROWS })
  const random = createRandom(seed)
  const expectedState = createExpectedState(random)
  const load = createLoad(server, { expectedState, random })
  try {
    await load.fill(seconds < SHORT ? 200 : 1500)
    const { rate, limit } = await chooseRate({ fixedRate, seconds, server, load })
    console.log(
      `\n${title}: ${rate} tasks per second for ${seconds} seconds, started at ${new Date().toISOString()}. At a higher rate: ${limit}.\n`,
    )
    const metrics = load.startMetrics()
    const running = runLoad({ rate, seconds, perform: load.perform })
    const samples = await sampleWhile(running, server, seconds / 40)
    const measured = samples.filter(({ at }) => at >= seconds * WARM_UP)
    printRun(await running, metrics)
    printMemory(measured)
    const differences = await findDifferences({ client: load.client, expectedState, readRows })
    console.log(
      `\n${expectedState.works.size} works and ${expectedState.authors.size} authors at the end; ${differences.length} differ from the confirmed writes.`,
    )
    return [
      ...load.problems,
      ...samples.flatMap(({ reported }) => reported),
      ...(seconds < SHORT ? [] : findGrowth(measured)),
      ...differences,
    ].slice(0, MAX_PRINTED)
  } finally {
    await load.client.close()
    await server.stop()
  }
}

/** Requests of all kinds, with their metrics. */
function createLoad({ url }, { expectedState, random }) {
  let metrics = createMetrics()
  const client = createClient(url, { record: (response) => metrics.record(response), connections: CONNECTIONS })
  const problems = []
  const choose = createWeightedChoice(MIX)
  const attempt = async (kind, due) => {
    try {
      await kind({ client, expectedState, random, due })
    } catch (error) {
      problems.push(`${error.message}${error.name === 'Error' ? '' : ` ${error.stack}`}`)
    }
  }
  return {
    client,
    problems,
    perform: (due) => attempt(choose(random), due),
    async fill(count) {
      while (expectedState.size() < count && problems.length === 0)
        await Promise.all(Array.from({ length: 8 }, () => attempt(writes.createWork)))
    },
    startMetrics() {
      metrics = createMetrics()
      return metrics
    },
  }
}

async function chooseRate({ fixedRate, seconds, server, load: { perform, startMetrics } }) {
  if (fixedRate !== undefined) return { rate: fixedRate, limit: 'set by --rate' }
  const steps = []
  const onStep = ({ rate, utilization, p99, unfinished }) =>
    steps.push([Math.round(rate), `${Math.round(utilization * 100)} %`, p99.toFixed(1), unfinished])
  const { rate, limit } = await findRate({
    server,
    perform,
    startMetrics,
    onStep,
    seconds: seconds < SHORT ? 0.5 : 4,
  })
  console.log(printTable(['tasks per second', 'utilization', 'p99 (ms)', 'unfinished at the end'], steps))
  return { rate: Math.round(rate * RATE_SHARE), limit }
}

/** Samples the server's memory until the work ends. */
async function sampleWhile(work, server, seconds) {
  const samples = []
  const start = Date.now()
  const sample = async () => {
    const at = (Date.now() - start) / 1000
    samples.push({ at, ...(await server.query('memory')), ...(await server.query('eventLoop')) })
  }
  let isOver = false
  const over = work.then(() => {
    isOver = true
  })
  while (!isOver) {
    await sample()
    await Promise.race([over, wait(seconds * 1000)])
  }
  await sample()
  return samples
}

function printRun({ started, maxConcurrency, seconds }, { all, byMethod, responses }) {
  const methods = [...byMethod].toSorted(([left], [right]) => left.localeCompare(right))
  const rows = methods.map(([method, histogram]) => timesRow(method, histogram))
  console.log(printTable(TIME_HEADINGS, [...rows, timesRow('all', all)]))
  const counts = [...responses].toSorted(([left], [right]) => left.localeCompare(right))
  console.log(`\n${printTable(['response', 'count'], counts)}`)
  const perSecond = Math.round(all.count / seconds)
  console.log(`\n${started} tasks, ${perSecond} requests per second, at most ${maxConcurrency} concurrent tasks.\n`)
}

function printMemory(samples) {
  const [first] = samples
  const last = samples.at(-1)
  const rowOf = (title, measure) => [
    title,
    ...[first, last].map((sample) => megabytes(measure(sample))),
    megabytes(Math.max(...samples.map(measure))),
    megabytes(slopeOf(samples, measure)),
  ]
  const rows = [
    rowOf('heap', ({ heapUsed }) => heapUsed),
    rowOf('external', ({ external }) => external),
    rowOf('resident', ({ rss }) => rss),
  ]
  const from = `at ${Math.round(first.at)} s`
  console.log(
    printTable(
      ['MiB after garbage collection', from, `at ${Math.round(last.at)} s`, 'maximum', 'growth per minute'],
      rows,
    ),
  )
}

/** Returns growth that exceeds noise over the whole run. */
function findGrowth(samples) {
  const used = ({ heapUsed, external }) => heapUsed + external
  const minutes = (samples.at(-1).at - samples[0].at) / 60
  const growth = slopeOf(samples, used) * minutes
  return growth > MAX_GROWTH ? [`the heap has grown by ${megabytes(growth)} MiB in ${minutes.toFixed(1)} minutes`] : []
}
