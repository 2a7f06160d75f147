import type { EndpointName } from '../declarations/field-options'
import { selfAndAncestors } from '../graph/model/inheritance'
import type { ResourceType, StoredType } from '../graph/model/resource-graph'
import { OPERATIONS_METHODS } from '../request/intent/routes'
import { describeContent } from './describe-content'
import { describeOperationErrors } from './describe-errors'
import { describeOptionsMethod } from './describe-head-and-options'
import { describeHeaders, withServerTimingHeaderSchema } from './describe-headers'
import {
  describeForbiddenMembers,
  describeIdentifierToRemove,
  describeLocalIdentifier,
  describeRequestIdentifier,
  describeSchemaPerIdFormat,
  LOCAL_ID_SCHEMA,
  oneOfSchemas,
} from './describe-ids'
import { idempotencyKeyParameters } from './describe-operation'
import { parameterRef } from './describe-parameters'
import { exactWriteSchemaName } from './describe-request-resources'
import { describeOneOfTypes, describeTypeNames } from './describe-resources'
import { allStoredTypesOfApi, type OpenApiContext } from './openapi-context'
import {
  anyOfSchemas,
  arrayOf,
  objectOf,
  type SchemaObject,
  type SchemaObjects,
  schemaRef,
  toNullableSchema,
} from './schema'

/** Describes the operations endpoint. https://jsonapi.org/ext/atomic/ */
export function describeAtomicPath(api: OpenApiContext): SchemaObjects {
  const { operations } = api.options
  if (operations === false) return {}
  const headers = describeHeaders(['Vary', 'Preference-Applied'])
  const success: SchemaObjects = {
    200: {
      description: 'A result for each operation.',
      headers,
      content: describeContent(schemaRef('atomic.results'), 'performOperations', api),
    },
    204: { description: 'Done, without content.', headers },
  }
  const operation: SchemaObject = {
    operationId: 'performOperations',
    summary: 'Several writes in one transaction',
    parameters: [parameterRef('Prefer'), ...idempotencyKeyParameters('POST', api)],
    requestBody: { required: true, content: describeContent(schemaRef('atomic.document'), 'performOperations', api) },
    responses: {
      ...withServerTimingHeaderSchema(success, api),
      ...describeOperationErrors({ endpoint: 'performOperations', types: allStoredTypesOfApi(api) }, api),
    },
  }
  const options = describeOptionsMethod('performOperations', { operations, methods: OPERATIONS_METHODS }, api)
  return { [`/${encodeURIComponent(operations.path)}`]: { post: operation, options } }
}

/** https://jsonapi.org/ext/atomic/#document-structure */
export function describeAtomicSchemas(api: OpenApiContext): SchemaObjects {
  const { operations } = api.options
  if (operations === false) return {}
  const limits = { minItems: 1, ...(operations.maxOperations !== null && { maxItems: operations.maxOperations }) }
  const operation = anyOfSchemas(enabledOperations(api).map((kind) => schemaRef(`atomic.${kind}`)))
  return {
    'atomic.document': {
      ...objectOf({ 'atomic:operations': arrayOf(operation, limits) }, ['atomic:operations']),
      ...describeForbiddenMembers('data', 'included', 'errors', 'atomic:results'),
    },
    'atomic.results': objectOf({ ...COMMON_MEMBERS, 'atomic:results': arrayOf(RESULT) }, ['jsonapi', 'atomic:results']),
    'atomic.ref': describeRef('resource', api),
    'atomic.ref.relationship': describeRef('relationship', api),
    'atomic.add': describeAdd(api),
    'atomic.update': describeUpdate(api),
    'atomic.remove': {
      ...objectOf({ op: { const: 'remove' }, ...TARGET }, ['op']),
      ...ONE_TARGET,
      ...describeForbiddenMembers('data'),
    },
    'atomic.changeRelationship': describeLink(api),
  }
}

/** Returns the operations that at least one type allows at its own endpoints. */
function enabledOperations(api: OpenApiContext): readonly string[] {
  const kinds = Object.entries(ENDPOINTS_BY_OPERATION)
  return kinds.filter(([, endpoints]) => typesWith(endpoints, api).length > 0).map(([kind]) => kind)
}

const ENDPOINTS_BY_OPERATION = {
  add: ['createResource'],
  update: ['updateResource'],
  remove: ['deleteResource'],
  changeRelationship: ['setRelationship', 'addToRelationship', 'removeFromRelationship'],
} as const satisfies Record<string, readonly EndpointName[]>

