/** `location` is the path of a SQLite file, or the URL of a PostgreSQL database. */
exports.databaseOf = (location) => (location.startsWith('postgres') ? 'postgres' : 'sqlite')

exports.optionsOf = (location) =>
  exports.databaseOf(location) === 'postgres'
    ? { type: 'postgres', url: location }
    : { type: 'better-sqlite3', database: location, enableWAL: true, prepareDatabase }

/** The baseline uses the same setting. SQLite recommends it with WAL: a power failure loses only the last writes. */
function prepareDatabase(database) {
  database.pragma('synchronous = normal')
}
