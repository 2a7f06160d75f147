import type { EndpointName } from '../declarations/field-options'
import { selfAndAncestors } from '../graph/model/inheritance'
import type { ResourceType, StoredType } from '../graph/model/resource-graph'
import { OPERATIONS_METHODS } from '../request/intent/routes'
import { describeContentPerMediaType } from './describe-content'
import { describeEndpointErrorResponses } from './describe-errors'
import { describeOptionsMethod } from './describe-head-and-options'
import { headerComponentRefs, withServerTimingHeaderSchema } from './describe-headers'
import {
  describeIdentifierToRemoveSchema,
  describeLocalIdentifierSchema,
  describeRequestIdentifierSchema,
  describeTypeGroupsWithSameIdFormat,
  LOCAL_ID_SCHEMA,
  oneOfSchemas,
  toForbiddenMembersSchema,
} from './describe-ids'
import { describeIdempotencyKeyParameters } from './describe-operation'
import { parameterComponentRef } from './describe-parameters'
import { writeSchemaNameOfExactType } from './describe-request-resources'
import { describeTypeNamesSchema, toOneOfTypesSchema } from './describe-resources'
import { findEnabledOperationsOptions } from './list-enabled-paths-of-type'
import { allStoredTypesOfApi, type OpenApiContext } from './openapi-context'
import {
  anyOfSchemas,
  createOpenObjectSchema,
  type OpenApiObjectMap,
  type SchemaObject,
  schemaComponentRef,
  toArraySchema,
  toNullableSchema,
} from './schema'

/** Describes the operations endpoint. https://jsonapi.org/ext/atomic/ */
export function describeAtomicOperationsPath(api: OpenApiContext): OpenApiObjectMap {
  const operations = findEnabledOperationsOptions(api)
  if (operations === undefined) return {}
  const headers = headerComponentRefs(['Vary', 'Preference-Applied'])
  const success: OpenApiObjectMap = {
    200: {
      description: 'A result for each operation.',
      headers,
      content: describeContentPerMediaType(schemaComponentRef('atomic.results'), 'performOperations', api),
    },
    204: { description: 'Done, without content.', headers },
  }
  const operation: SchemaObject = {
    operationId: 'performOperations',
    summary: 'Several writes in one transaction',
    parameters: [parameterComponentRef('Prefer'), ...describeIdempotencyKeyParameters('POST', api)],
    requestBody: {
      required: true,
      content: describeContentPerMediaType(schemaComponentRef('atomic.operations'), 'performOperations', api),
    },
    responses: {
      ...withServerTimingHeaderSchema(success, api),
      ...describeEndpointErrorResponses({ endpoint: 'performOperations', types: allStoredTypesOfApi(api) }, api),
    },
  }
  const options = describeOptionsMethod('performOperations', { operations, methods: OPERATIONS_METHODS }, api)
  return { [`/${encodeURIComponent(operations.path)}`]: { post: operation, options } }
}

