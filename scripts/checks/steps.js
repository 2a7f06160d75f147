// Every check of the project as a step. scripts/ci.js and scripts/checks/stages.js choose from this table.
//
// - `command`, `env`: the program with its arguments, and environment variables in addition to the current ones.
// - `needs`: steps that must have passed before. `npm run verify` adds them to the chosen ones.
// - `after`: steps that must have ended before, if they run at all.
// - `alone`: no other step runs at the same time, because the step measures time or needs the full capacity of the machine.
// - `minutes`: the timeout, after which the step fails; default 10.
// - `once`: a step that other steps need is skipped if the path in `makes` exists, and the one in `unless` does not.
//
// A step that has checked nothing must fail. Each step defines how to detect that:
// - `report`: a report of jest, which must count at least one test;
// - `shows`: a pattern that must occur in the output;
// - `makes`: a path that must exist afterwards;
// - `failsWhenEmpty`: the reason why the exit status is sufficient.
const { join, relative } = require('node:path')
const { DATABASES } = require('../databases')

const ROOT = join(__dirname, '..', '..')
const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium'

/** Of the seed of examples/library. */
const LIBRARY_MEMBER = { tenant: 'ashford', email: 'ada@example.com', password: 'open sesame' }

const GALERA = '/usr/lib/galera/libgalera_smm.so'

/** Packages with a lock file of their own. */
exports.PACKAGES = ['test/interop', 'test/browser', 'tools', 'frameworks', 'servers', 'site', 'bench', 'mutation']

exports.suiteOf = (database) => `tests on ${database}`
exports.quickOf = (database) => `quick tests on ${database}`
exports.sampleOf = (database) => `sample on ${database}`
exports.installOf = (folder) => `install ${folder}`
exports.compileOf = (driver) => `compile ${driver}`

/** Most tests run on better-sqlite3, only samples on sqlite3. */
const QUICK_FLAGS = { 'better-sqlite3': '-O1', sqlite3: '-O0' }

/** The packages with their compiled drivers. */
const INSTALLED = ['install', 'compile better-sqlite3', 'compile sqlite3']

/**
 * Returns all steps by name. Reports of jest are written to `reports`. `quickDrivers`: drivers are compiled in a third of the time, with few
 * optimizations, which benchmarks need.
 */
exports.stepsWith = (reports, { quickDrivers = false } = {}) => {
  const folder = relative(ROOT, reports)
  return Object.fromEntries(
    [
      ...installing(quickDrivers),
      ...checking(),
      ...testing(folder),
      ...comparing(folder),
      ...examining(),
      ...attacking(folder),
      ...measuring(),
    ].map((step) => [step.name, { needs: [], after: [], minutes: 10, ...step }]),
  )
}

function installing(quickDrivers) {
  return [
    {
      name: 'install',
      // npm would compile the drivers one after the other.
      command: npm('ci', '--ignore-scripts', '--no-audit', '--no-fund'),
      makes: 'node_modules/typeorm/package.json',
      once: true,
    },
    ...Object.entries({ 'better-sqlite3': 'better_sqlite3', sqlite3: 'node_sqlite3' }).map(([driver, file]) => ({
      name: exports.compileOf(driver),
      ...(quickDrivers ? compileQuickly(driver) : { command: npm('rebuild', driver) }),
      needs: ['install'],
      makes: `node_modules/${driver}/build/Release/${file}.node`,
      once: true,
      unless: quickBuildOf(driver),
    })),
    ...exports.PACKAGES.map((folder) => ({
      name: exports.installOf(folder),
      command: npm('ci', '--prefix', folder, '--no-audit', '--no-fund'),
      makes: `${folder}/node_modules`,
      once: true,
    })),
    {
      name: 'install chromium',
      command: bash(`${installUnless(`[ -x "${CHROMIUM}" ]`, 'chromium')}; "${CHROMIUM}" --version`),
      makes: CHROMIUM,
      shows: /Chromium \d+\./,
      once: true,
    },
    {
      name: 'install sqlmap',
      // apt-get locks its database.
      after: ['install chromium'],
      command: bash(`${installUnless('command -v sqlmap', 'sqlmap')}; sqlmap --version`),
      shows: /^\d+\.\d+/m,
    },
    {
      name: 'install valgrind',
      after: ['install sqlmap'],
      command: bash(`${installUnless('command -v valgrind', 'valgrind')}; valgrind --version`),
      shows: /^valgrind-\d+/m,
    },
    {
      name: 'install galera',
      after: ['install valgrind'],
      command: bash(installUnless(`[ -e ${GALERA} ] && command -v rsync && command -v lsof`, 'galera-4 rsync lsof')),
      makes: GALERA,
    },
  ]
}

