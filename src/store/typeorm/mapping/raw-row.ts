/** What a statement gives of one row: its columns, in the order in which they were selected. */
export type RawRow = readonly unknown[]

/** Of a row as TypeORM gives it, by the names of its columns: none of those that are read is a number, or stands there twice. */
export function toRawRow(row: unknown): RawRow {
  return Object.values(row as object)
}
