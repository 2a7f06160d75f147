/** The mutated modules, and the minimum percentage of covered mutants that the tests must kill: slightly below the last result. */
exports.MODULES = {
  query: { threshold: 85 },
  plan: { threshold: 85 },
  definitions: { threshold: 65 },
  // On SQLite, tests can't detect a third of its mutants: docs/internals/trust.md.
  store: { threshold: 60 },
}

exports.folderOf = (module) => (module === 'store' ? 'src/store/typeorm' : `src/${module}`)

/** Default number of mutants per module. */
exports.SAMPLE = 60

/** Default number of test files that run against a mutant. */
exports.MAX_TEST_FILES = 10

/** Tests that start other processes or read source text, so that a mutant in this process can't affect them. */
exports.EXCLUDED_TESTS = [
  'packaging',
  'project',
  ...['command-line', 'production', 'examples', 'typed-client/bundle'].map((folder) => `guides/${folder}`),
]

exports.BUILD = 'build/mutation'
