import type { Relationship, ResourceType } from './resource-graph'

/** Returns the relationships of a type that change with the written ones, because they are stored in the same columns. */
export function relationshipsStoredTogetherWith(
  written: Iterable<Relationship>,
  { relationships }: Pick<ResourceType, 'relationships'>,
): readonly Relationship[] {
  const sent = [...written]
  const others = new Set(sent.flatMap(({ storedTogether }) => storedTogether))
  return others.size === 0 ? [] : relationships.filter((each) => others.has(each) && !sent.includes(each))
}
