import type { ValueConstraints } from '../../../graph/model/value-type'

/** Whether its values are text for the database too, which has collations for it. */
export function isCollatedText({ valueType, databaseType, codec }: ValueConstraints): boolean {
  return valueType === 'string' && databaseType === undefined && codec === undefined
}
