import type { ErrorObject } from './error-object'
import type { JsonObject, JsonValue } from './json'
import type { ResourceIdentifier } from './resource-identifier'

export interface ResourceObject extends ResourceIdentifier {
  readonly attributes?: { readonly [name: string]: JsonValue }
  readonly relationships?: { readonly [name: string]: RelationshipObject }
  readonly links?: Links
  readonly meta?: JsonObject
}

export interface RelationshipObject {
  readonly links?: Links
  readonly data?: Linkage
  readonly meta?: JsonObject
}

/** https://jsonapi.org/format/1.1/#document-resource-object-linkage */
export type Linkage = ResourceIdentifier | null | readonly ResourceIdentifier[]

export interface Links {
  readonly [name: string]: Link
}

/** https://jsonapi.org/format/1.1/#document-links */
export type Link = string | LinkObject | null

export interface LinkObject {
  readonly href: string
  /** The media type of what the link leads to. */
  readonly type?: string
}

/** https://jsonapi.org/format/1.1/#document-jsonapi-object */
export interface JsonApiObject {
  readonly version: string
  /** URIs of the extensions that are applied to the document. */
  readonly ext?: readonly string[]
  readonly profile?: readonly string[]
}

/** A document that carries primary data. https://jsonapi.org/format/1.1/#document-top-level */
export interface DataDocument {
  readonly jsonapi: JsonApiObject
  readonly links?: Links
  readonly data: PrimaryData
  readonly included?: readonly ResourceObject[]
  readonly meta?: JsonObject
}

export type PrimaryData =
  | ResourceObject
  | ResourceIdentifier
  | null
  | readonly ResourceObject[]
  | readonly ResourceIdentifier[]

export interface MetaDocument {
  readonly jsonapi: JsonApiObject
  readonly links?: Links
  readonly meta: JsonObject
}

export interface ErrorDocument {
  readonly jsonapi: JsonApiObject
  readonly links?: Links
  readonly errors: readonly ErrorObject[]
  readonly meta?: JsonObject
}

/** https://jsonapi.org/ext/atomic/#document-structure */
export interface ResultsDocument {
  readonly jsonapi: JsonApiObject
  readonly links?: Links
  readonly 'atomic:results': readonly ResultObject[]
  readonly meta?: JsonObject
}

/** https://jsonapi.org/ext/atomic/#result-objects */
export interface ResultObject {
  readonly data?: PrimaryData
  readonly meta?: JsonObject
}

export type Document = DataDocument | MetaDocument | ErrorDocument | ResultsDocument
