import type { JsonValue } from '../document/json'
import type { IdCodec } from './id-codec'
import type { LinkSwitches } from './link-options'
import type { StandardSchema } from './standard-schema'

/** Limits for the pages of collections. `null` switches a limit off. */
export interface PageOptions {
  /** Resources per page if the client sends no `page[size]`. Default: 10. `null`: all resources. */
  readonly size: number | null
  /** The largest `page[size]` that a client may send. Default: 100. */
  readonly maxSize: number | null
  /** The largest `page[number]` that a client may send. Default: `null`. */
  readonly maxNumber: number | null
}

/**
 * The default pagination. `numbers`: page numbers. `cursors`: each page costs the same, and rows that are inserted or deleted don't shift
 * it. Clients may request the other kind. Default: `numbers`.
 */
export type PaginationKind = (typeof PAGINATION_KINDS)[number]
export const PAGINATION_KINDS = ['numbers', 'cursors'] as const

/**
 * How collections are counted for `meta` and the `last` link. Default: `exact`.
 *
 * - `exact`: counts all rows.
 * - `{ maxCount: 1000 }`: stops there. If there are more rows, the response has `meta.totalOver`.
 * - `estimated`: uses the database's estimate, as `meta.estimatedTotal`, if a table is listed without filters. Otherwise counts all rows.
 * - `false`: does not count.
 */
export type TotalOption = (typeof TOTAL_OPTIONS)[number] | CountLimit
export const TOTAL_OPTIONS = ['exact', 'estimated', false] as const

interface CountLimit {
  readonly maxCount: number
}

/** When a relationship object has `data`: only if the relationship is included, or always. */
export type LinkageOption = (typeof LINKAGE_OPTIONS)[number]
export const LINKAGE_OPTIONS = ['included', 'always'] as const

/** Whether clients may choose the id of a new resource. Default: `forbidden`. */
export type ClientGeneratedIdOption = (typeof CLIENT_GENERATED_ID_OPTIONS)[number]
export const CLIENT_GENERATED_ID_OPTIONS = ['forbidden', 'allowed', 'required'] as const

/** Whether clients must send `If-Match`, or the version in an operation, with a write. Default: `optional`. */
export type IfMatchOption = (typeof IF_MATCH_OPTION_VALUES)[number]
export const IF_MATCH_OPTION_VALUES = ['optional', 'required'] as const

/**
 * The response to an update. `changes`: 204 if the server changed nothing besides the fields that were sent. `document`: always 200 with
 * the resource. Default: `changes`.
 */
export type UpdateResponseMode = (typeof UPDATE_RESPONSE_MODES)[number]
export const UPDATE_RESPONSE_MODES = ['changes', 'document'] as const

/**
 * What clients may do with an attribute. Without `view`, readers cannot tell that it exists. Without `create` and `change`, only rules and
 * defaults set its value.
 *
 * - `view`: read it in documents.
 * - `filter`, `sort`: filter and sort by it, also at the end of a path.
 * - `create`: send it in a POST.
 * - `change`: send it in a PATCH.
 */
export type AttributeCapability = (typeof ATTRIBUTE_CAPABILITIES)[number]
export const ATTRIBUTE_CAPABILITIES = ['view', 'filter', 'sort', 'create', 'change'] as const

/**
 * What clients may do with a to-one relationship.
 *
 * - `filter`: follow it in paths of filters, or end a path with it.
 * - `create`: send it in the POST of its resource.
 * - `set`: replace or clear it later.
 */
export type ToOneCapability = (typeof TO_ONE_CAPABILITIES)[number]
export const TO_ONE_CAPABILITIES = ['view', 'include', 'filter', 'create', 'set'] as const

/**
 * What clients may do with a to-many relationship.
 *
 * - `filter`: filter with `has` and `count`.
 * - `create`: send it in the POST of its resource.
 * - `set`: replace all its members later.
 * - `add`, `remove`: add or remove single members.
 */
export type ToManyCapability = (typeof TO_MANY_CAPABILITIES)[number]
export const TO_MANY_CAPABILITIES = ['view', 'include', 'filter', 'create', 'set', 'add', 'remove'] as const

