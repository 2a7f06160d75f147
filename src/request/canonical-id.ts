import type { ResourceType } from '../graph/resource-graph'

/** The one way to write an id: a UUID may be sent in either case, and names the same row. */
export function canonicalId({ id: { range } }: ResourceType, id: string): string {
  return range.valueType === 'uuid' && range.codec === undefined ? id.toLowerCase() : id
}
