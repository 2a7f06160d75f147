import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Request, RequestHandler } from 'express'
import { type ApiSummary, toApiSummary } from '../api-summary/api-summary'
import { Caches } from '../cache/caches'
import { givenOptions } from '../declarations/given-options'
import { findHookDefinitionIssues } from '../definitions/check-definitions'
import { findSharedColumnHookIssues } from '../definitions/check-shared-columns'
import { indexResourceDefinitionsByType } from '../definitions/definitions'
import type { ResourceDefinition } from '../definitions/resource-definition'
import type { ApiCore } from '../endpoints/api-core'
import { buildIdempotencyOptions, findIdempotencyOptionIssues, type IdempotencyOptions } from '../endpoints/idempotency'
import { typesWithProcessEtagSecret } from '../endpoints/revisions'
import { buildOrThrowIssues } from '../errors/configuration-error'
import { buildExplorerServerRoute } from '../explorer/explorer-route'
import { buildResourceGraph } from '../graph/build-graph'
import type { ResourceClass } from '../graph/model/resource-graph'
import { DEFAULT_LOAD_SHEDDING, type LoadSheddingOptions } from '../graph/options/limits'
import {
  DEFAULT_API_OPTIONS,
  DEFAULT_OPEN_API,
  DEFAULT_OPERATIONS_OPTIONS,
  type OpenApiOptions,
  type OperationsOptions,
  type ResolvedApiOptions,
} from '../graph/options/options'
import { buildAdmissionControl } from '../node-http/admission-control'
import { createRequestListener, type RequestListener } from '../node-http/listener'
import { resolveMountPointOfNodeRequest } from '../node-http/request-head'
import { buildStartRequestObservation, findTelemetryOptionIssues } from '../observation/build-observe'
import { findAttributeExampleIssues } from '../openapi/check-examples'
import type { OpenApiDocument } from '../openapi/openapi-document'
import { buildOpenApiDocumentRoute, openApiDocumentOf } from '../openapi/openapi-route'
import { createReadRulesFactory } from '../plan/read-rules'
import type { RecommendedIndex } from '../store/recommended-index'
import { createTypeOrmStoreFactory, type TypeOrmStoreFactory } from '../store/typeorm/create-typeorm-store-factory'
import { buildWriteValidator } from '../validators/validators'
import {
  assertOptionsObjectAndOmitUndefined,
  findNonFunctionOptionIssues,
  findNonObjectOptionIssues,
  splitResourcesOptionToClassesAndIssues,
} from './check-options-are-objects'
import { createNonThrowingOnError } from './create-non-throwing-on-error'
import { createRouter } from './router'
import { findConfigurationWarnings, findStartupLogOptionIssues, logStartup, type StartupLogOption } from './start-up'

/**
 * The options of `createJsonApi`.
 *
 * `Incoming` is the type of the request that `context` receives. The router passes Express requests. An API that uses the listener too takes
 * Node's `IncomingMessage`, which Express extends.
 */
