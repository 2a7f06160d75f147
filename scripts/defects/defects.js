// biome-ignore-all lint/suspicious/noTemplateCurlyInString: pieces of source code, with placeholders of their own
// Small, realistic defects in code that branches on the dialect, the layout of tables, the driver or the TypeORM line, and in transactions. Each is
// one replacement in one file of src: `find` has to occur there exactly once. `shows`: configurations whose tests must fail, the fastest first.
// `noticedBy`: a test file of `.ci/run` that fails with the defect, on the configuration `noticedOn`, or else the first of `shows`. It runs first.
const STORE = 'src/store/typeorm'

const SQLITE = ['sqlite']
const POSTGRES = ['postgres', 'postgres-0.3']
const MARIADB = ['mariadb', 'mariadb-0.3']
// Some tests set their own layout, so they detect defects of all layouts on SQLite.
const JOINED = ['sqlite', 'sqlite-joined', 'postgres-joined', 'mariadb-joined']
const CONCRETE = ['sqlite', 'sqlite-concrete', 'postgres-concrete', 'mariadb-concrete']

const DEFECTS = [
  // Dialects
  {
    what: 'MariaDB: a quote character in a name is not doubled',
    file: `${STORE}/dialects/dialect-mysql.ts`,
    find: "quote: (name) => `\\`${name.replaceAll('`', '``')}\\``",
    replace: 'quote: (name) => `\\`${name}\\``',
    shows: MARIADB,
    noticedBy: 'test/modules/store/dialect.test.ts',
    noticedOn: 'sqlite',
  },
  {
    what: 'MariaDB: rows are read without `for update`',
    file: `${STORE}/dialects/dialect-mysql.ts`,
    find: 'lock: () => sqlTag` for update`',
    replace: 'lock: () => EMPTY_SQL',
    shows: MARIADB,
    noticedBy: 'test/guides/concurrency/races.test.ts',
  },
  {
    what: 'MariaDB: text is compared by its collation',
    file: `${STORE}/dialects/dialect-mysql.ts`,
    find: 'sqlTag`(${left} = ${right} and ${asBytes(left)} = ${asBytes(right)})`',
    replace: 'sqlTag`(${left} = ${right})`',
    shows: MARIADB,
    noticedBy: 'test/guides/filtering/filters.test.ts',
  },
  {
    what: 'MariaDB: text is searched without regard to case',
    file: `${STORE}/dialects/dialect-mysql.ts`,
    find: 'sqlTag`(locate(${asBytes(text)}, ${asBytes(column)}) > 0)`',
    replace: 'sqlTag`(locate(${text}, ${column}) > 0)`',
    shows: MARIADB,
    noticedBy: 'test/guides/filtering/filters.test.ts',
  },
  {
    what: 'MariaDB: nulls come first in ascending order',
    file: `${STORE}/dialects/dialect-mysql.ts`,
    find: "nulls === 'nullable' ? sqlTag`${expression} is null, ${expression} asc` : sqlTag`${expression} asc`",
    replace: 'sqlTag`${expression} asc`',
    shows: MARIADB,
    noticedBy: 'test/guides/sorting/hierarchies.test.ts',
  },
  {
    what: 'MariaDB: an enum is sorted as text',
    file: `${STORE}/dialects/dialect-mysql.ts`,
    find: "asSortColumn: (expression, { valueType }) => (valueType === 'enum' ? sqlTag`(${expression} + 0)` : expression)",
    replace: 'asSortColumn: (expression) => expression',
    shows: [...MARIADB, 'mariadb-concrete'],
    noticedBy: 'test/guides/databases/same-documents.test.ts',
  },
  {
    what: 'MariaDB: adding an existing link is an error',
    file: `${STORE}/dialects/dialect-mysql.ts`,
    find: ' on duplicate key update ${column ?? EMPTY_SQL} = ${column ?? EMPTY_SQL}`',
    replace: '${column === undefined ? EMPTY_SQL : EMPTY_SQL}`',
    shows: MARIADB,
    noticedBy: 'test/guides/ids/composite-ids-in-relationships.test.ts',
  },
  {
    what: 'PostgreSQL: the right side of a left join is locked too',
    file: `${STORE}/dialects/dialect-postgres.ts`,
    find: 'sqlTag` for update of ${rawSql(alias)}`',
    replace: 'sqlTag` for update${rawSql(alias.slice(alias.length))}`',
    shows: ['postgres-joined', ...POSTGRES],
    noticedBy: 'test/spec/hierarchical-resources/write-rules.test.ts',
  },
  {
    what: 'PostgreSQL: nulls come first in descending order',
    file: `${STORE}/dialects/dialect-postgres.ts`,
    find: "nulls === 'nullable' ? sqlTag`${expression} desc nulls last` : sqlTag`${expression} desc`",
    replace: 'sqlTag`${expression} desc`',
    shows: POSTGRES,
    noticedBy: 'test/guides/sorting/hierarchies.test.ts',
  },
  {
    what: 'PostgreSQL: moments are compared to the microsecond',
    file: `${STORE}/dialects/dialect-postgres.ts`,
    find: "sqlTag`date_trunc('milliseconds', ${moment})`",
    replace: 'sqlTag`${moment}`',
    shows: POSTGRES,
    noticedBy: 'test/guides/databases/same-documents.test.ts',
  },
  {
    what: 'PostgreSQL: a sequence stays behind a client-generated id',
    file: `${STORE}/dialects/dialect-postgres.ts`,
    find: "where has_sequence_privilege(counter, 'update') and ${isBehind}`",
    replace: "where has_sequence_privilege(counter, 'update') and not ${isBehind}`",
    shows: POSTGRES,
    noticedBy: 'test/guides/ids/client-ids.test.ts',
  },
  {
    what: 'PostgreSQL: `starts_with` treats the text as a pattern',
    file: `${STORE}/dialects/dialect-postgres.ts`,
    find: 'sqlTag`starts_with(${exactText(column)}, (${text})::text)`',
    replace: "sqlTag`(${exactText(column)} like (${text})::text || '%')`",
    shows: POSTGRES,
    noticedBy: 'test/guides/filtering/filters.test.ts',
  },
  {
    what: 'PostgreSQL: two clients create the same id in two tables at once',
    file: `${STORE}/dialects/dialect-postgres.ts`,
    find: 'sqlTag`select pg_advisory_xact_lock(hashtextextended(each, 0)) from unnest(${boundValueSql(names)}::text[]) each`',
    replace: 'names.length > 0 ? undefined : undefined',
    shows: ['postgres', 'postgres-concrete'],
    noticedBy: 'test/modules/store/table-layout-writes.test.ts',
  },
  {
    what: 'SQLite: text is compared by the collation of its column',
    file: `${STORE}/dialects/dialect-sqlite.ts`,
    find: 'sqlTag`(${left} = ${right} collate binary)`',
    replace: 'sqlTag`(${left} = ${right})`',
    shows: SQLITE,
    noticedBy: 'test/guides/filtering/collations.test.ts',
  },
  {
    what: 'SQLite: no text ends with the empty text',
    file: `${STORE}/dialects/dialect-sqlite.ts`,
    find: 'sqlTag`(substr(${column}, length(${column}) - length(${text}) + 1) = ${text})`',
    replace: 'sqlTag`(substr(${column}, -length(${text})) = ${text})`',
    shows: SQLITE,
    noticedBy: 'test/guides/filtering/filters.test.ts',
  },
  {
    what: 'SQLite: large integers lose digits in cursors',
    file: `${STORE}/dialects/dialect-sqlite.ts`,
    find: "if (valueType === 'bigint') return sqlTag`cast(${expression} as text)`",
    replace: "if (valueType === 'bigint') return expression",
    shows: SQLITE,
    noticedBy: 'test/guides/databases/same-documents.test.ts',
  },
  {
    what: 'SQLite: bytes in a list of keys are compared as text',
    file: `${STORE}/dialects/dialect-sqlite.ts`,
    find: "type === 'blob' ? `unhex(${part})` : part",
    replace: 'part',
    shows: SQLITE,
    noticedBy: 'test/guides/ids/key-transformers.test.ts',
  },

  // Values
  {
    what: 'SQLite: a moment loses its time zone',
    file: `${STORE}/mapping/convert-values.ts`,
    find: "moment.length === SECONDS ? '.000Z' : 'Z'",
    replace: "moment.length === SECONDS ? '.000Z' : ''",
    shows: SQLITE,
    noticedBy: 'test/modules/store/column-values.test.ts',
  },
  {
    what: 'SQLite: a moment without a column is bound as an object',
    file: `${STORE}/mapping/convert-values.ts`,
    find: "if (dialect.name === 'sqlite' && value instanceof Date)",
    replace: "if (dialect.name === 'mysql' && value instanceof Date)",
    shows: SQLITE,
    noticedBy: 'test/guides/custom-functions.test.ts',
  },
  {
    what: 'MariaDB: a float of 32 bits is compared with one of 64',
    file: `${STORE}/mapping/convert-values.ts`,
    find: "dialect.name === 'mysql' && constraints.valueType === 'float' && constraints.significantDigits !== undefined",
    replace:
      "dialect.name === 'sqlite' && constraints.valueType === 'float' && constraints.significantDigits !== undefined",
    shows: MARIADB,
    noticedBy: 'test/modules/store/compared-expressions.test.ts',
  },
  {
    what: 'MariaDB: a float of 32 bits has six digits in cursors',
    file: `${STORE}/dialects/dialect-mysql.ts`,
    find: "valueType === 'float' || valueType === 'boolean' ? sqlTag`${expression} + 0e0` : expression",
    replace: 'expression',
    shows: MARIADB,
    noticedBy: 'test/modules/store/compared-expressions.test.ts',
  },

  // Errors
  {
    what: 'MariaDB: a deadlock is not retried',
    file: `${STORE}/drivers/find-violation.ts`,
    find: "new Set(['40001', '40P01', '55P03', 1213, 1205, 1020])",
    replace: "new Set(['40001', '40P01', '55P03', 1205, 1020])",
    shows: MARIADB,
    noticedBy: 'test/guides/concurrency/concurrent-writes.test.ts',
  },
  {
    what: 'SQLite: a locked file is an internal error',
    file: `${STORE}/drivers/find-violation.ts`,
    find: 'return /^SQLITE_(BUSY|LOCKED)/.test(String(code)) || SQLITE_LOCKED.test(message)',
    replace: 'return /^SQLITE_LOCKED/.test(String(code))',
    shows: [...SQLITE, 'sqlite-file', 'sqlite3-1'],
    noticedBy: 'test/modules/store/outages.test.ts',
  },
  {
    what: 'PostgreSQL: a foreign key violation on delete is reported as a missing row',
    file: `${STORE}/drivers/find-violation.ts`,
    find: "kind: kind === 'missingReference' && detailText.includes('is still referenced') ? 'stillReferenced' : kind,",
    replace: 'kind,',
    shows: POSTGRES,
    noticedBy: 'test/modules/store/database-errors.test.ts',
  },

  // Layouts of tables
  {
    what: 'joined tables: a deletion leaves the topmost part of a row',
    file: `${STORE}/writing/delete-or-soft-delete-rows.ts`,
    find: 'for (const part of lowestFirst(physicalTablesOf(tables))) {',
    replace:
      'for (const part of lowestFirst(physicalTablesOf(tables)).slice(0, Math.max(physicalTablesOf(tables).length - 1, 1))) {',
    shows: JOINED,
    noticedBy: 'test/spec/hierarchical-resources/write-rules.test.ts',
    noticedOn: 'sqlite-joined',
  },
  {
    what: 'joined tables: only the topmost part of a row is changed',
    file: `${STORE}/writing/update-matching-rows.ts`,
    find: `for (const part of physicalTablesOf(tables)) {
    const assignments = assignmentsIn(`,
    replace: `for (const part of physicalTablesOf(tables).slice(0, 1)) {
    const assignments = assignmentsIn(`,
    shows: JOINED,
    noticedBy: 'test/spec/hierarchical-resources/write-rules.test.ts',
    noticedOn: 'sqlite-joined',
  },
  {
    what: 'joined tables: the version of the topmost part stays',
    file: `${STORE}/writing/update-matching-rows.ts`,
    find: 'if (assignments.size > 0) await run(',
    replace: 'if (assignments.size > 1) await run(',
    shows: JOINED,
    noticedBy: 'test/modules/store/table-layout-writes.test.ts',
  },
  {
    what: 'joined tables: an inner join drops rows of other types',
    file: `${STORE}/joins/scope.ts`,
    find: 'const text = sqlTag`left join ${rawSql(`${table} ${joinedAlias}`)} on ${isOfRow(joinedAlias)}`',
    replace: 'const text = sqlTag`join ${rawSql(`${table} ${joinedAlias}`)} on ${isOfRow(joinedAlias)}`',
    shows: JOINED,
    noticedBy: 'test/guides/sorting/hierarchies.test.ts',
    noticedOn: 'postgres-joined',
  },
  {
    what: 'tables per concrete type: an id that another table has is accepted',
    file: `${STORE}/writing/ensure-ids-are-unused.ts`,
    find: 'for (const part of otherTables) await ensureIdsAreUnusedIn(part, keys, ownTable, context)',
    replace: 'for (const part of otherTables.slice(1)) await ensureIdsAreUnusedIn(part, keys, ownTable, context)',
    shows: CONCRETE,
    noticedBy: 'test/modules/store/table-layout-writes.test.ts',
  },
  {
    what: 'tables per concrete type: MariaDB converts columns to text in a union with null',
    file: `${STORE}/mapping/compile-union-of-tables.ts`,
    find: "if (dialect.name === 'sqlite') return 'null'",
    replace: "if (dialect.name !== 'postgres') return 'null'",
    shows: ['mariadb', 'mariadb-concrete'],
    noticedBy: 'test/guides/databases/same-documents.test.ts',
    noticedOn: 'mariadb-concrete',
  },
  {
    what: 'tables per concrete type: a one-to-one step reads only the first table',
    file: `${STORE}/joins/scope.ts`,
    find: "return qualified.length === 1 ? joinSql(qualified, ', ') : sqlTag`coalesce(${joinSql(qualified, ', ')})`",
    replace: "return joinSql(qualified.slice(0, 1), ', ')",
    shows: ['sqlite-concrete', 'mariadb-concrete'],
    noticedBy: 'test/guides/filtering/hierarchies.test.ts',
  },
  {
    what: 'separate tables: a linked row without a foreign key constraint is not locked',
    file: `${STORE}/writing/lock-related-rows.ts`,
    find: 'if (records.length < keys.length) throw relatedNotFoundError(relationship)',
    replace: 'if (records.length > keys.length) throw relatedNotFoundError(relationship)',
    shows: ['postgres', 'mariadb', 'postgres-concrete', 'mariadb-concrete'],
    noticedBy: 'test/modules/store/table-layout-writes.test.ts',
  },

  // Drivers
  {
    what: 'sqlite3 on TypeORM 0.3: changed rows are not counted',
    file: `${STORE}/drivers/run-statement.ts`,
    find: '(verb) => verb.toUpperCase()',
    replace: '(verb) => verb',
    shows: ['sqlite3'],
    noticedBy: 'test/guides/relationships/relationships.test.ts',
  },
  {
    what: 'better-sqlite3: a boolean is bound without conversion',
    file: `${STORE}/drivers/direct-sqlite-driver.ts`,
    find: 'values.map((value) => (isBoolean(value) ? Number(value) : value))',
    replace: 'values.map((value) => value)',
    shows: SQLITE,
    noticedBy: 'test/modules/store/column-values.test.ts',
  },
  {
    what: 'sqlite3: a statement with rows runs as one without',
    file: `${STORE}/sqlite3/sqlite3-query-runner.ts`,
    find: 'if (WRITES.test(text) && !RETURNS.test(text)) {',
    replace: 'if (WRITES.test(text)) {',
    shows: ['sqlite3-1'],
    noticedBy: 'test/guides/ids/ids.test.ts',
  },
  {
    what: 'a logger does not see statements sent directly to the driver',
    file: `${STORE}/drivers/run-statement.ts`,
    find: 'if (driver === undefined || hasQueryLoggerOrSubscriber(dataSource) || !isOriginal(queryRunner, driver)) {',
    replace: 'if (driver === undefined || !isOriginal(queryRunner, driver)) {',
    shows: ['sqlite-logged', ...SQLITE],
    noticedBy: 'test/modules/store/driver-statements.test.ts',
    noticedOn: 'sqlite',
  },
  {
    what: 'SQLite in WAL mode: a read of several statements uses several snapshots',
    file: `${STORE}/transactions/sqlite-read-pool.ts`,
    find: "statements === 'one' ? work(queryRunner) : inSnapshot(this.dataSource, queryRunner, work)",
    replace: 'work(queryRunner)',
    shows: ['sqlite-file', ...SQLITE],
    noticedBy: 'test/modules/store/sqlite-readers.test.ts',
    noticedOn: 'sqlite',
  },
  {
    what: 'sqlite3 on TypeORM 0.3: a write is one statement, but the driver does not return its row',
    file: `${STORE}/writing/single-statement-support.ts`,
    find: "return type === 'better-sqlite3' || type === 'postgres'",
    replace: 'return /sqlite|postgres/.test(type)',
    shows: ['sqlite3'],
    noticedBy: 'test/modules/store/single-statement-writes.test.ts',
  },

  // Transactions
  {
    what: 'a transaction that has failed is not rolled back',
    file: `${STORE}/transactions/run-transaction-with-retries.ts`,
    find: 'if (!guard.isCommitted) await rollBackInNewContext(() => rollBack(transaction))',
    replace: 'if (guard.isCommitted) await rollBackInNewContext(() => rollBack(transaction))',
    shows: ['sqlite', 'postgres', 'mariadb'],
    noticedBy: 'test/modules/store/transaction-ends.test.ts',
  },
  {
    what: 'the lock of SQLite is not released after an error',
    file: `${STORE}/drivers/read-write-lock.ts`,
    find: `    try {
      return await work()
    } finally {
      this.release(kind)
    }`,
    replace: `    const value = await work()
    this.release(kind)
    return value`,
    shows: SQLITE,
    noticedBy: 'test/modules/store/transactions.test.ts',
  },
]

/** With their numbers, from 1. */
exports.DEFECTS = DEFECTS.map((defect, place) => ({ id: place + 1, ...defect }))
