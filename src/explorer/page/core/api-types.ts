/** The members of documents that the page reads. Any of them may be missing. */

export interface ResourceIdentifierObject {
  readonly type: string
  readonly id: string
}

export type Linkage = ResourceIdentifierObject | readonly ResourceIdentifierObject[] | null

export type LinkValue = string | { readonly href?: string } | null

export type LinksObject = Readonly<Record<string, LinkValue>>

export interface RelationshipObject {
  readonly data?: Linkage
  readonly links?: LinksObject
  readonly meta?: Readonly<Record<string, unknown>>
}

export interface ResourceObject extends ResourceIdentifierObject {
  readonly attributes?: Readonly<Record<string, unknown>>
  readonly relationships?: Readonly<Record<string, RelationshipObject>>
  readonly links?: LinksObject
}

export interface ApiErrorObject {
  readonly status?: string
  readonly code?: string
  readonly title?: string
  readonly detail?: string
  readonly source?: { readonly pointer?: string; readonly parameter?: string; readonly header?: string }
}

export interface JsonApiDocument {
  readonly data?: ResourceObject | readonly ResourceObject[] | null
  readonly included?: readonly ResourceObject[]
  readonly errors?: readonly ApiErrorObject[]
  readonly links?: LinksObject
  readonly meta?: Readonly<Record<string, unknown>>
  /** In responses to atomic operations. */
  readonly 'atomic:results'?: readonly OperationResult[]
}

export interface OperationResult {
  readonly data?: ResourceObject | null
  readonly meta?: Readonly<Record<string, unknown>>
}

/** A request to the API. */
export interface OutgoingRequest {
  readonly method: string
  /** Relative to the host. */
  readonly url: string
  /** Sent as JSON. */
  readonly body?: unknown
  /** Replaces the media type of JSON:API in `Accept` and `Content-Type`, for the extension `atomic`. */
  readonly mediaType?: string | undefined
  /** The ETag that the resource must have. */
  readonly ifMatch?: string | null | undefined
}

/** The response to a request. */
export interface ReceivedApiResponse {
  readonly status: number
  readonly statusText: string
  readonly milliseconds: number
  readonly size: number
  readonly headers: Headers
  /** `undefined` if there is no JSON body. */
  readonly document: JsonApiDocument | undefined
  readonly text: string
}

/** The members that the page reads. https://json-schema.org */
export interface OpenApiSchema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly format?: string
  readonly description?: string
  readonly deprecated?: boolean
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly pattern?: string
  readonly required?: readonly string[]
  readonly properties?: Readonly<Record<string, OpenApiSchema>>
  readonly items?: OpenApiSchema
  readonly oneOf?: readonly OpenApiSchema[]
  readonly anyOf?: readonly OpenApiSchema[]
}

export interface OpenApiParameter {
  readonly $ref?: string
  readonly name: string
  readonly description?: string
  readonly schema?: OpenApiSchema
}

export interface OpenApiBody {
  readonly content?: Readonly<Record<string, { readonly schema?: OpenApiSchema }>>
}

export interface OpenApiOperation {
  readonly operationId?: string
  readonly parameters?: readonly OpenApiParameter[]
  readonly requestBody?: OpenApiBody
  readonly responses?: Readonly<Record<string, OpenApiBody>>
}

/** https://spec.openapis.org/oas/v3.1.1.html#security-scheme-object */
export interface OpenApiSecurityScheme {
  readonly $ref?: string
  readonly type: string
  readonly description?: string
  /** For `http`: `bearer`, `basic`, … */
  readonly scheme?: string
  /** For `apiKey`: the name of the header, the parameter or the cookie. */
  readonly name?: string
  readonly in?: string
}

export interface OpenApiDocument {
  readonly info: { readonly title: string; readonly version: string; readonly description?: string }
  readonly tags: readonly {
    readonly name: string
    readonly description?: string
    /** Missing for tags that are no resource types. */
    readonly 'x-resource-type'?: {
      readonly base?: string
      readonly abstract: boolean
      readonly fields: readonly (Pick<FieldInfo, 'name' | 'kind' | 'capabilities'> & {
        readonly target?: string
        readonly description?: string
      })[]
    }
  }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>
  /** Each component has the type of the place that refers to it. */
  readonly components?: Readonly<Record<string, Readonly<Record<string, never>>>>
}

/** A field of a type, as the page shows it. */
export interface FieldInfo {
  readonly name: string
  readonly kind: 'attribute' | 'toOne' | 'toMany'
  /** The related type; `undefined` for an attribute. */
  readonly target: string | undefined
  readonly description: string | undefined
  readonly capabilities: readonly string[]
  /** The schema of the attribute, or of the relationship's linkage. */
  readonly schema: OpenApiSchema
  /** False for inherited fields. */
  readonly isOwn: boolean
}

export interface TypeInfo {
  readonly name: string
  readonly base: string | undefined
  readonly isAbstract: boolean
  readonly description: string | undefined
  readonly fields: readonly FieldInfo[]
  /** Names of the directly derived types. */
  readonly derived: readonly string[]
}

export type UrlKind = 'root' | 'collection' | 'individual' | 'related' | 'relationship' | 'unknown'

/** A parsed URL of the API. */
export interface ParsedApiUrl {
  readonly shape: UrlKind
  readonly type: string
  readonly id: string
  readonly relationship: string
  readonly path: string
  /** With the query string, relative to the host. */
  readonly url: string
  readonly search: string
  /** The fragment with its `#`, or `''`. */
  readonly hash: string
}

/** The parsed parameters of a query string. */
export interface ParsedQueryString {
  readonly filter: string
  readonly sort: readonly string[]
  readonly include: readonly string[]
  /** By type; `undefined` for all fields. */
  readonly fields: Readonly<Record<string, readonly string[]>>
  readonly page: Readonly<Record<string, string>>
  /** Other parameters, unchanged: `filter[children]`, or parameters of the application. */
  readonly others: readonly (readonly [name: string, value: string])[]
}