function compileQuickly(driver) {
  return {
    command: bash(`npm rebuild ${driver} && touch ${quickBuildOf(driver)}`),
    env: { CFLAGS: QUICK_FLAGS[driver], CXXFLAGS: QUICK_FLAGS[driver] },
  }
}

/** A file that says that the driver was compiled with few optimizations. `npm rebuild` removes it. */
function quickBuildOf(driver) {
  return `node_modules/${driver}/build/compiled-quickly`
}

function checking() {
  return [
    { name: 'lint', ...script('lint', '--colors=off'), shows: /Checked [1-9]\d* files/ },
    { name: 'types', ...script('typecheck'), failsWhenEmpty: 'tsc fails when its configuration matches no file.' },
    { name: 'patterns', ...script('check:patterns'), shows: /[1-9]\d* regular expressions in [1-9]\d* files/ },
    { name: 'language', ...script('check:language'), shows: /^[1-9]\d* files, [1-9]\d* pages/m },
    // Everything else uses this build: another one would remove dist while a step in the other lane reads it. It loads dist/sqlite3.js, which needs
    // the compiled driver.
    { name: 'build', ...script('build:examples'), needs: INSTALLED, makes: 'build/examples/humans/main.js' },
    { name: 'package', ...built('scripts/check-package.js'), shows: /can be required, imported and compiled against/ },
    {
      name: 'projects',
      ...built('scripts/check-projects.js'),
      minutes: 40,
      shows: /^[1-9]\d* projects of stemma init can be/m,
    },
    {
      name: 'compilers',
      ...built('scripts/check-compilers.js'),
      // Both use the same database.
      after: ['projects'],
      shows: /^[1-9]\d* ways to run TypeScript/m,
    },
    { name: 'tutorial', ...built('scripts/run-tutorial.js'), shows: /^[1-9]\d* code blocks of docs/m },
    { name: 'example humans', ...built('scripts/check-example.js', 'humans', 'humans', '12'), shows: /answered 200/ },
    { name: 'example blogs', ...built('scripts/check-example.js', 'blogs', 'articles', '60'), shows: /answered 200/ },
    {
      name: 'example library',
      ...built('scripts/check-example.js', 'library', 'api/items', '6', JSON.stringify(LIBRARY_MEMBER)),
      shows: /answered 200/,
    },
    { name: 'docs', ...script('docs'), needs: ['install', 'install site'], shows: /^[1-9]\d* pages, [1-9]\d* links/m },
  ]
}

