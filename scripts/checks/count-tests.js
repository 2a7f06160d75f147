const { readFileSync } = require('node:fs')

/** Adds up reports of jest. `problem`: a report that is missing or counts no test. */
exports.countTests = (paths) => {
  let passed = 0
  let failed = 0
  let problem = paths.length === 0 ? 'There is no report.' : undefined
  for (const path of paths) {
    try {
      const report = JSON.parse(readFileSync(path, 'utf8'))
      passed += report.numPassedTests
      failed += report.numFailedTests
      if (report.numPassedTests + report.numFailedTests === 0) problem ??= `No test ran: ${path}`
    } catch (error) {
      problem ??= `No report: ${error.message}`
    }
  }
  return { passed, failed, problem }
}
