/** The columns of one row as the driver returned them, in the order of the select. */
export type ColumnValuesInSelectOrder = readonly unknown[]

/** Converts a row of TypeORM, an object by column names. No name is a number or occurs twice, so the order is that of the select. */
export function toColumnValuesOfRowObject(row: unknown): ColumnValuesInSelectOrder {
  return Object.values(row as object)
}
