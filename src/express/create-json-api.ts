import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Request, RequestHandler } from 'express'
import { type ApiSummary, toApiSummary } from '../api-summary/api-summary'
import { checkDefinitions } from '../definitions/check-definitions'
import { buildDefinitions } from '../definitions/definitions'
import type { ResourceDefinition } from '../definitions/resource-definition'
import type { Api } from '../endpoints/api'
import { buildIdempotency, checkIdempotency, type IdempotencyOptions } from '../endpoints/idempotency'
import { typesWithProcessEtagSecret } from '../endpoints/revisions'
import { collectConfigurationIssues } from '../errors/configuration-error'
import { buildGraph } from '../graph/build-graph'
import { DEFAULT_LOAD_SHEDDING, type LoadSheddingOptions } from '../graph/load-shedding'
import {
  DEFAULT_OPEN_API,
  DEFAULT_OPERATIONS,
  DEFAULT_OPTIONS,
  type OpenApiOptions,
  type OperationsOptions,
  type Options,
} from '../graph/options'
import type { ResourceClass } from '../graph/resource-graph'
import { buildAdmissionControl } from '../node-http/admission-control'
import { createListener, type Listener } from '../node-http/listener'
import { resolveNodeMountPoint } from '../node-http/request-head'
import { buildObserve } from '../observation/build-observe'
import { checkTelemetry } from '../observation/find-telemetry'
import { checkExamples } from '../openapi/check-examples'
import type { OpenApiDocument } from '../openapi/describe-api'
import { descriptionOf } from '../openapi/respond-with-description'
import { buildReadRules } from '../plan/read-rules'
import type { RecommendedIndex } from '../store/recommended-index'
import { type OpenedStore, openStore } from '../store/typeorm/open-store'
import { buildValidators } from '../validators/validators'
import { checkFunctionOptions, checkOptionShapes, readResources } from './check-option-shapes'
import { findWarnings } from './find-warnings'
import { createRouter } from './router'
import { checkStartUp, logStartup, type StartUpOption } from './start-up'
import { wrapOnError } from './wrap-on-error'

/**
 * Options of `createJsonApi`.
 *
 * `Incoming` is the request type that `context` receives. The router passes Express's `Request`. If you also use the listener, choose
 * Node's `IncomingMessage`, which `Request` extends.
 */
