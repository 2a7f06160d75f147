import {
  ATTRIBUTE_CAPABILITIES,
  type ClientGeneratedIdOption,
  type DefaultCapabilities,
  ENDPOINT_NAMES,
  type EndpointName,
  type IfMatchOption,
  type LinkageOption,
  type PageOptions,
  type PaginationKind,
  QUERY_PARAMETER_NAMES,
  type QueryParameterFamily,
  TO_MANY_CAPABILITIES,
  TO_ONE_CAPABILITIES,
  type TotalOption,
  type UnknownFieldsOption,
  type UnknownParametersOption,
  type UpdateResponseMode,
} from '../../declarations/field-options'
import type { JsonObject } from '../../document/json'
import type { FilterOrSortFunction } from '../model/filter-or-sort-function'
import { DEFAULT_REQUEST_LIMITS, type LoadSheddingOptions, type RequestLimits } from './limits'
import { DEFAULT_RESPONSE_OPTIONS, type ResponseOptions } from './response-options'

/** The options of `createJsonApi` that apply to every type. Types and relationships can override some of them. */
export interface ResolvedApiOptions extends ResponseOptions {
  readonly page: PageOptions
  readonly pagination: PaginationKind
  readonly totals: TotalOption
  /**
   * Whether relationship objects of included to-many relationships have page links and `meta.total`. The statement that reads the related
   * resources then counts them, too. Default: `false`.
   *
   * `includedPagination: true` -> a client that includes the comments of an article gets links to the other pages
   */
  readonly includedPagination: boolean
  /**
   * When the relationship objects of to-one relationships have `data`. `always` needs no further statement. Default: `included`.
   *
   * `toOneLinkage: 'always'` -> clients get the id of each article's author without `?include=author`
   */
  readonly toOneLinkage: LinkageOption
  /** Default: `forbidden`. */
  readonly clientGeneratedIds: ClientGeneratedIdOption
  /**
   * Whether writes to existing resources require `If-Match`; without it they return 428. Default: `optional`.
   *
   * `ifMatch: 'required'` -> `PATCH /men/1` returns 428; with `If-Match: "v3"` 412 if the resource has another version
   */
  readonly ifMatch: IfMatchOption
  /**
   * The response to PATCH of a resource. `changes`: 204 if only the sent fields changed, otherwise 200 with the resource. `document`:
   * always 200 with the resource, for clients that expect a body. With `Prefer: return=minimal` a client gets
   * 204 wherever JSON:API permits it. Default: `changes`. https://jsonapi.org/format/1.1/#crud-updating-responses
   *
   * `updates: 'document'` -> `PATCH /men/1` returns 200 with the man
   */
  readonly updates: UpdateResponseMode
  /**
   * How often a write, with its rules, is retried after a deadlock or serialization failure. Then it returns 503. Default: 3, on a Galera
   * cluster 20.
   */
  readonly maxRetries: number | undefined
  /**
   * Whether statements stay prepared on each connection to PostgreSQL, up to 500 with names that start with `stemma_`. Set `false` for
   * transaction poolers without support for prepared statements. Default: `true`. Has no effect on other databases.
   *
   * `preparedStatements: false` -> PostgreSQL parses and plans every statement again
   */
  readonly preparedStatements: boolean
  /** What clients may do with fields that have no `capabilities`. Default: everything. */
  readonly capabilities: DefaultCapabilities
  /**
   * The endpoints of types without the option `endpoints`. Default: all.
   *
   * `endpoints: ['getCollection', 'getResource']` -> the API is read-only and has no links to relationships
   */
  readonly endpoints: readonly EndpointName[]
  /**
   * The query parameters of types without the option `parameters`. Default: all.
   *
   * `parameters: ['include', 'fields', 'page']` -> `?filter=…` and `?sort=…` return 400
   */
  readonly parameters: readonly QueryParameterFamily[]
  /**
   * Whether clients can filter by a field with `filter[field]=value`, beside `filter=expression`: by an attribute, by ids, and by a to-one
   * relationship. `filter[comments]=expression` filters included comments, with or without this option. Default: `false`.
   * https://jsonapi.org/recommendations/#filtering
   *
   * `fieldFilters: true` -> `?filter[title]=Walden&filter[author]=9,2` is `?filter=and(equals(title,'Walden'),any(author.id,'9','2'))`
   */
  readonly fieldFilters: boolean
  /**
   * How query parameters that JSON:API does not define are handled: `reject` returns 400, `ignore` accepts all, a list accepts these names.
   * Accepted parameters stay in the links to other pages. JSON:API reserves names of small letters. Default: `reject`.
   *
   * `unknownParameters: ['apiKey']` -> `?apiKey=1` is ignored, `?secretKey=1` returns 400
   */
  readonly unknownParameters: UnknownParametersOption
  /**
   * How attributes and relationships in a body that the type does not have are handled: `reject` returns 422, `ignore` skips them with their
   * content. Default: `reject`.
   *
   * `unknownFields: 'ignore'` -> a client can send fields that the service no longer has
   */
  readonly unknownFields: UnknownFieldsOption
  /**
   * The application's functions for filters and sorts. Default: none.
   *
   * `functions: [defineFunction({ name: 'length', … })]` -> `?filter=greaterThan(length(name),'5')&sort=-length(name)`
   */
  readonly functions: readonly FilterOrSortFunction[]
  /**
   * The endpoint for atomic operations and its limit; `false`: none. Default: at most 100 operations, at `/operations`.
   * https://jsonapi.org/ext/atomic/
   *
   * `operations: { path: 'batch', maxOperations: 10 }` -> `POST /batch`
   */
  readonly operations: OperationsOptions | false
  /**
   * The general part of the OpenAPI document, and whether it is served at `/openapi.json` below the path of the API. Default: not served.
   *
   * `openApi: true`, or `openApi: { title: 'Library', version: '2.1.0' }` -> `GET /openapi.json`, and a link `describedby` to it in every document
   */
  readonly openApi: OpenApiOptions
  /**
   * Whether clients can get the plan and the statements of a read, without values, in place of its result. `development`: unless
   * `NODE_ENV` is `production`. Clients then see names of tables and columns, and the filters of rules. Default: `false`.
   *
   * `explain: 'development'` -> `GET /humans?include=children&explainRead=true`
   */
  readonly explain: ExplainOption
  /**
   * Whether requests are reported to OpenTelemetry: spans for requests, their phases and statements, and histograms. Needs
   * `@opentelemetry/api`. Does nothing until the application registers an SDK. Default: `false`.
   *
   * `telemetry: true` -> a span `GET /humans/:id` with children such as `plan` and `database`; `database` has the child `SELECT human`
   */
  readonly telemetry: boolean
  /**
   * Whether browsers that ask for HTML get a page that shows the API and can read and write. The page needs `/openapi.json`, which is then
   * served. JSON:API clients are not affected. Default: `false` if `NODE_ENV` is `production` at startup, otherwise `true`.
   *
   * `explorer: true` -> `GET /humans` with `Accept: text/html` returns a page
   */
  readonly explorer: boolean
  /** The limits of one request. */
  readonly limits: RequestLimits
  /** The load above which requests are refused with 503 and `Retry-After`; `false`: no limit. Default: `false`. */
  readonly loadShedding: LoadSheddingOptions | false
  /**
   * Makes the public name of a field from its property, unless the field has the option `name`. Default: the property.
   *
   * ``namingStrategy: (property) => property.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)`` -> `hasBeard` is `has-beard` in
   * every document and query string
   */
  readonly namingStrategy: (property: string) => string
}

