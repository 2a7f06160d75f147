import type { Field, Relationship } from './resource-graph'

export function isRelationship(field: Field): field is Relationship {
  return field.kind !== 'attribute'
}

/** Returns true if many resources can have the same related resource: the relationship is many-to-one or many-to-many. */
export function isShared({ inverse }: Pick<Relationship, 'inverse'>): boolean {
  return inverse?.kind !== 'toOne'
}
