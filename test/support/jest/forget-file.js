const { AsyncLocalStorage } = require('node:async_hooks')

/** What packages and jest keep in the global object; which branches a file has run. */
const KEPT = [
  '__coverage__',
  'typeormMetadataArgsStorage',
  'classValidatorMetadataStorage',
  Symbol.for('EVENT_HANDLERS'),
  Symbol.for('TEST_TIMEOUT_SYMBOL'),
]

/** Under a symbol of its own for each file: all of its tests, and what they refer to. */
const TESTS_OF_FILE = 'JEST_STATE_SYMBOL'

/** Forgets the file of tests that ran before: its modules, and ours that it has loaded; the classes that packages know. */
exports.forgetFile = () => {
  for (const path of Object.keys(require.cache)) if (path.endsWith('.ts')) delete require.cache[path]
  for (const key of KEPT) delete globalThis[key]
  for (const symbol of Object.getOwnPropertySymbols(globalThis))
    if (symbol.description === TESTS_OF_FILE) delete globalThis[symbol]
  for (const storage of storages) storage.disable()
  storages.clear()
}

// A storage has a share in every promise of the process from its first run on, and each file brings its own.
const storages = new Set()
const { run } = AsyncLocalStorage.prototype
AsyncLocalStorage.prototype.run = function (...given) {
  storages.add(this)
  return run.apply(this, given)
}
