// Files of tests that run on some databases only, and why: what they are about is the same on the others. All other files run on all.
// test/packaging/runs-on holds the files to what is said of them here; a single test that differs is in scripts/differences.js.
const { readdirSync } = require('node:fs')
const { join } = require('node:path')
const { DATABASES } = require('./databases')

const ROOT = join(__dirname, '..')

/** Folders of tests with a command of their own, since they need what is installed apart: `npm run test:interop` and so on. */
exports.APART = ['interop', 'browser', 'faults']

/** One of each way to compile statements. */
const DIALECTS_AND_TABLES = Object.keys(DATABASES).filter((name) =>
  /^(sqlite|postgres|mariadb)(-joined|-concrete)?$/.test(name),
)

exports.RUNS_ON = [
  {
    files:
      /^test\/query\/(filter-mistakes|literal|make|mistakes|parameter-names|parse-\w+|parse-relationship-query|print|properties)\.test\.ts$/,
    on: ['sqlite'],
    why: 'texts become trees, over a graph that is written down',
  },
  {
    files:
      /^test\/request\/(check-required|negotiate|read-(attribute-value|document|intent|linkage|resource-object))\.test\.ts$/,
    on: ['sqlite'],
    why: 'requests become intents, over a graph that is written down',
  },
  {
    files:
      /^test\/(declarations\/record|graph\/(joined-id|member-names)|properties\/holds-for|testing\/(crawl|lint-exchange))\.test\.ts$/,
    on: ['sqlite'],
    why: 'values of the process alone',
  },
  {
    files: /^test\/(rooms|client\/(bundle|functions)|explorer\/page)\.test\.ts$/,
    on: ['sqlite'],
    why: 'it is about the files of src',
  },
  {
    files:
      /^test\/((spec|anchor|anchor\/operations|anchor\/writing)\/coverage|docs\/(?!docs\.|hooks\.)[\w-]+|packaging\/[\w-]+)\.test\.ts$/,
    on: ['sqlite'],
    why: 'it is about the files of the project: its pages, its tests, its scripts',
  },
  {
    files:
      /^test\/(docs\/docs|examples\/(descriptions|ending)|cli\/(check|commands)|observation\/debug-log)\.test\.ts$/,
    on: ['sqlite', 'sqlite-0.3'],
    why: 'programs that bring a SQLite of their own',
  },
  {
    files: /^test\/(public-api|store\/(compiled|kept|separate-mistakes))\.test\.ts$/,
    on: ['sqlite', 'sqlite-0.3'],
    why: 'what there is of classes and statements before there is a database',
  },
  {
    files: /^test\/properties\/shapes\.test\.ts$/,
    on: DIALECTS_AND_TABLES,
    why: 'statements are compiled, and not sent: a driver, a door or a line of TypeORM has no part in it',
  },
]

/** What jest passes over in a run of that name: by default nothing. */
exports.idlePatterns = (name = '') =>
  exports.RUNS_ON.filter(({ on }) => name !== '' && !on.includes(name)).map(({ files }) =>
    files.source.replace('^', '<rootDir>/'),
  )

exports.runsOn = (file, name) => exports.RUNS_ON.every(({ files, on }) => on.includes(name) || !files.test(file))

/** All files of tests that `npm test` runs. */
exports.testFiles = () =>
  readdirSync(join(ROOT, 'test'), { recursive: true, encoding: 'utf8' })
    .map((path) => `test/${path.replaceAll('\\', '/')}`)
    .filter((path) => path.endsWith('.test.ts') && !path.includes('/node_modules/'))
    .filter((path) => !exports.APART.some((folder) => path.startsWith(`test/${folder}/`)))
    .sort()
