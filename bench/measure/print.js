const { IMPLEMENTATIONS } = require('../implementations')
const { WORKLOADS } = require('../workloads')
const { median, round, toTable } = require('./tables')

/** Limitations of the figures. */
const CAVEAT = `CPU per request is what the processes of the servers have used up, and holds also while the machine has other work to do;
requests per second do so only on a machine that has none. Ratios under 1.2 mean nothing.`

/** Tables for each database; those of ratios are the last. */
exports.printAll = (results) => {
  for (const [database, found] of Object.entries(results)) printFigures(database, found)
  console.log(`\n${CAVEAT}`)
  for (const [database, found] of Object.entries(results)) printRatios(database, found)
}

function printFigures(database, found) {
  const names = namesOf(found)
  console.log(`\n== ${database}\n`)
  for (const name of names) console.log(`${name.padEnd(7)} ${IMPLEMENTATIONS[name].title}`)
  console.log('')
  for (const [workload, { title }] of Object.entries(WORKLOADS).filter(([workload]) => workload in found))
    console.log(`${workload.padEnd(7)} ${title}`)
  printNotes(found, names)
  print('Statements per request, those that begin and end transactions too', found, (cell) => cell.statements.length)
  print('Bytes of an answer', found, (cell) => cell.bytes)
  if (!isMeasured(found)) return
  print('CPU of the server per request, microseconds', found, (cell) => round(medianOf(cell, 'cpu')))
  print('Requests per second', found, (cell) => round(medianOf(cell, 'rate')))
  print('The slowest of a hundred, milliseconds', found, (cell) => round(medianOf(cell, 'p99')))
  print('Peak of memory, megabytes', found, (cell) => Math.round(medianOf(cell, 'peak')))
  if (names.includes('b'))
    print('The same beyond that of (b)', found, (cell, { b }) =>
      b.cells === undefined ? '' : Math.round(medianOf(cell, 'peak') - medianOf(b, 'peak')),
    )
  print('Requests that failed', found, (cell) => cell.cells.reduce((sum, { failed }) => sum + failed, 0))
}

function printNotes(found, names) {
  const workloads = Object.keys(found)
  for (const name of names) {
    const notes = { ...IMPLEMENTATIONS[name].differs, ...IMPLEMENTATIONS[name].notes }
    for (const workload of workloads.filter((each) => each in notes))
      console.log(`\n${name} in ${workload}: ${notes[workload]}`)
    for (const reason of new Set(workloads.map((workload) => found[workload][name]?.out))) {
      const without = workloads.filter((workload) => found[workload][name]?.out === reason)
      if (reason !== undefined) console.log(`\n${name} is left out of ${without.join(', ')}: ${reason}`)
    }
  }
}

function printRatios(database, found) {
  if (!isMeasured(found)) return
  const names = namesOf(found)
  const base = names.includes('b') ? 'b' : names[0]
  const cpu = (cells, name) => (cells[name]?.cells === undefined ? Number.NaN : medianOf(cells[name], 'cpu'))
  const rate = (cells, name) => (cells[name]?.cells === undefined ? Number.NaN : medianOf(cells[name], 'rate'))
  const rows = Object.entries(found)
  console.log(`\n${database}: CPU per request as a multiple of (${base})\n`)
  console.log(
    toTable(
      ['', ...names],
      rows.map(([workload, cells]) => [workload, ...names.map((name) => round(cpu(cells, name) / cpu(cells, base)))]),
    ),
  )
  if (!names.includes('stemma')) return
  const others = names.filter((name) => name !== 'stemma')
  console.log(
    `\n${database}: how many times less CPU stemma takes, and in brackets how many times more requests per second it answers\n`,
  )
  const compare = (cells) =>
    others.map((name) => {
      const ratio = round(cpu(cells, name) / cpu(cells, 'stemma'))
      return ratio === '' ? '' : `${ratio} (${round(rate(cells, 'stemma') / rate(cells, name))})`
    })
  console.log(
    toTable(
      ['', ...others],
      rows.map(([workload, cells]) => [workload, ...compare(cells)]),
    ),
  )
}

function print(title, found, show) {
  const names = namesOf(found)
  const shown = (name, cells) => {
    const cell = cells[name]
    return cell === undefined || cell.out !== undefined ? '' : show(cell, cells)
  }
  const rows = Object.entries(found).map(([workload, cells]) => [workload, ...names.map((name) => shown(name, cells))])
  console.log(`\n${title}\n\n${toTable(['', ...names], rows)}`)
}

function namesOf(found) {
  return Object.keys(IMPLEMENTATIONS).filter((name) => Object.values(found).some((cells) => name in cells))
}

function isMeasured(found) {
  return Object.values(found).some((cells) => Object.values(cells).some((cell) => cell.cells?.length > 0))
}

function medianOf({ cells }, figure) {
  return median(cells.map((each) => each[figure]))
}