/** https://jsonapi.org/ext/atomic/#document-structure */
export function describeAtomicOperationsSchemas(api: OpenApiContext): OpenApiObjectMap {
  const operations = findEnabledOperationsOptions(api)
  if (operations === undefined) return {}
  const limits = { minItems: 1, ...(operations.maxOperations !== null && { maxItems: operations.maxOperations }) }
  const operation = anyOfSchemas(enabledOperations(api).map((kind) => schemaComponentRef(`atomic.operation.${kind}`)))
  return {
    'atomic.operations': {
      ...createOpenObjectSchema({ 'atomic:operations': toArraySchema(operation, limits) }, ['atomic:operations']),
      ...toForbiddenMembersSchema('data', 'included', 'errors', 'atomic:results'),
    },
    'atomic.results': createOpenObjectSchema({ ...COMMON_MEMBERS, 'atomic:results': toArraySchema(RESULT) }, [
      'jsonapi',
      'atomic:results',
    ]),
    'atomic.ref': describeRef('resource', api),
    'atomic.ref.relationship': describeRef('relationship', api),
    'atomic.operation.add': describeAdd(api),
    'atomic.operation.update': describeUpdate(api),
    'atomic.operation.remove': {
      ...createOpenObjectSchema({ op: { const: 'remove' }, ...TARGET }, ['op']),
      ...ONE_TARGET,
      ...toForbiddenMembersSchema('data'),
    },
    'atomic.operation.changeRelationship': describeLink(api),
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
  const data = toOneOfTypesSchema(typesWith(ENDPOINTS_BY_OPERATION.add, api), (type) =>
    writeSchemaNameOfExactType(type, 'createInOperation'),
  )
  const href = { ...HREF, description: 'The URL of a collection.' }
  const meta = createOpenObjectSchema({ version: { const: '*' } })
  return {
    ...createOpenObjectSchema({ op: { const: 'add' }, href, data, meta }, ['op', 'data']),
    ...toForbiddenMembersSchema('ref'),
  }
}

/** https://jsonapi.org/ext/atomic/#auto-id-updating-resources */
function describeUpdate(api: OpenApiContext): SchemaObject {
  const data = toOneOfTypesSchema(typesWith(ENDPOINTS_BY_OPERATION.update, api), (type) =>
    writeSchemaNameOfExactType(type, 'updateInOperation'),
  )
  return {
    ...createOpenObjectSchema({ op: { const: 'update' }, ...TARGET, data }, ['op', 'data']),
    not: { required: ['ref', 'href'] },
  }
}

/** https://jsonapi.org/ext/atomic/#auto-id-updating-relationships */
function describeLink({ graph }: OpenApiContext): SchemaObject {
  const types = [...graph.types.values()]
  const identifier = describeRequestIdentifierSchema(types, 'byIdOrLocalId')
  const removedIdentifier = { oneOf: [describeIdentifierToRemoveSchema(types), describeLocalIdentifierSchema(types)] }
  const operation = (op: string, data: SchemaObject) => ({
    ...createOpenObjectSchema({ op: { const: op }, ...LINK_TARGET, data }, ['op', 'data']),
    ...ONE_TARGET,
  })
  return {
    oneOf: [
      operation('update', { oneOf: [{ type: 'null' }, identifier, toArraySchema(identifier)] }),
      operation('add', toArraySchema(identifier)),
      operation('remove', toArraySchema(removedIdentifier)),
    ],
  }
}

/** A reference in `ref`. It may name an abstract type. */
function describeRef(of: 'resource' | 'relationship', { graph }: OpenApiContext): SchemaObject {
  const types = [...graph.types.values()]
  const referenceOf = (name: OpenApiObjectMap, other: 'id' | 'lid'): SchemaObject =>
    of === 'relationship'
      ? {
          ...createOpenObjectSchema({ ...name, relationship: { type: 'string' } }, [
            ...Object.keys(name),
            'relationship',
          ]),
          ...toForbiddenMembersSchema(other),
        }
      : { ...createOpenObjectSchema(name, Object.keys(name)), ...toForbiddenMembersSchema(other, 'relationship') }
  const byId = describeTypeGroupsWithSameIdFormat(types, (type, id) => referenceOf({ type, id }, 'lid'))
  return oneOfSchemas([...byId, referenceOf({ type: describeTypeNamesSchema(types), lid: LOCAL_ID_SCHEMA }, 'id')])
}

const HREF: SchemaObject = { type: 'string', format: 'uri-reference' }
const VERSION: SchemaObject = createOpenObjectSchema({
  version: {
    type: 'string',
    description: 'The version that the resource must have: from an earlier result, an ETag, or `*`.',
  },
})
const TARGET: OpenApiObjectMap = { ref: schemaComponentRef('atomic.ref'), href: HREF, meta: VERSION }
const LINK_TARGET: OpenApiObjectMap = { ...TARGET, ref: schemaComponentRef('atomic.ref.relationship') }
const ONE_TARGET: SchemaObject = { oneOf: [{ required: ['ref'] }, { required: ['href'] }] }
const COMMON_MEMBERS: OpenApiObjectMap = {
  jsonapi: schemaComponentRef('jsonapi.version'),
  links: schemaComponentRef('jsonapi.links.document'),
  meta: schemaComponentRef('jsonapi.meta'),
}
const RESULT = createOpenObjectSchema({
  data: toNullableSchema(schemaComponentRef('jsonapi.resource')),
  meta: schemaComponentRef('jsonapi.meta'),
})
