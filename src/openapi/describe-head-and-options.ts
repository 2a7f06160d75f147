import { isJsonObject } from '../document/json'
import { allowHeaderValueOf, ROUTES, type UrlMatchWithMethods } from '../request/intent/routes'
import { headResponseName } from './describe-errors'
import { headerComponentRefs, withServerTimingHeaderSchema } from './describe-headers'
import type { EnabledUrlPath } from './list-enabled-paths-of-type'
import type { OpenApiContext } from './openapi-context'
import { type OpenApiObjectMap, type SchemaObject, toOperationId } from './schema'

/** Describes HEAD: the response to GET without its body. https://www.rfc-editor.org/rfc/rfc9110#name-head */
export function describeHeadMethod(get: SchemaObject): SchemaObject {
  const { operationId, summary, responses } = get
  const responsesByStatus = Object.entries(isJsonObject(responses) ? responses : {})
  return {
    ...get,
    operationId: `${operationId}.head`,
    summary: `The headers of: ${summary}`,
    responses: Object.fromEntries(
      responsesByStatus.map(([status, response]) => [status, withoutBody(response as SchemaObject)]),
    ),
  }
}

function withoutBody({ $ref, content: _content, ...response }: SchemaObject): SchemaObject {
  return typeof $ref === 'string' ? { $ref: headResponseName($ref) } : response
}

/** Describes OPTIONS for a URL of a type. */
export function describeOptionsMethodOfPath(
  { routeKind, endpoints: [endpoint] }: EnabledUrlPath,
  api: OpenApiContext,
): OpenApiObjectMap {
  if (endpoint === undefined) return {}
  const { type, relationships } = endpoint
  const urlMatch: UrlMatchWithMethods = { routeKind, type, methods: ROUTES[routeKind].methods }
  return {
    options: {
      ...describeOptionsMethod(toOperationId(type.name, relationships[0]?.name, routeKind), urlMatch, api),
      tags: [type.name],
    },
  }
}

/** Describes OPTIONS, which lists the methods in one header. https://www.rfc-editor.org/rfc/rfc9110#name-options */
export function describeOptionsMethod(name: string, urlMatch: UrlMatchWithMethods, api: OpenApiContext): SchemaObject {
  const Allow = { description: 'The methods.', schema: { const: allowHeaderValueOf(urlMatch) } }
  const success = { 204: { description: 'The methods.', headers: { Allow, ...headerComponentRefs(['Vary']) } } }
  return {
    operationId: `${name}.options`,
    summary: 'The methods of this URL',
    responses: { ...withServerTimingHeaderSchema(success, api), ...describeOptionsErrors() },
  }
}

/** Describes the errors of OPTIONS. It has few: it negotiates nothing, reads no body and no row, and does not call `context`. */
function describeOptionsErrors(): OpenApiObjectMap {
  const statuses = ['400', '414', '500', '503', 'default']
  return Object.fromEntries(statuses.map((status) => [status, { $ref: `#/components/responses/error.${status}` }]))
}
