const { performance } = require('node:perf_hooks')
const { setTimeout: wait } = require('node:timers/promises')
const { createCrowd, createPhase } = require('./crowd')
const { createLedger, createRandom, ROWS } = require('./ledger')
const { printTable } = require('./print')
const { beginLoad, runLoad } = require('./run-load')
const { startServer } = require('./start-server')

const WORKS = 1000
const PATIENCE = 60_000
/** Seconds until both servers are fully loaded. */
const RISE = 1

/** Measured at the same time, so that both share the conditions of the machine. */
const PAIRS = [
  [
    ['false', false],
    ['a queue', { maxConcurrency: null, queueTimeout: PATIENCE }],
  ],
  [
    ['a count', { maxConcurrency: 100, queueTimeout: null }],
    ['a count and a queue', { maxConcurrency: 100, queueTimeout: 200 }],
  ],
  [
    ['false', false],
    ['true', true],
  ],
]

/** Measures the cost of the parts of `loadShedding` under overload, with two servers side by side. Returns the unexpected findings as texts. */
exports.beside = async ({ title, dataSource }, { seconds, rate = 600, seed }) => {
  const random = createRandom(seed)
  const given = { dataSource, random, ledger: createLedger(random) }
  const rows = []
  const problems = []
  for (const [index, pair] of PAIRS.entries()) {
    const contestants = []
    try {
      for (const [place, [name, overload]] of pair.entries()) {
        const isFirst = index === 0 && place === 0
        contestants.push(await start(name, overload, { ...given, rows: isFirst ? ROWS : {} }))
        if (isFirst) await contestants[0].crowd.fill(WORKS)
      }
      for (const { crowd } of contestants) await warmUp(crowd)
      rows.push(...(await compare(contestants, { rate, seconds })))
      problems.push(...contestants.flatMap(({ crowd }) => crowd.problems))
    } finally {
      for (const { crowd } of contestants) await crowd.close()
      for (const { server } of contestants) await server.stop()
    }
  }
  console.log(`\n${title}, ${rate} a second asked of each of two at the same time, for ${seconds} seconds.\n`)
  console.log(printTable(['loadShedding', 'answered a second', 'refused', 'CPU (ms) for each answer'], rows))
  return problems
}

async function start(name, overload, { dataSource, rows, ledger, random }) {
  const server = await startServer(dataSource, { rows, options: { loadShedding: overload } })
  return { name, server, crowd: createCrowd(server, { ledger, random, patience: PATIENCE }) }
}

async function warmUp(crowd) {
  await crowd.connect()
  await runLoad({ rate: 100, seconds: 2, perform: crowd.performIn(createPhase()) })
}

async function compare(contestants, { rate, seconds }) {
  const phases = contestants.map(({ name }) => createPhase(name, seconds))
  const lookAt = async ({ server, crowd }, index) => {
    const { cpu } = await server.ask('use')
    return { at: performance.now(), cpu, answered: crowd.answered(), refused: phases[index].refusals.count }
  }
  const loads = contestants.map(({ crowd }, index) =>
    beginLoad({ rate, seconds: seconds + RISE, perform: crowd.performIn(phases[index]) }),
  )
  await wait(RISE * 1000)
  const first = await Promise.all(contestants.map(lookAt))
  await Promise.all(loads)
  const last = await Promise.all(contestants.map(lookAt))
  return contestants.map(({ name }, index) => rowOf(name, first[index], last[index]))
}

function rowOf(name, first, last) {
  const answered = last.answered - first.answered
  const perSecond = (count) => ((1000 * count) / (last.at - first.at)).toFixed(0)
  const each = answered === 0 ? '' : ((last.cpu - first.cpu) / 1000 / answered).toFixed(2)
  return [name, perSecond(answered), perSecond(last.refused - first.refused), each]
}
