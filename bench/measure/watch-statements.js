// Records the statements that drivers receive, in any module that loads them.
const Module = require('node:module')

const DRIVERS = {
  'better-sqlite3': (Database, tell) => {
    let isWatched = false
    const { prepare } = Database.prototype
    replace(Database.prototype, 'exec', (text) => tell(text))
    Database.prototype.prepare = function (...values) {
      const statement = prepare.apply(this, values)
      if (isWatched) return statement
      isWatched = true
      for (const method of ['run', 'all', 'get', 'iterate'])
        replace(Object.getPrototypeOf(statement), method, (_values, { source }) => tell(source))
      return statement
    }
  },
  sqlite3: ({ Database, Statement }, tell) => {
    replace(Database.prototype, 'exec', (text) => tell(text))
    for (const method of ['run', 'all', 'get', 'each'])
      replace(Statement.prototype, method, (_values, { sql }) => tell(sql))
  },
  pg: ({ Client }, tell) => replace(Client.prototype, 'query', (query) => tell(query.text ?? query)),
}

/** `before` is called with the first value and the object, and then what was there. */
function replace(target, method, before) {
  const original = target[method]
  target[method] = function (...values) {
    before(values[0], this)
    return original.apply(this, values)
  }
}

/** Gives the list, which grows. */
exports.watch = () => {
  const statements = []
  const watched = new Set()
  const load = Module._load
  Module._load = (request, ...rest) => {
    const loaded = load(request, ...rest)
    if (Object.hasOwn(DRIVERS, request) && !watched.has(loaded)) {
      watched.add(loaded)
      DRIVERS[request](loaded, (text) => statements.push(String(text)))
    }
    return loaded
  }
  return statements
}
