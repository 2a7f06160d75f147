import type { JsonObject } from './json'

/** Names one resource. https://jsonapi.org/format/1.1/#document-resource-identifier-objects */
export interface ResourceIdentifier {
  readonly type: string
  readonly id: string
  readonly meta?: JsonObject
}
