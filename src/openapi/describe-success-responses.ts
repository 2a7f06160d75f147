import type { Relationship } from '../graph/model/resource-graph'
import { optionsAllowExplain } from '../request/http/explain-parameter'
import { describeContentPerMediaType, describeListContentPerMediaType, type MediaTypeObjects } from './describe-content'
import { describeIncludedOfRelationshipDocument, wrapInResponseDocumentSchema } from './describe-documents'
import { headerComponentRefs, type OpenApiResponseHeaderName } from './describe-headers'
import { describeLinkageSchema, linkageMayBeNull } from './describe-resources'
import { type EnabledMethod, isReadMethod } from './list-enabled-paths-of-type'
import { type OpenApiContext, rowsMayBeHidden, someTypeOverridesHook } from './openapi-context'
import {
  anyOfSchemas,
  type OpenApiObjectMap,
  openApiComponentName,
  type SchemaObject,
  schemaComponentRef,
} from './schema'

/** Describes the successful responses by status. https://spec.openapis.org/oas/v3.1.1.html#responses-object */
export function describeSuccessResponses(endpoint: EnabledMethod, api: OpenApiContext): OpenApiObjectMap {
  const { name } = endpoint
  if (isReadMethod(endpoint)) {
    const other = name === 'getResource' ? describeRedirect(endpoint, api) : {}
    return { 200: describeDocumentResponse(endpoint, api), ...other, ...describeNotModified(endpoint, api) }
  }
  return {
    ...(name === 'createResource' && { 201: describeCreated(endpoint, api) }),
    ...(name !== 'createResource' && name !== 'deleteResource' && { 200: describeDocumentResponse(endpoint, api) }),
    ...describeAccepted(endpoint, api),
    204: name === 'updateResource' && api.options.updates === 'document' ? NO_CONTENT_ON_REQUEST : NO_CONTENT,
  }
}

const NO_CONTENT: SchemaObject = {
  description: 'Done, without content.',
  headers: headerComponentRefs(['Vary', 'Preference-Applied']),
}

const NO_CONTENT_ON_REQUEST: SchemaObject = {
  ...NO_CONTENT,
  description: 'Done, and `Prefer: return=minimal` was sent.',
}

function describeDocumentResponse(endpoint: EnabledMethod, api: OpenApiContext): SchemaObject {
  const preference: readonly OpenApiResponseHeaderName[] = isReadMethod(endpoint) ? [] : ['Preference-Applied']
  const content = contentAt(endpoint, api)
  return {
    description: DESCRIPTIONS[endpoint.name],
    headers: headerComponentRefs(['Vary', ...kindHeaders(endpoint, api), ...preference]),
    content: isReadMethod(endpoint) && optionsAllowExplain(api.options) ? orExplained(content) : content,
  }
}

/** Adds the alternative that `explain` returns. */
function orExplained(content: MediaTypeObjects): MediaTypeObjects {
  return Object.fromEntries(
    Object.entries(content).map(([type, { schema }]) => [
      type,
      { schema: anyOfSchemas([schema, schemaComponentRef('jsonapi.explained')]) },
    ]),
  )
}

const DESCRIPTIONS: Readonly<Record<EnabledMethod['name'], string>> = {
  getCollection: 'A page of the collection.',
  getResource: 'The resource.',
  getRelated: 'The related resources.',
  getRelationship: 'The linkage.',
  createResource: 'The resource as stored.',
  updateResource: 'The resource as stored.',
  deleteResource: 'Done.',
  setRelationship: 'The linkage as stored.',
  addToRelationship: 'The linkage as stored.',
  removeFromRelationship: 'The linkage as stored.',
}

function contentAt({ name, type, relationships }: EnabledMethod, api: OpenApiContext): MediaTypeObjects {
  switch (name) {
    case 'getCollection':
      return describeListContentPerMediaType(schemaComponentRef(openApiComponentName(type, 'collection')), name, api)
    case 'getRelated':
      return contentOf(relationships, (each) => relatedDocument(each, api), name, api)
    case 'getRelationship':
    case 'setRelationship':
    case 'addToRelationship':
    case 'removeFromRelationship':
      return contentOf(relationships, (each) => linkageDocument(each, api), name, api)
    default:
      return describeContentPerMediaType(resourceOrNothing(type, name, api), name, api)
  }
}