export interface JsonApiOptions<Context = unknown, Incoming extends IncomingMessage = Request>
  extends Partial<
    Omit<Options, 'page' | 'capabilities' | 'links' | 'limits' | 'loadShedding' | 'operations' | 'openApi'>
  > {
  /** The data source. It must be initialized, because columns and relations are read from it. */
  readonly dataSource: OpenedStore['dataSource']
  /** All classes with `@Resource`, including base classes. */
  readonly resources: readonly ResourceClass[]
  /** One instance for each resource type that has rules. */
  readonly definitions?: readonly ResourceDefinition<object, Context>[]
  /**
   * Returns what rules need to know about a request, above all the user. All hooks receive its result. Throw a `JsonApiError` to reject the
   * request; nothing has been read by then. Not called for `OPTIONS`. Default: `undefined`.
   *
   * `context: async (request) => ({ user: await findUser(request.get('authorization')) })` -> `filter({ user })`, `write.context.user`.
   *
   * The listener has no `request.get`: `context: ({ headers }: IncomingMessage) => findUser(headers.authorization)`
   */
  readonly context?: (request: Incoming) => Context | Promise<Context>
  readonly page?: Partial<Options['page']>
  /**
   * The links of documents, and their origin. Override them with `@Resource(name, { links })`, `@ToOne({ links: false })` and `@ToMany({
   * links: false })`. Default: all links, as paths.
   *
   * `links: { relationship: false }` -> relationship objects have no `links`, and are left out without `data`
   */
  readonly links?: Partial<Options['links']>
  /**
   * What clients may do with fields that declare no capabilities. Default: everything.
   *
   * `capabilities: { attribute: ['view'] }` -> clients may read attributes; to filter or sort by one, declare it with that capability
   */
  readonly capabilities?: Partial<Options['capabilities']>
  /**
   * Limits for each request. Limits that are left out have their defaults.
   *
   * `limits: { bodySize: 64 * 1024, cost: 20_000 }` -> `?include=articles.comments` of many blogs returns 400 with the reason
   */
  readonly limits?: Partial<Options['limits']>
  /**
   * Rejects requests with 503 and `Retry-After` while the process has more than it can handle in time. Default: `false`.
   *
   * `loadShedding: true`, or `loadShedding: { maxConcurrency: 50 }` -> the 51st concurrent request gets 503 at once
   */
  readonly loadShedding?: boolean | Partial<LoadSheddingOptions>
  /**
   * The atomic operations endpoint: its path, and the number of operations in a request. Default: at most 100, at `/operations`.
   *
   * `operations: { maxOperations: 10 }`, or `operations: false`
   */
  readonly operations?: false | Partial<OperationsOptions>
  /**
   * Serves the OpenAPI document at `/openapi.json` below the path of the API, and sets its general texts. Default: `false`, because the
   * application decides who may read it.
   *
   * `openApi: true`, or `openApi: { title: 'Library', version: '2.1.0' }` -> `GET /openapi.json`, and a link `describedby` to it in every document
   */
  readonly openApi?: boolean | Partial<OpenApiOptions>
  /**
   * Runs requests with an `Idempotency-Key` header once, and replays the response to repeated ones. Default: the header is ignored.
   *
   * `idempotency: { owner: ({ user }) => user.id }` -> a client that repeats a POST after a lost connection gets the first response
   */
  readonly idempotency?: IdempotencyOptions<Context>
  /**
   * Called with every server-side error: responses with 500, database errors behind a 503, timeouts, truncated responses, and errors after
   * the commit, as in `afterCommit`. Default: `console.error`.
   */
  readonly onError?: (error: unknown) => void
  /**
   * What is logged at startup. `printed`: types, options that differ from their defaults, and warnings, on standard error. `warnings`: only
   * the warnings, each with its remedy. `quiet`: nothing. A function receives the summary instead. Default: `printed`; in tests or if
   * `NODE_ENV` is `production`: `warnings`.
   *
   * `startupLog: 'quiet'`, or `startupLog: ({ warnings }) => logger.warn({ warnings })`
   */
  readonly startupLog?: StartUpOption
}

/** An API that is ready to be served, with Express or without. */
export interface JsonApi<Incoming extends IncomingMessage = Request> {
  /** An Express handler for all endpoints: `app.use(api.router)`, or under a path. It responds to every request that reaches it. */
  readonly router: RequestHandler
  /**
   * A handler for Node's HTTP server, which is faster than Express for small responses: `createServer(api.listener)`. It responds to every
   * request that reaches it.
   *
   * `createServer((request, response) => (request.url === '/health' ? app : api.listener)(request, response))`
   */
  readonly listener: (request: Incoming, response: ServerResponse) => void
  /**
   * The indexes that the API's statements use, whether the entities declare them or not.
   *
   * `api.indexes.filter(({ isDeclared }) => !isDeclared).map(({ sql }) => sql)` -> `create index "IDX_…" on "member" ("teamId")`
   */
  readonly indexes: readonly RecommendedIndex[]
  /**
   * Returns the OpenAPI document, whether the API serves it or not. Use it to write the document to a file in a build.
   *
   * `writeFileSync('openapi.json', JSON.stringify(api.openApi()))`
   */
  openApi(): OpenApiDocument
  /**
   * Returns a summary: types, endpoints, options that differ from their defaults, warnings.
   *
   * `api.overview().endpoints.map(({ method, path }) => `${method} ${path}`)` -> `['GET /humans', 'POST /humans', …]`
   */
  overview(): ApiSummary
}

/**
 * Creates the API of all resource types. Throws a `ConfigurationError` with all issues of the configuration.
 *
 * `app.use(createJsonApi({ dataSource, resources: [Human, Man, Woman] }).router)` serves `/humans`, `/men` and `/women`.
 */
