const { AsyncLocalStorage } = require('node:async_hooks')
const { join, sep } = require('node:path')

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

const SOURCE = join(__dirname, '..', '..', '..', 'src', sep)

/**
 * Forgets the test file that ran before: its modules, and the classes that packages know. Modules of `src` stay loaded with `keepSource`, as they do
 * in an application that makes several APIs.
 */
exports.forgetFile = ({ keepSource }) => {
  const kept = []
  for (const [path, { exports }] of Object.entries(require.cache)) {
    if (keepSource && path.startsWith(SOURCE)) kept.push(exports)
    else if (path.endsWith('.ts')) delete require.cache[path]
  }
  const entities = entitiesOf(kept)
  for (const key of KEPT) delete globalThis[key]
  if (entities !== undefined) globalThis.typeormMetadataArgsStorage = entities
  for (const symbol of Object.getOwnPropertySymbols(globalThis))
    if (symbol.description === TESTS_OF_FILE) delete globalThis[symbol]
  for (const storage of storages) storage.disable()
  storages.clear()
}

/** Returns TypeORM's list of decorated classes without those that are exported by none of these modules. */
function entitiesOf(modules) {
  const storage = globalThis.typeormMetadataArgsStorage
  if (storage === undefined || modules.length === 0) return undefined
  const classes = new Set(modules.flatMap((exports) => Object.values(exports)))
  for (const [name, list] of Object.entries(storage))
    if (Array.isArray(list)) storage[name] = list.filter(({ target }) => classes.has(target))
  return storage
}

// A storage has a share in every promise of the process from its first run on, and each file brings its own.
const storages = new Set()
const { run } = AsyncLocalStorage.prototype
AsyncLocalStorage.prototype.run = function (...given) {
  storages.add(this)
  return run.apply(this, given)
}