/** Describes a document with the resource, or without it if rules may hide the written resource from the client. */
function resourceOrNothing(
  type: EnabledMethod['type'],
  name: EnabledMethod['name'],
  api: OpenApiContext,
): SchemaObject {
  const document = schemaComponentRef(openApiComponentName(type, 'document'))
  const isVisible = name === 'getResource' || !rowsMayBeHidden(type, api)
  return isVisible ? document : anyOfSchemas([document, schemaComponentRef('jsonapi.empty')])
}

function contentOf(
  relationships: readonly Relationship[],
  describe: (relationship: Relationship) => SchemaObject,
  name: EnabledMethod['name'],
  api: OpenApiContext,
): MediaTypeObjects {
  const schema = anyOfSchemas(relationships.map(describe))
  const isList = relationships.some(({ kind }) => kind === 'toMany')
  return isList ? describeListContentPerMediaType(schema, name, api) : describeContentPerMediaType(schema, name, api)
}

function relatedDocument(relationship: Relationship, api: OpenApiContext): SchemaObject {
  const { kind, target } = relationship
  if (kind === 'toMany') return schemaComponentRef(openApiComponentName(target, 'collection'))
  return schemaComponentRef(
    openApiComponentName(target, linkageMayBeNull(relationship, api) ? 'documentOrNull' : 'document'),
  )
}

function linkageDocument(relationship: Relationship, api: OpenApiContext): SchemaObject {
  return wrapInResponseDocumentSchema(
    describeLinkageSchema(relationship, api),
    describeIncludedOfRelationshipDocument([relationship]),
  )
}

function describeCreated(endpoint: EnabledMethod, api: OpenApiContext): SchemaObject {
  return {
    ...describeDocumentResponse(endpoint, api),
    headers: headerComponentRefs(['Vary', 'Location', ...kindHeaders(endpoint, api), 'Preference-Applied']),
  }
}

/** Describes 202, for a write that a rule postpones. https://jsonapi.org/recommendations/#asynchronous-processing */
function describeAccepted({ name, type }: EnabledMethod, api: OpenApiContext): OpenApiObjectMap {
  if (!someTypeOverridesHook(type.concreteTypes, 'beforeWrite', api)) return {}
  return {
    202: {
      description: 'Accepted for later. The document contains the job that shows the progress.',
      headers: headerComponentRefs(['Vary', 'Content-Location']),
      content: describeContentPerMediaType(schemaComponentRef('jsonapi.accepted'), name, api),
    },
  }
}

function describeRedirect({ type }: EnabledMethod, api: OpenApiContext): OpenApiObjectMap {
  if (!someTypeOverridesHook(type.concreteTypes, 'redirect', api)) return {}
  return {
    303: { description: 'The resource is at another URL.', headers: headerComponentRefs(['Vary', 'Location']) },
  }
}

function describeNotModified(endpoint: EnabledMethod, api: OpenApiContext): OpenApiObjectMap {
  const headers = kindHeaders(endpoint, api)
  if (!headers.includes('ETag')) return {}
  return {
    304: { description: 'The client has the current version.', headers: headerComponentRefs(['Vary', ...headers]) },
  }
}

/** Returns true if responses of the endpoint have an ETag. */
export function endpointHasEtag(
  endpoint: EnabledMethod,
  { options: { etags } }: Pick<OpenApiContext, 'options'>,
): boolean {
  return etags === 'all' || (etags === 'individuals' && !isCollection(endpoint))
}

/** Returns true if every response is a collection. */
function isCollection({ name, relationships }: EnabledMethod): boolean {
  return name === 'getCollection' || (name === 'getRelated' && relationships.every(({ kind }) => kind === 'toMany'))
}

function kindHeaders(endpoint: EnabledMethod, api: OpenApiContext): readonly OpenApiResponseHeaderName[] {
  const hasCacheControl = isReadMethod(endpoint) && api.options.cacheControl !== undefined
  return [
    ...(endpointHasEtag(endpoint, api) ? (['ETag'] as const) : []),
    ...(hasCacheControl ? (['Cache-Control'] as const) : []),
  ]
}
