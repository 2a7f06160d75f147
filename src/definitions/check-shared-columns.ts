import type { ConfigurationIssue } from '../errors/configuration-error'
import { isWriteCapability } from '../graph/model/capabilities'
import type { Relationship, ResourceGraph } from '../graph/model/resource-graph'
import type { HookedRelationshipIndex } from './hooked-relationship-index'

/**
 * Finds relationships in the same columns of a row of which one has hooks, and another can be written. A write of the other would change the first
 * without its hooks.
 */
export function findSharedColumnIssues(
  { types }: ResourceGraph,
  { typesOf }: HookedRelationshipIndex,
): readonly ConfigurationIssue[] {
  const relationships = new Set([...types.values()].flatMap((type) => type.relationships))
  return [...relationships].flatMap((hooked) => {
    if (hooked.kind === 'toMany' || !hooked.holdsKey) return []
    const ends = endsOf(hooked).filter((end) => typesOf(end).length > 0)
    const others = hooked.storedTogether.filter((other) => endsOf(other).some(isWritable))
    return ends.flatMap((end) => others.map((other) => toIssue(end, hooked, other)))
  })
}

/** Returns the relationship and its inverses. */
function endsOf(relationship: Relationship): readonly Relationship[] {
  return [...new Set([relationship, ...[...relationship.inverses.values()].flat()])]
}

function isWritable({ capabilities }: Relationship): boolean {
  return capabilities.some(isWriteCapability)
}

function toIssue(end: Relationship, hooked: Relationship, other: Relationship): ConfigurationIssue {
  return {
    location: pathOf(end),
    message: `a definition has hooks for it, but ${pathOf(other)} is stored in the same columns as ${pathOf(hooked)}: a write of the former would change the latter without these hooks.`,
    remedy: `Let clients write only one of them: give ${endsOf(other).map(pathOf).join(' and ')} no create, set, add or remove in its capabilities.`,
  }
}

function pathOf({ declaringType, property }: Relationship): string {
  return `${declaringType.resourceClass.name}.${property}`
}
