import { isJsonObject } from '../document/json'
import type { OpenApiContext } from './openapi-context'
import type { OpenApiObjectMap, SchemaObject } from './schema'

/** The response headers. */
export type OpenApiResponseHeaderName = keyof typeof HEADERS

/** Describes the headers of one response. */
export function headerComponentRefs(names: readonly OpenApiResponseHeaderName[]): OpenApiObjectMap {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}

/** Adds `Server-Timing` to the responses if the option is on. */
export function withServerTimingHeaderSchema(
  responses: OpenApiObjectMap,
  { options }: Pick<OpenApiContext, 'options'>,
): OpenApiObjectMap {
  if (options.serverTiming === false) return responses
  return Object.fromEntries(
    Object.entries(responses).map(([status, { headers, ...response }]) => {
      const others = isJsonObject(headers) ? headers : {}
      return [status, { ...response, headers: { ...others, ...headerComponentRefs(['Server-Timing']) } }]
    }),
  )
}

/** https://spec.openapis.org/oas/v3.1.1.html#header-object */
export function describeHeaderComponents(): OpenApiObjectMap {
  return Object.fromEntries(Object.entries(HEADERS).map(([name, header]) => [name, header as SchemaObject]))
}

const HEADERS = {
  ETag: text('The version of the content, for `If-None-Match`. For one resource or its linkage also for `If-Match`.'),
  'Cache-Control': text('How long the response may be cached.'),
  Vary: text('The headers that the response depends on.'),
  Location: text('The URL of the resource.'),
  'Content-Location': text('The URL of the job that shows the progress of the write.'),
  'Preference-Applied': text('The `Prefer` of the request, if the server has followed it.'),
  'Server-Timing': text('Durations of the phases, in milliseconds.'),
  'Retry-After': { description: 'Seconds to wait before a retry.', schema: { type: 'integer' } },
} as const

function text(description: string) {
  return { description, schema: { type: 'string' } } as const
}
