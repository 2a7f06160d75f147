/** `database` is a URL. Without `DATABASE_URL`, it is the database of compose.yaml. */
export function connection(database = process.env.DATABASE_URL ?? 'mysql://root:secret@localhost:3306/__DATABASE__') {
  return { type: 'mariadb', url: database } as const
}
