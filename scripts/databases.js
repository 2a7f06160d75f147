// The configurations that the tests run on, by name: test/support/database.ts reads the database, jest.config.js the TypeORM line.
// `npm test` runs `sqlite`.
const POSTGRES = process.env.TEST_POSTGRES_URL ?? 'postgres://postgres@127.0.0.1:5432/test'
const MARIADB = process.env.TEST_MARIADB_URL ?? 'mysql://root@127.0.0.1:3306/test'

// - `comparedWith`: the configuration that differs in one thing only. scripts/matrix finds the test files that behave differently on the two.
// - `probe`: a test file of scripts/matrix/probes. Differences in code that it runs too do not count.
// - `hasQuickPart`: `.ci/run` runs a part of the files, which scripts/matrix/choose-quick-files.js chooses; `npm run verify` runs all.
// - `skippedWith`: a file that is skipped on that configuration is skipped on this one too, without measuring it.
const DATABASES = {
  sqlite: { title: 'better-sqlite3 in memory', url: 'better-sqlite3::memory:', typeorm: '1' },
  listener: {
    title: 'better-sqlite3 in memory, without Express',
    url: 'better-sqlite3::memory:',
    typeorm: '1',
    entryPoint: 'listener',
    comparedWith: 'sqlite',
    probe: 'basic-use',
  },
  // A logger observes all statements, so they go through TypeORM instead of the driver.
  'sqlite-logged': {
    title: 'better-sqlite3 in memory, with a logger',
    url: 'better-sqlite3::memory:',
    typeorm: '1',
    logger: 'on',
    comparedWith: 'sqlite',
    probe: 'basic-use',
  },
  'sqlite-file': {
    title: 'better-sqlite3, a file in WAL mode',
    url: 'better-sqlite3:file',
    typeorm: '1',
    comparedWith: 'sqlite',
    probe: 'basic-use',
  },
  'sqlite3-1': {
    title: 'sqlite3, a file in WAL mode',
    url: 'sqlite3:file',
    typeorm: '1',
    comparedWith: 'sqlite-file',
    probe: 'basic-use',
  },
  postgres: {
    title: 'PostgreSQL',
    url: POSTGRES,
    typeorm: '1',
    urlVariable: 'TEST_POSTGRES_URL',
    comparedWith: 'sqlite',
    hasQuickPart: true,
  },
  mariadb: {
    title: 'MariaDB',
    url: MARIADB,
    typeorm: '1',
    urlVariable: 'TEST_MARIADB_URL',
    comparedWith: 'sqlite',
    hasQuickPart: true,
  },
  sqlite3: {
    title: 'sqlite3 in memory',
    url: 'sqlite3::memory:',
    typeorm: '0.3',
    comparedWith: 'sqlite-0.3',
    probe: 'basic-use',
  },
  'sqlite-0.3': {
    title: 'better-sqlite3 in memory',
    url: 'better-sqlite3::memory:',
    typeorm: '0.3',
    comparedWith: 'sqlite',
    probe: 'basic-use',
  },
  'postgres-0.3': {
    title: 'PostgreSQL',
    url: POSTGRES,
    typeorm: '0.3',
    urlVariable: 'TEST_POSTGRES_URL',
    comparedWith: 'postgres',
    probe: 'basic-use',
  },
  'mariadb-0.3': {
    title: 'MariaDB',
    url: MARIADB,
    typeorm: '0.3',
    urlVariable: 'TEST_MARIADB_URL',
    comparedWith: 'mariadb',
    probe: 'basic-use',
  },
}

// Hierarchies in other tables than TypeORM's single table: test/support/table-layout.ts.
const LAYOUTS = [
  ['joined', 'joined', 'joined tables'],
  ['concrete', 'tablePerConcreteClass', 'a table per concrete type'],
]
for (const [name, layout, what] of LAYOUTS)
  for (const each of ['sqlite', 'postgres', 'mariadb']) {
    const { title, hasQuickPart: _, ...database } = DATABASES[each]
    DATABASES[`${each}-${name}`] = {
      ...database,
      title: `${title}, ${what}`,
      layout,
      comparedWith: each,
      probe: 'start-up',
      ...(each === 'sqlite' ? {} : { skippedWith: `sqlite-${name}` }),
    }
  }

exports.DATABASES = DATABASES

/** The environment of a test process for a configuration. */
exports.environmentOf = ({ url, typeorm, entryPoint = 'router', layout = 'single', logger = 'off' }) => ({
  TEST_DATABASE_URL: url,
  TEST_TYPEORM: typeorm,
  TEST_ENTRY_POINT: entryPoint,
  TEST_TABLES: layout,
  TEST_LOGGER: logger,
})
