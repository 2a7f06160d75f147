import type { JsonValue } from '../document/json'
import type { IdCodec } from './id-codec'
import type { LinkSwitch, LinkSwitches } from './link-options'
import type { StandardSchema } from './standard-schema'

/** How collections are cut into pages. `null` switches a limit off. */
export interface PageOptions {
  /** Resources on a page when the client names no size. Default: 10. `null`: all of them. */
  readonly size: number | null
  /** The largest size that a client may name. Default: 100. */
  readonly maxSize: number | null
  /** The last page number that a client may name. Default: `null`. */
  readonly maxNumber: number | null
}

/**
 * How clients go from page to page: by numbers, or by cursors, which make every page cost the same and stay in place when rows come and
 * go. Clients may always ask for the other kind. Default: `numbers`.
 */
export type Pagination = (typeof PAGINATIONS)[number]
export const PAGINATIONS = ['numbers', 'cursors'] as const

/**
 * How collections are counted, for `meta` and the `last` link. `exact`: to the end. `{ maxCount: 1000 }`: no further; of more rows `meta.totalOver`
 * says that there are. `estimated`: what the database knows without counting, as `meta.estimatedTotal`; only where a table is listed as a
 * whole, else to the end. `false`: not at all. Default: `exact`.
 */
export type TotalOption = (typeof TOTAL_OPTIONS)[number] | CountLimit
export const TOTAL_OPTIONS = ['exact', 'estimated', false] as const

export interface CountLimit {
  readonly maxCount: number
}

/** When a relationship object has `data`: only where the relationship is included, or always. */
export type LinkageOption = (typeof LINKAGE_OPTIONS)[number]
export const LINKAGE_OPTIONS = ['included', 'always'] as const

/** Whether relationship objects of included to-many relationships have the links of their pages, and their total. */
export type IncludedPaginationOption = (typeof INCLUDED_PAGINATION_OPTIONS)[number]
export const INCLUDED_PAGINATION_OPTIONS = [false, true] as const

/** Whether clients may name the id of what they create. Default: `forbidden`. */
export type ClientGeneratedIdOption = (typeof CLIENT_ID_OPTIONS)[number]
export const CLIENT_ID_OPTIONS = ['forbidden', 'allowed', 'required'] as const

/** Whether clients must say which state of a resource they write to. Default: `optional`. */
export type IfMatchOption = (typeof IF_MATCH_OPTIONS)[number]
export const IF_MATCH_OPTIONS = ['optional', 'required'] as const

/** Whether `filter[name]=Ann` filters by a field. Default: `false`. */
export type FieldFiltersOption = (typeof FIELD_FILTERS_OPTIONS)[number]
export const FIELD_FILTERS_OPTIONS = [false, true] as const

/** `changes`: an update answers 204 where nothing else was changed. `document`: always 200, with the resource. Default: `changes`. */
export type UpdatesOption = (typeof UPDATES_OPTIONS)[number]
export const UPDATES_OPTIONS = ['changes', 'document'] as const

/**
 * What clients may do with an attribute. `view`: it is in documents. `filter`, `sort`: it can be used so, at the end of a path. `create`:
 * a POST may give it. `change`: a PATCH may. Without `view` it is to readers as if it did not exist; without `create` and `change` only
 * rules and defaults give its value.
 */
export type AttributeCapability = (typeof ATTRIBUTE_CAPABILITIES)[number]
export const ATTRIBUTE_CAPABILITIES = ['view', 'filter', 'sort', 'create', 'change'] as const

/**
 * What clients may do with a to-one relationship. `filter`: paths of filters may lead over it, or end in it. `create`: the POST of its
 * resource may give it. `set`: it may be replaced or cleared later.
 */
export type ToOneCapability = (typeof TO_ONE_CAPABILITIES)[number]
export const TO_ONE_CAPABILITIES = ['view', 'include', 'filter', 'create', 'set'] as const

/**
 * What clients may do with a to-many relationship. `filter`: it can be asked for with `has` and counted with `count`. `create`: the POST
 * of its resource may give it. `set`: all of its members may be replaced later. `add`, `remove`: single ones may come and go.
 */
