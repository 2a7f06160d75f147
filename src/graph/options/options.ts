import {
  ATTRIBUTE_CAPABILITIES,
  type CapabilityOptions,
  type ClientGeneratedIdOption,
  ENDPOINTS,
  type EndpointName,
  type FieldFiltersOption,
  type IfMatchOption,
  type IncludedPaginationOption,
  type LinkageOption,
  PARAMETERS,
  type PageOptions,
  type Pagination,
  type ParameterName,
  TO_MANY_CAPABILITIES,
  TO_ONE_CAPABILITIES,
  type TotalOption,
  type UnknownFieldsOption,
  type UnknownParametersOption,
  type UpdatesOption,
} from '../../declarations/field-options'
import type { JsonObject } from '../../document/json'
import type { QueryFunction } from '../model/query-function'
import { DEFAULT_LIMITS, type Limits } from './limits'
import type { LoadSheddingOptions } from './load-shedding'
import { DEFAULT_RESPONSE_OPTIONS, type ResponseOptions } from './response-options'

/** The options of `createJsonApi` that hold for every type unless a type or relationship says otherwise. */
export interface Options extends ResponseOptions {
  readonly page: PageOptions
  readonly pagination: Pagination
  readonly totals: TotalOption
  /**
   * Whether relationship objects of included to-many relationships have page links and `meta.total`. They come with the statement that
   * reads the related resources, which has to count them then. Default: `false`.
   *
   * `includedPagination: true` -> a client that includes the comments of an article knows whether there are more, and where
   */
  readonly includedPagination: IncludedPaginationOption
  /**
   * When the relationship objects of to-one relationships have `data`. `always` costs no statement more. Default: `included`.
   *
   * `toOneLinkage: 'always'` -> clients know the author of each article without `?include=author`
   */
  readonly toOneLinkage: LinkageOption
  /** Default: `forbidden`. */
  readonly clientGeneratedIds: ClientGeneratedIdOption
  /**
   * Whether writes to what is there must say in `If-Match` which state they are for; those that don't answer 428. Default: `optional`.
   *
   * `ifMatch: 'required'` -> `PATCH /men/1` answers 428, with `If-Match: "v3"` 412 unless it is in that state
   */
  readonly ifMatch: IfMatchOption
  /**
   * What a PATCH of a resource answers. `changes`: 204 where nothing was changed but what was sent, else 200 with the resource. `document`:
   * always 200 with the resource, for clients that can't read an answer without a body. A client that sends `Prefer: return=minimal` gets
   * 204 where JSON:API permits it, whatever is said here. Default: `changes`. https://jsonapi.org/format/1.1/#crud-updating-responses
   *
   * `updates: 'document'` -> `PATCH /men/1` answers 200 with the man
   */
  readonly updates: UpdatesOption
  /**
   * How often a write runs again, its rules too, when the database gave it up for the sake of another one. Then it answers 503. Default: 3.
   */
  readonly maxRetries: number
  /**
   * Whether statements stay prepared on each connection to PostgreSQL, up to 500 under names that begin with `stemma_`. Poolers that lend
   * a connection for one transaction, and know no prepared statements, want it `false`. Default: `true`. Other databases have no names for them.
   *
   * `preparedStatements: false` -> every statement is read and planned by PostgreSQL anew
   */
  readonly preparedStatements: PreparedStatementsOption
  /** What clients may do with fields that do not say it themselves. Default: everything. */
  readonly capabilities: CapabilityOptions
  /**
   * The endpoints of types that do not say it themselves. Default: all.
   *
   * `endpoints: ['getCollection', 'getResource']` -> nothing can be written, and there are no links to relationships
   */
  readonly endpoints: readonly EndpointName[]
  /**
   * The query parameters of types that do not say it themselves. Default: all.
   *
   * `parameters: ['include', 'fields', 'page']` -> `?filter=…` and `?sort=…` answer 400
   */
  readonly parameters: readonly ParameterName[]
  /**
   * Whether clients can filter by a field with `filter[field]=value`, beside `filter=expression`: by an attribute, by ids, and by a to-one
   * relationship. `filter[comments]=expression` filters included comments, whatever is said here. Default: `false`.
   * https://jsonapi.org/recommendations/#filtering
   *
   * `fieldFilters: true` -> `?filter[title]=Walden&filter[author]=9,2` is `?filter=and(equals(title,'Walden'),any(author.id,'9','2'))`
   */
  readonly fieldFilters: FieldFiltersOption
  /**
   * What becomes of query parameters that are not those of JSON:API: they answer 400, all are let through, or those of a list are.
   * What is let through stays in the links to other pages. Names of small letters alone belong to JSON:API. Default: `reject`.
   *
   * `unknownParameters: ['apiKey']` -> `?apiKey=1` is ignored, `?secretKey=1` answers 400
   */
  readonly unknownParameters: UnknownParametersOption
  /**
   * What becomes of attributes and relationships in a body that its type does not have: they answer 422, or are ignored with all that
   * stands in them. Default: `reject`.
   *
   * `unknownFields: 'ignore'` -> a client can send back all that an older version of the service had
   */
  readonly unknownFields: UnknownFieldsOption
  /**
   * Functions of the application's own for filters and sorts. Default: none.
   *
   * `functions: [defineFunction({ name: 'length', … })]` -> `?filter=greaterThan(length(name),'5')&sort=-length(name)`
   */
  readonly functions: readonly QueryFunction[]
  /**
   * Where clients send several writes of which all are kept or none, and how many; `false`: nowhere. Default: at most 100, to `/operations`.
   * https://jsonapi.org/ext/atomic/
   *
   * `operations: { path: 'batch', maxOperations: 10 }` -> `POST /batch`
   */
  readonly operations: OperationsOptions | false
  /**
   * What the OpenAPI document says of the API as a whole, and whether it is at `/openapi.json` below the path of the API. Default: it is not.
   *
   * `openApi: true`, or `openApi: { title: 'Library', version: '2.1.0' }` -> `GET /openapi.json`, and a link `describedby` to it in every document
   */
  readonly openApi: OpenApiOptions
  /**
   * Whether clients can ask for what a read would do in place of doing it: its plan and its statements, without values. `development`: unless
   * `NODE_ENV` is `production`. A client that can send the request sees names of tables and columns, and the filters of rules. Default: `false`.
   *
   * `explain: 'development'` -> `GET /humans?include=children&explainRead=true`
   */
  readonly explain: ExplainOption
  /**
   * Whether OpenTelemetry is told of requests: a span for each, for its phases and its statements, and histograms. It needs
   * `@opentelemetry/api`, and does nothing until the application registers an SDK. Default: `false`.
   *
   * `telemetry: true` -> a span `GET /humans/:id`, below it `plan`, `database` and the others, below `database` `SELECT human`
   */
  readonly telemetry: TelemetryOption
  /**
   * Whether browsers that ask for HTML are answered with a page that shows the API, reads and writes. It reads `/openapi.json`, which is there
   * then. Clients of JSON:API don't notice. Default: `false` where `NODE_ENV` is `production` at start-up, else `true`.
   *
   * `explorer: true` -> `GET /humans` with `Accept: text/html` answers a page
   */
  readonly explorer: ExplorerOption
  /** How much one request may ask for. */
  readonly limits: Limits
  /** How much is begun before others are sent away with 503 and `Retry-After`; `false`: there is no end to it. Default: `false`. */
  readonly loadShedding: LoadSheddingOptions | false
  /**
   * The public names of fields that do not say theirs, by the names of their properties. Default: the same names.
   *
   * ``namingStrategy: (property) => property.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)`` -> `hasBeard` is `has-beard` in
   * every document and query string
   */
  readonly namingStrategy: (property: string) => string
}

