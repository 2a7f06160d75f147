// Compares jest's reports from several databases: which tests passed on one and not on another. `node scripts/compare-reports.js FOLDER`
// compares the reports of all databases.
const { existsSync, readFileSync } = require('node:fs')
const { join, relative, sep } = require('node:path')
const { DATABASES } = require('./databases')
const { DIFFERENCES } = require('./differences')
const { runsOn, testFiles } = require('./runs-on')

const ROOT = join(__dirname, '..')

/**
 * `lines`: the output for each database and each difference. `mistakes`: files that are missing in a report, differences without a reason
 * and, if all databases are compared, reasons without a difference.
 */
exports.compare = (names, folder, files) => {
  const reports = names.map((name) => [name, readReport(join(folder, `${name}.json`))])
  const tests = new Set(reports.flatMap(([, report]) => [...report.keys()]))
  const different = new Map()
  for (const test of tests) {
    const places = reports.filter((each) => isDue(each, test) && isLackedBy(each, test)).map(([name]) => name)
    if (places.length > 0) different.set(test, places)
  }
  const reasons = DIFFERENCES.map(({ tests, why }) => ({
    why,
    tests,
    found: [...different.keys()].filter((test) => tests.test(test)),
  }))
  const idle = names.length === Object.keys(DATABASES).length ? reasons.filter(({ found }) => found.length === 0) : []
  const explained = new Set(reasons.flatMap(({ found }) => found))
  const unexplained = [...different].filter(([test]) => !explained.has(test))
  return {
    lines: [
      ...reports.map(([name, report]) => `${name.padEnd(18)} ${countsOf(report)}`),
      ...reasons.map(({ found, why }) => `${String(found.length).padStart(5)} not everywhere: ${why}`),
    ],
    mistakes: [
      ...reports.flatMap((each) => missingFiles(each, files)),
      ...idle.map((reason) => `No test differs any more by ${reason.tests}`),
      ...unexplained.map(([test, places]) => `Not on ${places.join(', ')}, without a reason: ${test}`),
    ],
  }
}

function countsOf(report) {
  const count = (status) => [...report.values()].filter((each) => each === status).length
  return `${count('passed')} passed, ${count('failed')} failed, ${count('pending')} skipped`
}

/** A file that is missing in all reports causes no difference. */
function missingFiles([name, report], files) {
  const found = new Set([...report.keys()].map(fileOf))
  const missing = files.filter((file) => runsOn(file, name) && !found.has(file))
  return missing.map((file) => `Not in the report of ${name}: ${file}`)
}

function isDue([name], test) {
  return runsOn(fileOf(test), name)
}

function fileOf(test) {
  return test.slice(0, test.indexOf(' › '))
}

function isLackedBy([, report], test) {
  return report.get(test) !== 'passed' && report.get(test) !== 'failed'
}

/** Returns `passed`, `failed` or `pending` by `file › name`. Tests with the same name get a number. */
function readReport(path) {
  const report = new Map()
  if (!existsSync(path)) return report
  for (const { name, assertionResults } of JSON.parse(readFileSync(path, 'utf8')).testResults) {
    const file = relative(ROOT, name).split(sep).join('/')
    for (const { ancestorTitles, title, status } of assertionResults) {
      const test = [file, ...ancestorTitles, title].join(' › ')
      report.set(numbered(test, report), status)
    }
  }
  return report
}

function numbered(test, report) {
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? test : `${test} (${number})`
    if (!report.has(name)) return name
  }
}

function main(folder) {
  const names = Object.keys(DATABASES)
  const missing = names.filter((name) => !existsSync(join(folder, `${name}.json`)))
  if (missing.length > 0)
    throw new Error(
      `There is no report of ${missing.join(', ')}. Run: npm run verify -- tests layouts typeorm drivers compare`,
    )
  const { lines, mistakes } = exports.compare(names, folder, testFiles())
  console.log(lines.join('\n'))
  for (const mistake of mistakes) console.error(mistake)
  process.exitCode = mistakes.length > 0 ? 1 : 0
}

if (require.main === module) {
  try {
    main(process.argv[2])
  } catch (error) {
    console.error(error.message)
    process.exitCode = 1
  }
}
