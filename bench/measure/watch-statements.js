// Records the statements that drivers receive, in any module that loads them.
const Module = require('node:module')

const DRIVERS = {
  'better-sqlite3': (Database, record) => {
    let isWatched = false
    const { prepare } = Database.prototype
    observe(Database.prototype, 'exec', (text) => record(text))
    Database.prototype.prepare = function (...args) {
      const statement = prepare.apply(this, args)
      if (isWatched) return statement
      isWatched = true
      for (const method of ['run', 'all', 'get', 'iterate'])
        observe(Object.getPrototypeOf(statement), method, (_arg, { source }) => record(source))
      return statement
    }
  },
  sqlite3: ({ Database, Statement }, record) => {
    observe(Database.prototype, 'exec', (text) => record(text))
    for (const method of ['run', 'all', 'get', 'each'])
      observe(Statement.prototype, method, (_arg, { sql }) => record(sql))
  },
  pg: ({ Client }, record) => observe(Client.prototype, 'query', (query) => record(query.text ?? query)),
}

/** Calls `onCall` with the first argument and the object before each call of a method. */
function observe(target, method, onCall) {
  const original = target[method]
  target[method] = function (...args) {
    onCall(args[0], this)
    return original.apply(this, args)
  }
}

/** Returns the list of statements, to which later statements are added. */
exports.watch = () => {
  const statements = []
  const watched = new Set()
  const load = Module._load
  Module._load = (request, ...rest) => {
    const module = load(request, ...rest)
    if (Object.hasOwn(DRIVERS, request) && !watched.has(module)) {
      watched.add(module)
      DRIVERS[request](module, (text) => statements.push(String(text)))
    }
    return module
  }
  return statements
}
