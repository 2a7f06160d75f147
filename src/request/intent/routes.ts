import type { EndpointName } from '../../declarations/field-options'
import { formatValueForError } from '../../document/format-value-for-error'
import { createErrorDetails, createJsonApiError, JsonApiError } from '../../errors/json-api-error'
import { didYouMean } from '../../errors/nearest-name'
import type { IsFieldHidden } from '../../graph/model/capabilities'
import type { ResourceGraph, ResourceType } from '../../graph/model/resource-graph'
import type { RequestLimits } from '../../graph/options/limits'
import type { OperationsOptions, ResolvedApiOptions } from '../../graph/options/options'
import type { HttpRequest } from '../http/http-request'
import type { Intent } from './intent'
import { getCandidateRelationshipsByName } from './relationship-candidates'

export type EndpointMethod = 'GET' | 'POST' | 'PATCH' | 'DELETE'
export type RouteKind = 'collection' | 'individual' | 'related' | 'relationship'

/** The endpoints of every type: the path of each kind of route, and the endpoint of each method. HEAD follows GET. */
export const ROUTES: Readonly<Record<RouteKind, { readonly path: string; readonly methods: EndpointByMethod }>> = {
  collection: { path: '/{type}', methods: { GET: 'getCollection', POST: 'createResource' } },
  individual: {
    path: '/{type}/{id}',
    methods: { GET: 'getResource', PATCH: 'updateResource', DELETE: 'deleteResource' },
  },
  related: { path: '/{type}/{id}/{relationship}', methods: { GET: 'getRelated' } },
  relationship: {
    path: '/{type}/{id}/relationships/{relationship}',
    methods: {
      GET: 'getRelationship',
      PATCH: 'setRelationship',
      POST: 'addToRelationship',
      DELETE: 'removeFromRelationship',
    },
  },
}

/** The operations endpoint, which belongs to no type. Its path is an option. */
export const OPERATIONS_METHODS = { POST: 'performOperations' } as const

/** The path of the OpenAPI document, if it is served. No type can have this name. */
export const OPEN_API_PATH = '/openapi.json'

/** Returns true for the path of the OpenAPI document. A final slash is ignored. */
export function isOpenApiPath(path: string): boolean {
  return path === OPEN_API_PATH || path === `${OPEN_API_PATH}/`
}

type EndpointByMethod = Readonly<Partial<Record<EndpointMethod, EndpointName>>>

/** A URL that exists, with its methods. */
export type UrlMatchWithMethods = TypeUrlMatch | OperationsUrlMatch

/** The endpoint and names of a method and path. Id and relationship are decoded. */
export interface MatchedEndpoint {
  readonly endpoint: Intent['kind']
  readonly type: ResourceType
  readonly id?: string | undefined
  readonly relationship?: string | undefined
}

interface TypeUrlMatch extends Omit<MatchedEndpoint, 'endpoint'> {
  readonly routeKind: RouteKind
  readonly methods: EndpointByMethod
}

interface OperationsUrlMatch {
  readonly type?: undefined
  readonly operations: OperationsOptions
  readonly methods: typeof OPERATIONS_METHODS
}

/** A URL and the endpoint of the method. */
export type UrlMatchWithEndpoint = TypeUrlAndMethodMatch | OperationsUrlAndMethodMatch

export interface TypeUrlAndMethodMatch extends TypeUrlMatch {
  readonly endpoint: EndpointName
}

interface OperationsUrlAndMethodMatch extends OperationsUrlMatch {
  readonly endpoint: 'performOperations'
}

export function matchRequestPath(
  path: string,
  graph: ResourceGraph,
  { operations }: Pick<ResolvedApiOptions, 'operations'>,
): UrlMatchWithMethods {
  const [first, second] = splitPath(path)
  const isOperationsUrl = operations !== false && second === undefined && readName(first) === operations.path
  return isOperationsUrl ? { operations, methods: OPERATIONS_METHODS } : parseResourcePath(path, graph)
}

/** Returns the type, id and relationship of a path. */
export function parseResourcePath(path: string, graph: ResourceGraph): TypeUrlMatch {
  const segments = splitPath(path)
  const routeKind = routeKindOf(segments)
  const [first, id, relationship] = routeKind === 'relationship' ? segments.toSpliced(2, 1) : segments
  const typeName = readName(first)
  const type = graph.types.get(typeName)
  if (routeKind === undefined || type === undefined) throw unknownUrlError(path, typeName, graph)
  return {
    routeKind,
    type,
    id: id === undefined ? id : decodeId(id, path),
    relationship: relationship === undefined ? relationship : readName(relationship),
    methods: ROUTES[routeKind].methods,
  }
}

/** Returns the endpoint of a method at a URL, even if it is disabled. Throws 405 if there is none. */
export function matchMethod(urlMatch: UrlMatchWithMethods, method: string): UrlMatchWithEndpoint {
  if (urlMatch.type === undefined) {
    if (method !== 'POST') throw methodNotAllowed(urlMatch, method)
    return { ...urlMatch, endpoint: urlMatch.methods.POST }
  }
  const endpoint = endpointAt(urlMatch, method)
  if (endpoint === undefined) throw methodNotAllowed(urlMatch, method)
  return { endpoint, ...urlMatch }
}

/** Checks the length before the URL is parsed. https://www.rfc-editor.org/rfc/rfc9110#section-15.5.15 */
export function assertUrlLength({ mountPath, path, queryString }: HttpRequest, { urlLength }: RequestLimits): void {
  const length = mountPath.length + path.length + (queryString === '' ? 0 : 1 + queryString.length)
  if (urlLength === null || length <= urlLength) return
  throw createJsonApiError(
    'url.too-long',
    `Expected a URL of at most ${urlLength} characters from its path on, found ${length}.`,
  )
}

