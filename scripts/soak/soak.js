const { setTimeout: wait } = require('node:timers/promises')
const { createClient, createRecords } = require('./client')
const { findDifferences } = require('./compare')
const { findRate } = require('./find-rate')
const { createLedger, createRandom, ROWS } = require('./ledger')
const { megabytes, printTable, printTimes, slopeOf, TIME_HEADS } = require('./print')
const reads = require('./reads')
const { chooserOf, runLoad } = require('./run-load')
const { startServer } = require('./start-server')
const writes = require('./writes')

/** Weights that add up to about a hundred. */
const MIX = [
  [18, reads.readList],
  [26, reads.readOne],
  [5, reads.readAgain],
  [5, reads.readLinkage],
  [3, reads.readGone],
  [2, reads.readWrongly],
  [18, writes.createOrDelete],
  [10, writes.change],
  [3, writes.changeIfMatch],
  [5, writes.changeLinks],
  [4, writes.operate],
  [2, writes.refuse],
]

const CONNECTIONS = 64
/** The share of the highest rate. The rest is a reserve for other load on the machine. */
const MARGIN = 0.5
/** Memory is judged in longer runs: after this share of the time, with this limit of growth. */
const SHORT = 60
const WARM_UP = 0.25
const MOST_GROWTH = 3 * 1024 * 1024
const MOST_TOLD = 20

/** Runs the soak test. Returns the unexpected findings as texts. */
exports.soak = async ({ title, dataSource, readRows }, { seconds, rate: wanted, seed }) => {
  const server = await startServer(dataSource, { rows: ROWS })
  const random = createRandom(seed)
  const ledger = createLedger(random)
  const load = createLoad(server, { ledger, random })
  try {
    await load.fill(seconds < SHORT ? 200 : 1500)
    const { rate, limit } = await chooseRate({ wanted, seconds, server, load })
    console.log(
      `\n${title}: ${rate} a second for ${seconds} seconds, begun at ${new Date().toISOString()}; beyond: ${limit}.\n`,
    )
    const records = load.startRecords()
    const running = runLoad({ rate, seconds, perform: load.perform })
    const samples = await sampleWhile(running, server, seconds / 40)
    const measured = samples.filter(({ at }) => at >= seconds * WARM_UP)
    printRun(await running, records)
    printMemory(measured)
    const different = await findDifferences({ client: load.client, ledger, readRows })
    console.log(
      `\n${ledger.works.size} works and ${ledger.authors.size} authors at the end; ${different.length} are not as they were acknowledged.`,
    )
    return [
      ...load.problems,
      ...samples.flatMap(({ reported }) => reported),
      ...(seconds < SHORT ? [] : findGrowth(measured)),
      ...different,
    ].slice(0, MOST_TOLD)
  } finally {
    await load.client.close()
    await server.stop()
  }
}

/** Requests of all kinds, with their records. */
function createLoad({ url }, { ledger, random }) {
  let records = createRecords()
  const client = createClient(url, { record: (answer) => records.record(answer), connections: CONNECTIONS })
  const problems = []
  const choose = chooserOf(MIX)
  const attempt = async (kind, due) => {
    try {
      await kind({ client, ledger, random, due })
    } catch (error) {
      problems.push(`${error.message}${error.name === 'Error' ? '' : ` ${error.stack}`}`)
    }
  }
  return {
    client,
    problems,
    perform: (due) => attempt(choose(random), due),
    async fill(count) {
      while (ledger.size() < count && problems.length === 0)
        await Promise.all(Array.from({ length: 8 }, () => attempt(writes.createOne)))
    },
    startRecords() {
      records = createRecords()
      return records
    },
  }
}

async function chooseRate({ wanted, seconds, server, load: { perform, startRecords } }) {
  if (wanted !== undefined) return { rate: wanted, limit: 'given by --rate' }
  const steps = []
  const tell = ({ rate, utilization, p99, left }) =>
    steps.push([Math.round(rate), `${Math.round(utilization * 100)} %`, p99.toFixed(1), left])
  const { rate, limit } = await findRate({
    server,
    perform,
    startRecords,
    tell,
    seconds: seconds < SHORT ? 0.5 : 4,
  })
  console.log(printTable(['a second', 'busy', 'p99 (ms)', 'left at the end'], steps))
  return { rate: Math.round(rate * MARGIN), limit }
}

/** Samples the server's memory until the work ends. */
async function sampleWhile(work, server, seconds) {
  const samples = []
  const start = Date.now()
  let isOver = false
  const over = work.then(() => {
    isOver = true
  })
  while (!isOver) {
    samples.push({ at: (Date.now() - start) / 1000, ...(await server.ask('memory')), ...(await server.ask('loop')) })
    await Promise.race([over, wait(seconds * 1000)])
  }
  samples.push({ at: (Date.now() - start) / 1000, ...(await server.ask('memory')), ...(await server.ask('loop')) })
  return samples
}

function printRun({ begun, most, seconds }, { all, byMethod, answers }) {
  const methods = [...byMethod].toSorted(([one], [other]) => one.localeCompare(other))
  const rows = methods.map(([method, histogram]) => printTimes(method, histogram))
  console.log(printTable(TIME_HEADS, [...rows, printTimes('all', all)]))
  const counts = [...answers].toSorted(([one], [other]) => one.localeCompare(other))
  console.log(`\n${printTable(['answer', 'times'], counts)}`)
  const perSecond = Math.round(all.count / seconds)
  console.log(
    `\n${begun} pieces of work, ${perSecond} requests a second; at most ${most} pieces were under way at once.\n`,
  )
}

function printMemory(samples) {
  const [first] = samples
  const last = samples.at(-1)
  const rowOf = (title, of) => [
    title,
    ...[first, last].map((sample) => megabytes(of(sample))),
    megabytes(Math.max(...samples.map(of))),
    megabytes(slopeOf(samples, of)),
  ]
  const rows = [
    rowOf('heap', ({ heapUsed }) => heapUsed),
    rowOf('outside of the heap', ({ external }) => external),
    rowOf('resident', ({ rss }) => rss),
  ]
  const from = `at ${Math.round(first.at)} s`
  console.log(printTable(['MiB, garbage gone', from, `at ${Math.round(last.at)} s`, 'most', 'a minute'], rows))
}

/** Returns growth that exceeds noise over the whole run. */
function findGrowth(samples) {
  const used = ({ heapUsed, external }) => heapUsed + external
  const minutes = (samples.at(-1).at - samples[0].at) / 60
  const growth = slopeOf(samples, used) * minutes
  return growth > MOST_GROWTH ? [`the heap has grown by ${megabytes(growth)} MiB in ${minutes.toFixed(1)} minutes`] : []
}
