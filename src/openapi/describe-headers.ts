import type { Schema, Schemas } from './schema'

/** The headers of answers. */
export type HeaderName = keyof typeof HEADERS

/** Those of one response. */
export function describeHeaders(names: readonly HeaderName[]): Schemas {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
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
  'Retry-After': { description: 'Seconds after which it can be tried again.', schema: { type: 'integer' } },
} as const

function text(description: string) {
  return { description, schema: { type: 'string' } } as const
}
