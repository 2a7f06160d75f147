/** What a statement gives of one row: its columns, in the order in which they were selected. */
export type Cells = readonly unknown[]

/** Of a row as TypeORM gives it, by the names of its columns: none of those that are read is a number, or stands there twice. */
export function toCells(row: unknown): Cells {
  return Object.values(row as object)
}
