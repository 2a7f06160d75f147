/** `database` is the path of a file, or `:memory:`. */
export function connection(database = process.env.DATABASE_FILE ?? '__DATABASE__.sqlite') {
  return { type: 'better-sqlite3', database } as const
}
