import type { EndpointName } from '../../declarations/field-options'
import { ALL_LINKS, type LinkSwitches } from '../../declarations/link-options'
import type { JsonObject } from '../../document/json'

/** What the functions of an application are told of a request. */
export interface RequestInfo {
  readonly method: string
  /** Below the mount path, percent-encoded as it was sent, without the query string. */
  readonly path: string
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string | undefined>>
  /** The extensions that are applied, by URI. */
  readonly extensions: readonly string[]
  /** The profiles that are applied, by URI. */
  readonly profiles: readonly string[]
}

export interface LinkOptions extends LinkSwitches {
  /**
   * What links start with. `path`: the path under which the API is mounted, as the client has it. `request`: the same with the scheme
   * and host of the request; Express's `trust proxy` decides whether `X-Forwarded-Proto` and `X-Forwarded-Host` count. A URL stands in
   * for scheme, host and mount path. Default: `path`.
   *
   * `links: { base: 'https://api.example.com/v1' }` -> `"self": "https://api.example.com/v1/men/2"`
   */
  readonly base: 'path' | 'request' | (string & Record<never, never>)
}

/** Which answers get an `ETag`; `individuals`: single resources and linkage. */
export type EtagOption = (typeof ETAG_OPTIONS)[number]
export const ETAG_OPTIONS = ['individuals', 'all', false] as const

/** Whether answers say in a header where their time went. */
export type ServerTimingOption = (typeof SERVER_TIMING_OPTIONS)[number]
export const SERVER_TIMING_OPTIONS = [true, false] as const

/** What an answer shows. `individual`: one resource, or none at the end of a to-one relationship. `relationship`: linkage. */
export type ResponseKind = 'individual' | 'collection' | 'relationship'

/** The value of `Cache-Control`; `undefined`: no such header. */
export type CacheControl = string | ((request: RequestInfo, kind: ResponseKind) => string | undefined)

/** An extension of JSON:API that the endpoints of an application understand. */
export interface SupportedExtension {
  readonly uri: string
  /** Where clients may apply it; everywhere else it is refused with 415 or 406. Default: all. */
  readonly endpoints?: readonly EndpointName[]
}

/** The options of `createJsonApi` that shape answers, whatever they are about. */
export interface ResponseOptions {
  /**
   * Where links lead, and which there are. Types can say otherwise with `@Resource(name, { links })`, relationships with
   * `@ToOne({ links: false })` and `@ToMany({ links: false })`. Default: all, as paths.
   *
   * `links: { relationship: false }` -> relationship objects have no `links`, and only those with `data` are there
   */
  readonly links: LinkOptions
  /**
   * The `meta` of every document, over what the library puts there itself. For a write it is asked before anything is written. Default: none.
   *
   * `meta: ({ headers }) => ({ requestId: headers['x-request-id'] })` -> `"meta": { "requestId": "7d3", "total": 3 }`
   */
  readonly meta: ((request: RequestInfo) => JsonObject | undefined) | undefined
  /**
   * Where a description of the API is: the link `describedby` of every document. A path, or a URL. Default: the OpenAPI document,
   * where it is served.
   *
   * `describedBy: '/openapi.json'` -> `"links": { "self": "/men/2", "describedby": "/openapi.json" }`
   */
  readonly describedBy: string | undefined
  /**
   * Which answers get an `ETag`, so that clients can ask whether they have changed. A page of a collection is a lot to hash for each
   * request. Default: `individuals`.
   *
   * `If-None-Match: "wpR…"` -> 304 without a body, when the answer would be the same
   */
  readonly etags: EtagOption
  /**
   * The length from which on an answer to GET is sent while it is made, in characters of its text: without `ETag` and `Content-Length`, as fast
   * as the client takes it. What goes wrong by then can't be answered any more, and cuts the connection. `null`: none is. Default: 1 Mi.
   *
   * `streamThreshold: 100_000` -> a collection of a hundred thousand resources never stands in memory as one text
   */
  readonly streamThreshold: number | null
  /**
   * A secret of at least 16 characters, the same in all processes. ETags of resources that have no version, but something to hide, are made
   * with it, so that nobody can guess from them what is hidden. Default: one that each process makes up at its start.
   *
   * `etagSecret: process.env.ETAG_KEY` -> what one process answered holds in the others, and after a restart
   */
  readonly etagSecret: string | undefined
  /**
   * How long answers to GET may be kept. Default: no `Cache-Control` header.
   *
   * `cacheControl: (_request, kind) => (kind === 'collection' ? 'no-cache' : 'max-age=60')`
   */
  readonly cacheControl: CacheControl | undefined
  /**
   * Whether answers have the header `Server-Timing`, which browsers show: where their time went, and how many statements it took. Anybody who
   * can send a request can read it. Default: `false`.
   *
   * `serverTiming: true` -> `Server-Timing: receive;dur=0.1, parse;dur=0.04, plan;dur=0.2, database;dur=1.31;desc="2 statements", …`
   */
  readonly serverTiming: ServerTimingOption
  /**
   * The extensions that clients may apply. Default: none.
   *
   * `extensions: [{ uri: 'https://example.com/ext/audit' }]` -> `Accept: application/vnd.api+json;ext="https://example.com/ext/audit"`
   * is answered with that `Content-Type`, and with the URI in `jsonapi.ext`
   */
  readonly extensions: readonly SupportedExtension[]
}

export const DEFAULT_RESPONSE_OPTIONS: ResponseOptions = {
  links: { base: 'path', ...ALL_LINKS },
  meta: undefined,
  describedBy: undefined,
  etags: 'individuals',
  streamThreshold: 1024 * 1024,
  etagSecret: undefined,
  cacheControl: undefined,
  serverTiming: false,
  extensions: [],
}
