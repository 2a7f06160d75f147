import { isA } from '../graph/inheritance'
import type { ResourceType } from '../graph/resource-graph'
import type { AttributePath, SortKey } from './ast'
import { endOf } from './comparability'

/** Whether every row of a type has a value to be sorted by: never null. */
export function isAlwaysThere(by: SortKey['by'], type: ResourceType): boolean {
  if (by.kind !== 'attributePath') return by.kind === 'count'
  return isOwn(by, type) && !endOf(by).isNullableInStore
}

/** Whether a path ends at an attribute that rows of a type have themselves, each of them. */
export function isOwn(path: AttributePath, type: ResourceType): boolean {
  return path.hops.length === 0 && path.only === undefined && isA(type, path.type)
}
