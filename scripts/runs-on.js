// Decides on which configurations a test file runs: by the measured scripts/matrix/table.txt, and by scripts/matrix/by-hand.js for files
// that cannot be measured. A file in neither runs on all of them. scripts/differences.js has single tests that differ.
const { readdirSync } = require('node:fs')
const { join } = require('node:path')
const { DATABASES } = require('./databases')
const { byHand } = require('./matrix/by-hand')
const { IDLE, readTable } = require('./matrix/table')

const ROOT = join(__dirname, '..')

/** Folders with their own command, such as `npm run test:interop`: they need separate packages, or test scripts. */
exports.APART = ['interop', 'browser', 'faults', 'packaging']

const rows = readTable()

exports.runsOn = (file, name) => {
  const { on } = byHand(file) ?? {}
  if (on !== undefined) return on === 'all' || on.includes(name)
  return rows.get(file)?.marks[name] !== IDLE
}

exports.configurationsOf = (file) => Object.keys(DATABASES).filter((name) => exports.runsOn(file, name))

/** The patterns of files that jest leaves out for a configuration. */
exports.idlePatterns = (name = '') => {
  if (name === '') return []
  const idle = exports.testFiles().filter((file) => !exports.runsOn(file, name))
  return idle.length === 0 ? [] : [`<rootDir>/(?:${idle.map((file) => file.replaceAll('.', '\\.')).join('|')})$`]
}

/** All test files that `npm test` runs. */
exports.testFiles = () =>
  readdirSync(join(ROOT, 'test'), { recursive: true, encoding: 'utf8' })
    .map((path) => `test/${path.replaceAll('\\', '/')}`)
    .filter((path) => path.endsWith('.test.ts') && !path.includes('/node_modules/'))
    .filter((path) => !exports.APART.some((folder) => path.startsWith(`test/${folder}/`)))
    .sort()
