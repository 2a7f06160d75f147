import { inversesOf, type Relationship, type ResourceType, type StoredType } from './resource-graph'

/** Returns the relationships of a type that change with the written ones, because they are stored in the same columns. */
export function relationshipsChangedWith(
  written: Iterable<Relationship>,
  { relationships }: Pick<ResourceType, 'relationships'>,
): readonly Relationship[] {
  const sent = [...written]
  const others = new Set(sent.flatMap(({ storedTogether }) => storedTogether))
  return others.size === 0 ? [] : relationships.filter((each) => others.has(each) && !sent.includes(each))
}

/** Returns the relationships of a related resource that change with one that leads to it. Its stored type decides. */
export function relationshipsLeadingBack(relationship: Relationship, related: StoredType): readonly Relationship[] {
  // A relationship that is its own inverse is stored in one direction. A link does not change the other end.
  const inverses = inversesOf(relationship, related).filter((each) => each !== relationship)
  return [...inverses, ...relationshipsChangedWith(inverses, related)]
}
