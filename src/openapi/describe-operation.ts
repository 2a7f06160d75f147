import { isDeepStrictEqual } from 'node:util'
import { EXPLAIN_PARAMETER, optionsAllowExplain } from '../request/http/explain-parameter'
import { describeContentPerMediaType } from './describe-content'
import { describeEndpointErrorResponses } from './describe-errors'
import { withServerTimingHeaderSchema } from './describe-headers'
import {
  describeQueryParameters,
  describeQueryParametersWithoutSchema,
  type EndpointPrimaryData,
  type OpenApiParameterObject,
  parameterComponentRef,
} from './describe-parameters'
import { describeRelationshipEndpointLinkageSchema, wrapInRequestDocumentSchema } from './describe-request-resources'
import { describeSuccessResponses, endpointHasEtag } from './describe-success-responses'
import {
  type EnabledMethod,
  isReadMethod,
  RELATIONSHIP_WRITE_BY_ENDPOINT,
  relationshipsAllowingWrite,
} from './list-enabled-paths-of-type'
import type { OpenApiContext } from './openapi-context'
import {
  anyOfSchemas,
  omitUndefined,
  openApiComponentName,
  type SchemaObject,
  schemaComponentRef,
  toOperationId,
} from './schema'

/** Describes a method of a URL. https://spec.openapis.org/oas/v3.1.1.html#operation-object */
export function describeOpenApiOperation(endpoint: EnabledMethod, api: OpenApiContext): SchemaObject {
  const { name, type, relationships } = endpoint
  const [relationship] = relationships
  const parameters = [
    ...queryParametersOf(endpoint, api),
    ...explainParametersOf(endpoint, api),
    ...headerParametersOf(endpoint, api),
  ]
  const isDeprecated = type.annotations.deprecated === true || relationship?.annotations.deprecated === true
  return omitUndefined({
    operationId: toOperationId(type.name, relationship?.name, name),
    tags: [type.name],
    summary: openApiOperationSummaryOf(endpoint),
    description: relationship?.annotations.description,
    deprecated: isDeprecated ? true : undefined,
    parameters: parameters.length === 0 ? undefined : parameters,
    requestBody: describeBody(endpoint, api),
    responses: {
      ...withServerTimingHeaderSchema(describeSuccessResponses(endpoint, api), api),
      ...describeEndpointErrorResponses({ endpoint: name, types: type.concreteTypes }, api),
    },
  })
}

/** Returns a short summary. */
export function openApiOperationSummaryOf({ name, type, relationships: [relationship] }: EnabledMethod): string {
  const summary = SUMMARIES[name]
  return summary.replace('{type}', type.name).replace('{relationship}', relationship?.name ?? '')
}

const SUMMARIES: Readonly<Record<EnabledMethod['name'], string>> = {
  getCollection: 'A page of {type}',
  getResource: 'One of {type}',
  createResource: 'Add to {type}',
  updateResource: 'Update one of {type}',
  deleteResource: 'Delete one of {type}',
  getRelated: 'The resources of {relationship} of {type}',
  getRelationship: 'The linkage of {relationship} of {type}',
  setRelationship: 'Replace {relationship} of {type}',
  addToRelationship: 'Add to {relationship} of {type}',
  removeFromRelationship: 'Remove from {relationship} of {type}',
}

function queryParametersOf(endpoint: EnabledMethod, api: OpenApiContext): readonly OpenApiParameterObject[] {
  const [first, ...others] = parameterScopesOf(endpoint)
  if (first === undefined) return []
  const parameters = describeQueryParameters(first, api)
  const isCommon = others.every((other) => isDeepStrictEqual(describeQueryParameters(other, api), parameters))
  return isCommon ? parameters : describeQueryParametersWithoutSchema([first, ...others])
}

function explainParametersOf(endpoint: EnabledMethod, { options }: OpenApiContext): readonly OpenApiParameterObject[] {
  return isReadMethod(endpoint) && optionsAllowExplain(options) ? [parameterComponentRef(EXPLAIN_PARAMETER)] : []
}

/** Returns the primary data for each relationship that the name may stand for. Deletions and relationship writes take no parameters. */
function parameterScopesOf({ name, type, relationships }: EnabledMethod): readonly EndpointPrimaryData[] {
  switch (name) {
    case 'getCollection':
      return [{ type, page: type.page }]
    case 'getResource':
    case 'createResource':
    case 'updateResource':
      return [{ type }]
    case 'getRelated':
    case 'getRelationship':
      return relationships.map((relationship) => ({
        type: relationship.target,
        ...(relationship.kind === 'toMany' && { page: relationship.page }),
        ...(name === 'getRelationship' && { relationship }),
      }))
    default:
      return []
  }
}

function headerParametersOf(endpoint: EnabledMethod, api: OpenApiContext): readonly OpenApiParameterObject[] {
  const { name, method } = endpoint
  if (isReadMethod(endpoint)) return endpointHasEtag(endpoint, api) ? [parameterComponentRef('If-None-Match')] : []
  const condition = ifMatchOf(endpoint) === 'required' ? 'If-Match.required' : 'If-Match'
  return [
    ...(name === 'createResource' ? [] : [parameterComponentRef(condition)]),
    ...(name === 'deleteResource' ? [] : [parameterComponentRef('Prefer')]),
    ...describeIdempotencyKeyParameters(method, api),
  ]
}

/** Describes the `Idempotency-Key` header. */
export function describeIdempotencyKeyParameters(
  method: EnabledMethod['method'],
  { idempotency }: OpenApiContext,
): readonly OpenApiParameterObject[] {
  if (idempotency === undefined) return []
  const isRequired = idempotency.requiredMethods.some((each) => each === method)
  return [parameterComponentRef(isRequired ? 'Idempotency-Key.required' : 'Idempotency-Key')]
}

/** `If-Match` is required if all types that the endpoint may write require it. */
function ifMatchOf({ name, type }: EnabledMethod): 'required' | 'optional' {
  if (name === 'createResource') return 'optional'
  return type.concreteTypes.every(({ ifMatch }) => ifMatch === 'required') ? 'required' : 'optional'
}

/** Describes the request body; `undefined` if the endpoint reads none. https://spec.openapis.org/oas/v3.1.1.html#request-body-object */
function describeBody(endpoint: EnabledMethod, api: OpenApiContext): SchemaObject | undefined {
  const data = describeSentData(endpoint)
  return (
    data && {
      required: true,
      content: describeContentPerMediaType(wrapInRequestDocumentSchema(data), endpoint.name, api),
    }
  )
}

function describeSentData({ name, type, relationships }: EnabledMethod): SchemaObject | undefined {
  if (name === 'createResource') return schemaComponentRef(openApiComponentName(type, 'create'))
  if (name === 'updateResource') return schemaComponentRef(openApiComponentName(type, 'update'))
  const write = RELATIONSHIP_WRITE_BY_ENDPOINT[name]
  return (
    write &&
    anyOfSchemas(
      relationshipsAllowingWrite(write, relationships).map((each) =>
        describeRelationshipEndpointLinkageSchema(each, write),
      ),
    )
  )
}
