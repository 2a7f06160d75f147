/** `database` is a URL. Without `DATABASE_URL`, it is the database of compose.yaml. */
export function connection(
  database = process.env.DATABASE_URL ?? 'postgres://postgres:secret@localhost:5432/__DATABASE__',
) {
  return { type: 'postgres', url: database } as const
}
