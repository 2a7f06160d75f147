// Which steps (steps.js) `.ci/run` and `npm run verify` run.
const { DATABASES } = require('../databases')
const { PACKAGES, installOf, quickOf, sampleOf, suiteOf } = require('./steps')

const MAIN = ['sqlite', 'postgres', 'mariadb']

/** The steps of `.ci/run` in start order. Long steps are early, so that both lanes end at about the same time. */
exports.QUICK = [
  'install',
  'compile better-sqlite3',
  'compile sqlite3',
  'install chromium',
  'install test/browser',
  'install test/interop',
  'install site',
  'lint',
  'build',
  suiteOf('sqlite'),
  quickOf('postgres'),
  quickOf('mariadb'),
  'types',
  'patterns',
  'package',
  'quick scripts',
  'tutorial',
  'browser',
  'interop',
  'docs',
  'language',
  'example humans',
  'example blogs',
  'example library',
  'library on sqlite',
  'compare examples',
  ...Object.keys(DATABASES)
    .filter((name) => !MAIN.includes(name))
    .map(sampleOf),
  'conformance',
]

/**
 * The stages of `npm run verify`. `forRelease`: part of `npm run verify -- --release`, not of a run without arguments. `onlyByName`: part of neither.
 * Such a stage judges nothing; its figures are written into the documentation.
 */
exports.STAGES = {
  install: {
    purpose: 'clean installation of everything that the other stages use',
    steps: [
      'install',
      'compile better-sqlite3',
      'compile sqlite3',
      ...PACKAGES.map(installOf),
      'install chromium',
      'install sqlmap',
      'install valgrind',
      'install galera',
    ],
  },
  static: {
    purpose: 'lint, types, regular expressions, wording, build, tests of the scripts',
    steps: ['lint', 'types', 'patterns', 'language', 'build', 'scripts'],
  },
  tests: {
    purpose: 'all tests on SQLite, PostgreSQL and MariaDB',
    steps: MAIN.map(suiteOf),
  },
  layouts: {
    purpose: 'the same with joined tables, and with a table for each concrete class',
    steps: MAIN.flatMap((name) => [`${name}-joined`, `${name}-concrete`]).map(suiteOf),
  },
  typeorm: {
    purpose: 'the same on TypeORM 0.3, and a sample on the newest release of each line',
    steps: [...['sqlite-0.3', 'postgres-0.3', 'mariadb-0.3'].map(suiteOf), 'newest typeorm'],
  },
  servers: { purpose: 'the quick tests on PostgreSQL 14 to 18', steps: ['servers'] },
  drivers: {
    purpose: 'the same through sqlite3, on a file, with a logger, and without Express',
    steps: ['sqlite3', 'sqlite3-1', 'sqlite-file', 'sqlite-logged', 'listener'].map(suiteOf),
  },
  compare: {
    purpose: 'what passes on one database passes on all; needs the reports of the four stages before',
    steps: ['compare reports', 'conformance', 'compare examples'],
  },
  properties: { purpose: 'random and hostile input, four times as much as in the tests', steps: ['properties'] },
  fuzz: { purpose: 'random and hostile input, fifty times as much as in the tests', steps: ['fuzz'] },
  interop: { purpose: 'clients that others have written', steps: ['interop'] },
  browser: { purpose: 'the explorer and the typed client in Chromium', steps: ['browser'] },
  tools: { purpose: 'OpenAPI documents, read by tools that others have written', steps: ['tools'] },
  frameworks: {
    purpose: 'the programs of the guide to frameworks, on Node.js, Bun and Deno; the one for PGlite',
    steps: ['frameworks'],
  },
  package: { purpose: 'the packed package, installed in an empty project', steps: ['package'] },
  projects: {
    purpose: 'each combination of the options of stemma init, and each way to run TypeScript',
    steps: ['projects', 'compilers'],
  },
  examples: {
    purpose: 'the examples start and answer, and the tests of the library',
    steps: ['example humans', 'example blogs', 'example library', 'library on sqlite', 'library on postgres'],
  },
  tutorial: { purpose: 'the commands of the tutorial, from an empty folder', steps: ['tutorial'] },
  docs: { purpose: 'the documentation as a site, with all of its links', steps: ['docs'] },
  bench: {
    purpose:
      'the servers of the benchmark answer the same, everything can be measured, and no request takes more instructions',
    steps: [
      'bench answers',
      'bench phases',
      'bench growth',
      'bench options',
      'bench instructions',
      'bench memory',
      'bench capacity',
    ],
  },
  mutation: {
    purpose: 'the tests notice a mutated line, and a line that no test runs is reported',
    steps: ['mutation check'],
  },
  faults: { purpose: 'servers, disks and connections that break', steps: ['faults'] },
  exams: {
    purpose: 'a part of worlds, oracle and storm',
    steps: ['short worlds', 'short oracle', 'short storm sqlite', 'short storm postgres', 'short storm mariadb'],
  },
  worlds: {
    purpose: 'two databases that differ in what is hidden answer the same 200,000 times',
    steps: ['worlds'],
    forRelease: true,
  },
  oracle: {
    purpose: '50,000 random queries are answered as an oracle of their own expects',
    steps: ['oracle'],
    forRelease: true,
  },
  storm: {
    purpose: '100,000 writes on each database, through processes and connections that fail 150 times',
    steps: ['storm sqlite', 'storm postgres', 'storm mariadb'],
    forRelease: true,
  },
  galera: {
    purpose: 'writes at all nodes of a Galera cluster, and 50,000 writes while nodes and processes fail 20 times',
    steps: ['galera', 'storm cluster'],
  },
  failover: {
    purpose:
      'a standby of PostgreSQL takes over, and 20,000 writes while servers, processes and connections fail 30 times',
    steps: ['failover', 'storm failover'],
  },
  sqlmap: { purpose: 'sqlmap finds nothing injectable', steps: ['sqlmap'] },
  soaks: {
    purpose: 'mixed reads and writes for two minutes, and three times the load that the machine can take',
    steps: ['soak short', 'soak sqlite', 'soak postgres', 'soak overload sqlite', 'soak overload postgres'],
  },
  figures: {
    purpose: 'coverage, mutation score, benchmarks, response times of hidden rows',
    steps: ['coverage', 'timing', 'bench figures', 'mutation'],
    onlyByName: true,
  },
}
