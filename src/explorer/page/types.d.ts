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

export interface ExplorerApiErrorObject {
  readonly status?: string
  readonly code?: string
  readonly title?: string
  readonly detail?: string
  readonly source?: { readonly pointer?: string; readonly parameter?: string; readonly header?: string }
}

export interface ExplorerApiDocument {
  readonly data?: ResourceObject | readonly ResourceObject[] | null
  readonly included?: readonly ResourceObject[]
  readonly errors?: readonly ExplorerApiErrorObject[]
  readonly links?: LinksObject
  readonly meta?: Readonly<Record<string, unknown>>
}

/** The response to a request. */
export interface ExplorerApiResponse {
  readonly status: number
  readonly statusText: string
  readonly milliseconds: number
  readonly size: number
  readonly etag: string | null
  /** `undefined` if there is no JSON body. */
  readonly document: ExplorerApiDocument | undefined
  readonly text: string
}

/** The members that the page reads. https://json-schema.org */
export interface ExplorerOpenApiSchema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly format?: string
  readonly description?: string
  readonly deprecated?: boolean
  readonly readOnly?: boolean
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly pattern?: string
  readonly examples?: readonly unknown[]
  readonly required?: readonly string[]
  readonly properties?: Readonly<Record<string, ExplorerOpenApiSchema>>
  readonly items?: ExplorerOpenApiSchema
  readonly oneOf?: readonly ExplorerOpenApiSchema[]
  readonly anyOf?: readonly ExplorerOpenApiSchema[]
}

export interface ExplorerOpenApiParameter {
  readonly $ref?: string
  readonly name: string
  readonly description?: string
  readonly schema?: ExplorerOpenApiSchema
}

export interface ExplorerOpenApiContent {
  readonly content?: Readonly<Record<string, { readonly schema?: ExplorerOpenApiSchema }>>
}

export interface ExplorerOpenApiOperation {
  readonly parameters?: readonly ExplorerOpenApiParameter[]
  readonly requestBody?: ExplorerOpenApiContent
  readonly responses?: Readonly<Record<string, ExplorerOpenApiContent>>
}

export interface ExplorerOpenApiDocument {
  readonly info: { readonly title: string; readonly version: string; readonly description?: string }
  readonly tags: readonly {
    readonly name: string
    readonly description?: string
    readonly 'x-resource-type': {
      readonly base?: string
      readonly abstract: boolean
      readonly fields: readonly {
        readonly name: string
        readonly kind: FieldInfoKind
        readonly target?: string
        readonly description?: string
        readonly capabilities: readonly string[]
      }[]
    }
  }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, ExplorerOpenApiOperation>>>>
  readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}

export type FieldInfoKind = 'attribute' | 'toOne' | 'toMany'

/** A field of a type, as the page shows it. */
export interface FieldInfo {
  readonly name: string
  readonly kind: FieldInfoKind
  /** The related type; `undefined` for an attribute. */
  readonly target: string | undefined
  readonly description: string | undefined
  readonly capabilities: readonly string[]
  /** The schema of the attribute, or of the relationship's linkage. */
  readonly schema: ExplorerOpenApiSchema
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
  /** With the query string, relative to the host. */
  readonly url: string
  readonly search: string
}

/** The parsed parameters of a query string. */
export interface ExplorerQueryParameters {
  readonly filter: string
  readonly sort: readonly string[]
  readonly include: readonly string[]
  /** By type; `undefined` for all fields. */
  readonly fields: Readonly<Record<string, readonly string[]>>
  readonly page: Readonly<Record<string, string>>
  /** Other parameters, unchanged: `filter[children]`, or parameters of the application. */
  readonly others: readonly (readonly [name: string, value: string])[]
}

/** The children of an element. `undefined` is skipped. */
export type ElementChild = Node | string | number | null | undefined | false | readonly ElementChild[]
