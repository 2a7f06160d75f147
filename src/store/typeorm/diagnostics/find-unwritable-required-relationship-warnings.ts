import type { ConfigurationWarning } from '../../../errors/configuration-warning'
import { isFieldWritable } from '../../../graph/model/capabilities'
import type { Relationship, ResourceGraph } from '../../../graph/model/resource-graph'

/** Finds relationships that new resources need and that neither clients nor rules can set, so that each creation fails. */
export function findUnwritableRequiredRelationshipWarnings({ types }: ResourceGraph): readonly ConfigurationWarning[] {
  return [...types.values()]
    .filter(({ endpoints, hasInsertListeners }) => endpoints.includes('createResource') && !hasInsertListeners)
    .flatMap((type) =>
      type.relationships
        .filter((relationship) => relationship.declaringType === type && isRequiredAndUnwritable(relationship))
        .map(({ property, name }) => ({
          kind: 'unwritable-required-relationship',
          location: `${type.resourceClass.name}.${property}`,
          message: `new resources of ${type.name} need '${name}', but clients can't send it, and rules can't set relationships.`,
          remedy:
            "Add 'create' to its capabilities, give its column a default, or switch createResource off in the endpoints of the type.",
        })),
    )
}

/** Another relationship or the id may set the same columns. */
function isRequiredAndUnwritable(relationship: Relationship): boolean {
  return (
    relationship.kind === 'toOne' &&
    relationship.holdsKey &&
    relationship.isRequired &&
    relationship.primaryKeyIndexes.length === 0 &&
    relationship.storedTogether.length === 0 &&
    !isFieldWritable(relationship, 'create')
  )
}
