// The configurations that the tests run on, by name: test/support/database.ts reads the database, jest.config.js the TypeORM line.
// `npm test` runs `sqlite`.
const POSTGRES = process.env.TEST_POSTGRES_URL ?? 'postgres://postgres@127.0.0.1:5432/test'
const MARIADB = process.env.TEST_MARIADB_URL ?? 'mysql://root@127.0.0.1:3306/test'

// `comparedWith` names the configuration that differs in one thing only. scripts/matrix finds the test files that tell the two apart; it does not
// count code that the probe `beside` runs as well (scripts/matrix/probes). `onlyWith`: files that do not tell that configuration apart
// from its own partner can't tell this one apart either, so they are not measured.
const DATABASES = {
  sqlite: { title: 'better-sqlite3 in memory', place: 'better-sqlite3::memory:', typeorm: '1' },
  listener: {
    title: 'better-sqlite3 in memory, without Express',
    place: 'better-sqlite3::memory:',
    typeorm: '1',
    entryPoint: 'listener',
    comparedWith: 'sqlite',
    beside: 'basic-use',
  },
  // A logger observes all statements, so they go through TypeORM instead of the driver.
  'sqlite-logged': {
    title: 'better-sqlite3 in memory, with a logger',
    place: 'better-sqlite3::memory:',
    typeorm: '1',
    logger: 'on',
    comparedWith: 'sqlite',
    beside: 'basic-use',
  },
  'sqlite-file': {
    title: 'better-sqlite3, a file in WAL mode',
    place: 'better-sqlite3:file',
    typeorm: '1',
    comparedWith: 'sqlite',
    beside: 'basic-use',
  },
  'sqlite3-1': {
    title: 'sqlite3, a file in WAL mode',
    place: 'sqlite3:file',
    typeorm: '1',
    comparedWith: 'sqlite-file',
    beside: 'basic-use',
  },
  postgres: { title: 'PostgreSQL', place: POSTGRES, typeorm: '1', setBy: 'TEST_POSTGRES_URL', comparedWith: 'sqlite' },
  mariadb: { title: 'MariaDB', place: MARIADB, typeorm: '1', setBy: 'TEST_MARIADB_URL', comparedWith: 'sqlite' },
  sqlite3: {
    title: 'sqlite3 in memory',
    place: 'sqlite3::memory:',
    typeorm: '0.3',
    comparedWith: 'sqlite-0.3',
    beside: 'basic-use',
  },
  'sqlite-0.3': {
    title: 'better-sqlite3 in memory',
    place: 'better-sqlite3::memory:',
    typeorm: '0.3',
    comparedWith: 'sqlite',
    beside: 'basic-use',
  },
  'postgres-0.3': {
    title: 'PostgreSQL',
    place: POSTGRES,
    typeorm: '0.3',
    setBy: 'TEST_POSTGRES_URL',
    comparedWith: 'postgres',
    beside: 'basic-use',
  },
  'mariadb-0.3': {
    title: 'MariaDB',
    place: MARIADB,
    typeorm: '0.3',
    setBy: 'TEST_MARIADB_URL',
    comparedWith: 'mariadb',
    beside: 'basic-use',
  },
}

// Hierarchies in other tables than TypeORM's single table: test/support/lay-tables.ts.
const LAYOUTS = [
  ['joined', 'joined', 'joined tables'],
  ['concrete', 'tablePerConcreteClass', 'a table per concrete type'],
]
for (const [name, layout, what] of LAYOUTS)
  for (const each of ['sqlite', 'postgres', 'mariadb']) {
    const { title, ...database } = DATABASES[each]
    DATABASES[`${each}-${name}`] = {
      ...database,
      title: `${title}, ${what}`,
      layout,
      comparedWith: each,
      beside: 'start-up',
      ...(each === 'sqlite' ? {} : { onlyWith: `sqlite-${name}` }),
    }
  }

exports.DATABASES = DATABASES

/** The environment of a test process for a configuration. */
exports.environmentOf = ({ place, typeorm, entryPoint = 'router', layout = 'single', logger = 'off' }) => ({
  TEST_DATABASE_URL: place,
  TEST_TYPEORM: typeorm,
  TEST_DOOR: entryPoint,
  TEST_TABLES: layout,
  TEST_LOGGER: logger,
})