export interface JsonApiOptions<Context = unknown, Incoming extends IncomingMessage = Request>
  extends Partial<
    Omit<ResolvedApiOptions, 'page' | 'capabilities' | 'links' | 'limits' | 'loadShedding' | 'operations' | 'openApi'>
  > {
  /** An initialized data source: the types of columns and relations are read from it. */
  readonly dataSource: TypeOrmStoreFactory['dataSource']
  /** Every class with `@Resource`, including base classes. */
  readonly resources: readonly ResourceClass[]
  /** One definition for each resource type with rules. */
  readonly definitions?: readonly ResourceDefinition<object, Context>[]
  /**
   * Returns the data that hooks need from a request, such as the user. All hooks receive the result. Throw a `JsonApiError` to reject the request
   * before its body is read. It does not run for `OPTIONS`. Default: `undefined`.
   *
   * `context: async (request) => ({ user: await findUser(request.get('authorization')) })` -> `filter({ user })`, `write.context.user`.
   * With the listener, there is no `request.get`: `context: ({ headers }: IncomingMessage) => findUser(headers.authorization)`
   */
  readonly context?: (request: Incoming) => Context | Promise<Context>
  readonly page?: Partial<ResolvedApiOptions['page']>
  /**
   * The base of links, and the links to write. Types override it with `@Resource(name, { links })`, relationships with
   * `@ToOne({ links: false })` and `@ToMany({ links: false })`. Default: all links, as paths.
   *
   * `links: { relationship: false }` -> relationship objects have no `links`, and those without `data` are left out
   */
  readonly links?: Partial<ResolvedApiOptions['links']>
  /**
   * What clients may do with fields without capabilities of their own. Default: everything.
   *
   * `capabilities: { attribute: ['view'] }` -> attributes can be read; filters and sorts need the capability on the attribute
   */
  readonly capabilities?: Partial<ResolvedApiOptions['capabilities']>
  /**
   * Limits of a single request.
   *
   * `limits: { bodySize: 64 * 1024, cost: 20_000 }` -> `?include=articles.comments` of many blogs returns 400 with the reason
   */
  readonly limits?: Partial<ResolvedApiOptions['limits']>
  /**
   * Rejects requests with 503 and `Retry-After` while there are more than the process can answer in time. Default: `false`.
   *
   * `loadShedding: true`, or `loadShedding: { maxConcurrency: 50 }` -> the 51st concurrent request gets 503 at once, and has no effect
   */
  readonly loadShedding?: boolean | Partial<LoadSheddingOptions>
  /**
   * The path and the maximum number of atomic operations. Default: `/operations`, at most 100.
   *
   * `operations: { maxOperations: 10 }`, or `operations: false`
   */
  readonly operations?: false | Partial<OperationsOptions>
  /**
   * Serves the OpenAPI document at `/openapi.json` below the path of the API, with its title and version. Default: `false`, since the
   * application decides who may read it.
   *
   * `openApi: true`, or `openApi: { title: 'Library', version: '2.1.0' }` -> `GET /openapi.json`, and a link `describedby` in every document
   */
  readonly openApi?: boolean | Partial<OpenApiOptions>
  /**
   * Runs requests with the header `Idempotency-Key` once, and repeats their response. Default: the header has no effect.
   *
   * `idempotency: { owner: ({ user }) => user.id }` -> a client that sends a POST again after a timeout gets the first response
   */
  readonly idempotency?: IdempotencyOptions<Context>
  /**
   * Whether the reads of a request go to the master of a replicated `DataSource`, which has all confirmed writes. Gets the result of the option
   * `context`. Without replication it has no effect. Default: reads go where TypeORM sends them, to a replica.
   *
   * `readFromMaster: ({ hasWritten }) => hasWritten` -> a client that has just written gets its own writes
   */
  readFromMaster?(context: Context): boolean
  /**
   * Called with every server-side error: the cause of a 500, database errors behind a 503, timeouts, errors that cut off a response, and errors
   * after a commit, as in `afterCommit`. Default: `console.error`.
   */
  readonly onError?: (error: unknown) => void
  /**
   * What is logged at startup, on standard error. `summary`: types, options that differ from their defaults, and warnings. `warnings`: only the
   * warnings, each with its remedy. A function receives the summary instead. Default: `summary`; in tests and if `NODE_ENV` is `production`,
   * `warnings`.
   *
   * `startupLog: false`, or `startupLog: ({ warnings }) => logger.warn({ warnings })`
   */
  readonly startupLog?: StartupLogOption
}

/** An API, to be served by Express or by Node's HTTP server. */
export interface JsonApi<Incoming extends IncomingMessage = Request> {
  /** Serves all endpoints in Express: `app.use(api.router)`, or under a path. It responds to every request that it receives. */
  readonly router: RequestHandler
  /**
   * Serves all endpoints without Express, which is several times faster for small responses: `createServer(api.listener)`, or in front of an
   * application. It responds to every request that it receives.
   *
   * `createServer((request, response) => (request.url === '/health' ? app : api.listener)(request, response))`
   */
  readonly listener: (request: Incoming, response: ServerResponse) => void
  /**
   * The indexes that the statements of the API use, declared or not.
   *
   * `api.indexes.filter(({ isDeclared }) => !isDeclared).map(({ sql }) => sql)` -> `create index "IDX_…" on "member" ("teamId")`
   */
  readonly indexes: readonly RecommendedIndex[]
  /**
   * Returns the OpenAPI document of the API, also if it is not served.
   *
   * `writeFileSync('openapi.json', JSON.stringify(api.openApi()))`
   */
  openApi(): OpenApiDocument
  /**
   * Returns a summary: types, endpoints, options that differ from their defaults, warnings.
   *
   * `api.summary().endpoints.map(({ method, path }) => `${method} ${path}`)` -> `['GET /humans', 'POST /humans', …]`
   */
  summary(): ApiSummary
}

/**
 * Creates the endpoints of all resource types. Throws a `ConfigurationError` with all mistakes.
 *
 * `app.use(createJsonApi({ dataSource, resources: [Human, Man, Woman] }).router)` serves `/humans`, `/men` and `/women`.
 */
export function createJsonApi<Context = unknown>(
  configuration: JsonApiOptions<Context, IncomingMessage> & { readonly context?: undefined },
): JsonApi<IncomingMessage>
export function createJsonApi<Context = unknown, Incoming extends IncomingMessage = Request>(
  configuration: JsonApiOptions<Context, Incoming>,
): JsonApi<Incoming>
export function createJsonApi(configuration: JsonApiOptions): JsonApi {
  return buildApiWithCore(configuration).api
}

