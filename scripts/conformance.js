// Prints the share of JSON:API requirements with a passing test. `npm run conformance` runs the tests, `npm run conformance -- report.json`
// reads a report of jest. Fails if a requirement has neither a passing test nor a reason, or if a test names an unknown requirement.
const { spawnSync } = require('node:child_process')
const { existsSync, mkdtempSync, readFileSync, rmSync } = require('node:fs')
const { tmpdir } = require('node:os')
const { join, sep } = require('node:path')
require('../test/support/run-typescript')
const { SECTIONS } = require('../test/spec/requirements/requirements.ts')
const { BY_DESIGN, LEFT_OUT, DEVIATIONS } = require('../test/spec/left-out.ts')
const { reportOf } = require('../test/spec/support/conformance.ts')

const FOLDER = join('test', 'spec') + sep

function runTests() {
  const folder = mkdtempSync(join(tmpdir(), 'conformance-'))
  const file = join(folder, 'report.json')
  const jest = [require.resolve('jest/bin/jest'), 'test/spec', '--silent', '--json', '--outputFile', file]
  spawnSync(process.execPath, jest, { cwd: join(__dirname, '..'), stdio: ['ignore', 'ignore', 'inherit'] })
  const report = readReport(file)
  rmSync(folder, { recursive: true })
  return report
}

function readReport(file) {
  if (!existsSync(file)) {
    console.error(`There is no report at ${file}. \`npm run verify -- tests\` writes that of SQLite.`)
    process.exit(1)
  }
  return JSON.parse(readFileSync(file, 'utf8'))
}

const { testResults } = process.argv[2] === undefined ? runTests() : readReport(process.argv[2])
const results = testResults
  .filter(({ name }) => name.includes(FOLDER))
  .flatMap(({ assertionResults }) => assertionResults)
const reasons = { leftOut: LEFT_OUT, byDesign: BY_DESIGN, deviations: DEVIATIONS }
const { lines, mistakes } = reportOf(SECTIONS, results, reasons)
console.log([...lines, '', ...mistakes].join('\n').trimEnd())
process.exit(mistakes.length > 0 || results.length === 0 ? 1 : 0)
