import type { ConfigurationIssue } from '../errors/configuration-error'
import { isWriteCapability } from '../graph/model/capabilities'
import { areInSameLineage } from '../graph/model/inheritance'
import type { Relationship, ResourceGraph, ResourceType } from '../graph/model/resource-graph'
import type { HookedRelationshipIndex } from './hooked-relationship-index'

/**
 * Finds relationships in the same columns of a row of which one has hooks, and another can be written. A write of the other would change the first
 * without its hooks. A definition has hooks for all relationships of its type: if clients can't write one of them, the hooks are called for another.
 */
export function findSharedColumnHookIssues(
  { types }: ResourceGraph,
  { typesOf }: HookedRelationshipIndex,
): readonly ConfigurationIssue[] {
  const relationships = new Set([...types.values()].flatMap((type) => type.relationships))
  return [...relationships].flatMap((hooked) => {
    if (typesOf(hooked).length === 0) return []
    const own = endsOf(hooked)
    const ends = own.some(isWritable) ? own : [...own, ...hooked.storedTogether.flatMap(endsOf)]
    const others = relationshipsInSameColumns(hooked).filter(
      (other) => isWritable(other) && !ends.includes(other) && (holdsKey(other) || holdsKey(hooked)),
    )
    return others.map((other) => toIssue(hooked, other))
  })
}

/** Returns the relationship and its inverses. */
function endsOf(relationship: Relationship): readonly Relationship[] {
  return [relationship, ...[...relationship.inverses.values()].flat()]
}

/** Returns the relationships whose links are in the same columns of the same rows, from both ends. */
function relationshipsInSameColumns(relationship: Relationship): readonly Relationship[] {
  const found = new Set([relationship])
  for (const each of found) {
    for (const other of [...endsOf(each), ...each.storedTogether]) found.add(other)
  }
  return [...found].filter((each) => areInSameLineage(rowTypeOf(each), rowTypeOf(relationship)))
}

/** Returns the type whose rows contain the foreign key. */
function rowTypeOf(relationship: Relationship): ResourceType {
  return holdsKey(relationship) ? relationship.declaringType : relationship.target
}

/** Relationships that don't hold the key are asked about each other's links, which are links of other rows. */
function holdsKey(relationship: Relationship): boolean {
  return relationship.kind === 'toOne' && relationship.holdsKey
}

function isWritable({ capabilities }: Relationship): boolean {
  return capabilities.some(isWriteCapability)
}

function toIssue(hooked: Relationship, other: Relationship): ConfigurationIssue {
  const [path, otherPath] = [pathOf(hooked), pathOf(other)]
  return {
    location: path,
    message: `a definition has hooks for it, but ${otherPath} is stored in the same columns: a write of ${otherPath} would change ${path} without these hooks.`,
    remedy: `Let clients write only one of them: give ${otherPath} no create, set, add or remove in its capabilities.`,
  }
}

function pathOf({ declaringType, property }: Relationship): string {
  return `${declaringType.resourceClass.name}.${property}`
}