/** Default capabilities of fields that declare none. */
export interface DefaultCapabilities {
  readonly attribute: readonly AttributeCapability[]
  readonly toOne: readonly ToOneCapability[]
  readonly toMany: readonly ToManyCapability[]
}

/**
 * The endpoints of a type. `getRelated` is `GET /articles/1/author`. The endpoints with `Relationship` in their names are at
 * `/articles/1/relationships/author`.
 */
export type EndpointName = (typeof ENDPOINT_NAMES)[number]
export const ENDPOINT_NAMES = [
  ...(['getCollection', 'getResource', 'createResource', 'updateResource', 'deleteResource', 'getRelated'] as const),
  ...(['getRelationship', 'setRelationship', 'addToRelationship', 'removeFromRelationship'] as const),
] as const

export const READ_ENDPOINTS: readonly EndpointName[] = ['getCollection', 'getResource', 'getRelated', 'getRelationship']

/** The query parameter families of JSON:API. `filter` includes `filter[comments]`. */
export type QueryParameterFamily = (typeof QUERY_PARAMETER_NAMES)[number]
export const QUERY_PARAMETER_NAMES = ['filter', 'sort', 'include', 'fields', 'page'] as const

/** `reject`: 400. `ignore`: accepted without effect. A list: accepts these names. */
export type UnknownParametersOption = 'reject' | 'ignore' | readonly string[]

/** `reject`: 422. `ignore`: accepted without effect. */
export type UnknownFieldsOption = (typeof UNKNOWN_FIELDS_OPTIONS)[number]
export const UNKNOWN_FIELDS_OPTIONS = ['reject', 'ignore'] as const

/** Texts for the OpenAPI document. They have no effect on requests. Default: none. */
export interface Annotations {
  /** A description. May contain Markdown. */
  readonly description?: string
  /** `true`: clients should stop using it, because it will be removed. Default: `false`. */
  readonly deprecated?: boolean
}

/** Texts and an example for an attribute. */
export interface AttributeAnnotations extends Annotations {
  /**
   * An example value as it appears in a document. `createJsonApi` reports a value that a client could not send.
   *
   * `@Attribute({ description: 'As on the cover.', example: 'Walden' })` -> `"title": { "type": "string", "description": "As on the cover.",
   * "examples": ["Walden"] }`
   */
  readonly example?: JsonValue
}

/** Returns the annotations among the options of a class or field. */
export function pickAnnotations({ description, deprecated, example }: AttributeAnnotations): AttributeAnnotations {
  return {
    ...(description !== undefined && { description }),
    ...(deprecated !== undefined && { deprecated }),
    ...(example !== undefined && { example }),
  }
}

/**
 * Options of a resource type. An option that is left out is inherited from the base type, and then from the options of `createJsonApi`;
 * annotations are not inherited.
 */
export interface ResourceOptions extends Annotations {
  /** No row has this type itself, only types derived from it. Default: `false`. */
  readonly abstract?: boolean
  /**
   * The enabled endpoints. All others return 403, and no link points to them. A request is checked by the type in its URL, a link by the
   * stored type. Default: all.
   *
   * `@Resource('logs', { endpoints: ['getCollection', 'getResource'] })` -> `POST /logs` returns 403
   */
  readonly endpoints?: readonly EndpointName[]
  /**
   * The query parameters that clients may use with URLs that lead to this type. All others return 400. Default: all.
   *
   * `@Resource('logs', { parameters: ['page'] })` -> `GET /logs?sort=id` returns 400
   */
  readonly parameters?: readonly QueryParameterFamily[]
  readonly page?: Partial<PageOptions>
  readonly pagination?: PaginationKind
  readonly totals?: TotalOption
  readonly clientGeneratedIds?: ClientGeneratedIdOption
  /** Applies to bodies that name this type. */
  readonly unknownFields?: UnknownFieldsOption
  /** Applies to resources with this stored type. */
  readonly ifMatch?: IfMatchOption
  /**
   * A schema for the attributes, from any library that implements Standard Schema. It also applies to derived types, in addition to their
   * own schemas. The schema receives the attributes as a document shows them. Default: none.
   *
   * `@Resource('men', { schema: z.object({ name: z.string().min(2) }) })` -> a name of one letter returns 422
   */
  readonly schema?: StandardSchema
  /**
   * Converts primary keys to the ids that clients see. Declare it at the topmost type of a hierarchy. Default: ids are the keys themselves.
   *
   * `@Resource('accounts', { idCodec: { encode: (key: number) => sqids.encode([key]), decode: (id) => sqids.decode(id)[0] } })` ->
   * `{ "type": "accounts", "id": "86Rf07xd4z", "links": { "self": "/accounts/86Rf07xd4z" } }`
   */
  readonly idCodec?: IdCodec
  /**
   * The links that documents have. Default: those of the base type, then those of `createJsonApi`.
   *
   * `@Resource('logs', { links: { relationship: false } })` -> no relationship object of a log has links
   */
  readonly links?: Partial<LinkSwitches>
}

