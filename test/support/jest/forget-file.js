const { AsyncLocalStorage } = require('node:async_hooks')
const { join, sep } = require('node:path')

/** Global variables of packages and Jest with the state of a test file, such as its coverage. */
const STATE_OF_FILE = [
  '__coverage__',
  'typeormMetadataArgsStorage',
  'classValidatorMetadataStorage',
  Symbol.for('EVENT_HANDLERS'),
  Symbol.for('TEST_TIMEOUT_SYMBOL'),
]

/** Jest stores the tests of each file under another symbol with this description. */
const TESTS_OF_FILE = 'JEST_STATE_SYMBOL'

const SOURCE = join(__dirname, '..', '..', '..', 'src', sep)

/**
 * Removes the state of the previous test file: its modules, and the classes that packages have registered. Modules of `src` stay loaded with `keepSource`, as in
 * an application that creates several APIs.
 */
exports.forgetFile = ({ keepSource }) => {
  const sourceExports = []
  for (const [path, { exports }] of Object.entries(require.cache)) {
    if (keepSource && path.startsWith(SOURCE)) sourceExports.push(exports)
    else if (path.endsWith('.ts')) delete require.cache[path]
  }
  const entities = entitiesOf(sourceExports)
  for (const key of STATE_OF_FILE) delete globalThis[key]
  if (entities !== undefined) globalThis.typeormMetadataArgsStorage = entities
  for (const symbol of Object.getOwnPropertySymbols(globalThis))
    if (symbol.description === TESTS_OF_FILE) delete globalThis[symbol]
  for (const storage of storages) storage.disable()
  storages.clear()
}

/** Returns TypeORM's metadata with only the classes that these modules export. */
function entitiesOf(modules) {
  const storage = globalThis.typeormMetadataArgsStorage
  if (storage === undefined || modules.length === 0) return undefined
  const classes = new Set(modules.flatMap((exports) => Object.values(exports)))
  for (const [name, list] of Object.entries(storage))
    if (Array.isArray(list)) storage[name] = list.filter(({ target }) => classes.has(target))
  return storage
}

// From its first run on, a storage slows down all promises of the process, and each file creates its own storages.
const storages = new Set()
const { run } = AsyncLocalStorage.prototype
AsyncLocalStorage.prototype.run = function (...args) {
  storages.add(this)
  return run.apply(this, args)
}
