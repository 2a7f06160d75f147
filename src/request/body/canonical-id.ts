import { JOINED } from '../../graph/model/joined-id'
import { decodeId, encodeId } from '../../graph/model/record-id'
import type { ResourceType } from '../../graph/model/resource-graph'

/** The one way to write an id: a UUID may be sent in either case, and names the same row. */
export function canonicalId({ id: { range } }: ResourceType, id: string): string {
  if (range.codec !== JOINED) return range.valueType === 'uuid' && range.codec === undefined ? id.toLowerCase() : id
  const key = decodeId(id, range)
  return key === undefined ? id : encodeId(key, range)
}
