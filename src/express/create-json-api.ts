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
import type { ResourceClass } from '../graph/model/resource-graph'
import { DEFAULT_LOAD_SHEDDING, type LoadSheddingOptions } from '../graph/options/load-shedding'
import {
  DEFAULT_OPEN_API,
  DEFAULT_OPERATIONS,
  DEFAULT_OPTIONS,
  type OpenApiOptions,
  type OperationsOptions,
  type Options,
} from '../graph/options/options'
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
 * What `createJsonApi` is given.
 *
 * `Incoming`: the requests that `context` can be asked about. Those of Express come through the router; where the API is to be served by
 * the listener too, it takes Node's `IncomingMessage`, of which Express has made its own.
 */
export interface JsonApiOptions<Context = unknown, Incoming extends IncomingMessage = Request>
  extends Partial<
    Omit<Options, 'page' | 'capabilities' | 'links' | 'limits' | 'loadShedding' | 'operations' | 'openApi'>
  > {
  /** Initialized already: the types of columns and relations are taken from it. */
  readonly dataSource: OpenedStore['dataSource']
  /** Every class with `@Resource`, bases too. */
  readonly resources: readonly ResourceClass[]
  /** One instance for each resource type that has rules. */
  readonly definitions?: readonly ResourceDefinition<object, Context>[]
  /**
   * What the rules are to know of a request: above all who is asking. All hooks are given what comes of it. To refuse, it throws a
   * `JsonApiError`; nothing has been read by then. It does not run for `OPTIONS`. Default: `undefined`.
   *
   * `context: async (request) => ({ user: await findUser(request.get('authorization')) })` -> `filter({ user })`, `write.context.user`.
   * For the listener, which has no `request.get`: `context: ({ headers }: IncomingMessage) => findUser(headers.authorization)`
   */
  readonly context?: (request: Incoming) => Context | Promise<Context>
  readonly page?: Partial<Options['page']>
  /**
   * Where links lead, and which there are. Types can say otherwise with `@Resource(name, { links })`, relationships with
   * `@ToOne({ links: false })` and `@ToMany({ links: false })`. Default: all, as paths.
   *
   * `links: { relationship: false }` -> relationship objects have no `links`, and only those with `data` are there
   */
  readonly links?: Partial<Options['links']>
  /**
   * What clients may do with fields that do not say it themselves. Default: everything.
   *
   * `capabilities: { attribute: ['view'] }` -> attributes are shown; those that are to be filtered or sorted by say so
   */
  readonly capabilities?: Partial<Options['capabilities']>
  /**
   * How much one request may ask for; those that are not given have their defaults.
   *
   * `limits: { bodySize: 64 * 1024, cost: 20_000 }` -> `?include=articles.comments` of many blogs answers 400, and says why
   */
  readonly limits?: Partial<Options['limits']>
  /**
   * Whether requests are sent away with 503 and `Retry-After` while there are more than the process can answer in time. Default: `false`.
   *
   * `loadShedding: true`, or `loadShedding: { maxConcurrency: 50 }` -> the 51st of the requests that are under way is answered at once, and nothing is done
   */
  readonly loadShedding?: boolean | Partial<LoadSheddingOptions>
  /**
   * Where clients send several writes of which all are kept or none, and how many. Default: at most 100, to `/operations`.
   *
   * `operations: { maxOperations: 10 }`, or `operations: false`
   */
  readonly operations?: false | Partial<OperationsOptions>
  /**
   * The OpenAPI document of the API: whether it is at `/openapi.json` below the path of the API, and what it says of the API as a whole.
   * Default: `false`, for who may read it is for the application to say.
   *
   * `openApi: true`, or `openApi: { title: 'Library', version: '2.1.0' }` -> `GET /openapi.json`, and a link `describedby` to it in every document
   */
  readonly openApi?: boolean | Partial<OpenApiOptions>
  /**
   * Requests with the header `Idempotency-Key` are performed once, and answered always the same. Default: the header means nothing.
   *
   * `idempotency: { owner: ({ user }) => user.id }` -> whoever sends a POST again, not knowing whether it came through, gets the first
   * answer again
   */
  readonly idempotency?: IdempotencyOptions<Context>
  /**
   * Told of what goes wrong and is no mistake of the client's: what is answered with 500, errors of the database behind a 503, requests that took too
   * long, what cuts an answer off while it is sent, and what fails after a write was kept, as in `afterCommit`. Default: `console.error`.
   */
  readonly onError?: (error: unknown) => void
  /**
   * What is told at start-up. `printed`: types, options that differ from their defaults, and warnings, on standard error. `warnings`: only what
   * works, and can be slow or go wrong one day, each with its remedy. A function is told in place of standard error. Default: `printed`,
   * where tests run or `NODE_ENV` is `production`: `warnings`.
   *
   * `startupLog: 'quiet'`, or `startupLog: ({ warnings }) => logger.warn({ warnings })`
   */
  readonly startupLog?: StartUpOption
}

/** An API that is ready to be served, in an application of Express or without it. */
export interface JsonApi<Incoming extends IncomingMessage = Request> {
  /** All endpoints of all types: `app.use(api.router)`, or under a path. It answers every request that gets to it. */
  readonly router: RequestHandler
  /**
   * The same without Express, in a fraction of the time that small answers take: `createServer(api.listener)`, or in front of an
   * application. It answers every request that gets to it.
   *
   * `createServer((request, response) => (request.url === '/health' ? app : api.listener)(request, response))`
   */
  readonly listener: (request: Incoming, response: ServerResponse) => void
  /**
   * The indexes that make its statements quick, whether the entities declare them or not.
   *
   * `api.indexes.filter(({ isDeclared }) => !isDeclared).map(({ sql }) => sql)` -> `create index "IDX_…" on "member" ("teamId")`
   */
  readonly indexes: readonly RecommendedIndex[]
  /**
   * The OpenAPI document of the API, whether it is served or not: for files that are made when an application is built.
   *
   * `writeFileSync('openapi.json', JSON.stringify(api.openApi()))`
   */
  openApi(): OpenApiDocument
  /**
   * What it serves, in brief: types, endpoints, options that differ from their defaults, warnings.
   *
   * `api.overview().endpoints.map(({ method, path }) => `${method} ${path}`)` -> `['GET /humans', 'POST /humans', …]`
   */
  overview(): ApiSummary
}

/**
 * Makes the endpoints of all resource types. Throws a `ConfigurationError` with every mistake at once.
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

/** Whoever says something of the document wants it to be served. */
function toOpenApiOptions(given: JsonApiOptions['openApi'] = false): OpenApiOptions {
  if (given === false) return DEFAULT_OPEN_API
  return { ...DEFAULT_OPEN_API, served: true, ...(given === true ? {} : given) }
}
