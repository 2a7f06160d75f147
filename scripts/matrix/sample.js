// The sample: for each configuration besides SQLite, PostgreSQL and MariaDB, a few fast test files that detect the known differences.
// `node scripts/test-on.js sqlite-joined --sample` runs it. `why` names the differences that a file detects.
const JOINED = ['sqlite-joined', 'postgres-joined', 'mariadb-joined']
const CONCRETE = ['sqlite-concrete', 'postgres-concrete', 'mariadb-concrete']
const LAYOUTS = [...JOINED, ...CONCRETE]
const TYPEORM_03 = ['sqlite-0.3', 'postgres-0.3', 'mariadb-0.3', 'sqlite3']
const SQLITE3 = ['sqlite3', 'sqlite3-1']

exports.SAMPLE = [
  // Layouts of tables
  {
    files: ['test/modules/store/described-layouts.test.ts'],
    on: LAYOUTS,
    why: 'what TypeORM knows of the tables of a hierarchy, and the graph that follows, are the same in each layout',
  },
  {
    files: ['test/modules/store/separate-details.test.ts'],
    on: ['sqlite-joined', 'postgres-concrete', 'mariadb-concrete'],
    why: 'null has the type of its column in a union; lists have a type on PostgreSQL only; foreign keys between parts of a row',
  },
  {
    files: ['test/modules/graph/check-graph.test.ts', 'test/modules/graph/describe-entities.test.ts'],
    on: ['sqlite-joined', 'sqlite-concrete'],
    why: 'mistakes and columns of hierarchies that exist in one layout only: discriminators, columns that siblings share',
  },
  {
    files: ['test/guides/databases/embedded-in-hierarchy.test.ts'],
    on: ['sqlite-joined', 'postgres-concrete', 'mariadb-joined'],
    why: 'embedded objects of derived types; siblings with the same columns',
  },
  {
    files: [
      'test/modules/store/shared-columns-in-hierarchies.test.ts',
      'test/guides/ids/keys-of-relationships.test.ts',
    ],
    on: LAYOUTS,
    why: 'keys that share a column with each other or with the primary key, in a table other than the one that a class inherits from',
  },
  {
    files: ['test/modules/store/table-layout-writes.test.ts'],
    on: ['postgres-concrete', 'mariadb-concrete'],
    why: 'ids that other tables of the hierarchy have; races between a link and a deletion; integers that SQLite makes up',
  },
  {
    files: ['test/guides/concurrency/versions.test.ts', 'test/guides/relationships/soft-deleted-rows.test.ts'],
    on: LAYOUTS,
    why: 'versions and dates in the part of a row that did not change; rows that count as deleted in some of the tables',
  },
  {
    files: ['test/modules/store/joins.test.ts', 'test/guides/databases/placed-columns.test.ts'],
    on: LAYOUTS,
    why: 'filters and sorts join the tables that they ask for, and look columns up where no table can be joined',
  },
  {
    files: ['test/spec/hierarchical-resources/stored-type.test.ts'],
    on: LAYOUTS,
    why: 'the stored type is found, linked and deleted, with all parts of a row',
  },
  {
    files: ['test/guides/sorting/hierarchies.test.ts'],
    on: ['sqlite-joined', 'mariadb-concrete'],
    why: 'a base is sorted by columns of derived types, nulls last',
  },
  {
    files: ['test/guides/databases/same-documents.test.ts'],
    on: ['mariadb-concrete'],
    why: 'MariaDB makes text of what is united with a bare null, and gives other values for it',
  },
  {
    files: [
      'test/guides/filtering/hierarchies.test.ts',
      'test/guides/sorting/hierarchies.test.ts',
      'test/guides/including/paths.test.ts',
    ],
    on: LAYOUTS,
    why: 'a base is filtered, sorted and included by fields of derived types; a constant column of a table that MariaDB joins to the left keeps its value where no row is found',
  },
  {
    files: ['test/spec/hierarchical-resources/write-rules.test.ts'],
    on: LAYOUTS,
    why: 'a deletion takes all parts of a row along; a change reaches each part',
  },
  {
    files: ['test/guides/examples/humans.test.ts'],
    on: [...JOINED, 'sqlite-concrete'],
    why: 'the example on other tables',
  },

  // TypeORM 0.3
  {
    files: ['test/modules/store/driver-statements.test.ts'],
    on: ['sqlite-0.3', 'postgres-0.3', 'mariadb-0.3', 'sqlite-logged'],
    why: 'statements past TypeORM and through it give the same rows, counts and errors; 0.3 has other errors for texts that cannot be prepared',
  },
  {
    files: ['test/guides/rules/listeners.test.ts'],
    on: TYPEORM_03,
    why: 'listeners and subscribers are called with other objects by TypeORM 0.3',
  },
  {
    files: ['test/modules/graph/describe-entities.test.ts'],
    on: ['sqlite-0.3'],
    why: 'metadata that only one line of TypeORM has',
  },
  {
    files: ['test/guides/ids/composite-ids-in-relationships.test.ts'],
    on: ['sqlite-0.3', 'postgres-0.3', 'mariadb-0.3'],
    why: 'pairs of keys of several columns go with their rows; MariaDB with 0.3 orders foreign keys otherwise',
  },
  {
    files: ['test/modules/store/unusual-columns.test.ts', 'test/modules/store/column-values.test.ts'],
    on: [...TYPEORM_03, 'sqlite3-1', 'sqlite-logged'],
    why: 'values as each driver and line of TypeORM converts them: dates, large integers, decimals, booleans, lists, bytes',
  },
  {
    files: ['test/modules/store/transactions.test.ts'],
    on: [...TYPEORM_03, 'sqlite-file', 'sqlite3-1'],
    why: 'how a transaction begins, nests and ends; the one connection of SQLite; events of subscribers',
  },
  {
    files: ['test/modules/store/database-errors.test.ts', 'test/guides/ids/ids.test.ts'],
    on: [...TYPEORM_03, 'sqlite3-1', 'sqlite-logged'],
    why: 'errors as each driver words them; ids that the database generates',
  },
  {
    files: ['test/modules/store/described-layouts.test.ts'],
    on: ['sqlite-0.3'],
    why: 'metadata that is made for separate tables, and what each TypeORM line wants for it',
  },
  {
    files: ['test/modules/node-http/request-queue.test.ts'],
    on: ['sqlite-0.3', 'sqlite-file', 'sqlite-logged'],
    why: 'fairness between connections while long lists are read, on TypeORM 0.3 too',
  },

  // Drivers, files, loggers
  {
    files: ['test/guides/relationships/relationships.test.ts', 'test/guides/concurrency/preconditions.test.ts'],
    on: SQLITE3,
    why: 'sqlite3 on TypeORM 0.3 counts the rows of an update only where its verb is in capitals',
  },
  {
    files: ['test/modules/store/single-statement-writes.test.ts'],
    on: ['sqlite-0.3', 'sqlite3', 'sqlite3-1', 'sqlite-logged', 'postgres-0.3', 'sqlite-file'],
    why: 'which drivers write with one statement, and what it returns',
  },
  {
    files: ['test/modules/store/sqlite-readers.test.ts', 'test/modules/store/read-long.test.ts'],
    on: ['sqlite-file', 'sqlite3-1'],
    why: 'reads of a file in WAL mode have connections of their own',
  },
  {
    files: ['test/guides/concurrency/concurrent-writes.test.ts'],
    on: ['sqlite-file', 'sqlite3-1'],
    why: 'writes that overlap, also from another connection to the file',
  },
  {
    files: ['test/modules/node-http/streaming.test.ts'],
    on: ['sqlite-logged'],
    why: 'rows are streamed by the drivers that can, and only where no logger is on',
  },
  {
    files: ['test/modules/store/write-statements.test.ts'],
    on: ['sqlite-logged', 'sqlite-file', 'sqlite-joined', 'postgres-joined', 'postgres-0.3'],
    why: 'the number of statements does not depend on the path that they take',
  },
  {
    files: ['test/guides/observability/server-timing.test.ts'],
    on: ['sqlite-logged', 'sqlite-file'],
    why: 'statements are counted and timed on both paths',
  },

  // Without Express
  {
    files: [
      'test/modules/node-http/listener.test.ts',
      'test/modules/node-http/failing-options.test.ts',
      'test/modules/node-http/hanging-up.test.ts',
      'test/modules/node-http/streaming.test.ts',
    ],
    on: ['listener'],
    why: 'bodies, URLs, mount paths and failing options where Express has not read the request',
  },
  {
    files: [
      'test/modules/request/read-body.test.ts',
      'test/spec/json-api/http.test.ts',
      'test/spec/json-api/content-negotiation.test.ts',
      'test/hostile/paths.test.ts',
    ],
    on: ['listener'],
    why: 'headers, methods, paths and bodies that clients get wrong are answered alike by the router and the listener',
  },
]

/** Returns the files of a configuration, each once. */
exports.sampleOf = (name) => [
  ...new Set(exports.SAMPLE.filter(({ on }) => on.includes(name)).flatMap(({ files }) => files)),
]

/** The configurations that run all files of scripts/runs-on.js. The others have a sample. */
exports.UNSAMPLED = ['sqlite', 'postgres', 'mariadb']
