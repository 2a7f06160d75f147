import { formatValueForError } from '../../document/format-value-for-error'
import type { JsonObject, JsonValue } from '../../document/json'
import { appendToPointer, type JsonPointer } from '../../document/pointer'
import { trimTrailing } from '../../document/trim-text'
import { createJsonApiError, type JsonApiError } from '../../errors/json-api-error'
import type { ResourceGraph, ResourceType } from '../../graph/model/resource-graph'
import type { ResolvedApiOptions } from '../../graph/options/options'
import type { LidScope } from '../body/lid-scope'
import {
  assertJsonObject,
  documentShapeError,
  readOptionalString,
  readRequiredString,
  runReadersCollectingErrors,
  runWithDefaultErrorPointer,
} from '../body/read-members'
import { getResourceTypeNamed } from '../body/read-resource-type'
import { readIdOrLid } from '../body/read-unresolved-linkage'
import type { RequestHead } from '../http/http-request'
import type { RequestedResourceIdentifier } from '../intent/intent'
import { parseResourcePath } from '../intent/routes'

/** The target of an operation, if `ref` or `href` names it. */
export type OperationTarget =
  | { readonly kind: 'none' }
  | { readonly kind: 'collection'; readonly type: ResourceType; readonly pointer: JsonPointer }
  | { readonly kind: 'resource'; readonly target: RequestedResourceIdentifier; readonly pointer: JsonPointer }
  | {
      readonly kind: 'relationship'
      readonly target: RequestedResourceIdentifier
      readonly name: string
      readonly pointer: JsonPointer
    }

export interface ReadOperationTargetContext {
  readonly graph: ResourceGraph
  readonly locals: LidScope
  readonly hrefBase: HrefBase
}

/** https://jsonapi.org/ext/atomic/#auto-id--operation-objects */
export function readOperationTarget(
  operation: JsonObject,
  pointer: JsonPointer,
  context: ReadOperationTargetContext,
): OperationTarget {
  const { ref, href } = operation
  if (ref !== undefined && href !== undefined) {
    throw documentShapeError(appendToPointer(pointer, 'href'), "no 'href' beside a 'ref'", href)
  }
  if (ref !== undefined) return readRef(ref, appendToPointer(pointer, 'ref'), context)
  if (href === undefined) return { kind: 'none' }
  const hrefPointer = appendToPointer(pointer, 'href')
  if (typeof href !== 'string') throw documentShapeError(hrefPointer, 'a URL, as a string', href)
  return runWithDefaultErrorPointer(hrefPointer, () => readHref(href, hrefPointer, context))
}

/** Reads a `ref`. It may have an abstract type, like a URL. */
function readRef(
  value: JsonValue,
  pointer: JsonPointer,
  { graph, locals }: ReadOperationTargetContext,
): OperationTarget {
  const object = assertJsonObject(value, pointer)
  const shape = runReadersCollectingErrors({
    type: () => readRequiredString(object, 'type', pointer),
    name: () => readIdOrLid(object, pointer),
    relationship: () => readOptionalString(object, 'relationship', pointer),
  })
  const type = getResourceTypeNamed({ name: shape.type, pointer }, graph)
  const target =
    'id' in shape.name
      ? { type, id: shape.name.id, pointer }
      : { type, id: '', local: locals.find({ type, lid: shape.name.lid, pointer }), pointer }
  if (shape.relationship === undefined) return { kind: 'resource', target, pointer }
  return { kind: 'relationship', target, name: shape.relationship, pointer: appendToPointer(pointer, 'relationship') }
}

function readHref(
  href: string,
  pointer: JsonPointer,
  { graph, hrefBase }: ReadOperationTargetContext,
): OperationTarget {
  const url = resolveHref(href, hrefBase)
  if (url === undefined) throw foreignUrlError(href)
  if (url.queryString !== '') throw documentShapeError(pointer, 'a URL without a query string', href)
  const { routeKind, type, id, relationship } = parseResourcePath(url.path, graph)
  if (id === undefined) return { kind: 'collection', type, pointer }
  const target = { type, id, pointer }
  if (relationship === undefined) return { kind: 'resource', target, pointer }
  if (routeKind === 'relationship') return { kind: 'relationship', target, name: relationship, pointer }
  const detail = `Expected the URL of a resource, a collection or a relationship, found that of related resources: ${formatValueForError(href)}.`
  throw createJsonApiError('operation.target', detail)
}

function foreignUrlError(href: string): JsonApiError {
  return createJsonApiError('url.not-found', `Expected a URL of this API, found ${formatValueForError(href)}.`)
}

/** A URL of this API, without its base. */
interface ApiUrl {
  /** Percent-encoded, with the leading slash. */
  readonly path: string
  /** Without the question mark; `''` if there is none. */
  readonly queryString: string
}

/** The base of the URLs of this API. */
type HrefBase = Pick<RequestHead, 'findOrigin' | 'mountPath'> & Pick<ResolvedApiOptions['links'], 'base'>

/**
 * Resolves a URL reference in a document; `undefined` if it is not a URL of this API. It is relative to the endpoint of the
 * request, as the client knows it: by the base of links, or by the URL of the request.
 *
 * `/v1/men/2`, `men/2` and `https://api.example.com/v1/men/2` -> `/men/2`
 */
function resolveHref(href: string, base: HrefBase): ApiUrl | undefined {
  for (const possibleBase of possibleBases(base)) {
    const url = URL.canParse(href, possibleBase.href) ? new URL(href, possibleBase) : undefined
    if (url === undefined || url.origin !== possibleBase.origin || !url.pathname.startsWith(possibleBase.pathname))
      continue
    return { path: `/${url.pathname.slice(possibleBase.pathname.length)}`, queryString: url.search.slice(1) }
  }
  return undefined
}

/** Returns the URLs that references may be relative to. Each ends with a slash, so that relative references resolve correctly. */
function possibleBases({ findOrigin, mountPath, base }: HrefBase): readonly URL[] {
  const requestBase = new URL(`${findOrigin() ?? UNKNOWN_ORIGIN}${mountPath.replace(/^\/+/, '/')}/`)
  return base === 'path' || base === 'request' ? [requestBase] : [new URL(`${trimTrailing(base, '/')}/`), requestBase]
}

/** Stands for an unknown host: then only references without a host belong to this API. */
const UNKNOWN_ORIGIN = 'http://nowhere.invalid'
