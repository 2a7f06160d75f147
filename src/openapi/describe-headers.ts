import { isJsonObject } from '../document/json'
import type { ApiFacts } from './api-facts'
import type { Schema, Schemas } from './schema'

/** The headers of answers. */
export type HeaderName = keyof typeof HEADERS

/** Those of one response. */
export function describeHeaders(names: readonly HeaderName[]): Schemas {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}

/** The same responses with the header that all of them have where it is switched on. */
export function withTiming(responses: Schemas, { options }: Pick<ApiFacts, 'options'>): Schemas {
  if (options.serverTiming === false) return responses
  return Object.fromEntries(
    Object.entries(responses).map(([status, { headers, ...response }]) => {
      const others = isJsonObject(headers) ? headers : {}
      return [status, { ...response, headers: { ...others, ...describeHeaders(['Server-Timing']) } }]
    }),
  )
}

/** https://spec.openapis.org/oas/v3.1.1.html#header-object */
export function describeAllHeaders(): Schemas {
  return Object.fromEntries(Object.entries(HEADERS).map(([name, header]) => [name, header as Schema]))
}

const HEADERS = {
  ETag: text('The state of what is shown, for `If-None-Match`; of one resource or its linkage also for `If-Match`.'),
  'Cache-Control': text('How long the answer may be kept.'),
  Vary: text('The headers that the answer depends on.'),
  Location: text('Where the resource is.'),
  'Content-Location': text('Where the job is that tells how far the write has got.'),
  'Preference-Applied': text('The `Prefer` of the request, if the answer is as it says.'),
  'Server-Timing': text('Where the time went, in milliseconds.'),
  'Retry-After': { description: 'Seconds after which it can be tried again.', schema: { type: 'integer' } },
} as const

function text(description: string) {
  return { description, schema: { type: 'string' } } as const
}
