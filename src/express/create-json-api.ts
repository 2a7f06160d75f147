import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Request, RequestHandler } from 'express'
import { checkDefinitions } from '../definitions/check-definitions'
import { buildDefinitions } from '../definitions/definitions'
import type { ResourceDefinition } from '../definitions/resource-definition'
import type { Api } from '../endpoints/api'
import { buildIdempotency, checkIdempotency, type IdempotencyOptions } from '../endpoints/idempotency'
import { typesWithOwnKey } from '../endpoints/states'
import { setUp } from '../errors/configuration-error'
import { buildGraph } from '../graph/build-graph'
import {
  DEFAULT_OPEN_API,
  DEFAULT_OPERATIONS,
  DEFAULT_OPTIONS,
  type OpenApiOptions,
  type OperationsOptions,
  type Options,
} from '../graph/options'
import { DEFAULT_OVERLOAD, type OverloadOptions } from '../graph/overload'
import type { ResourceClass } from '../graph/resource-graph'
import { buildAdmission } from '../node-http/admission'
import { createListener, type Listener } from '../node-http/listener'
import { standingAtNode } from '../node-http/request-head'
import { buildObserve } from '../observation/build-observe'
import { checkTelemetry } from '../observation/find-telemetry'
import { descriptionOf } from '../openapi/answer-description'
import { checkExamples } from '../openapi/check-examples'
import type { OpenApiDocument } from '../openapi/describe-api'
import { type ApiOverview, toOverview } from '../overview/overview'
import { buildReadingRules } from '../plan/reading-rules'
import { type OpenedStore, openStore } from '../store/typeorm/open-store'
import type { WantedIndex } from '../store/wanted-index'
import { buildValidators } from '../validators/validators'
import { checkCalled, checkShapes, readResources } from './check-shapes'
import { findWarnings } from './find-warnings'
import { guardReport } from './guard-report'
import { createRouter } from './router'
import { checkStartUp, type StartUpOption, tellStartUp } from './start-up'

/**
 * What `createJsonApi` is given.
 *
 * `Incoming`: the requests that `context` can be asked about. Those of Express come through the router; where the API is to be served by
 * the listener too, it takes Node's `IncomingMessage`, of which Express has made its own.
 */
export interface JsonApiConfiguration<Context = unknown, Incoming extends IncomingMessage = Request>
  extends Partial<Omit<Options, 'page' | 'capabilities' | 'links' | 'limits' | 'overload' | 'operations' | 'openApi'>> {
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
   * `@ToOne({ links: 'off' })` and `@ToMany({ links: 'off' })`. Default: all, as paths.
   *
   * `links: { relationship: 'off' }` -> relationship objects have no `links`, and only those with `data` are there
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
   * Whether requests are sent away with 503 and `Retry-After` while there are more than the process can answer in time. Default: `off`.
   *
   * `overload: 'on'`, or `overload: { concurrent: 50 }` -> the 51st of the requests that are under way is answered at once, and nothing is done
   */
  readonly overload?: 'on' | 'off' | Partial<OverloadOptions>
  /**
   * Where clients send several writes of which all are kept or none, and how many. Default: at most 100, to `/operations`.
   *
   * `operations: { maximum: 10 }`, or `operations: 'off'`
   */
  readonly operations?: 'off' | Partial<OperationsOptions>
  /**
   * The OpenAPI document of the API: whether it is at `/openapi.json` below the path of the API, and what it says of the API as a whole.
   * Default: `off`, for who may read it is for the application to say.
   *
   * `openApi: 'on'`, or `openApi: { title: 'Library', version: '2.1.0' }` -> `GET /openapi.json`, and a link `describedby` to it in every document
   */
  readonly openApi?: 'on' | 'off' | Partial<OpenApiOptions>
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
  readonly report?: (error: unknown) => void
  /**
   * What is told at start-up. `printed`: types, options that differ from their defaults, and warnings, on standard error. `warnings`: only what
   * works, and can be slow or go wrong one day, each with its remedy. A function is told in place of standard error. Default: `printed`,
   * where tests run or `NODE_ENV` is `production`: `warnings`.
   *
   * `startUp: 'quiet'`, or `startUp: ({ warnings }) => logger.warn({ warnings })`
   */
  readonly startUp?: StartUpOption
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
  readonly indexes: readonly WantedIndex[]
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
  overview(): ApiOverview
}

