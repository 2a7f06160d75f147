/** What is read of documents: https://jsonapi.org/format/1.1/#document-structure */
export interface WireDocument {
  readonly data?: WireResource | readonly WireResource[] | null
  readonly included?: readonly WireResource[]
  readonly errors?: readonly ErrorDetails[]
  readonly links?: WireLinks
  readonly meta?: Meta
  readonly 'atomic:results'?: readonly { readonly data?: WireResource; readonly meta?: Meta }[]
}

/** A resource as it was sent. */
export interface WireResource {
  readonly type: string
  readonly id: string
  readonly attributes?: Readonly<Record<string, unknown>>
  readonly relationships?: Readonly<Record<string, WireRelationship>>
  readonly links?: WireLinks
  readonly meta?: Meta
}

export interface WireRelationship {
  readonly data?: WireResource | readonly WireResource[] | null
  readonly links?: WireLinks
  readonly meta?: Meta
}

export type Meta = Readonly<Record<string, unknown>>

export interface WireLinks {
  readonly [name: string]: string | { readonly href: string } | null | undefined
}

/** https://jsonapi.org/format/1.1/#error-objects */
export interface ErrorDetails {
  readonly status?: string
  readonly code?: string
  readonly title?: string
  readonly detail?: string
  readonly source?: { readonly pointer?: string; readonly parameter?: string; readonly header?: string }
  readonly meta?: Meta
}

/** What was asked, and what was answered. */
export interface Exchange {
  readonly method: string
  readonly url: string
  readonly status: number
  readonly headers: Headers
  /** `undefined` where there was no JSON. */
  readonly document: WireDocument | undefined
}
