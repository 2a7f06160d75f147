import type { EndpointName } from '../../declarations/field-options'
import { ALL_LINKS_ENABLED, type LinkSwitches } from '../../declarations/link-options'
import type { JsonObject } from '../../document/json'

/** The request, as the application's functions receive it. */
export interface RequestInfo {
  readonly method: string
  /** Below the mount path, percent-encoded as it was sent, without the query string. */
  readonly path: string
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string | undefined>>
  /** The URIs of the extensions that are applied. */
  readonly extensions: readonly string[]
  /** The URIs of the profiles that are applied. */
  readonly profiles: readonly string[]
}

export interface LinkOptions extends LinkSwitches {
  /**
   * The start of all links. `path`: the mount path of the API, as the client knows it. `request`: the same with the scheme
   * and host of the request; Express's `trust proxy` decides whether `X-Forwarded-Proto` and `X-Forwarded-Host` count. A URL replaces
   * scheme, host and mount path. Default: `path`.
   *
   * `links: { base: 'https://api.example.com/v1' }` -> `"self": "https://api.example.com/v1/men/2"`
   */
  readonly base: 'path' | 'request' | (string & Record<never, never>)
}

/** Which responses have an `ETag`; `individuals`: single resources and linkage. */
type EtagOption = (typeof ETAG_OPTION_VALUES)[number]
export const ETAG_OPTION_VALUES = ['individuals', 'all', false] as const

/** The primary data of a response. `individual`: one resource, or none for an empty to-one relationship. `relationship`: linkage. */
export type ResponseKind = 'individual' | 'collection' | 'relationship'

/** The value of `Cache-Control`; `undefined`: no such header. */
type CacheControl = string | ((request: RequestInfo, kind: ResponseKind) => string | undefined)

/** An extension of JSON:API that the endpoints of an application understand. */
export interface SupportedExtension {
  readonly uri: string
  /** The endpoints at which clients may apply it; others return 415 or 406. Default: all. */
  readonly endpoints?: readonly EndpointName[]
}

/** The options of `createJsonApi` for all responses. */
export interface ResponseOptions {
  /**
   * The start of links, and which links there are. Types can override it with `@Resource(name, { links })`, relationships with
   * `@ToOne({ links: false })` and `@ToMany({ links: false })`. Default: all, as paths.
   *
   * `links: { relationship: false }` -> relationship objects have no `links`; those without `data` are left out
   */
  readonly links: LinkOptions
  /**
   * Returns the `meta` of every document; its members replace those of the library. For a write it is called before the write. Default: none.
   *
   * `meta: ({ headers }) => ({ requestId: headers['x-request-id'] })` -> `"meta": { "requestId": "7d3", "total": 3 }`
   */
  readonly meta: ((request: RequestInfo) => JsonObject | undefined) | undefined
  /**
   * The path or URL of a description of the API: the link `describedby` of every document. Default: the OpenAPI document,
   * if it is served.
   *
   * `describedBy: '/openapi.json'` -> `"links": { "self": "/men/2", "describedby": "/openapi.json" }`
   */
  readonly describedBy: string | undefined
  /**
   * Which responses have an `ETag`, with which clients can ask for changes. A page of a collection is expensive to hash for each
   * request. Default: `individuals`.
   *
   * `If-None-Match: "wpR…"` -> 304 without a body if the response would be the same
   */
  readonly etags: EtagOption
  /**
   * The length, in characters, from which a response to GET is streamed: without `ETag` and `Content-Length`, as fast
   * as the client reads it. An error while streaming closes the connection. `null`: never. Default: 1 Mi.
   *
   * `streamThreshold: 100_000` -> a collection of a hundred thousand resources is never in memory as one text
   */
  readonly streamThreshold: number | null
  /**
   * A secret of at least 16 characters, the same in all processes. It is part of the hash in ETags of resources with hidden values and
   * without a version, so that clients can't guess hidden values from an ETag. Default: a random secret per process.
   *
   * `etagSecret: process.env.ETAG_KEY` -> ETags of one process are valid in the others and after a restart
   */
  readonly etagSecret: string | undefined
  /**
   * How long responses to GET may be cached. Default: no `Cache-Control` header.
   *
   * `cacheControl: (_request, kind) => (kind === 'collection' ? 'no-cache' : 'max-age=60')`
   */
  readonly cacheControl: CacheControl | undefined
  /**
   * Whether responses have the header `Server-Timing`, which browsers show: the time of each phase and the number of statements. Every
   * client can read it. Default: `false`.
   *
   * `serverTiming: true` -> `Server-Timing: receive;dur=0.1, parse;dur=0.04, plan;dur=0.2, database;dur=1.31;desc="2 statements", …`
   */
  readonly serverTiming: boolean
  /**
   * The extensions that clients may apply. Default: none.
   *
   * `extensions: [{ uri: 'https://example.com/ext/audit' }]` -> `Accept: application/vnd.api+json;ext="https://example.com/ext/audit"`
   * returns that `Content-Type`, and the URI in `jsonapi.ext`
   */
  readonly extensions: readonly SupportedExtension[]
}

export const DEFAULT_RESPONSE_OPTIONS: ResponseOptions = {
  links: { base: 'path', ...ALL_LINKS_ENABLED },
  meta: undefined,
  describedBy: undefined,
  etags: 'individuals',
  streamThreshold: 1024 * 1024,
  etagSecret: undefined,
  cacheControl: undefined,
  serverTiming: false,
  extensions: [],
}
