const ON_EACH_TABLE = ['sqlite', 'postgres', 'mariadb'].flatMap((name) => [name, `${name}-joined`, `${name}-concrete`])

// The configurations of test files that can't be measured, with the reason: coverage includes only code of the test process, and no package but TypeORM.
// This list takes precedence over scripts/matrix/table.txt. A path that ends in `/` is a folder.
exports.UNMEASURED_FILES = [
  {
    files: ['test/modules/node-http/slow-readers.test.ts'],
    on: 'all',
    why: 'its client runs in a worker thread, and what it executes depends on the speed of the machine',
  },
  {
    files: [
      'test/project/docs/docs.test.ts',
      'test/guides/examples/descriptions.test.ts',
      'test/guides/examples/ending.test.ts',
      'test/guides/observability/debug-log.test.ts',
    ],
    on: ['sqlite', 'sqlite-0.3'],
    why: 'they start programs that use their own SQLite database',
  },
  {
    files: ['test/guides/command-line/'],
    on: ['sqlite', 'sqlite-0.3'],
    why: 'they start programs and check modules that use their own SQLite database',
  },
  {
    files: ['test/hostile/paths.test.ts'],
    on: ['sqlite', 'listener'],
    why: 'Express reads paths too, and its code is not measured',
  },
  {
    files: ['test/properties/shapes.test.ts'],
    on: ON_EACH_TABLE,
    why: 'it compiles statements without sending them, so drivers, entry points and the TypeORM version do not matter',
  },
]

/** Returns the entry for a file, if it is not measured. */
exports.findUnmeasured = (file) =>
  exports.UNMEASURED_FILES.find(({ files }) =>
    files.some((each) => (each.endsWith('/') ? file.startsWith(each) : file === each)),
  )
