import type { ResourceIdentifierObject } from '../core/api-types'
import { keyOf } from '../core/resources'

/** A resource that the user has picked, with the text that the picker showed. */
export interface Picked {
  readonly identifier: ResourceIdentifierObject
  readonly label: string | undefined
}

export function toPicked(all: readonly ResourceIdentifierObject[], labels: ReadonlyMap<string, string>): Picked[] {
  return all.map(({ type, id }) => ({ identifier: { type, id }, label: labels.get(keyOf({ type, id })) }))
}
