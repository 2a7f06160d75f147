// `npm run bench:instructions`: how many instructions of the processor a server executes for one request of each kind, without those of the
// kernel. Other load hardly changes the numbers. They are compared with bench/instructions.json: a request that takes a tenth more is an error.
// `-- --update` writes the file. `-- --implementation b` and `-- --database postgres` print other numbers. Needs `perf` of Linux,
// or Valgrind.
const { readFileSync, writeFileSync } = require('node:fs')
const { join } = require('node:path')
const { parseArgs } = require('node:util')
const { countsAt } = require('./data/tables')
const { IMPLEMENTATIONS } = require('./implementations')
const { withETags } = require('./measure/check')
const { findCounter } = require('./measure/count-instructions')
const { load } = require('./measure/load')
const { startServer } = require('./measure/start-server')
const { toTable } = require('./measure/tables')
const { requestsOf, WORKLOADS } = require('./workloads')

const FILE = join(__dirname, 'instructions.json')
const SCALE = 0.1
const TOLERANCE = 0.1
/** Requests that are sent before the measurement, and in each of three turns, by workload. */
const REQUESTS = {
  ...{ W1: [8000, 2000], W2: [5000, 1000], W3f: [1500, 300], W4: [400, 60], W5: [3000, 500], W6t: [3000, 500] },
  ...{ W7: [5000, 1000], W10f: [300, 40], W8: [6000, 1000], W9: [6000, 1000] },
}
const TURNS = 3
const OPTIONS = {
  update: { type: 'boolean', default: false },
  implementation: { type: 'string', default: 'stemma' },
  database: { type: 'string', default: 'sqlite' },
  workloads: { type: 'string', default: Object.keys(REQUESTS).join() },
}

async function main() {
  const { values } = parseArgs({ options: OPTIONS })
  const counter = findCounter()
  if (counter === undefined)
    return console.log('Neither perf nor callgrind counts instructions here: nothing was measured.')
  const machine = `Node.js ${process.version.slice(0, 3)}, ${process.arch}, ${counter.name}`
  const measured = {}
  for (const workload of values.workloads.split(','))
    measured[workload] = await measure(workload, IMPLEMENTATIONS[values.implementation], values.database, counter)
  const baseline = JSON.parse(readFileSync(FILE, 'utf8'))
  if (values.update)
    return writeFileSync(FILE, `${JSON.stringify({ ...baseline, [machine]: measured }, undefined, 2)}\n`)
  const isCompared = values.implementation === 'stemma' && values.database === 'sqlite'
  const known = isCompared ? (baseline[machine] ?? {}) : {}
  print(measured, known)
  if (!isCompared) return
  if (Object.keys(known).length === 0) return console.log(`bench/instructions.json has no numbers of ${machine}.`)
  const slower = Object.keys(measured).filter((name) => measured[name] > known[name] * (1 + TOLERANCE))
  console.log(`${Object.keys(measured).length} requests measured, ${slower.length} take over 10 % more than before.`)
  if (slower.length > 0) process.exitCode = 1
}

/** Thousands of instructions for one request. The lowest of three turns, since the garbage collector runs in some. */
async function measure(workload, implementation, database, counter) {
  const [warmUp, usual] = REQUESTS[workload]
  const count = usual * counter.share
  const { launcher } = counter
  const server = await startServer(`counted_${workload}`, implementation, { database, scale: SCALE, launcher })
  try {
    const prepared = await implementation.prepare?.(server.url)
    const plain = requestsOf(workload, { implementation, prepared, counts: countsAt(SCALE) })
    const requests = await withETags(server, plain, workload)
    await load(server, requests, { seconds: 600, count: warmUp })
    const turns = []
    for (let turn = 0; turn < TURNS; turn += 1)
      turns.push(await counter.count(server.pid, () => send(server, requests, count)))
    return Math.round(Math.min(...turns) / count / 1000)
  } finally {
    await server.stop()
  }
}

async function send(server, requests, count) {
  const { failed } = await load(server, requests, { seconds: 600, count })
  if (failed > 0) throw new Error(`${failed} requests failed.`)
}

function print(measured, known) {
  const rows = Object.entries(measured).map(([name, count]) => {
    const before = known[name]
    return [
      name,
      WORKLOADS[name].title,
      String(count),
      ...(before === undefined ? ['', ''] : [String(before), (count / before).toFixed(2)]),
    ]
  })
  console.log(toTable(['', 'thousands of instructions', 'now', 'before', 'ratio'], rows))
}

main()
