import type { JsonObject } from './json'

/** Where a mistake is: one of the three. https://jsonapi.org/format/1.1/#error-objects */
export type ErrorSource = { readonly pointer: string } | { readonly parameter: string } | { readonly header: string }

/** https://jsonapi.org/format/1.1/#error-objects */
export interface ErrorObject {
  readonly status: string
  readonly code: string
  readonly title: string
  readonly detail?: string
  readonly source?: ErrorSource
  /** `type`: what kind of error this is, by URI. */
  readonly links?: { readonly type: string }
  readonly meta?: JsonObject
}