/**
 * Makes the endpoints of all resource types. Throws a `ConfigurationError` with every mistake at once.
 *
 * `app.use(createJsonApi({ dataSource, resources: [Human, Man, Woman] }).router)` serves `/humans`, `/men` and `/women`.
 */
export function createJsonApi<Context = unknown>(
  configuration: JsonApiConfiguration<Context, IncomingMessage> & { readonly context?: undefined },
): JsonApi<IncomingMessage>
export function createJsonApi<Context = unknown, Incoming extends IncomingMessage = Request>(
  configuration: JsonApiConfiguration<Context, Incoming>,
): JsonApi<Incoming>
export function createJsonApi({ context = () => undefined, ...parts }: JsonApiConfiguration): JsonApi {
  const { api, ...told } = buildApi(parts, context)
  const reception = { context, admission: buildAdmission(api.options.overload) }
  const listener: Listener<Request> = createListener(api, { ...reception, findStanding: standingAtNode })
  return { router: createRouter(api, reception), listener, ...told, openApi: () => descriptionOf(api) }
}

function buildApi(
  {
    dataSource,
    resources: listed,
    definitions = [],
    report: told = console.error,
    startUp,
    idempotency,
    ...given
  }: Omit<JsonApiConfiguration, 'context'>,
  context: unknown,
): Pick<JsonApi, 'indexes' | 'overview'> & { readonly api: Api } {
  const options = toOptions(given)
  const { classes: resources, problems: unlisted } = readResources(listed)
  const report = guardReport(told)
  const { problems, describe, idempotencyTable, system, toStore } = openStore(dataSource)
  const graph = setUp(
    () => buildGraph({ resources, describe, options }),
    [
      ...unlisted,
      ...checkCalled({ context, report: told }),
      ...problems,
      ...checkShapes({ ...given }),
      ...checkDefinitions(definitions, resources),
      ...checkIdempotency(idempotency, idempotencyTable),
      ...checkStartUp(startUp),
      ...checkTelemetry(options),
    ],
  )
  setUp(() => graph, checkExamples(graph))
  const { store, indexes, differences } = toStore(graph, { ...options, report })
  const sorted = buildDefinitions(definitions, graph)
  const api: Api = {
    graph,
    options,
    report,
    definitions: sorted,
    askReadingRules: buildReadingRules(sorted, graph),
    validators: buildValidators(graph),
    store,
    idempotency: buildIdempotency(idempotency, idempotencyTable),
    context: undefined,
    beforeCommit: undefined,
    open: undefined,
    deadline: undefined,
    observe: buildObserve(options, system),
    observation: undefined,
  }
  const warnings = findWarnings({ indexes, withOwnKey: typesWithOwnKey(api), differences })
  const overview = () => toOverview({ api, definitions, database: dataSource.options.type, warnings })
  tellStartUp({ warnings, overview }, startUp)
  return { api, indexes, overview }
}

type GivenOptions = Omit<
  JsonApiConfiguration,
  'dataSource' | 'resources' | 'definitions' | 'context' | 'report' | 'startUp' | 'idempotency'
>

function toOptions({
  page,
  capabilities,
  links,
  limits,
  overload,
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
    overload: toOverloadOptions(overload),
    operations: operations === 'off' ? operations : { ...DEFAULT_OPERATIONS, ...operations },
    openApi: toOpenApiOptions(openApi),
  }
}

function toOverloadOptions(given: JsonApiConfiguration['overload'] = 'off'): Options['overload'] {
  if (given === 'off') return given
  return given === 'on' ? DEFAULT_OVERLOAD : { ...DEFAULT_OVERLOAD, ...given }
}

/** Whoever says something of the document wants it to be served. */
function toOpenApiOptions(given: JsonApiConfiguration['openApi'] = 'off'): OpenApiOptions {
  if (given === 'off') return DEFAULT_OPEN_API
  return { ...DEFAULT_OPEN_API, served: 'on', ...(given === 'on' ? {} : given) }
}
