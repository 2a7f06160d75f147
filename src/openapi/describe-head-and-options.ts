import { isJsonObject } from '../document/json'
import { allowedMethods, ROUTES, type UrlMatch } from '../request/intent/routes'
import type { ApiFacts } from './api-facts'
import { plainName } from './component-names'
import { headName } from './describe-errors'
import { describeHeaders, withTiming } from './describe-headers'
import type { EnabledPath } from './list-enabled-paths'
import type { Schema, Schemas } from './schema'

/** HEAD is answered as GET is, without the body. https://www.rfc-editor.org/rfc/rfc9110#name-head */
export function describeHead(get: Schema): Schema {
  const { operationId, summary, responses } = get
  const answers = Object.entries(isJsonObject(responses) ? responses : {})
  return {
    ...get,
    operationId: `${operationId}.head`,
    summary: `The headers of: ${summary}`,
    responses: Object.fromEntries(answers.map(([status, response]) => [status, withoutBody(response as Schema)])),
  }
}

function withoutBody({ $ref, content: _content, ...response }: Schema): Schema {
  return typeof $ref === 'string' ? { $ref: headName($ref) } : response
}

/** What OPTIONS tells at a URL of a type. */
export function describeTypeOptions({ shape, endpoints: [endpoint] }: EnabledPath, facts: ApiFacts): Schemas {
  if (endpoint === undefined) return {}
  const {
    type,
    relationships: [relationship],
  } = endpoint
  const names = [type.name, relationship?.name, shape].flatMap((part) => (part === undefined ? [] : plainName(part)))
  const place: UrlMatch = { shape, type, methods: ROUTES[shape].methods }
  return { options: { ...describeOptions(names.join('.'), place, facts), tags: [type.name] } }
}

/** Which methods can be used, in one header. https://www.rfc-editor.org/rfc/rfc9110#name-options */
export function describeOptions(name: string, place: UrlMatch, facts: ApiFacts): Schema {
  const Allow = { description: 'The methods.', schema: { const: allowedMethods(place) } }
  const done = { 204: { description: 'The methods.', headers: { Allow, ...describeHeaders(['Vary']) } } }
  return {
    operationId: `${name}.options`,
    summary: 'The methods that can be used here',
    responses: { ...withTiming(done, facts), ...describeOptionsErrors() },
  }
}

/** There are no others: nothing is negotiated, no body is read, `context` does not run, and nothing is looked for. An id may be no text of a URL. */
function describeOptionsErrors(): Schemas {
  const statuses = ['400', '414', '500', '503', 'default']
  return Object.fromEntries(statuses.map((status) => [status, { $ref: `#/components/responses/error.${status}` }]))
}
