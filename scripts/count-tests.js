// Adds up reports of jest and prints `N passed, N failed`. A report of no test, or no report, is a failure.
const { readFileSync } = require('node:fs')

const reports = process.argv.slice(2).map((path) => {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    console.error(`No report: ${error.message}`)
    return { numPassedTests: 0, numFailedTests: 0 }
  }
})
const passed = reports.reduce((sum, report) => sum + report.numPassedTests, 0)
const failed = reports.reduce((sum, report) => sum + report.numFailedTests, 0)
const isEmpty = reports.length === 0 || reports.some((report) => report.numPassedTests + report.numFailedTests === 0)

console.log(`${passed} passed, ${failed} failed`)
process.exit(isEmpty || failed > 0 ? 1 : 0)