export function createJsonApi<Context = unknown>(
  configuration: JsonApiOptions<Context, IncomingMessage> & { readonly context?: undefined },
): JsonApi<IncomingMessage>
export function createJsonApi<Context = unknown, Incoming extends IncomingMessage = Request>(
  configuration: JsonApiOptions<Context, Incoming>,
): JsonApi<Incoming>
export function createJsonApi({ context = () => undefined, ...parts }: JsonApiOptions): JsonApi {
  const { api, ...told } = buildApi(parts, context)
  const reception = { context, admission: buildAdmissionControl(api.options.loadShedding) }
  const listener: Listener<Request> = createListener(api, { ...reception, resolveMountPoint: resolveNodeMountPoint })
  return { router: createRouter(api, reception), listener, ...told, openApi: () => descriptionOf(api) }
}

function buildApi(
  {
    dataSource,
    resources: listed,
    definitions = [],
    onError: told = console.error,
    startupLog,
    idempotency,
    ...given
  }: Omit<JsonApiOptions, 'context'>,
  context: unknown,
): Pick<JsonApi, 'indexes' | 'overview'> & { readonly api: Api } {
  const options = toOptions(given)
  const { classes: resources, problems: unlisted } = readResources(listed)
  const onError = wrapOnError(told)
  const { problems, describe, idempotencyTable, system, toStore } = openStore(dataSource)
  const graph = collectConfigurationIssues(
    () => buildGraph({ resources, describe, options }),
    [
      ...unlisted,
      ...checkFunctionOptions({ context, onError: told }),
      ...problems,
      ...checkOptionShapes({ ...given }),
      ...checkDefinitions(definitions, resources),
      ...checkIdempotency(idempotency, idempotencyTable),
      ...checkStartUp(startupLog),
      ...checkTelemetry(options),
    ],
  )
  collectConfigurationIssues(() => graph, checkExamples(graph))
  const { store, indexes, warnings: differences } = toStore(graph, { ...options, onError: onError })
  const sorted = buildDefinitions(definitions, graph)
  const api: Api = {
    graph,
    options,
    onError,
    definitions: sorted,
    evaluateReadRules: buildReadRules(sorted, graph),
    validators: buildValidators(graph),
    store,
    idempotency: buildIdempotency(idempotency, idempotencyTable),
    context: undefined,
    beforeCommit: undefined,
    openTransaction: undefined,
    deadline: undefined,
    observe: buildObserve(options, system),
    observation: undefined,
  }
  const warnings = findWarnings({ indexes, withProcessEtagSecret: typesWithProcessEtagSecret(api), differences })
  const overview = () => toApiSummary({ api, definitions, database: dataSource.options.type, warnings })
  logStartup({ warnings, overview }, startupLog)
  return { api, indexes, overview }
}

type GivenOptions = Omit<
  JsonApiOptions,
  'dataSource' | 'resources' | 'definitions' | 'context' | 'onError' | 'startupLog' | 'idempotency'
>

function toOptions({
  page,
  capabilities,
  links,
  limits,
  loadShedding,
  operations,
  openApi,
  ...given
}: GivenOptions): Options {
  return {
    ...DEFAULT_OPTIONS,
    ...given,
    page: { ...DEFAULT_OPTIONS.page, ...page },
    capabilities: { ...DEFAULT_OPTIONS.capabilities, ...capabilities },
    links: { ...DEFAULT_OPTIONS.links, ...links },
    limits: { ...DEFAULT_OPTIONS.limits, ...limits },
    loadShedding: toOverloadOptions(loadShedding),
    operations: operations === false ? operations : { ...DEFAULT_OPERATIONS, ...operations },
    openApi: toOpenApiOptions(openApi),
  }
}

function toOverloadOptions(given: JsonApiOptions['loadShedding'] = false): Options['loadShedding'] {
  if (given === false) return given
  return given === true ? DEFAULT_LOAD_SHEDDING : { ...DEFAULT_LOAD_SHEDDING, ...given }
}

/** An options object also switches the document on. */
function toOpenApiOptions(given: JsonApiOptions['openApi'] = false): OpenApiOptions {
  if (given === false) return DEFAULT_OPEN_API
  return { ...DEFAULT_OPEN_API, served: true, ...(given === true ? {} : given) }
}
