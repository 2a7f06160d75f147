import { ERRORS, type ErrorCode } from '../errors/catalogue'
import type { StoredType } from '../graph/model/resource-graph'
import type { IntentKind } from '../request/intent/intent'
import { describeErrorContentPerMediaType } from './describe-content'
import { headerComponentRefs, withServerTimingHeaderSchema } from './describe-headers'
import type { OpenApiContext } from './openapi-context'
import type { OpenApiObjectMap } from './schema'

/** Determines the errors of an operation, together with the API. */
interface ErrorScope {
  readonly endpoint: IntentKind
  /** The types whose rows the operation may concern. */
  readonly types: readonly StoredType[]
}

/** References the error responses of an operation by status, and `default` for statuses that rules of the application choose. */
export function describeEndpointErrorResponses(
  errorScope: ErrorScope,
  api: Pick<OpenApiContext, 'idempotency'>,
): OpenApiObjectMap {
  const statuses = [...new Set(errorCodesOf(errorScope, api).map((code) => ERRORS[code][0]))].sort(
    (one, other) => one - other,
  )
  return Object.fromEntries(
    [...statuses.map(String), 'default'].map((status) => [status, { $ref: `#/components/responses/error.${status}` }]),
  )
}

/** Describes a response for each error status, and the same response to HEAD. */
export function describeErrorResponseComponents(api: Pick<OpenApiContext, 'options'>): OpenApiObjectMap {
  const codes = Object.keys(ERRORS) as ErrorCode[]
  const statuses = new Set(codes.map((code) => String(ERRORS[code][0])))
  const responses = [...statuses, 'default'].flatMap((status) => {
    const codesOfStatus = codes.filter((code) => String(ERRORS[code][0]) === status)
    const name = `error.${status}`
    const { content, ...head } = describeResponse(status, codesOfStatus, api)
    return [[name, { ...head, content }] as const, [headResponseName(name), head] as const]
  })
  return withServerTimingHeaderSchema(Object.fromEntries(responses), api)
}

/** Names the response to HEAD, which has no body. */
export function headResponseName(name: string): string {
  return `${name}.head`
}

function describeResponse(status: string, codes: readonly ErrorCode[], api: Pick<OpenApiContext, 'options'>) {
  const lines = codes.map((code) => `- \`${code}\`: ${ERRORS[code][1]}`)
  return {
    description: status === 'default' ? 'Rejected by a rule of the application.' : lines.join('\n'),
    headers: headerComponentRefs(['Vary', ...(TRANSIENT.has(status) ? (['Retry-After'] as const) : [])]),
    content: describeErrorContentPerMediaType(api),
  }
}

/** Statuses of transient errors. */
const TRANSIENT: ReadonlySet<string> = new Set(['409', '503', 'default'])

function errorCodesOf(
  { endpoint, types }: ErrorScope,
  { idempotency }: Pick<OpenApiContext, 'idempotency'>,
): readonly ErrorCode[] {
  const common = [...COMMON_CODES, ...CODES_BY_ENDPOINT[endpoint]]
  if (endpoint.startsWith('get')) return common
  return [
    ...common,
    ...WRITE_CODES,
    ...(types.some(({ ifMatch }) => ifMatch === 'required') ? (['precondition.missing'] as const) : []),
    ...(idempotency === undefined ? [] : (['idempotency.key-reused', 'idempotency.in-progress'] as const)),
  ]
}

const COMMON_CODES: readonly ErrorCode[] = [
  'header.accept',
  'header.content-type',
  'precondition.failed',
  'query.unknown',
  'document.too-large',
  'document.timeout',
  'url.too-long',
  'server.error',
  'server.timeout',
  'server.unavailable',
]
const WRITE_CODES: readonly ErrorCode[] = [
  'rule.rejected',
  'write.serialization-failure',
  'write.outcome-unknown',
  'constraint.reference',
  'resource.id-value',
]
const RELATIONSHIP_CODES: readonly ErrorCode[] = ['resource.not-found', 'relationship.read-only']

const CODES_BY_ENDPOINT: Readonly<Record<IntentKind, readonly ErrorCode[]>> = {
  getCollection: [],
  getResource: ['resource.not-found'],
  getRelated: ['resource.not-found'],
  getRelationship: ['resource.not-found'],
  createResource: ['resource.client-id-forbidden', 'related.not-found'],
  updateResource: ['resource.not-found', 'relationship.read-only'],
  deleteResource: ['resource.not-found', 'relationship.read-only'],
  setRelationship: RELATIONSHIP_CODES,
  addToRelationship: RELATIONSHIP_CODES,
  removeFromRelationship: RELATIONSHIP_CODES,
  performOperations: RELATIONSHIP_CODES,
}
