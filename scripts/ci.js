// Runs the steps of `.ci/run`: all checks that fit into fifteen minutes on two cores. The last line counts the tests: `N passed, N failed`.
const { readdirSync, rmSync } = require('node:fs')
const { join } = require('node:path')
const { countTests } = require('./checks/count-tests')
const { printTable } = require('./checks/print-table')
const { endStepsWithProcess, runSteps } = require('./checks/run-steps')
const { QUICK } = require('./checks/stages')
const { stepsWith } = require('./checks/steps')

const FOLDER = join(__dirname, '..', 'build', 'ci')
const REPORTS = join(FOLDER, 'reports')

async function main() {
  const started = performance.now()
  rmSync(FOLDER, { recursive: true, force: true })
  const steps = stepsWith(REPORTS, { quickDrivers: true })
  const results = await runSteps(
    QUICK.map((name) => steps[name]),
    join(FOLDER, 'logs'),
  )
  const failed = results.filter(({ outcome }) => outcome !== 'passed')
  const rows = results.map(({ name, outcome, seconds, passed, failed }) => [name, outcome, seconds, passed, failed])
  printTable(
    ['step', 'result', 'seconds', 'passed', 'failed'],
    [...rows, ['all', failed.length === 0 ? 'passed' : 'failed', (performance.now() - started) / 1000]],
  )
  for (const { name, outcome, why } of failed) console.error(`${name}: ${outcome}. ${why}`)
  process.exitCode = failed.length === 0 ? 0 : 1
}

function reports() {
  try {
    return readdirSync(REPORTS).map((name) => join(REPORTS, name))
  } catch {
    return []
  }
}

endStepsWithProcess()
process.on('exit', () => {
  const { passed, failed } = countTests(reports())
  console.log(`${passed} passed, ${failed} failed`)
})
main().catch((error) => {
  console.error(error)
  process.exitCode = 1
})
