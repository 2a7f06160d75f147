// On which configurations a test file runs: scripts/matrix/table.txt, which is measured, and scripts/matrix/by-hand.js, for what can't be measured.
// A file that neither names runs on all of them. A single test that differs is in scripts/differences.js.
const { readdirSync } = require('node:fs')
const { join } = require('node:path')
const { DATABASES } = require('./databases')
const { byHand } = require('./matrix/by-hand')
const { IDLE, readTable } = require('./matrix/table')

const ROOT = join(__dirname, '..')

/** Folders of tests with a command of their own, such as `npm run test:interop`: they need packages installed apart, or are about scripts. */
exports.APART = ['interop', 'browser', 'faults', 'packaging']

const rows = readTable()

exports.runsOn = (file, name) => {
  const { on } = byHand(file) ?? {}
  if (on !== undefined) return on === 'all' || on.includes(name)
  return rows.get(file)?.marks[name] !== IDLE
}

exports.configurationsOf = (file) => Object.keys(DATABASES).filter((name) => exports.runsOn(file, name))

/** What jest leaves out in a run of that name: by default nothing. */
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