export type ToManyCapability = (typeof TO_MANY_CAPABILITIES)[number]
export const TO_MANY_CAPABILITIES = ['view', 'include', 'filter', 'create', 'set', 'add', 'remove'] as const

/** What fields may be used for when they do not say it themselves. */
export interface CapabilityOptions {
  readonly attribute: readonly AttributeCapability[]
  readonly toOne: readonly ToOneCapability[]
  readonly toMany: readonly ToManyCapability[]
}

/** The endpoints of a type. `getRelated` is `GET /articles/1/author`, those behind it are at `/articles/1/relationships/author`. */
export type EndpointName = (typeof ENDPOINTS)[number]
export const ENDPOINTS = [
  ...(['getCollection', 'getResource', 'createResource', 'updateResource', 'deleteResource', 'getRelated'] as const),
  ...(['getRelationship', 'setRelationship', 'addToRelationship', 'removeFromRelationship'] as const),
] as const

/** The query parameters of JSON:API, by family: `filter` is `filter[comments]` too. */
export type ParameterName = (typeof PARAMETERS)[number]
export const PARAMETERS = ['filter', 'sort', 'include', 'fields', 'page'] as const

/** `reject`: 400. `ignore`: let through. A list: these names are let through. */
export type UnknownParametersOption = 'reject' | 'ignore' | readonly string[]

/** `reject`: 422. `ignore`: let through. */
export type UnknownFieldsOption = (typeof UNKNOWN_FIELDS_OPTIONS)[number]
export const UNKNOWN_FIELDS_OPTIONS = ['reject', 'ignore'] as const

/** What is said for those who read the OpenAPI document, and means nothing to requests. Default: nothing. */
export interface Notes {
  /** Text, which may be Markdown. */
  readonly description?: string
  /** `true`: clients are to do without it, for it will go one day. */
  readonly deprecated?: boolean
}

/** What can be said of an attribute besides. */
export interface AttributeNotes extends Notes {
  /**
   * A value as a document would show it. Checked at start-up: it is one that could be sent.
   *
   * `@Attribute({ description: 'As on the cover.', example: 'Walden' })` -> `"title": { "type": "string", "description": "As on the cover.",
   * "examples": ["Walden"] }`
   */
  readonly example?: JsonValue
}

/** The notes among the options of a class or field. */
export function notesOf({ description, deprecated, example }: AttributeNotes): AttributeNotes {
  return {
    ...(description !== undefined && { description }),
    ...(deprecated !== undefined && { deprecated }),
    ...(example !== undefined && { example }),
  }
}

/** What is left out is taken from the base type, and in the end from the options of `createJsonApi`; notes are not. */
export interface ResourceOptions extends Notes {
  /** No row is ever stored as this type itself, only as types that derive from it. Default: `false`. */
  readonly abstract?: boolean
  /**
   * The endpoints that are switched on; all others answer 403, and nothing links to them. The type in the URL decides, for links the
   * stored type. Default: all.
   *
   * `@Resource('logs', { endpoints: ['getCollection', 'getResource'] })` -> `POST /logs` answers 403
   */
  readonly endpoints?: readonly EndpointName[]
  /**
   * The query parameters that can be used where resources of this type are the primary data; all others answer 400. Default: all.
   *
   * `@Resource('logs', { parameters: ['page'] })` -> `GET /logs?sort=id` answers 400
   */
  readonly parameters?: readonly ParameterName[]
  readonly page?: Partial<PageOptions>
  readonly pagination?: Pagination
  readonly totals?: TotalOption
  readonly clientGeneratedIds?: ClientGeneratedIdOption
  /** The type that is named in the body decides. */
  readonly unknownFields?: UnknownFieldsOption
  /** The stored type decides. */
  readonly ifMatch?: IfMatchOption
  /**
   * What the attributes must be, as a schema of any library that follows Standard Schema. It holds for derived types too, beside their
   * own, and sees the attributes as a document shows them. Default: none.
   *
   * `@Resource('men', { schema: z.object({ name: z.string().min(2) }) })` -> a name of one letter answers 422
   */
  readonly schema?: StandardSchema
  /**
   * What clients see in place of primary keys, wherever there is an id. Said once, at the topmost type of a hierarchy. Default: the keys
   * themselves.
   *
   * `@Resource('accounts', { idCodec: { encode: (key: number) => sqids.encode([key]), decode: (id) => sqids.decode(id)[0] } })` ->
   * `{ "type": "accounts", "id": "86Rf07xd4z", "links": { "self": "/accounts/86Rf07xd4z" } }`
   */
  readonly idCodec?: IdCodec
  /**
   * Which links there are. Default: those of the base type, in the end of `createJsonApi`.
   *
   * `@Resource('logs', { links: { relationship: false } })` -> no relationship object of a log has links
   */
  readonly links?: Partial<LinkSwitches>
}

