// The databases that can hold the rows of data/tables.js.
const { buildPostgres, copyPostgres, removePostgres } = require('./postgres')
const { buildSqlite, copySqlite, removeSqlite } = require('./sqlite')

/** `build(scale)` returns the original, `copy(original, name)` the location of a copy. `remove(location)` deletes a copy. */
exports.DATABASES = {
  sqlite: { build: buildSqlite, copy: copySqlite, remove: removeSqlite },
  postgres: { build: buildPostgres, copy: copyPostgres, remove: removePostgres },
}
