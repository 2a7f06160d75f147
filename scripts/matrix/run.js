// Measures which test files have to run on which configurations, and writes scripts/matrix/table.txt:
//   npm run matrix                            measures new and changed files
//   npm run matrix -- --all                   measures all files; `npm run matrix` resumes an interrupted run
//   npm run matrix -- test/guides             only files whose paths start with this
//   npm run matrix -- --on postgres,mariadb   only these configurations, and those that they are compared with
//   npm run matrix -- --explain test/guides/sorting/sorting.test.ts   prints the differences found by the last measurement
const { spawn } = require('node:child_process')
const { readFileSync } = require('node:fs')
const { join } = require('node:path')
const { text } = require('node:stream/consumers')
const { DATABASES, environmentOf } = require('../databases')
const { testFiles } = require('../runs-on')
const { findUnmeasured } = require('./unmeasured-files')
const { DEFECTS } = require('../defects/defects')
const { noticingStepOf } = require('../defects/plan')
const { createComparison } = require('./compare')
const { SECOND_RUN, PATTERNS, PROBES, pathOf, prepareFolder, readPatterns, readRecords } = require('./data')
const { printDifferences } = require('./print-differences')
const { chooseQuickFiles } = require('./choose-quick-files')
const { digestOf, readTable, RUNS, SKIPPED, UNKNOWN, VERIFY_ONLY, writeTable } = require('./table')

const ROOT = join(__dirname, '..', '..')

/** Test files per process. V8 keeps the counts of everything that was ever loaded. */
const FILES_PER_PROCESS = 30
/** Milliseconds. A process with that many files takes two minutes. */
const TIMEOUT = 20 * 60_000

async function main(args) {
  const { isAll, names, prefixes, explained } = parseCliArguments(args)
  if (explained !== undefined) return printDifferences(explained)
  prepareFolder(isAll)
  const files = testFiles().filter((file) => findUnmeasured(file) === undefined)
  const rows = prepareRows(files, isAll, prefixes)
  const due = files.filter((file) => isNamed(file, prefixes) && isDue(rows.get(file), names))
  console.log(`${due.length} of ${files.length} files to measure.`)
  for (const name of comparisonOrder(names)) {
    const configuration = DATABASES[name === SECOND_RUN ? 'sqlite' : name]
    const records = readRecords(name)
    const comparison = compareRecords()
    const missing = due
      .filter((file) => records.get(file)?.digest !== rows.get(file).digest)
      .filter((file) => needsMeasuring(file, name, comparison))
    if (missing.length > 0) await measure(name, configuration, [...Object.values(PROBES), ...missing])
    updateMarks(rows, due)
    writeTable(rows)
  }
  for (const name of names.filter((each) => DATABASES[each].hasQuickPart)) markQuickFiles(rows, name)
  writeTable(rows)
}

function parseCliArguments(args) {
  const rest = [...args]
  const take = (flag) => {
    const index = rest.indexOf(flag)
    return index < 0 ? undefined : rest.splice(index, 2)[1]
  }
  const explained = take('--explain')
  const on = take('--on')
  const isAll = rest.includes('--all')
  const names = on === undefined ? Object.keys(DATABASES) : on.split(',')
  const unknown = [
    ...names.filter((name) => DATABASES[name] === undefined),
    ...rest.filter((word) => word.startsWith('-') && word !== '--all'),
  ]
  if (unknown.length > 0)
    throw new Error(`Unknown: ${unknown.join(', ')}. Configurations: ${Object.keys(DATABASES).join(', ')}.`)
  return { isAll, names, explained, prefixes: rest.filter((word) => !word.startsWith('-')) }
}

