const { IMPLEMENTATIONS } = require('../implementations')
const { WORKLOADS } = require('../workloads')
const { median, round, toTable } = require('./tables')

/** Limitations of the figures. */
const CAVEAT = `CPU per request is the CPU time of the server process; other load on the machine hardly affects it.
Requests per second are meaningful only on an idle machine. Ratios under 1.2 are not significant.`

/** Prints the tables of each database. Tables of ratios are last, and among them the one of docs/guide/performance.md. */
exports.printAll = (databases) => {
  for (const [database, results] of Object.entries(databases)) printFigures(database, results)
  console.log(`\n${CAVEAT}`)
  for (const [database, results] of Object.entries(databases)) printRatios(database, results)
  printComparison(databases)
}

const NAMES = { sqlite: 'SQLite', postgres: 'PostgreSQL' }

/** Prints one table of all databases, in Markdown: how many times as much CPU the hand-written server takes. */
function printComparison(databases) {
  const measured = Object.entries(databases).filter(
    ([, results]) => isMeasured(results) && namesOf(results).includes('d'),
  )
  if (measured.length === 0) return
  const columns = measured.flatMap(([database]) =>
    ['in Express', 'as a listener', 'statements'].map((column) => `${NAMES[database]}: ${column}`),
  )
  const rows = Object.entries(WORKLOADS)
    .filter(([workload, { isDetail }]) => isDetail !== true && measured.some(([, results]) => workload in results))
    .map(([workload, { title }]) => [title, ...measured.flatMap(([, results]) => comparisonOf(results[workload]))])
  console.log(`
CPU of a server written by hand with Express 5 and TypeORM, divided by the CPU of stemma: 2 means that stemma takes half as much.
Statements: the number that stemma sends to the database for one request, and that of the other server, with begin and commit.
`)
  for (const line of [['request', ...columns], columns.concat('').map(() => '---'), ...rows])
    console.log(`| ${line.join(' | ')} |`)
}

function comparisonOf({ stemma, l, d } = {}) {
  const isComplete = [stemma, l, d].every((result) => result?.turns?.length > 0)
  if (!isComplete) return ['', '', '']
  const ratio = (result) => round(medianOf(d, 'cpu') / medianOf(result, 'cpu'))
  return [ratio(stemma), ratio(l), `${stemma.statements.length}, ${d.statements.length}`]
}

function printFigures(database, results) {
  const names = namesOf(results)
  console.log(`\n== ${database}\n`)
  for (const name of names) console.log(`${name.padEnd(7)} ${IMPLEMENTATIONS[name].title}`)
  console.log('')
  for (const [workload, { title }] of Object.entries(WORKLOADS).filter(([workload]) => workload in results))
    console.log(`${workload.padEnd(7)} ${title}`)
  printNotes(results, names)
  print('Statements per request, including begin and commit', results, (result) => result.statements.length)
  print('Bytes of a response', results, (result) => result.bytes)
  if (!isMeasured(results)) return
  print('CPU of the server per request, microseconds', results, (result) => round(medianOf(result, 'cpu')))
  print('Requests per second', results, (result) => round(medianOf(result, 'rate')))
  print('99th percentile of the response time, milliseconds', results, (result) => round(medianOf(result, 'p99')))
  print('Peak of memory, megabytes', results, (result) => Math.round(medianOf(result, 'peak')))
  if (names.includes('b'))
    print('Difference from the peak of (b), megabytes', results, (result, { b }) =>
      b.turns === undefined ? '' : Math.round(medianOf(result, 'peak') - medianOf(b, 'peak')),
    )
  print('Failed requests', results, (result) => result.turns.reduce((sum, { failed }) => sum + failed, 0))
}

function printNotes(results, names) {
  const workloads = Object.keys(results)
  for (const name of names) {
    const notes = { ...IMPLEMENTATIONS[name].differs, ...IMPLEMENTATIONS[name].notes }
    for (const workload of workloads.filter((workload) => workload in notes))
      console.log(`\n${name} in ${workload}: ${notes[workload]}`)
    for (const reason of new Set(workloads.map((workload) => results[workload][name]?.excluded))) {
      const excluded = workloads.filter((workload) => results[workload][name]?.excluded === reason)
      if (reason !== undefined) console.log(`\n${name} is excluded from ${excluded.join(', ')}: ${reason}`)
    }
  }
}

function printRatios(database, results) {
  if (!isMeasured(results)) return
  const names = namesOf(results)
  const base = names.includes('b') ? 'b' : names[0]
  const cpu = (byName, name) => (byName[name]?.turns === undefined ? Number.NaN : medianOf(byName[name], 'cpu'))
  const rate = (byName, name) => (byName[name]?.turns === undefined ? Number.NaN : medianOf(byName[name], 'rate'))
  const rows = Object.entries(results)
  console.log(`\n${database}: CPU per request as a multiple of (${base})\n`)
  console.log(
    toTable(
      ['', ...names],
      rows.map(([workload, byName]) => [
        workload,
        ...names.map((name) => round(cpu(byName, name) / cpu(byName, base))),
      ]),
    ),
  )
  if (!names.includes('stemma')) return
  const others = names.filter((name) => name !== 'stemma')
  console.log(
    `\n${database}: CPU per request as a multiple of that of stemma, and in brackets how many times more requests per second stemma handles\n`,
  )
  const compare = (byName) =>
    others.map((name) => {
      const ratio = round(cpu(byName, name) / cpu(byName, 'stemma'))
      return ratio === '' ? '' : `${ratio} (${round(rate(byName, 'stemma') / rate(byName, name))})`
    })
  console.log(
    toTable(
      ['', ...others],
      rows.map(([workload, byName]) => [workload, ...compare(byName)]),
    ),
  )
}

function print(title, results, show) {
  const names = namesOf(results)
  const shown = (name, byName) => {
    const result = byName[name]
    return result === undefined || result.excluded !== undefined ? '' : show(result, byName)
  }
  const rows = Object.entries(results).map(([workload, byName]) => [
    workload,
    ...names.map((name) => shown(name, byName)),
  ])
  console.log(`\n${title}\n\n${toTable(['', ...names], rows)}`)
}

function namesOf(results) {
  return Object.keys(IMPLEMENTATIONS).filter((name) => Object.values(results).some((byName) => name in byName))
}

function isMeasured(results) {
  return Object.values(results).some((byName) => Object.values(byName).some((result) => result.turns?.length > 0))
}

function medianOf({ turns }, figure) {
  return median(turns.map((turn) => turn[figure]))
}
