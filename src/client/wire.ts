/** The members of a document that the client reads: https://jsonapi.org/format/1.1/#document-structure */
export interface WireDocument {
  readonly data?: ResourceObject | readonly ResourceObject[] | null
  readonly included?: readonly ResourceObject[]
  readonly errors?: readonly WireError[]
  readonly links?: WireLinks
  readonly meta?: Meta
  readonly 'atomic:results'?: readonly { readonly data?: ResourceObject; readonly meta?: Meta }[]
}

/** A resource object as it was received. */
export interface ResourceObject {
  readonly type: string
  readonly id: string
  readonly attributes?: Readonly<Record<string, unknown>>
  readonly relationships?: Readonly<Record<string, WireRelationship>>
  readonly links?: WireLinks
  readonly meta?: Meta
}

export interface WireRelationship {
  readonly data?: ResourceObject | readonly ResourceObject[] | null
  readonly links?: WireLinks
  readonly meta?: Meta
}

export type Meta = Readonly<Record<string, unknown>>

interface WireLinks {
  readonly [name: string]: string | { readonly href: string } | null | undefined
}

/** An error object of a response. https://jsonapi.org/format/1.1/#error-objects */
export interface WireError {
  readonly status?: string
  readonly code?: string
  readonly title?: string
  readonly detail?: string
  readonly source?: { readonly pointer?: string; readonly parameter?: string; readonly header?: string }
  readonly meta?: Meta
}

/** A request and its response. */
export interface ClientHttpExchange {
  readonly method: string
  readonly url: string
  readonly status: number
  readonly headers: Headers
  /** `undefined` if the response is not JSON. */
  readonly document: WireDocument | undefined
}
