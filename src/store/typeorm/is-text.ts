import type { ValueRange } from '../../graph/value-type'

/** Whether its values are text for the database too, which has collations for it. */
export function isText({ valueType, databaseType, codec }: ValueRange): boolean {
  return valueType === 'string' && databaseType === undefined && codec === undefined
}
