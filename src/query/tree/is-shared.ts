import type { Relationship } from '../../graph/model/resource-graph'

/** Returns whether many resources can lead to the same one by this relationship. */
export function isShared({ inverse }: Pick<Relationship, 'inverse'>): boolean {
  return inverse?.kind !== 'toOne'
}
