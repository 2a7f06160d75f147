// Finds which test files tell which configurations apart, and writes scripts/matrix/table.txt:
//   npm run matrix                     measures what is not in the table: new and changed files
//   npm run matrix -- --all            measures all files anew; what is interrupted goes on with `npm run matrix`
//   npm run matrix -- test/guides     only files whose paths begin so
//   npm run matrix -- --on postgres,mariadb   only these configurations, and those that they are compared with
//   npm run matrix -- --why test/guides/sorting/sorting.test.ts   prints what tells a file's configurations apart, from the last measurement
const { spawn } = require('node:child_process')
const { readFileSync } = require('node:fs')
const { join } = require('node:path')
const { text } = require('node:stream/consumers')
const { DATABASES, environmentOf } = require('../databases')
const { testFiles } = require('../runs-on')
const { byHand } = require('./by-hand')
const { makeComparison } = require('./compare')
const { AGAIN, PATTERNS, PROBES, pathOf, prepareFolder, readPatterns, readRecords } = require('./data')
const { printReasons } = require('./print-reasons')
const { digestOf, readTable, UNKNOWN, writeTable } = require('./table')

const ROOT = join(__dirname, '..', '..')

/** Files in a process: V8 keeps the counts of all that was ever loaded in it. */
const CHUNK = 30
/** A process with that many files takes two minutes. */
const LONGEST = 20 * 60_000

async function main(words) {
  const { isAll, names, starts, why } = readWords(words)
  if (why !== undefined) return printReasons(why)
  prepareFolder(isAll)
  const files = testFiles().filter((file) => byHand(file) === undefined)
  const rows = prepareRows(files, isAll, starts)
  const due = files.filter((file) => isNamed(file, starts) && isDue(rows.get(file), names))
  console.log(`${due.length} of ${files.length} files to measure.`)
  for (const name of inOrder(names)) {
    const configuration = DATABASES[name === AGAIN ? 'sqlite' : name]
    const records = readRecords(name)
    const comparison = compareNow()
    const missing = due
      .filter((file) => records.get(file)?.digest !== rows.get(file).digest)
      .filter((file) => needsMeasuring(file, name, comparison))
    if (missing.length > 0) await measure(name, configuration, [...Object.values(PROBES), ...missing])
    update(rows, due)
    writeTable(rows)
  }
}

function readWords(words) {
  const rest = [...words]
  const take = (flag) => {
    const at = rest.indexOf(flag)
    return at < 0 ? undefined : rest.splice(at, 2)[1]
  }
  const why = take('--why')
  const on = take('--on')
  const isAll = rest.includes('--all')
  const names = on === undefined ? Object.keys(DATABASES) : on.split(',')
  const unknown = [
    ...names.filter((name) => DATABASES[name] === undefined),
    ...rest.filter((word) => word.startsWith('-') && word !== '--all'),
  ]
  if (unknown.length > 0)
    throw new Error(`Unknown: ${unknown.join(', ')}. Configurations: ${Object.keys(DATABASES).join(', ')}.`)
  return { isAll, names, why, starts: rest.filter((word) => !word.startsWith('-')) }
}

/** The rows of files that exist. A file that was moved takes its row along; one that has changed, or is measured anew, begins without marks. */
function prepareRows(files, isAll, starts) {
  const before = readTable()
  const moved = new Map([...before].filter(([file]) => !files.includes(file)).map(([, row]) => [row.digest, row]))
  const rows = new Map()
  for (const file of files) {
    const digest = digestOf(readFileSync(join(ROOT, file), 'utf8'))
    const row = before.get(file) ?? moved.get(digest)
    const isKept = isNamed(file, starts) ? row?.digest === digest && !isAll : row !== undefined
    if (isKept) rows.set(file, row)
    else if (isNamed(file, starts)) rows.set(file, { digest, marks: {} })
  }
  return rows
}

function isNamed(file, starts) {
  return starts.length === 0 || starts.some((start) => file.startsWith(start))
}

function isDue({ marks }, names) {
  return names.some((name) => (marks[name] ?? UNKNOWN) === UNKNOWN)
}

/** SQLite first, twice; then each behind those that it is compared with. */
function inOrder(names) {
  const ordered = ['sqlite', AGAIN]
  const add = (name) => {
    const { comparedWith, onlyWith } = DATABASES[name]
    for (const each of [comparedWith, onlyWith]) if (each !== undefined) add(each)
    if (!ordered.includes(name)) ordered.push(name)
  }
  for (const name of names) add(name)
  return ordered
}

function compareNow() {
  const records = new Map()
  const recordsOf = (name) => {
    if (!records.has(name)) records.set(name, readRecords(name))
    return records.get(name)
  }
  return { ...makeComparison(recordsOf, readPatterns()), recordsOf }
}

function needsMeasuring(file, name, { isIndependent, marksOf, recordsOf }) {
  if (name === 'sqlite' || name === AGAIN) return true
  const onSqlite = recordsOf('sqlite').get(file)
  if (onSqlite !== undefined && isIndependent(onSqlite, name)) return false
  return marksOf(file)[name] !== '.'
}

/** Marks that are known now; others stay as they are. */
function update(rows, files) {
  const { marksOf, recordsOf } = compareNow()
  for (const file of files) {
    const row = rows.get(file)
    if (recordsOf('sqlite').get(file)?.digest !== row.digest) continue
    for (const [name, mark] of Object.entries(marksOf(file))) if (mark !== UNKNOWN) row.marks[name] = mark
  }
}

async function measure(name, configuration, files) {
  const started = performance.now()
  for (let from = 0; from < files.length; from += CHUNK)
    await runJest(name, configuration, files.slice(from, from + CHUNK))
  const seconds = Math.round((performance.now() - started) / 1000)
  console.log(`${name}: ${files.length} files in ${seconds} s`)
}

async function runJest(name, configuration, files) {
  const parameters = [
    require.resolve('jest/bin/jest'),
    `--config=${join(__dirname, 'jest.config.js')}`,
    '--runInBand',
    '--forceExit',
    '--silent',
    '--runTestsByPath',
    ...files,
  ]
  const child = spawn(process.execPath, parameters, {
    cwd: ROOT,
    stdio: ['ignore', 'ignore', 'pipe'],
    timeout: LONGEST,
    env: {
      ...process.env,
      ...environmentOf(configuration),
      TEST_RUN: '',
      MATRIX_OUT: pathOf(name),
      MATRIX_PATTERNS: PATTERNS,
    },
  })
  const ended = new Promise((resolve) => child.on('close', resolve))
  const output = await text(child.stderr)
  if ((await ended) === 0) return
  // A test that fails while it is measured is told, and counts as what it has run.
  for (const line of output.split('\n')) if (/^(?:FAIL|\s+●)/.test(line)) console.error(`${name}: ${line}`)
}

main(process.argv.slice(2)).catch((error) => {
  console.error(error)
  process.exitCode = 1
})
