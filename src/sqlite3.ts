export { Sqlite3DataSource } from './store/typeorm/sqlite3/sqlite3-data-source'
export type { Sqlite3Options } from './store/typeorm/sqlite3/sqlite3-driver'
