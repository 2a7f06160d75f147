/** What the page reads of documents. All of it comes from outside: every member may be missing. */

export interface Identifier {
  readonly type: string
  readonly id: string
}

export type Linkage = Identifier | readonly Identifier[] | null

export type Link = string | { readonly href?: string } | null

export type Links = Readonly<Record<string, Link>>

export interface Relationship {
  readonly data?: Linkage
  readonly links?: Links
  readonly meta?: Readonly<Record<string, unknown>>
}

export interface Resource extends Identifier {
  readonly attributes?: Readonly<Record<string, unknown>>
  readonly relationships?: Readonly<Record<string, Relationship>>
  readonly links?: Links
}

export interface ApiError {
  readonly status?: string
  readonly code?: string
  readonly title?: string
  readonly detail?: string
  readonly source?: { readonly pointer?: string; readonly parameter?: string; readonly header?: string }
}

export interface ApiDocument {
  readonly data?: Resource | readonly Resource[] | null
  readonly included?: readonly Resource[]
  readonly errors?: readonly ApiError[]
  readonly links?: Links
  readonly meta?: Readonly<Record<string, unknown>>
}

/** What came of a request. */
export interface Answer {
  readonly status: number
  readonly statusText: string
  readonly milliseconds: number
  readonly size: number
  readonly etag: string | null
  /** `undefined`: no body, or none of JSON. */
  readonly document: ApiDocument | undefined
  readonly text: string
}

/** As far as the page reads it. https://json-schema.org */
export interface Schema {
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
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
  readonly oneOf?: readonly Schema[]
  readonly anyOf?: readonly Schema[]
}

export interface Parameter {
  readonly $ref?: string
  readonly name: string
  readonly description?: string
  readonly schema?: Schema
}

export interface Content {
  readonly content?: Readonly<Record<string, { readonly schema?: Schema }>>
}

export interface Operation {
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: Content
  readonly responses?: Readonly<Record<string, Content>>
}

export interface OpenApi {
  readonly info: { readonly title: string; readonly version: string; readonly description?: string }
  readonly tags: readonly {
    readonly name: string
    readonly description?: string
    readonly 'x-resource-type': {
      readonly base?: string
      readonly abstract: boolean
      readonly fields: readonly {
        readonly name: string
        readonly kind: FieldKind
        readonly target?: string
        readonly description?: string
        readonly capabilities: readonly string[]
      }[]
    }
  }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}

export type FieldKind = 'attribute' | 'toOne' | 'toMany'

/** A field of a type, as the page shows it. */
export interface Field {
  readonly name: string
  readonly kind: FieldKind
  /** The type of what stands at the other end; `undefined`: an attribute. */
  readonly target: string | undefined
  readonly description: string | undefined
  readonly capabilities: readonly string[]
  /** Of an attribute; of a relationship it is that of its linkage. */
  readonly schema: Schema
  /** Inherited fields are those of the base too. */
  readonly isOwn: boolean
}

export interface ResourceType {
  readonly name: string
  readonly base: string | undefined
  readonly isAbstract: boolean
  readonly description: string | undefined
  readonly fields: readonly Field[]
  /** Names of the types directly below. */
  readonly derived: readonly string[]
}

export type Shape = 'root' | 'collection' | 'individual' | 'related' | 'relationship' | 'unknown'

/** What a URL of the API is about. */
export interface Place {
  readonly shape: Shape
  readonly type: string
  readonly id: string
  readonly relationship: string
  /** With the query string, relative to the host. */
  readonly url: string
  readonly search: string
}

/** What the builder knows of a query string. */
export interface Query {
  readonly filter: string
  readonly sort: readonly string[]
  readonly include: readonly string[]
  /** By type; `undefined`: all of them. */
  readonly fields: Readonly<Record<string, readonly string[]>>
  readonly page: Readonly<Record<string, string>>
  /** What it has no part for, as it stands in the URL: `filter[children]`, or parameters of the application. */
  readonly others: readonly (readonly [name: string, value: string])[]
}

/** What an element can be filled with. Nothing stays away. */
export type Child = Node | string | number | null | undefined | false | readonly Child[]
