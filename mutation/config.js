/** The modules that are changed, and the share of changes that the tests must notice at least: a little below what was reached. */
exports.MODULES = {
  query: { threshold: 85 },
  plan: { threshold: 95 },
  definitions: { threshold: 65 },
  // A third of its changes can't be noticed on SQLite, or at all: docs/internals/trust.md.
  store: { threshold: 60 },
}

exports.folderOf = (module) => (module === 'store' ? 'src/store/typeorm' : `src/${module}`)

/** Changes of each module that are tried unless told otherwise. */
exports.SAMPLE = 60

/** Files of tests that a change has to survive. */
exports.FILES = 10

/** Tests that start programs of their own or look at text: a change that is switched on here is not there. */
exports.BLIND = [
  'packaging',
  'project',
  ...['command-line', 'production', 'examples', 'typed-client/bundle'].map((folder) => `guides/${folder}`),
]

exports.BUILD = 'build/mutation'
