// The two databases that the rows of data/tables.js can lie in.
const { buildPostgres, copyPostgres, removePostgres } = require('./postgres')
const { buildSqlite, copySqlite, removeSqlite } = require('./sqlite')

/** `build(scale)` gives what is kept, `copy(built, name)` the place of a copy that `remove(place)` takes away. */
exports.DATABASES = {
  sqlite: { build: buildSqlite, copy: copySqlite, remove: removeSqlite },
  postgres: { build: buildPostgres, copy: copyPostgres, remove: removePostgres },
}