/** Returns the rows of existing files. A moved file keeps its row; a changed file, or one to measure again, prefixes without marks. */
function prepareRows(files, isAll, prefixes) {
  const before = readTable()
  const moved = new Map([...before].filter(([file]) => !files.includes(file)).map(([, row]) => [row.digest, row]))
  const rows = new Map()
  for (const file of files) {
    const digest = digestOf(readFileSync(join(ROOT, file), 'utf8'))
    const row = before.get(file) ?? moved.get(digest)
    const keepsRow = isNamed(file, prefixes) ? row?.digest === digest && !isAll : row !== undefined
    if (keepsRow) rows.set(file, row)
    else if (isNamed(file, prefixes)) rows.set(file, { digest, marks: {} })
  }
  return rows
}

function isNamed(file, prefixes) {
  return prefixes.length === 0 || prefixes.some((prefix) => file.startsWith(prefix))
}

function isDue({ marks }, names) {
  return names.some((name) => (marks[name] ?? UNKNOWN) === UNKNOWN)
}

/** Returns SQLite twice, then each configuration after those that it is compared with. */
function comparisonOrder(names) {
  const ordered = ['sqlite', SECOND_RUN]
  const add = (name) => {
    const { comparedWith, skippedWith } = DATABASES[name]
    for (const each of [comparedWith, skippedWith]) if (each !== undefined) add(each)
    if (!ordered.includes(name)) ordered.push(name)
  }
  for (const name of names) add(name)
  return ordered
}

function compareRecords() {
  const records = new Map()
  const recordsOf = (name) => {
    if (!records.has(name)) records.set(name, readRecords(name))
    return records.get(name)
  }
  return { ...createComparison(recordsOf, readPatterns()), recordsOf }
}

function needsMeasuring(file, name, { isIndependent, marksOf, recordsOf }) {
  if (name === 'sqlite' || name === SECOND_RUN) return true
  const onSqlite = recordsOf('sqlite').get(file)
  if (onSqlite !== undefined && isIndependent(onSqlite, name)) return false
  return marksOf(file)[name] !== SKIPPED
}

/** Sets the marks that are known now. Other marks stay. */
function updateMarks(rows, files) {
  const { marksOf, recordsOf } = compareRecords()
  for (const file of files) {
    const row = rows.get(file)
    if (recordsOf('sqlite').get(file)?.digest !== row.digest) continue
    for (const [name, mark] of Object.entries(marksOf(file))) if (mark !== UNKNOWN) row.marks[name] = mark
  }
}

/** Marks the files that `.ci/run` leaves out. Without a measurement of each file the marks stay as they are. */
function markQuickFiles(rows, name) {
  const { recordsOf, findDifferences } = compareRecords()
  const records = recordsOf(name)
  const candidates = [...rows.keys()].filter((file) => [RUNS, VERIFY_ONLY].includes(rows.get(file).marks[name]))
  if (candidates.some((file) => records.get(file)?.digest !== rows.get(file).digest)) return
  const noticing = new Set(DEFECTS.map(noticingStepOf).flatMap((step) => (step.name === name ? step.files : [])))
  const isAlwaysChosen = (file) => {
    const { code, otherTests } = findDifferences(file, name)
    return otherTests || code.has(file) || noticing.has(file)
  }
  const always = candidates.filter(isAlwaysChosen)
  const onSqlite = recordsOf('sqlite')
  const chosen = chooseQuickFiles({ records, onSqlite, candidates, always, patternOf: readPatterns() })
  for (const file of candidates) rows.get(file).marks[name] = chosen.has(file) ? RUNS : VERIFY_ONLY
  console.log(`${name}: ${chosen.size} of ${candidates.length} files run in .ci/run.`)
}

async function measure(name, configuration, files) {
  const started = performance.now()
  for (let from = 0; from < files.length; from += FILES_PER_PROCESS)
    await runJest(name, configuration, files.slice(from, from + FILES_PER_PROCESS))
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
    timeout: TIMEOUT,
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
  // A test that fails while it is measured is reported; the code that it executed counts.
  for (const line of output.split('\n')) if (/^(?:FAIL|\s+●)/.test(line)) console.error(`${name}: ${line}`)
}

main(process.argv.slice(2)).catch((error) => {
  console.error(error)
  process.exitCode = 1
})
