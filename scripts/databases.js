// What the tests run on, by name: test/support/database.ts reads the place, jest.config.js the line of TypeORM. `npm test` is `sqlite`.
const POSTGRES = process.env.TEST_POSTGRES_URL ?? 'postgres://postgres@127.0.0.1:5432/test'
const MARIADB = process.env.TEST_MARIADB_URL ?? 'mysql://root@127.0.0.1:3306/test'

const DATABASES = {
  sqlite: { title: 'better-sqlite3 in memory', place: 'better-sqlite3::memory:', typeorm: '1' },
  listener: {
    title: 'better-sqlite3 in memory, without Express',
    place: 'better-sqlite3::memory:',
    typeorm: '1',
    door: 'listener',
  },
  // A logger is told of all statements: they go through TypeORM in place of the driver itself.
  'sqlite-logged': {
    title: 'better-sqlite3 in memory, with a logger',
    place: 'better-sqlite3::memory:',
    typeorm: '1',
    logger: 'on',
  },
  'sqlite-file': { title: 'better-sqlite3, a file in WAL mode', place: 'better-sqlite3:file', typeorm: '1' },
  'sqlite3-1': { title: 'sqlite3, a file in WAL mode', place: 'sqlite3:file', typeorm: '1' },
  postgres: { title: 'PostgreSQL', place: POSTGRES, typeorm: '1', setBy: 'TEST_POSTGRES_URL' },
  mariadb: { title: 'MariaDB', place: MARIADB, typeorm: '1', setBy: 'TEST_MARIADB_URL' },
  sqlite3: { title: 'sqlite3 in memory', place: 'sqlite3::memory:', typeorm: '0.3' },
  'sqlite-0.3': { title: 'better-sqlite3 in memory', place: 'better-sqlite3::memory:', typeorm: '0.3' },
  'postgres-0.3': { title: 'PostgreSQL', place: POSTGRES, typeorm: '0.3', setBy: 'TEST_POSTGRES_URL' },
  'mariadb-0.3': { title: 'MariaDB', place: MARIADB, typeorm: '0.3', setBy: 'TEST_MARIADB_URL' },
}

// Hierarchies of classes on other tables than the one that TypeORM gives them: test/support/lay-tables.ts.
const TABLES = [
  ['joined', 'joined', 'joined tables'],
  ['concrete', 'perConcreteType', 'a table per concrete type'],
]
for (const [name, tables, what] of TABLES)
  for (const each of ['sqlite', 'postgres', 'mariadb']) {
    const { title, ...database } = DATABASES[each]
    DATABASES[`${each}-${name}`] = { ...database, title: `${title}, ${what}`, tables }
  }

exports.DATABASES = DATABASES
