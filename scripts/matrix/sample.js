// The sample: for each configuration besides SQLite, PostgreSQL and MariaDB, a few fast test files that detect the known differences.
// `node scripts/test-on.js sqlite-joined --sample` runs it. `why` names the differences that a file detects.
const JOINED = ['sqlite-joined', 'postgres-joined', 'mariadb-joined']
const CONCRETE = ['sqlite-concrete', 'postgres-concrete', 'mariadb-concrete']
const LAYOUTS = [...JOINED, ...CONCRETE]
const TYPEORM_03 = ['sqlite-0.3', 'postgres-0.3', 'mariadb-0.3', 'sqlite3']

exports.SAMPLE = [
  // Layouts of tables
  {
    files: ['test/modules/graph/invalid-resources.test.ts', 'test/modules/graph/describe-entities.test.ts'],
    on: ['sqlite-joined', 'sqlite-concrete'],
    why: 'configuration errors and columns that only one layout has: discriminators, columns of several siblings',
  },
  {
    files: ['test/guides/databases/embedded-in-hierarchy.test.ts'],
    on: ['sqlite-joined', 'postgres-concrete', 'mariadb-joined'],
    why: 'embedded objects of derived types; siblings with the same columns',
  },
  {
    files: ['test/modules/store/joins.test.ts'],
    on: LAYOUTS,
    why: 'filters and sorts join the tables of their columns, and use subselects for tables of concrete classes',
  },
  {
    files: ['test/spec/hierarchical-resources/stored-type.test.ts'],
    on: LAYOUTS,
    why: 'the stored type is read, linked and deleted in all tables of a row',
  },
  {
    files: ['test/guides/databases/same-documents.test.ts'],
    on: ['mariadb-concrete'],
    why: 'MariaDB converts a column to text when a union has null without a type in it',
  },
  {
    files: [
      'test/guides/filtering/hierarchies.test.ts',
      'test/guides/sorting/hierarchies.test.ts',
      'test/guides/including/paths.test.ts',
    ],
    on: ['postgres-joined', 'sqlite-concrete', 'mariadb-concrete'],
    why: 'a base is filtered, sorted (nulls last) and included by fields of derived types; on MariaDB a constant column of a left join keeps its value without a row',
  },
  {
    files: ['test/spec/hierarchical-resources/write-rules.test.ts'],
    on: LAYOUTS,
    why: 'a deletion and an update affect all tables of a row',
  },
  {
    files: ['test/guides/examples/humans.test.ts'],
    on: [...JOINED, 'sqlite-concrete'],
    why: 'the example in other layouts',
  },

  // TypeORM 0.3
  {
    files: ['test/modules/store/driver-statements.test.ts'],
    on: ['sqlite-0.3', 'postgres-0.3', 'mariadb-0.3'],
    why: 'statements with and without the QueryRunner of TypeORM return the same rows, counts and errors; 0.3 has other errors for invalid SQL',
  },
  {
    files: ['test/guides/rules/listeners.test.ts'],
    on: TYPEORM_03,
    why: 'TypeORM 0.3 passes other objects to listeners and subscribers',
  },
  {
    files: ['test/modules/graph/describe-entities.test.ts'],
    on: ['sqlite-0.3'],
    why: 'metadata that only one TypeORM line has',
  },
  {
    files: ['test/guides/ids/composite-ids-in-relationships.test.ts'],
    on: ['sqlite-0.3', 'mariadb-0.3'],
    why: 'rows of junction tables with composite keys are deleted with their resources; with 0.3, MariaDB has another order of foreign keys',
  },
  {
    files: ['test/modules/store/column-values.test.ts'],
    on: ['postgres-0.3', 'mariadb-0.3', 'sqlite3-1', 'sqlite-logged'],
    why: 'values as each driver and line of TypeORM converts them: dates, large integers, decimals, booleans, lists, bytes',
  },
  {
    files: ['test/modules/store/unusual-columns.test.ts'],
    on: ['postgres-0.3', 'mariadb-0.3'],
    why: 'columns of types that only one database has, on both lines of TypeORM',
  },
  {
    files: ['test/modules/store/transactions.test.ts'],
    on: ['sqlite-0.3', 'postgres-0.3', 'mariadb-0.3', 'sqlite-file', 'sqlite3-1'],
    why: 'begin, nesting and end of transactions; the single connection of SQLite; events of subscribers',
  },
  {
    files: ['test/modules/store/database-errors.test.ts', 'test/guides/ids/ids.test.ts'],
    on: [...TYPEORM_03, 'sqlite3-1', 'sqlite-logged'],
    why: 'error messages of each driver; ids that the database generates',
  },
  {
    files: ['test/modules/store/described-layouts.test.ts', 'test/modules/store/separate-details.test.ts'],
    on: ['sqlite-0.3'],
    why: 'the metadata that enableMultiTableInheritance creates for each TypeORM line',
  },
  {
    files: ['test/modules/node-http/request-queue.test.ts'],
    on: ['sqlite-0.3', 'sqlite-file'],
    why: 'fairness between connections during long lists, on TypeORM 0.3 too',
  },

  // Drivers, files, loggers
  {
    files: ['test/guides/relationships/relationships.test.ts', 'test/guides/concurrency/preconditions.test.ts'],
    on: ['sqlite3'],
    why: 'sqlite3 with TypeORM 0.3 counts the rows of an update only if `UPDATE` is upper case',
  },
  {
    files: ['test/modules/store/single-statement-writes.test.ts'],
    on: ['sqlite-0.3', 'sqlite3', 'sqlite3-1', 'sqlite-logged', 'postgres-0.3', 'sqlite-file'],
    why: 'drivers that write in one statement, and the result of that statement',
  },
  {
    files: ['test/modules/store/read-long.test.ts'],
    on: ['sqlite-file', 'sqlite3-1'],
    why: 'reads of a file in WAL mode use separate connections',
  },
  {
    files: ['test/modules/store/sqlite-readers.test.ts', 'test/guides/concurrency/concurrent-writes.test.ts'],
    on: ['sqlite3-1'],
    why: 'concurrent writes, also from another connection to the file',
  },
  {
    files: ['test/modules/node-http/streaming.test.ts'],
    on: ['sqlite-logged'],
    why: 'rows are streamed only if the driver can stream and no logger observes statements',
  },
  {
    files: ['test/modules/store/write-statements.test.ts'],
    on: ['sqlite-joined', 'postgres-joined', 'postgres-0.3'],
    why: 'the number of statements is the same with and without the QueryRunner',
  },

  // Without Express
  {
    files: [
      'test/modules/node-http/streaming.test.ts',
      'test/modules/request/request-bodies.test.ts',
      'test/spec/json-api/http.test.ts',
      'test/spec/json-api/content-negotiation.test.ts',
      'test/hostile/paths.test.ts',
    ],
    on: ['listener'],
    why: 'router and listener return the same errors for invalid headers, methods, paths and bodies',
  },
]

/** Returns the files of a configuration, each once. */
exports.sampleOf = (name) => [
  ...new Set(exports.SAMPLE.filter(({ on }) => on.includes(name)).flatMap(({ files }) => files)),
]

/** The configurations that run all files of scripts/runs-on.js. The others have a sample. */
exports.UNSAMPLED = ['sqlite', 'postgres', 'mariadb']
