import { CURSOR_PAGINATION_URI } from '../document/cursor-profile'
import { hasViewCapability } from '../graph/model/capabilities'
import type { Relationship, ResourceType, StoredType } from '../graph/model/resource-graph'
import { schemaNameOfExactType, toOneOfTypesSchema } from './describe-resources'
import type { OpenApiContext } from './openapi-context'
import {
  createOpenObjectSchema,
  type OpenApiObjectMap,
  openApiComponentName,
  type SchemaObject,
  schemaComponentRef,
  toArraySchema,
  toNullableSchema,
} from './schema'

/** Describes the members of every document, and the documents of each type. https://jsonapi.org/format/1.1/#document-top-level */
export function describeDocumentSchemas(api: OpenApiContext): OpenApiObjectMap {
  const types = [...api.graph.types.values()]
  return {
    ...COMMON,
    'jsonapi.accepted': wrapInResponseDocumentSchema(schemaComponentRef('jsonapi.resource')),
    ...Object.fromEntries(types.flatMap((type) => documentsOf(type))),
  }
}

/** Describes a document with this primary data. */
export function wrapInResponseDocumentSchema(data: SchemaObject, included?: SchemaObject): SchemaObject {
  const properties = {
    jsonapi: schemaComponentRef('jsonapi.version'),
    links: schemaComponentRef('jsonapi.links.document'),
    data,
    ...(included !== undefined && { included }),
    meta: schemaComponentRef('jsonapi.meta'),
  }
  return createOpenObjectSchema(properties, ['jsonapi', 'data'])
}

/** Describes the resources that may be included with the linkage of a relationship, the related resources among them. */
export function describeIncludedOfRelationshipDocument(relationships: readonly Relationship[]): SchemaObject {
  const ends = new Set(relationships.flatMap(({ target }) => target.concreteTypes))
  return describeIncluded(typesBeyond([...ends], ends))
}

/** Returns the type and all types that are reachable through its relationships. */
export function selfAndReachableTypes(type: ResourceType): ReadonlySet<StoredType> {
  return typesBeyond(type.concreteTypes, new Set(type.concreteTypes))
}

function documentsOf(type: ResourceType): readonly (readonly [string, SchemaObject])[] {
  const resource = schemaComponentRef(openApiComponentName(type))
  const included = schemaComponentRef(openApiComponentName(type, 'included'))
  return [
    [openApiComponentName(type, 'included'), describeIncluded(typesBeyond(type.concreteTypes, new Set()))],
    [openApiComponentName(type, 'document'), wrapInResponseDocumentSchema(resource, included)],
    [openApiComponentName(type, 'documentOrNull'), wrapInResponseDocumentSchema(toNullableSchema(resource), included)],
    [openApiComponentName(type, 'collection'), wrapInResponseDocumentSchema(toArraySchema(resource), included)],
  ]
}

function describeIncluded(types: ReadonlySet<StoredType>): SchemaObject {
  return types.size === 0
    ? toArraySchema({}, { maxItems: 0 })
    : toArraySchema(toOneOfTypesSchema([...types], schemaNameOfExactType))
}

/** Adds the types that visible relationships lead to, recursively. */
function typesBeyond(types: readonly StoredType[], known: ReadonlySet<StoredType>): ReadonlySet<StoredType> {
  const ends = types
    .flatMap(({ relationships }) => relationships.filter(hasViewCapability))
    .flatMap(({ target }) => target.concreteTypes)
  const found = new Set(ends.filter((end) => !known.has(end)))
  return found.size === 0 ? known : typesBeyond([...found], new Set([...known, ...found]))
}

const LINK = schemaComponentRef('jsonapi.link')
const META = schemaComponentRef('jsonapi.meta')

const PAGE_LINKS: OpenApiObjectMap = { first: LINK, last: LINK, prev: LINK, next: LINK }

const ERROR = createOpenObjectSchema(
  {
    status: { type: 'string', pattern: '^[45]\\d{2}$' },
    code: { type: 'string', description: 'A stable code for the kind of error.' },
    title: { type: 'string' },
    detail: { type: 'string' },
    source: createOpenObjectSchema({
      pointer: { type: 'string', description: 'The location in the request document.' },
      parameter: { type: 'string' },
      header: { type: 'string' },
    }),
    links: createOpenObjectSchema({ type: { type: 'string', format: 'uri' } }),
    meta: META,
  },
  ['status', 'code', 'title'],
)

const META_DOCUMENT = createOpenObjectSchema(
  { jsonapi: schemaComponentRef('jsonapi.version'), links: schemaComponentRef('jsonapi.links.document'), meta: META },
  ['jsonapi', 'meta'],
)

const COMMON: OpenApiObjectMap = {
  'jsonapi.version': createOpenObjectSchema(
    {
      version: { type: 'string', const: '1.1' },
      ext: toArraySchema({ type: 'string', format: 'uri' }, { description: 'The extensions that are applied.' }),
      profile: toArraySchema({ type: 'string', format: 'uri' }, { examples: [[CURSOR_PAGINATION_URI]] }),
    },
    ['version'],
  ),
  'jsonapi.meta': { type: 'object', additionalProperties: true },
  'jsonapi.meta.toMany': createOpenObjectSchema({
    total: { type: 'integer', minimum: 0 },
    hasMore: {
      const: true,
      description:
        'Present if `data` is one page and the relationship has more members. Do not send such a list back, because it would replace all members.',
    },
  }),
  'jsonapi.link': {
    oneOf: [
      { type: 'string', format: 'uri-reference' },
      createOpenObjectSchema({ href: { type: 'string', format: 'uri-reference' }, type: { type: 'string' } }, ['href']),
      { type: 'null' },
    ],
  },
  'jsonapi.links.document': createOpenObjectSchema({ self: LINK, related: LINK, describedby: LINK, ...PAGE_LINKS }),
  'jsonapi.links.resource': createOpenObjectSchema({ self: LINK }),
  'jsonapi.links.toOne': createOpenObjectSchema({ self: LINK, related: LINK }),
  'jsonapi.links.toMany': createOpenObjectSchema({ self: LINK, related: LINK, ...PAGE_LINKS }),
  'jsonapi.empty': { ...META_DOCUMENT, description: 'Done. The client may not see the result.' },
  'jsonapi.explained': { ...META_DOCUMENT, description: 'The plan and its statements, in `meta.explained`.' },
  'jsonapi.errors': createOpenObjectSchema(
    {
      jsonapi: schemaComponentRef('jsonapi.version'),
      links: schemaComponentRef('jsonapi.links.document'),
      errors: toArraySchema(schemaComponentRef('jsonapi.error'), { minItems: 1 }),
      meta: META,
    },
    ['jsonapi', 'errors'],
  ),
  'jsonapi.error': ERROR,
}