/** Returns the stored types with one of these endpoints. The endpoints of a base type also apply to derived types. */
function typesWith(endpointNames: readonly EndpointName[], api: OpenApiContext): readonly StoredType[] {
  const hasEnabled = ({ endpoints }: ResourceType) => endpointNames.some((endpoint) => endpoints.includes(endpoint))
  return allStoredTypesOfApi(api).filter((type) => selfAndAncestors(type).some(hasEnabled))
}

/** https://jsonapi.org/ext/atomic/#auto-id-creating-resources */
function describeAdd(api: OpenApiContext): SchemaObject {
  const data = describeOneOfTypes(typesWith(ENDPOINTS_BY_OPERATION.add, api), (type) =>
    exactWriteSchemaName(type, 'createInOperation'),
  )
  const href = { ...HREF, description: 'The URL of a collection.' }
  const meta = objectOf({ version: { const: '*' } })
  return { ...objectOf({ op: { const: 'add' }, href, data, meta }, ['op', 'data']), ...describeForbiddenMembers('ref') }
}

/** https://jsonapi.org/ext/atomic/#auto-id-updating-resources */
function describeUpdate(api: OpenApiContext): SchemaObject {
  const data = describeOneOfTypes(typesWith(ENDPOINTS_BY_OPERATION.update, api), (type) =>
    exactWriteSchemaName(type, 'updateInOperation'),
  )
  return {
    ...objectOf({ op: { const: 'update' }, ...TARGET, data }, ['op', 'data']),
    not: { required: ['ref', 'href'] },
  }
}

/** https://jsonapi.org/ext/atomic/#auto-id-updating-relationships */
function describeLink({ graph }: OpenApiContext): SchemaObject {
  const types = [...graph.types.values()]
  const identifier = describeRequestIdentifier(types, 'byIdOrLocalId')
  const removedIdentifier = { oneOf: [describeIdentifierToRemove(types), describeLocalIdentifier(types)] }
  const operation = (op: string, data: SchemaObject) => ({
    ...objectOf({ op: { const: op }, ...LINK_TARGET, data }, ['op', 'data']),
    ...ONE_TARGET,
  })
  return {
    oneOf: [
      operation('update', { oneOf: [{ type: 'null' }, identifier, arrayOf(identifier)] }),
      operation('add', arrayOf(identifier)),
      operation('remove', arrayOf(removedIdentifier)),
    ],
  }
}

/** A reference in `ref`. It may name an abstract type. */
function describeRef(of: 'resource' | 'relationship', { graph }: OpenApiContext): SchemaObject {
  const types = [...graph.types.values()]
  const referenceOf = (name: SchemaObjects, other: 'id' | 'lid'): SchemaObject =>
    of === 'relationship'
      ? {
          ...objectOf({ ...name, relationship: { type: 'string' } }, [...Object.keys(name), 'relationship']),
          ...describeForbiddenMembers(other),
        }
      : { ...objectOf(name, Object.keys(name)), ...describeForbiddenMembers(other, 'relationship') }
  const byId = describeSchemaPerIdFormat(types, (type, id) => referenceOf({ type, id }, 'lid'))
  return oneOfSchemas([...byId, referenceOf({ type: describeTypeNames(types), lid: LOCAL_ID_SCHEMA }, 'id')])
}

const HREF: SchemaObject = { type: 'string', format: 'uri-reference' }
const VERSION: SchemaObject = objectOf({
  version: {
    type: 'string',
    description: 'The version that the resource must have: from an earlier result, an ETag, or `*`.',
  },
})
const TARGET: SchemaObjects = { ref: schemaRef('atomic.ref'), href: HREF, meta: VERSION }
const LINK_TARGET: SchemaObjects = { ...TARGET, ref: schemaRef('atomic.ref.relationship') }
const ONE_TARGET: SchemaObject = { oneOf: [{ required: ['ref'] }, { required: ['href'] }] }
const COMMON_MEMBERS: SchemaObjects = {
  jsonapi: schemaRef('jsonapi.version'),
  links: schemaRef('jsonapi.links.document'),
  meta: schemaRef('jsonapi.meta'),
}
const RESULT = objectOf({ data: toNullableSchema(schemaRef('jsonapi.resource')), meta: schemaRef('jsonapi.meta') })
