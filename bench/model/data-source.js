/** How TypeORM gets to the database that a server was given: a path, or the URL of PostgreSQL. */
exports.databaseOf = (place) => (place.startsWith('postgres') ? 'postgres' : 'sqlite')

exports.optionsOf = (place) =>
  exports.databaseOf(place) === 'postgres'
    ? { type: 'postgres', url: place }
    : { type: 'better-sqlite3', database: place, enableWAL: true, prepareDatabase }

/** The floors have it so, and with WAL it is what SQLite recommends: a power cut loses the last writes, and no more. */
function prepareDatabase(database) {
  database.pragma('synchronous = normal')
}