/** Throws if the type in the URL disables the endpoint. The stored type has no effect. An unknown relationship is reported first. */
export function assertEndpointEnabled(
  urlMatch: UrlMatchWithMethods,
  { method, mountPath, path }: HttpRequest,
  isHidden: IsFieldHidden,
): void {
  if (isMethodEnabled(urlMatch, method)) return
  if (urlMatch.type !== undefined && urlMatch.relationship !== undefined) {
    getCandidateRelationshipsByName(urlMatch.type, urlMatch.relationship, isHidden)
  }
  throw createJsonApiError('endpoint.disabled', `${method} ${mountPath}${path} is disabled.`)
}

/** Returns the `Allow` header for the whole API: the methods that any type enables. */
export function allowHeaderOfWholeApi(
  { types }: ResourceGraph,
  { operations }: Pick<ResolvedApiOptions, 'operations'>,
): string {
  const endpoints = new Set<string>([...types.values()].flatMap((type) => type.endpoints))
  if (operations !== false) endpoints.add(OPERATIONS_METHODS.POST)
  const methods = Object.values(ROUTES).flatMap((route) => Object.entries(route.methods))
  const enabledMethods = new Set(
    [...methods, ...Object.entries(OPERATIONS_METHODS)]
      .filter(([, endpoint]) => endpoints.has(endpoint))
      .map(([method]) => method),
  )
  return printMethods([...enabledMethods])
}

/** Returns the `Allow` header of a URL. */
export function allowHeaderValueOf(urlMatch: UrlMatchWithMethods): string {
  return printMethods(Object.keys(urlMatch.methods).filter((method) => isMethodEnabled(urlMatch, method)))
}

function printMethods(methods: readonly string[]): string {
  return methods
    .flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
    .concat('OPTIONS')
    .join(', ')
}

/** Returns true if a URL has the method and its type enables it. */
export function isMethodEnabled(urlMatch: UrlMatchWithMethods, method: string): boolean {
  if (urlMatch.type === undefined) return method === 'POST'
  const endpoint = endpointAt(urlMatch, method)
  return endpoint !== undefined && urlMatch.type.endpoints.includes(endpoint)
}

function endpointAt({ methods }: TypeUrlMatch, method: string): EndpointName | undefined {
  const tableMethod = method === 'HEAD' ? 'GET' : method
  return Object.hasOwn(methods, tableMethod) ? methods[tableMethod as EndpointMethod] : undefined
}

function methodNotAllowed(urlMatch: UrlMatchWithMethods, method: string): JsonApiError {
  const allow = allowHeaderValueOf(urlMatch)
  const detail = `Found ${method}, expected one of ${allow}.${suggestMethod(urlMatch, method)}`
  return new JsonApiError([{ ...createErrorDetails('url.method-not-allowed', detail), headers: { allow } }])
}

/** Suggests the JSON:API equivalent of a method. */
function suggestMethod(urlMatch: UrlMatchWithMethods, method: string): string {
  if (urlMatch.type === undefined) return ''
  const { type, id, methods } = urlMatch
  const { PATCH } = methods
  if (method === 'PUT' && PATCH !== undefined && type.endpoints.includes(PATCH)) {
    return ' PATCH changes what it names, and leaves the rest as it is.'
  }
  if (id === undefined && (method === 'PATCH' || method === 'DELETE'))
    return ' Each resource is written at its own URL.'
  return ''
}

function routeKindOf(segments: readonly string[]): RouteKind | undefined {
  if (segments.some((segment) => segment === '')) return undefined
  if (segments.length === 4) return segments[2] === 'relationships' ? 'relationship' : undefined
  return (['collection', 'individual', 'related'] as const)[segments.length - 1]
}

function splitPath(path: string): readonly string[] {
  const start = path.startsWith('/') ? 1 : 0
  return path.slice(start, path.endsWith('/') && path.length > start ? -1 : undefined).split('/')
}

/**
 * Decodes the name in a path segment, if it is encoded as in links. Any other text with a `%` stays encoded, so it matches no name. Several
 * spellings would let clients bypass middleware that compares paths. docs/internals/decisions/011-urls-links-and-http.md
 */
function readName(segment = ''): string {
  if (!segment.includes('%')) return segment
  try {
    const name = decodeURIComponent(segment)
    return encodeURIComponent(name) === segment ? name : segment
  } catch {
    return segment
  }
}

function decodeId(segment: string, path: string): string {
  if (!segment.includes('%')) return segment
  try {
    return decodeURIComponent(segment)
  } catch {
    throw createJsonApiError('url.malformed', `The path ${formatValueForError(path)} is not percent-encoded UTF-8.`)
  }
}

/** Creates the error for an unknown URL. Shortens the path, which may come from an operation and be as long as a body. */
function unknownUrlError(path: string, typeName: string, graph: ResourceGraph): JsonApiError {
  const reason = describeUnknownType(typeName, graph)
  return createJsonApiError('url.not-found', `Nothing is at ${formatValueForError(path)}${reason}`)
}

function describeUnknownType(typeName: string, { types }: ResourceGraph): string {
  if (types.has(typeName)) return '.'
  const [anyType = ''] = types.keys()
  if (typeName === '') return `: each resource type has a URL of its own, as '/${anyType}'.`
  return `: there is no resource type ${formatValueForError(typeName)}.${didYouMean(typeName, types.keys())}`
}
