// The databases that can hold the rows of data/tables.js.
const { buildPostgres, copyPostgres, processesOfPostgres, removePostgres } = require('./postgres')
const { buildSqlite, copySqlite, removeSqlite } = require('./sqlite')

/**
 * `build(scale)` returns the original, `copy(original, name)` the location of a copy. `remove(location)` deletes a copy. `processes(location)`
 * returns the ids of the processes that serve its connections.
 */
exports.DATABASES = {
  sqlite: { build: buildSqlite, copy: copySqlite, remove: removeSqlite, processes: async () => [] },
  postgres: { build: buildPostgres, copy: copyPostgres, remove: removePostgres, processes: processesOfPostgres },
}
