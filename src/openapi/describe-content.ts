import { CURSOR_PAGINATION_URI } from '../document/cursor-profile'
import { ATOMIC_OPERATIONS_URI, printJsonApiMediaType } from '../document/media-type'
import type { IntentKind } from '../request/intent/intent'
import type { OpenApiContext } from './openapi-context'
import { type SchemaObject, schemaComponentRef } from './schema'

/** https://spec.openapis.org/oas/v3.1.1.html#media-type-object */
export type MediaTypeObjects = Readonly<Record<string, { readonly schema: SchemaObject }>>

/** Describes a document in every media type of an endpoint: plain, and with each extension of the application. */
export function describeContentPerMediaType(
  schema: SchemaObject,
  endpoint: IntentKind,
  { options }: Pick<OpenApiContext, 'options'>,
): MediaTypeObjects {
  const applicable = options.extensions.filter(({ endpoints }) => endpoints?.some((each) => each === endpoint) ?? true)
  const base = endpoint === 'performOperations' ? [ATOMIC_OPERATIONS_URI] : []
  return contentOf(schema, [base, ...applicable.map(({ uri }) => [...base, uri])])
}

/** Describes a list, which follows the profile if it has cursors. */
export function describeListContentPerMediaType(
  schema: SchemaObject,
  endpoint: IntentKind,
  api: Pick<OpenApiContext, 'options'>,
): MediaTypeObjects {
  return { ...describeContentPerMediaType(schema, endpoint, api), [WITH_CURSORS]: { schema } }
}

/** Describes the errors of any endpoint, in the media types of all endpoints. */
export function describeErrorContentPerMediaType({ options }: Pick<OpenApiContext, 'options'>): MediaTypeObjects {
  const schema = schemaComponentRef('jsonapi.errors')
  const own = [[], ...options.extensions.map(({ uri }) => [uri])]
  const atomic = options.operations === false ? [] : own.map((uris) => [ATOMIC_OPERATIONS_URI, ...uris])
  return { ...contentOf(schema, [...own, ...atomic]), [WITH_CURSORS]: { schema } }
}

const WITH_CURSORS = printJsonApiMediaType({ extensions: [], profiles: [CURSOR_PAGINATION_URI] })

function contentOf(schema: SchemaObject, applied: readonly (readonly string[])[]): MediaTypeObjects {
  return Object.fromEntries(
    applied.map((extensions) => [printJsonApiMediaType({ extensions, profiles: [] }), { schema }] as const),
  )
}
