// Decides on which configurations a test file runs: by scripts/matrix/table.txt, or by scripts/matrix/unmeasured-files.js. A file in neither runs on all. scripts/differences.js has single tests that differ.
const { readdirSync } = require('node:fs')
const { join } = require('node:path')
const { DATABASES } = require('./databases')
const { findUnmeasured } = require('./matrix/unmeasured-files')
const { SKIPPED, VERIFY_ONLY, readTable } = require('./matrix/table')

const ROOT = join(__dirname, '..')

/** Folders with their own command, such as `npm run test:interop`: they need separate packages, or test the scripts. */
exports.SEPARATE_FOLDERS = ['interop', 'browser', 'faults', 'packaging']

const rows = readTable()

/** `level`: `ci` for the files of `.ci/run`, `verify` for those of `npm run verify`. */
exports.runsOn = (file, name, level = 'verify') => {
  const { on } = findUnmeasured(file) ?? {}
  if (on !== undefined) return on === 'all' || on.includes(name)
  const mark = rows.get(file)?.marks[name]
  return mark !== SKIPPED && (level === 'verify' || mark !== VERIFY_ONLY)
}

exports.configurationsOf = (file) => Object.keys(DATABASES).filter((name) => exports.runsOn(file, name))

/** Returns patterns of the files that jest skips on a configuration. */
exports.skippedPatterns = (name = '', level = undefined) => {
  if (name === '') return []
  const skipped = exports.testFiles().filter((file) => !exports.runsOn(file, name, level))
  return skipped.length === 0 ? [] : [`<rootDir>/(?:${skipped.map((file) => file.replaceAll('.', '\\.')).join('|')})$`]
}

/** All test files that `npm test` runs. */
exports.testFiles = () =>
  readdirSync(join(ROOT, 'test'), { recursive: true, encoding: 'utf8' })
    .map((path) => `test/${path.replaceAll('\\', '/')}`)
    .filter((path) => path.endsWith('.test.ts') && !path.includes('/node_modules/'))
    .filter((path) => !exports.SEPARATE_FOLDERS.some((folder) => path.startsWith(`test/${folder}/`)))
    .sort()