export interface AttributeOptions extends AttributeAnnotations {
  /** The public name. Default: the property name, converted by `namingStrategy` of `createJsonApi`. */
  readonly name?: string
  /**
   * What clients may do with the attribute. Default: `capabilities` of `createJsonApi`, and without it everything.
   *
   * `@Attribute({ capabilities: ['view', 'sort'] })` -> `?sort=title` sorts, `?filter=equals(title,'a')` returns 400, a PATCH of it returns 422
   */
  readonly capabilities?: readonly AttributeCapability[]
}

export interface ToOneOptions extends Annotations {
  /** The public name. Default: the property name, converted by `namingStrategy` of `createJsonApi`. */
  readonly name?: string
  /**
   * When its relationship objects have `data`. Default: `toOneLinkage` of `createJsonApi`, which defaults to `included`.
   *
   * `@ToOne({ linkage: 'always' })` -> `"author": { "links": { … }, "data": { "type": "people", "id": "9" } }` in every article
   */
  readonly linkage?: LinkageOption
  /**
   * Whether clients can't clear it, and must send it in a POST unless its foreign key has a default, although its column allows null. Default: required if
   * the column is `nullable: false` and has no default.
   *
   * `@ToOne({ required: true })` -> a POST without the author returns 422
   */
  readonly required?: boolean
  /**
   * What clients may do with the relationship. Without `view` it has no URLs either. Default: `capabilities` of `createJsonApi`, and
   * without it everything.
   *
   * `@ToOne({ capabilities: ['view', 'create'] })` -> the POST of an article sets its author; a PATCH of the author returns 403
   */
  readonly capabilities?: readonly ToOneCapability[]
  /**
   * Whether its relationship objects have links. `false`: they have none, and a relationship object is left out unless it has `data`.
   * Default: the `links` option of the type.
   *
   * `@ToOne({ links: false })` -> no `"author"` in `relationships` unless it is included
   */
  readonly links?: boolean
}

/** Options of a to-many relationship. Page options that are left out are inherited from the type of the related resources. */
export interface ToManyOptions extends Annotations {
  /** The public name. Default: the property name, converted by `namingStrategy` of `createJsonApi`. */
  readonly name?: string
  /**
   * What clients may do with the relationship. Without `view` it has no URLs either. Default: `capabilities` of `createJsonApi`, and
   * without it everything.
   *
   * `@ToMany({ capabilities: ['view', 'add'] })` -> `POST /articles/1/relationships/comments` adds, PATCH and DELETE return 403
   */
  readonly capabilities?: readonly ToManyCapability[]
  /** The page limits. `false`: always returns all related resources, whichever page the client requests. */
  readonly page?: Partial<PageOptions> | false
  /**
   * Whether its relationship objects have page links and `meta.total` if it is included. Default: `includedPagination` of `createJsonApi`,
   * which defaults to `false`.
   *
   * `@ToMany({ includedPagination: true })` -> `"comments": { "links": { …, "next": "/articles/1/relationships/comments?page…" }, "meta": { "total": 12 } }`
   */
  readonly includedPagination?: boolean
  readonly pagination?: PaginationKind
  readonly totals?: TotalOption
  /**
   * Whether its relationship objects have links. `false`: they have none, and a relationship object is left out unless it has `data`.
   * Default: the `links` option of the type.
   *
   * `@ToMany({ links: false })` -> no `"comments"` in `relationships` unless it is included
   */
  readonly links?: boolean
}