export interface AttributeOptions extends AttributeNotes {
  /** The public name. Default: what `namingStrategy` of `createJsonApi` makes of the name of the property, in the end that name. */
  readonly name?: string
  /**
   * What clients may do with it. Default: what `createJsonApi` says, in the end all.
   *
   * `@Attribute({ capabilities: ['view', 'sort'] })` -> `?sort=title` sorts, `?filter=equals(title,'a')` answers 400, a PATCH of it 422
   */
  readonly capabilities?: readonly AttributeCapability[]
}

export interface ToOneOptions extends Notes {
  /** The public name. Default: what `namingStrategy` of `createJsonApi` makes of the name of the property, in the end that name. */
  readonly name?: string
  /**
   * When its relationship objects have `data`. Default: what `createJsonApi` says in `toOneLinkage`, in the end `included`.
   *
   * `@ToOne({ linkage: 'always' })` -> `"author": { "links": { … }, "data": { "type": "people", "id": "9" } }` in every article
   */
  readonly linkage?: LinkageOption
  /**
   * What clients may do with it; without `view` it has no URLs either. Default: what `createJsonApi` says, in the end all.
   *
   * `@ToOne({ capabilities: ['view', 'create'] })` -> the author of an article is said once, in the POST; a PATCH of it answers 403
   */
  readonly capabilities?: readonly ToOneCapability[]
  /**
   * `false`: its relationship objects have no links, and are there only when they have `data`. `true`: they have, also where the type says
   * otherwise. Default: what the type says.
   *
   * `@ToOne({ links: false })` -> no `"author"` in `relationships` unless it is included
   */
  readonly links?: LinkSwitch
}

/** What is left out is taken from the type of the related resources. */
export interface ToManyOptions extends Notes {
  /** The public name. Default: what `namingStrategy` of `createJsonApi` makes of the name of the property, in the end that name. */
  readonly name?: string
  /**
   * What clients may do with it; without `view` it has no URLs either. Default: what `createJsonApi` says, in the end all.
   *
   * `@ToMany({ capabilities: ['view', 'add'] })` -> `POST /articles/1/relationships/comments` adds, PATCH and DELETE answer 403
   */
  readonly capabilities?: readonly ToManyCapability[]
  /** `false`: always all related resources, whatever page is asked for. */
  readonly page?: Partial<PageOptions> | false
  /**
   * Whether its relationship objects have page links and `meta.total` where it is included. Default: what `createJsonApi` says, in the end
   * `false`.
   *
   * `@ToMany({ includedPagination: true })` -> `"comments": { "links": { …, "next": "/articles/1/relationships/comments?page…" }, "meta": { "total": 12 } }`
   */
  readonly includedPagination?: IncludedPaginationOption
  readonly pagination?: Pagination
  readonly totals?: TotalOption
  /**
   * `false`: its relationship objects have no links, and are there only when they have `data`. `true`: they have, also where the type says
   * otherwise. Default: what the type says.
   *
   * `@ToMany({ links: false })` -> no `"comments"` in `relationships` unless it is included
   */
  readonly links?: LinkSwitch
}
