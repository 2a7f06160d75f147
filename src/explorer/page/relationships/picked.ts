import type { ResourceIdentifierObject } from '../core/api-types'

/** A resource that the user has picked, with the text that the picker showed. */
export interface Picked {
  readonly identifier: ResourceIdentifierObject
  readonly label: string | undefined
}
