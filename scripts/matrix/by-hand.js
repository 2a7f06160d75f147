// Test files whose configurations can't be measured, and why: V8 counts what the process of the tests runs, and not what other processes do.
// This list comes before scripts/matrix/table.txt. A path that ends in `/` is a folder.
exports.BY_HAND = [
  {
    files: [
      'test/modules/node-http/slow-readers.test.ts',
      'test/guides/production/idempotency.test.ts',
      'test/guides/production/processes.test.ts',
      'test/modules/store/killed-server.test.ts',
    ],
    on: 'all',
    why: 'they start servers in processes of their own, on the database of the run',
  },
  {
    files: [
      'test/guides/command-line/commands.test.ts',
      'test/project/docs/docs.test.ts',
      'test/guides/examples/descriptions.test.ts',
      'test/guides/examples/ending.test.ts',
      'test/guides/observability/debug-log.test.ts',
    ],
    on: ['sqlite', 'sqlite-0.3'],
    why: 'they start programs that bring a SQLite of their own',
  },
  {
    files: ['test/guides/command-line/init.test.ts'],
    on: ['sqlite', 'sqlite-0.3'],
    why: 'it writes a project and starts its tests, which bring a SQLite of their own',
  },
  {
    files: ['test/properties/shapes.test.ts'],
    on: [
      'sqlite',
      'postgres',
      'mariadb',
      ...['sqlite', 'postgres', 'mariadb'].flatMap((name) => [`${name}-joined`, `${name}-concrete`]),
    ],
    why: 'it compiles statements and does not send them: drivers, entry points and the TypeORM line have no part in it',
  },
]

/** The entry for a file; `undefined`: it is measured. */
exports.byHand = (file) =>
  exports.BY_HAND.find(({ files }) =>
    files.some((each) => (each.endsWith('/') ? file.startsWith(each) : file === each)),
  )