type ExplainOption = (typeof EXPLAIN_AVAILABILITY_VALUES)[number]
export const EXPLAIN_AVAILABILITY_VALUES = [false, 'development', 'always'] as const

export interface OperationsOptions {
  /** Under the path of the API, like the name of a type. Default: `operations`. */
  readonly path: string
  /** Operations in a request; `null`: any number. Default: 100. */
  readonly maxOperations: number | null
}

/** Whether the OpenAPI document is served, and the parts of it that do not come from classes. */
export interface OpenApiOptions {
  /** `false`: not served. Default: `true` if any other member is given. */
  readonly served: boolean
  /** Default: `JSON:API`. */
  readonly title: string
  /** The version of the API, not of OpenAPI. Default: `1.0.0`. */
  readonly version: string
  /** Text, which may be Markdown. Default: none. */
  readonly description?: string
  /** The servers of the API, each with a `url`. Default: the server of the document. https://spec.openapis.org/oas/v3.1.1.html#server-object */
  readonly servers?: readonly JsonObject[]
  /** The ways to authenticate, by name. Default: none. https://spec.openapis.org/oas/v3.1.1.html#security-scheme-object */
  readonly securitySchemes?: JsonObject
  /** The required security schemes. Default: none. https://spec.openapis.org/oas/v3.1.1.html#security-requirement-object */
  readonly security?: readonly JsonObject[]
}

export const DEFAULT_OPEN_API: OpenApiOptions = { served: false, title: 'JSON:API', version: '1.0.0' }

export const DEFAULT_OPERATIONS_OPTIONS: OperationsOptions = { path: 'operations', maxOperations: 100 }

export const DEFAULT_API_OPTIONS: ResolvedApiOptions = {
  ...DEFAULT_RESPONSE_OPTIONS,
  page: { size: 10, maxSize: 100, maxNumber: null },
  pagination: 'numbers',
  totals: 'exact',
  includedPagination: false,
  toOneLinkage: 'included',
  clientGeneratedIds: 'forbidden',
  ifMatch: 'optional',
  updates: 'changes',
  maxRetries: undefined,
  preparedStatements: true,
  capabilities: { attribute: ATTRIBUTE_CAPABILITIES, toOne: TO_ONE_CAPABILITIES, toMany: TO_MANY_CAPABILITIES },
  endpoints: ENDPOINT_NAMES,
  parameters: QUERY_PARAMETER_NAMES,
  fieldFilters: false,
  unknownParameters: 'reject',
  unknownFields: 'reject',
  functions: [],
  operations: DEFAULT_OPERATIONS_OPTIONS,
  openApi: DEFAULT_OPEN_API,
  explain: false,
  telemetry: false,
  /** Read when an API is created, because a program may set its environment after loading this module. */
  get explorer(): boolean {
    return process.env.NODE_ENV !== 'production'
  },
  limits: DEFAULT_REQUEST_LIMITS,
  loadShedding: false,
  namingStrategy: (property) => property,
}
