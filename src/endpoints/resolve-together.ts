import { areInSameLineage } from '../graph/model/inheritance'
import type { Relationship, ResourceType, StoredType } from '../graph/model/resource-graph'
import type { ReadPlan } from '../plan/read-plan'
import type { RelationshipChange } from '../plan/write-plan'
import type { ToOneStep } from '../query/tree/ast'
import { filterReadsRowsOfTypes } from '../query/tree/reads-rows-of'
import type { ParsedResourceObject } from '../records/parsed-resource-object'
import { identifiersInLinkage, loadExistingIdentifiers } from './load-related-records-of-write'
import type { RequestScope, WriteContext } from './request-scope'

/**
 * Returns true if the relationships of several writes to rows of one type can be resolved before the first write: each is a foreign key of the row, no hook
 * runs, and none of the writes can change which related resources the client sees.
 */
export function canResolveRelationshipsAcrossWrites(
  type: StoredType,
  { relationships }: ParsedResourceObject,
  scope: RequestScope,
): boolean {
  return [...relationships.keys()].every((relationship) => {
    const isHooked = scope.core.definitions.hookedRelationships.hasInverseHook(relationship)
    const { target } = relationship
    const isOwnType = areInSameLineage(target, type) && scope.rules.visibilityFilterOf(target) !== undefined
    return (
      isKeyOfRow(relationship) && !isHooked && !isOwnType && visibilityRuleIgnoresWrittenTypes([type], target, scope)
    )
  })
}

/** Returns true if a write of the relationship changes one row only. */
function isKeyOfRow(relationship: Relationship): boolean {
  return relationship.kind === 'toOne' && relationship.holdsKey && !relationship.isExclusive
}

/** Returns true if the rule that hides rows of a type reads no row of the written types through a relationship. */
export function visibilityRuleIgnoresWrittenTypes(
  written: readonly ResourceType[],
  type: ResourceType,
  { rules }: RequestScope,
): boolean {
  const filter = rules.visibilityFilterOf(type)
  const isWritten = (read: ResourceType) => written.some((each) => areInSameLineage(read, each))
  return filter === undefined || !filterReadsRowsOfTypes(filter, isWritten)
}

/**
 * Returns true if the response to a write of a row of this type shows the same after later writes of other such rows: no rule, virtual column or shown
 * linkage reads them.
 */
export function responseIgnoresLaterWrites({ layer: { type }, projection }: ReadPlan, scope: RequestScope): boolean {
  const isWritten = (read: ResourceType) => areInSameLineage(read, type)
  const mayChange = ({ relationship: { holdsKey, target }, rule }: ToOneStep) =>
    (isWritten(target) && (rule !== undefined || !holdsKey)) ||
    (rule !== undefined && filterReadsRowsOfTypes(rule, isWritten))
  return (
    visibilityRuleIgnoresWrittenTypes([type], type, scope) &&
    type.concreteTypes.every((stored) => {
      const { fetched, linked } = projection.of(stored)
      return !fetched.some(({ isVirtual }) => isVirtual) && !linked.some(mayChange)
    })
  )
}

/**
 * Finds the related resources of writes with the same relationships, with one statement for each relationship. Returns the changes of each write;
 * `undefined` if a related resource is missing.
 */
export async function resolveLinkageOfWritesTogether(
  inputs: readonly ParsedResourceObject[],
  writeContext: WriteContext,
): Promise<readonly (readonly RelationshipChange[])[] | undefined> {
  const changesByRelationship: (readonly RelationshipChange[])[] = []
  for (const relationship of inputs[0]?.relationships.keys() ?? []) {
    const changes = await toRelationshipChanges(relationship, inputs, writeContext)
    if (changes.length < inputs.length) return undefined
    changesByRelationship.push(changes)
  }
  return inputs.map((_, index) => changesByRelationship.flatMap((changes) => changes[index] ?? []))
}

/** Returns the change of a to-one relationship for each resource whose related resource exists. */
async function toRelationshipChanges(
  relationship: Relationship,
  inputs: readonly ParsedResourceObject[],
  writeContext: WriteContext,
): Promise<readonly RelationshipChange[]> {
  const linkages = inputs.flatMap(({ relationships }) => relationships.get(relationship) ?? [])
  const identifiers = linkages.flatMap((linkage) => identifiersInLinkage(linkage))
  const existing = identifiers.filter((identifier) => identifier.kind === 'existing')
  const found = await loadExistingIdentifiers(relationship, existing, writeContext)
  return linkages.flatMap((linkage): readonly RelationshipChange[] => {
    const [identifier] = identifiersInLinkage(linkage)
    const row = identifier?.kind === 'existing' ? found.get(identifier) : undefined
    const isCleared = identifier === undefined && relationship.kind === 'toOne' && relationship.isNullable
    if (row === undefined && !isCleared) return []
    const related = row === undefined ? [] : [{ type: row.type, id: row.id }]
    return [{ relationship, mode: 'set', related }]
  })
}