/** Returns the API with its `ApiCore`, which tests and measurements need. */
export function buildApiWithCore(configuration: JsonApiOptions): { readonly api: JsonApi; readonly core: ApiCore } {
  const { context = () => undefined, ...parts } = assertOptionsObjectAndOmitUndefined(configuration)
  const { core, ...described } = buildApiCore(parts, context)
  const pages = [buildExplorerServerRoute(core), buildOpenApiDocumentRoute(core)].filter((page) => page !== undefined)
  const listenerOptions = { context, pages, admission: buildAdmissionControl(core.options.loadShedding) }
  const listener: RequestListener<Request> = createRequestListener(core, {
    ...listenerOptions,
    resolveMountPoint: resolveMountPointOfNodeRequest,
  })
  const api = {
    router: createRouter(core, listenerOptions),
    listener,
    ...described,
    openApi: () => openApiDocumentOf(core),
  }
  return { api, core }
}

function buildApiCore(
  {
    dataSource,
    resources: resourcesOption,
    definitions = [],
    onError: onErrorOption = console.error,
    startupLog,
    idempotency,
    readFromMaster = () => false,
    ...otherOptions
  }: Omit<JsonApiOptions, 'context'>,
  context: unknown,
): Pick<JsonApi, 'indexes' | 'summary'> & { readonly core: ApiCore } {
  const options = toOptions(otherOptions)
  const { classes: resources, issues: resourceIssues } = splitResourcesOptionToClassesAndIssues(resourcesOption)
  const onError = createNonThrowingOnError(onErrorOption)
  const { issues: storeIssues, describe, idempotencyStore, ...storeFactory } = createTypeOrmStoreFactory(dataSource)
  const graph = buildOrThrowIssues(
    () => buildResourceGraph({ resources, describe, options }),
    [
      ...resourceIssues,
      ...findNonFunctionOptionIssues({ context, onError: onErrorOption, readFromMaster }),
      ...storeIssues,
      ...findNonObjectOptionIssues({ ...otherOptions }),
      ...findHookDefinitionIssues(definitions, resources),
      ...findIdempotencyOptionIssues(idempotency, idempotencyStore),
      ...findStartupLogOptionIssues(startupLog),
      ...findTelemetryOptionIssues(options),
    ],
  )
  buildOrThrowIssues(() => graph, findAttributeExampleIssues(graph))
  const caches = new Caches()
  const { store, indexes, warnings: mappingWarnings } = storeFactory.buildStore(graph, { ...options, caches, onError })
  const indexedDefinitions = indexResourceDefinitionsByType(definitions, graph)
  buildOrThrowIssues(() => graph, findSharedColumnHookIssues(graph, indexedDefinitions.hookedRelationships))
  const core: ApiCore = Object.freeze({
    graph,
    options,
    caches,
    onError,
    definitions: indexedDefinitions,
    evaluateReadRules: createReadRulesFactory(indexedDefinitions, graph),
    validators: buildWriteValidator(graph),
    store,
    readFromMaster,
    idempotency: buildIdempotencyOptions(idempotency, idempotencyStore),
    observe: buildStartRequestObservation(options, storeFactory.databaseSystem),
  })
  const warnings = findConfigurationWarnings({
    indexes,
    withProcessEtagSecret: typesWithProcessEtagSecret(core),
    differences: mappingWarnings,
  })
  const summary = () => toApiSummary({ api: core, definitions, database: dataSource.options.type, warnings })
  logStartup({ warnings, summary }, startupLog)
  return { core, indexes, summary }
}

type OptionsToComplete = Omit<
  JsonApiOptions,
  'dataSource' | 'resources' | 'definitions' | 'context' | 'onError' | 'startupLog' | 'idempotency' | 'readFromMaster'
>

function toOptions({
  page,
  capabilities,
  links,
  limits,
  loadShedding,
  operations,
  openApi,
  ...otherOptions
}: OptionsToComplete): ResolvedApiOptions {
  return {
    ...DEFAULT_API_OPTIONS,
    ...otherOptions,
    page: { ...DEFAULT_API_OPTIONS.page, ...givenOptions(page) },
    capabilities: { ...DEFAULT_API_OPTIONS.capabilities, ...givenOptions(capabilities) },
    links: { ...DEFAULT_API_OPTIONS.links, ...givenOptions(links) },
    limits: { ...DEFAULT_API_OPTIONS.limits, ...givenOptions(limits) },
    loadShedding: toOverloadOptions(loadShedding),
    operations: operations === false ? operations : { ...DEFAULT_OPERATIONS_OPTIONS, ...givenOptions(operations) },
    openApi: toOpenApiOptions(openApi),
  }
}

function toOverloadOptions(otherOptions: JsonApiOptions['loadShedding'] = false): ResolvedApiOptions['loadShedding'] {
  if (otherOptions === false) return otherOptions
  return otherOptions === true ? DEFAULT_LOAD_SHEDDING : { ...DEFAULT_LOAD_SHEDDING, ...givenOptions(otherOptions) }
}

/** Returns the options of the OpenAPI document. An object with options switches it on. */
function toOpenApiOptions(otherOptions: JsonApiOptions['openApi'] = false): OpenApiOptions {
  if (otherOptions === false) return DEFAULT_OPEN_API
  return { ...DEFAULT_OPEN_API, served: true, ...givenOptions(otherOptions === true ? {} : otherOptions) }
}