function testing(folder) {
  const jest = (name, step) => {
    const report = `${folder}/${name}.json`
    const command = [...step.command, '--json', `--outputFile=${report}`]
    return { needs: INSTALLED, minutes: 30, ...step, command, report }
  }
  /** In one process, since a second lane uses the other core. A connection that a test leaves open does not keep the process. */
  const single = ['--runInBand', '--forceExit', '--silent']
  const on = (database, ...options) => ['node', 'scripts/test-on.js', database, ...options, ...single]
  return [
    // The command of the README.
    { name: exports.suiteOf('sqlite'), ...jest('sqlite', { command: npm('test', '--', ...single) }) },
    ...Object.keys(DATABASES)
      .filter((database) => database !== 'sqlite')
      .flatMap((database) => [
        { name: exports.suiteOf(database), ...jest(database, { command: on(database) }) },
        { name: exports.quickOf(database), ...jest(`${database}-quick`, { command: on(database, '--quick') }) },
        { name: exports.sampleOf(database), ...jest(`${database}-sample`, { command: on(database, '--sample') }) },
      ]),
    {
      name: 'servers',
      ...script('test:servers'),
      needs: [...INSTALLED, 'install servers'],
      minutes: 60,
      shows: /(?:^PostgreSQL \d+\.\d+: [1-9]\d* passed, 0 failed, \d+ s\n){5}/m,
    },
    {
      name: 'properties',
      ...jest('properties', {
        command: npm('test', '--', '/properties/', 'hostile/injection', 'hostile/growth', ...single),
        env: { STEMMA_RUNS: '4' },
      }),
    },
    {
      name: 'faults',
      ...jest('faults', { command: npm('run', '--silent', 'test:faults', '--'), env: { FAULTS: 'onServers' } }),
      alone: true,
    },
    {
      name: 'galera',
      ...jest('galera', { command: npm('run', '--silent', 'test:galera', '--') }),
      needs: [...INSTALLED, 'install galera'],
      alone: true,
    },
    {
      name: 'failover',
      ...jest('failover', { command: npm('run', '--silent', 'test:failover', '--') }),
      // Requests time out.
      alone: true,
    },
    { name: 'scripts', ...jest('scripts', { command: npm('run', '--silent', 'test:packaging', '--') }) },
    {
      // Without the tests of programs that only `npm run verify` and releases use.
      name: 'quick scripts',
      ...jest('quick-scripts', {
        command: npm(
          'run',
          '--silent',
          'test:packaging',
          '--',
          '--testPathIgnorePatterns',
          'packaging/(exams|release)',
        ),
      }),
    },
    ...['sqlite', 'postgres'].map((database) => ({
      name: `library on ${database}`,
      ...jest(`library-${database}`, {
        command: npm('run', '--silent', 'test:library', '--', ...single),
        env: { TEST_DATABASE_URL: database === 'postgres' ? DATABASES.postgres.url : '' },
      }),
    })),
    {
      name: 'browser',
      ...jest('browser', { command: npm('run', '--silent', 'test:browser', '--') }),
      needs: [...INSTALLED, 'build', 'install test/browser', 'install chromium'],
    },
    {
      name: 'interop',
      ...jest('interop', { command: npm('run', '--silent', 'test:interop', '--') }),
      needs: [...INSTALLED, 'build', 'install test/interop'],
    },
    {
      name: 'tools',
      ...jest('tools', { command: npm('run', '--silent', 'test:tools', '--') }),
      needs: [...INSTALLED, 'build', 'install tools'],
    },
    {
      name: 'frameworks',
      ...jest('frameworks', { command: npm('run', '--silent', 'test:frameworks', '--') }),
      needs: [...INSTALLED, 'build', 'install frameworks'],
    },
    {
      name: 'newest typeorm',
      command: npm('run', '--silent', 'newest-typeorm'),
      needs: INSTALLED,
      shows: /^TypeORM 1: .+\nTypeORM 0\.3: /ms,
    },
    {
      name: 'fuzz',
      ...jest('fuzz', { command: ['node', 'scripts/fuzz.js'], env: { STEMMA_RUNS: '50' } }),
      minutes: 60,
    },
  ]
}

function comparing(folder) {
  const suites = Object.keys(DATABASES).map(exports.suiteOf)
  return [
    {
      name: 'compare reports',
      command: ['node', 'scripts/compare-reports.js', folder],
      after: suites,
      shows: /[1-9]\d* passed/,
    },
    {
      name: 'conformance',
      command: ['node', 'scripts/conformance.js', `${folder}/sqlite.json`],
      needs: ['install'],
      after: [exports.suiteOf('sqlite')],
      failsWhenEmpty: 'scripts/conformance.js fails when the report has no test of test/spec.',
    },
    { name: 'compare examples', ...built('scripts/compare-examples.js'), shows: /^postgres +[1-9]\d* /m },
  ]
}

/** Returns a pattern for the numbers from this one on, which has one digit and zeros. */
function atLeast(count) {
  const [first, ...zeros] = String(count)
  return `(?:[${first}-9]\\d{${zeros.length}}|\\d{${zeros.length + 2},})`
}

/** Exams test the library from outside (exams/README.md). The steps set the number of cases: `EXAM_COUNT` does not change it. */
function examining() {
  const exam = (name, count) => ({
    ...script('exam', name, '--count', `${count}`),
    needs: INSTALLED,
    minutes: 90,
    shows: new RegExp(`^${name}: ${count} \\w+, 0 differences$`, 'm'),
  })
  const storm = (count, rounds, ...options) => ({
    ...script('storm', ...options, '--rounds', `${rounds}`, '--count', `${count}`),
    needs: INSTALLED,
    minutes: 90,
    shows: new RegExp(`^storm: ${atLeast(count)} writes, 0 differences$`, 'm'),
  })
  const databases = ['sqlite', 'postgres', 'mariadb']
  return [
    { name: 'short worlds', ...exam('worlds', 20_000) },
    { name: 'short oracle', ...exam('oracle', 5_000) },
    ...databases.map((name) => ({ name: `short storm ${name}`, ...storm(10_000, 15, '--database', name) })),
    { name: 'worlds', ...exam('worlds', 200_000) },
    { name: 'oracle', ...exam('oracle', 50_000) },
    ...databases.map((name) => ({ name: `storm ${name}`, ...storm(100_000, 150, '--database', name) })),
    {
      name: 'storm cluster',
      ...storm(50_000, 20, '--topology', 'cluster'),
      needs: [...INSTALLED, 'install galera'],
      // Nodes that get no processor time leave the cluster.
      alone: true,
    },
    { name: 'storm failover', ...storm(20_000, 30, '--topology', 'failover'), alone: true },
  ]
}

