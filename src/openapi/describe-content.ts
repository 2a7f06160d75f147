import { CURSOR_PAGINATION } from '../document/cursor-profile'
import { JSON_API, printMediaType } from '../document/media-type'
import type { EndpointKind } from '../request/intent'
import type { ApiFacts } from './api-facts'
import type { Schema } from './schema'

/** https://spec.openapis.org/oas/v3.1.1.html#media-type-object */
export type Content = Schema

/** A document in every media type that an endpoint has for it: plain, and with each extension of the application. */
export function describeContent(
  schema: Schema,
  endpoint: EndpointKind,
  { options }: Pick<ApiFacts, 'options'>,
): Content {
  const here = options.extensions.filter(({ endpoints }) => endpoints?.some((each) => each === endpoint) ?? true)
  const types = [JSON_API, ...here.map(({ uri }) => printMediaType({ extensions: [uri], profiles: [] }))]
  return Object.fromEntries(types.map((type) => [type, { schema }]))
}

/** A list can be cut by cursors, and follows the profile then. */
export function describeListContent(schema: Schema, endpoint: EndpointKind, facts: Pick<ApiFacts, 'options'>): Content {
  const cut = printMediaType({ extensions: [], profiles: [CURSOR_PAGINATION] })
  return { ...describeContent(schema, endpoint, facts), [cut]: { schema } }
}
