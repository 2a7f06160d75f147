// Test files whose configurations can't be measured, and why: V8 counts what the process of the tests runs, and not what other processes do.
// This list comes before scripts/matrix/table.txt. A path that ends in `/` is a folder.
exports.BY_HAND = [
  {
    files: [
      'test/node-http/long-lists-in-turns.test.ts',
      'test/node-http/slow-readers.test.ts',
      'test/observation/telemetry.test.ts',
      'test/scale-out/idempotency.test.ts',
      'test/scale-out/processes.test.ts',
      'test/writing/killed.test.ts',
    ],
    on: 'all',
    why: 'they start servers in processes of their own, on the database of the run',
  },
  {
    files: [
      'test/cli/check.test.ts',
      'test/cli/commands.test.ts',
      'test/docs/docs.test.ts',
      'test/examples/descriptions.test.ts',
      'test/examples/ending.test.ts',
      'test/observation/debug-log.test.ts',
    ],
    on: ['sqlite', 'sqlite-0.3'],
    why: 'they start programs that bring a SQLite of their own',
  },
  {
    files: ['test/cli/init.test.ts'],
    on: ['sqlite', 'sqlite-0.3'],
    why: 'it writes a project and starts its tests, which bring a SQLite of their own',
  },
  {
    files: ['test/packaging/'],
    on: ['sqlite'],
    why: 'it is about the files of the project and its scripts',
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