export type PreparedStatementsOption = (typeof PREPARED_STATEMENTS)[number]
export const PREPARED_STATEMENTS = [true, false] as const

export type ExplainOption = (typeof EXPLAIN_OPTIONS)[number]
export const EXPLAIN_OPTIONS = [false, 'development', 'always'] as const

export type TelemetryOption = boolean

export type ExplorerOption = (typeof EXPLORER_OPTIONS)[number]
export const EXPLORER_OPTIONS = [true, false] as const

export interface OperationsOptions {
  /** Under the path of the API, like the name of a type. Default: `operations`. */
  readonly path: string
  /** Operations in a request; `null`: any number. Default: 100. */
  readonly maxOperations: number | null
}

/** Of the OpenAPI document: whether it is served, and what it says that no class can tell. */
export interface OpenApiOptions {
  /** `false`: it is at no URL. Default: `true` where anything is said of the document. */
  readonly served: boolean
  /** Default: `JSON:API`. */
  readonly title: string
  /** That of the API, not of OpenAPI. Default: `1.0.0`. */
  readonly version: string
  /** Text, which may be Markdown. Default: none. */
  readonly description?: string
  /** Where the API is, each with a `url`. Default: where the document is. https://spec.openapis.org/oas/v3.1.1.html#server-object */
  readonly servers?: readonly JsonObject[]
  /** The ways to say who one is, by name. Default: none. https://spec.openapis.org/oas/v3.1.1.html#security-scheme-object */
  readonly securitySchemes?: JsonObject
  /** Which of them are asked for. Default: none. https://spec.openapis.org/oas/v3.1.1.html#security-requirement-object */
  readonly security?: readonly JsonObject[]
}

export const DEFAULT_OPEN_API: OpenApiOptions = { served: false, title: 'JSON:API', version: '1.0.0' }

export const DEFAULT_OPERATIONS: OperationsOptions = { path: 'operations', maxOperations: 100 }

export const DEFAULT_OPTIONS: Options = {
  ...DEFAULT_RESPONSE_OPTIONS,
  page: { size: 10, maxSize: 100, maxNumber: null },
  pagination: 'numbers',
  totals: 'exact',
  includedPagination: false,
  toOneLinkage: 'included',
  clientGeneratedIds: 'forbidden',
  ifMatch: 'optional',
  updates: 'changes',
  maxRetries: 3,
  preparedStatements: true,
  capabilities: { attribute: ATTRIBUTE_CAPABILITIES, toOne: TO_ONE_CAPABILITIES, toMany: TO_MANY_CAPABILITIES },
  endpoints: ENDPOINTS,
  parameters: PARAMETERS,
  fieldFilters: false,
  unknownParameters: 'reject',
  unknownFields: 'reject',
  functions: [],
  operations: DEFAULT_OPERATIONS,
  openApi: DEFAULT_OPEN_API,
  explain: false,
  telemetry: false,
  /** Asked when an API is made: by then a program may have set its environment. */
  get explorer(): ExplorerOption {
    return process.env.NODE_ENV !== 'production'
  },
  limits: DEFAULT_LIMITS,
  loadShedding: false,
  namingStrategy: (property) => property,
}