function attacking() {
  const soak = (name, ...options) => ({
    name: `soak ${name}`,
    ...built('scripts/soak.js', ...options),
    minutes: 20,
    alone: true,
    shows: /No problems found/,
  })
  return [
    soak('sqlite', '--seconds', '120'),
    soak('postgres', '--seconds', '120', '--database', 'postgres'),
    soak('overload sqlite', '--overload', '--seconds', '10'),
    soak('overload postgres', '--overload', '--seconds', '10', '--database', 'postgres'),
    soak('short', '--seconds', '10'),
    {
      name: 'sqlmap',
      command: ['node', 'scripts/sqlmap.js'],
      needs: [...INSTALLED, 'build', 'install sqlmap'],
      minutes: 45,
      // It judges by time as well.
      alone: true,
      shows: /[1-9]\d* targets, [1-9]\d* requests/,
    },
    {
      name: 'mutation check',
      command: ['node', 'mutation/check.js'],
      needs: [...INSTALLED, 'install mutation'],
      shows: /: killed /,
    },
  ]
}

function measuring() {
  const once = { BENCH_MILLISECONDS: '1' }
  const benches = [
    { name: 'bench answers', command: ['node', 'bench/run.js', '--seconds', '0'], shows: /all responses are the same/ },
    { name: 'bench phases', command: ['node', 'bench/phases.js'], env: once, shows: /^one article +[\d.]+/m },
    { name: 'bench growth', command: ['node', 'bench/growth.js'], env: once, shows: /^one article +[\d.]+/m },
    { name: 'bench options', command: ['node', 'bench/options.js'], env: once, shows: /^totals: .* [\d.]+$/m },
    {
      name: 'bench instructions',
      command: ['node', 'bench/instructions.js'],
      needs: ['install valgrind'],
      minutes: 30,
      // Fails without `perf` and Valgrind, or if bench/instructions.json has no numbers for this version of Node.js.
      shows: /^[1-9]\d* requests measured/m,
    },
    {
      name: 'bench memory',
      command: ['node', 'bench/memory.js'],
      env: { BENCH_SCALE: '0.1' },
      shows: /^One response, for GET and HEAD, has neither ETag nor Content-Length/m,
    },
    {
      name: 'bench capacity',
      command: ['node', 'bench/capacity.js', '--seconds', '0.05', '--rounds', '1'],
      env: { BENCH_SCALE: '0.1' },
      shows: /^one resource +1 +[\d.]+/m,
    },
  ]
  return [
    ...benches.map((bench, index) => ({
      ...bench,
      needs: [...INSTALLED, 'build', 'install bench', ...(bench.needs ?? [])],
      // They make the same files in build/bench.
      after: benches.slice(0, index).map(({ name }) => name),
    })),
    {
      name: 'bench figures',
      ...built('bench/run.js'),
      needs: [...INSTALLED, 'build', 'install bench'],
      minutes: 120,
      alone: true,
      shows: /all responses are the same/,
    },
    { name: 'timing', ...script('timing'), needs: INSTALLED, minutes: 30, alone: true, shows: /\d/ },
    { name: 'coverage', ...script('coverage'), needs: INSTALLED, minutes: 60, alone: true, shows: /[1-9]\d* branches/ },
    {
      name: 'mutation',
      ...script('mutation'),
      needs: [...INSTALLED, 'install mutation'],
      minutes: 180,
      alone: true,
      shows: /: killed /,
    },
  ]
}

function script(name, ...options) {
  return {
    command: npm('run', '--silent', name, ...(options.length > 0 ? ['--', ...options] : [])),
    needs: ['install'],
  }
}

function built(...words) {
  return { command: ['node', ...words], needs: [...INSTALLED, 'build'] }
}

function npm(...words) {
  return ['npm', ...words]
}

function bash(text) {
  return ['bash', '-euo', 'pipefail', '-c', text]
}

/** As a package of Debian. */
function installUnless(condition, program) {
  return `${condition} || { apt-get update && apt-get install --yes --no-install-recommends ${program}; }`
}
