/** `database` is the path of a file, or `:memory:`. */
export function connection(database = process.env.DATABASE_FILE ?? '__DATABASE__.sqlite') {
  // Reads of a file in WAL mode don't wait for writes.
  return { type: 'better-sqlite3', database, enableWAL: database !== ':memory:' } as const
}
