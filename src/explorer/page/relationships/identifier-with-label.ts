import type { ResourceIdentifierObject } from '../core/api-types'
import { keyOf } from '../core/resources'

/** A resource that the user has picked, with the text that the picker showed. */
export interface IdentifierWithLabel {
  readonly identifier: ResourceIdentifierObject
  readonly label: string | undefined
}

export function toIdentifiersWithLabels(
  all: readonly ResourceIdentifierObject[],
  labels: ReadonlyMap<string, string>,
): IdentifierWithLabel[] {
  return all.map(({ type, id }) => ({ identifier: { type, id }, label: labels.get(keyOf({ type, id })) }))
}
