import { type PageOptions, QUERY_PARAMETER_NAMES } from '../declarations/field-options'
import { NO_FIELD_HIDDEN_PREDICATE } from '../graph/model/capabilities'
import { selfAndAncestors } from '../graph/model/inheritance'
import { isRelationship, type Relationship, type ResourceType } from '../graph/model/resource-graph'
import { allowedFieldNamesMatching, type FieldLookupOptions, type FieldUseInQuery } from '../query/parsing/field-lookup'
import { EXPLAIN_PARAMETER } from '../request/http/explain-parameter'
import { selfAndReachableTypes } from './describe-documents'
import { describeFieldFilterParameters } from './describe-field-filter-parameters'
import { toPropertySchemas } from './describe-resources'
import type { OpenApiContext } from './openapi-context'
import { includedPathNumberListPattern, primaryAndIncludedPageValuePattern } from './page-patterns'
import {
  createOpenObjectSchema,
  escapeOpenApiComponentName,
  type OpenApiObjectMap,
  omitUndefined,
  openApiComponentName,
  type SchemaObject,
  toArraySchema,
} from './schema'

/** https://spec.openapis.org/oas/v3.1.1.html#parameter-object */
export type OpenApiParameterObject = SchemaObject

/** The primary data of an endpoint, for its parameters. */
export interface EndpointPrimaryData {
  readonly type: ResourceType
  /** The pagination of a list. */
  readonly page?: PageOptions | false
  /** The relationship of a relationship endpoint. Paths of `include` start with its name. */
  readonly relationship?: Relationship
}

export function parameterComponentRef(name: string): OpenApiParameterObject {
  return { $ref: `#/components/parameters/${name}` }
}

/** Describes the parameters that all endpoints with primary data of a type share. */
export function describeParameterComponents(api: OpenApiContext): OpenApiObjectMap {
  const { graph, options } = api
  const types = [...graph.types.values()]
  return {
    id: { name: 'id', in: 'path', required: true, schema: { type: 'string' } },
    ...HEADERS,
    [EXPLAIN_PARAMETER]: { name: EXPLAIN_PARAMETER, in: 'query', description: EXPLANATION, schema: { const: 'true' } },
    ...Object.fromEntries([undefined, ...types.flatMap(pagesOf)].map((page) => [pageName(page), describePage(page)])),
    ...Object.fromEntries(
      types.flatMap((type): (readonly [string, OpenApiParameterObject])[] => [
        [openApiComponentName(type, 'filter'), describeFilter('filter', type)],
        ...fieldFiltersOf(type, api),
        [openApiComponentName(type, 'sort'), describeSort('sort', type)],
        [openApiComponentName(type, 'include'), describeInclude(includable(type), options)],
        [openApiComponentName(type, 'fields'), describeFields(type)],
        ...scopesOf(type).flatMap(({ name, target }): (readonly [string, OpenApiParameterObject])[] => [
          [
            openApiComponentName(type, `filter.${escapeOpenApiComponentName(name)}`),
            describeFilter(`filter[${name}]`, target),
          ],
          [
            openApiComponentName(type, `sort.${escapeOpenApiComponentName(name)}`),
            describeSort(`sort[${name}]`, target),
          ],
        ]),
      ]),
    ),
  }
}

/** Returns the parameters of an endpoint, in the order of the guide. */
export function describeQueryParameters(
  primary: EndpointPrimaryData,
  api: OpenApiContext,
): readonly OpenApiParameterObject[] {
  const { type, page, relationship } = primary
  const has = (name: ResourceType['parameters'][number]) => type.parameters.includes(name)
  const isList = page !== undefined
  const scopes = scopesOf(type).map(({ name }) => escapeOpenApiComponentName(name))
  const fieldFilters = fieldFiltersOf(type, api).map(([name]) => parameterComponentRef(name))
  const scopedParameters = (name: 'filter' | 'sort') => [
    ...(isList
      ? [parameterComponentRef(openApiComponentName(type, name)), ...(name === 'filter' ? fieldFilters : [])]
      : []),
    ...scopes.map((scope) => parameterComponentRef(openApiComponentName(type, `${name}.${scope}`))),
  ]
  return [
    ...(has('filter') ? scopedParameters('filter') : []),
    ...(has('sort') ? scopedParameters('sort') : []),
    ...(has('include') ? includeAt(type, relationship, api) : []),
    ...(has('fields') ? [parameterComponentRef(openApiComponentName(type, 'fields'))] : []),
    ...(has('page') && (isList || (has('include') && includable(type).length > 0))
      ? [parameterComponentRef(pageName(page))]
      : []),
  ]
}

/** Returns parameters without schema, for an endpoint whose target type depends on the resource. */
export function describeQueryParametersWithoutSchema(
  primaries: readonly EndpointPrimaryData[],
): readonly OpenApiParameterObject[] {
  const families = QUERY_PARAMETER_NAMES.filter((name) => primaries.some(({ type }) => type.parameters.includes(name)))
  return families.map((name) => ({ name, in: 'query', ...UNTYPED_PARAMETERS[name] }))
}

const EXPLANATION = '`true`: returns the plan of the request and its statements, and reads nothing.'

const LIST: SchemaObject = { style: 'form', explode: false, schema: { type: 'array', items: { type: 'string' } } }
const BRACKETS: SchemaObject = {
  style: 'deepObject',
  explode: true,
  schema: { type: 'object', additionalProperties: { type: ['string', 'integer'] } },
}
const UNTYPED_PARAMETERS = {
  filter: { ...LIST, explode: true },
  sort: LIST,
  include: LIST,
  fields: BRACKETS,
  page: BRACKETS,
}

function includeAt(
  type: ResourceType,
  relationship: Relationship | undefined,
  { options }: OpenApiContext,
): readonly OpenApiParameterObject[] {
  if (relationship === undefined) return [parameterComponentRef(openApiComponentName(type, 'include'))]
  const { name, capabilities } = relationship
  if (!capabilities.includes('include')) return [describeInclude([], options)]
  return [describeInclude([name, ...includable(type).map((next) => `${name}.${next}`)], options)]
}

/** Returns field filters by component name. A name stands for either a field or an include scope. */
function fieldFiltersOf(
  type: ResourceType,
  api: OpenApiContext,
): readonly (readonly [name: string, OpenApiParameterObject])[] {
  return Object.entries(describeFieldFilterParameters(type, api)).map(([name, parameter]) => [
    openApiComponentName(type, `filter.${escapeOpenApiComponentName(name)}`),
    parameter as OpenApiParameterObject,
  ])
}

/** Returns the to-many relationships that are paginated when included. */
function scopesOf(type: ResourceType): readonly (Relationship & { readonly kind: 'toMany' })[] {
  if (!type.parameters.includes('include')) return []
  const fields = includable(type).flatMap((name) => findRelationships(type, name))
  const byName = new Map(fields.filter((field) => field.kind === 'toMany').map((field) => [field.name, field] as const))
  return [...byName.values()]
}

function findRelationships(type: ResourceType, name: string): readonly Relationship[] {
  const own = type.fields.get(name)
  const found = own === undefined ? type.concreteTypes.flatMap((each) => each.fields.get(name) ?? []) : [own]
  return found.filter(isRelationship)
}

function includable(type: ResourceType): readonly string[] {
  return allowedFieldNamesMatching(isRelationship, type, lookupFor('include'))
}

/** Returns the options of a lookup. The document is the same for all clients, so it contains fields that rules hide from some of them. */
function lookupFor(use: FieldUseInQuery): FieldLookupOptions {
  return { use, isHidden: NO_FIELD_HIDDEN_PREDICATE }
}

function describeFilter(name: string, type: ResourceType): OpenApiParameterObject {
  const names = allowedFieldNamesMatching(() => true, type, lookupFor('filter'))
  const description = `An expression like \`equals(${names[0] ?? 'id'},'…')\`; several are joined with \`or\`. By ${formatNames(names)}.`
  return { name, in: 'query', description, style: 'form', explode: true, schema: toArraySchema({ type: 'string' }) }
}

function describeSort(name: string, type: ResourceType): OpenApiParameterObject {
  const attributes = allowedFieldNamesMatching(({ kind }) => kind === 'attribute', type, lookupFor('sort'))
  const keys = attributes.flatMap((each) => [each, `-${each}`])
  const schema = toArraySchema({ anyOf: [{ enum: keys }, { type: 'string', pattern: '[.:(]' }] })
  return { name, in: 'query', description: SORTING, style: 'form', explode: false, schema }
}

const SORTING =
  'Sort keys in order of precedence; `-` sorts in descending order. Keys may be paths through relationships, and functions.'

function describeInclude(paths: readonly string[], { limits }: OpenApiContext['options']): OpenApiParameterObject {
  const { includeDepth } = limits
  const isDeep = includeDepth === null || includeDepth > 1
  const depthLimit = includeDepth === null ? '' : `, of at most ${includeDepth} relationships each`
  const description = `Paths through relationships${depthLimit}: \`a,b.c\`. An empty value includes nothing.`
  const schema =
    paths.length === 0 ? toArraySchema({ type: 'string' }, { maxItems: 0 }) : toArraySchema(describePath(paths, isDeep))
  return { name: 'include', in: 'query', description, style: 'form', explode: false, allowEmptyValue: true, schema }
}

function describePath(paths: readonly string[], isDeep: boolean): SchemaObject {
  const first: SchemaObject = { type: 'string', enum: paths }
  return { anyOf: [first, { type: 'string', pattern: isDeep ? '[.:]' : ':' }] }
}

/** Describes sparse fieldsets for each type that a document may contain, and for its base types. */
function describeFields(type: ResourceType): OpenApiParameterObject {
  const types = new Set([...selfAndReachableTypes(type)].flatMap(selfAndAncestors))
  const description = 'The fields that resources of a type will have, separated by commas.'
  const schema = createOpenObjectSchema(toPropertySchemas([...types], describeFieldset))
  return { name: 'fields', in: 'query', description, style: 'deepObject', explode: true, schema }
}

function describeFieldset(type: ResourceType): SchemaObject {
  const names = allowedFieldNamesMatching(() => true, type, lookupFor('fields')).filter((name) => name !== 'id')
  return { type: 'string', description: names.length === 0 ? 'The type has no fields.' : `Of ${formatNames(names)}.` }
}

/** How a list is paginated; `undefined` if only included resources are. */
type PageOptionsOrNone = PageOptions | false | undefined

function pagesOf({ page, relationships }: ResourceType): readonly PageOptionsOrNone[] {
  return [page, ...relationships.map((each) => (each.kind === 'toMany' ? each.page : undefined))]
}

/** Returns a component name: `page.20.100.null` for a size of 20, at most 100, and any number of pages. */
function pageName(page: PageOptionsOrNone): string {
  if (page === undefined) return 'page.included'
  return page === false ? 'page.off' : `page.${page.size}.${page.maxSize}.${page.maxNumber}`
}

function describePage(page: PageOptionsOrNone): OpenApiParameterObject {
  const number = (maximum: number | null): SchemaObject => {
    if (page === undefined) return describePages(includedPathNumberListPattern())
    const integer = omitUndefined({ type: 'integer', minimum: 1, maximum: maximum ?? undefined })
    return { anyOf: [integer, describePages(primaryAndIncludedPageValuePattern(maximum))] }
  }
  const limits = page === undefined || page === false ? { maxSize: null, maxNumber: null } : page
  const cursor: SchemaObject = { type: 'string', description: 'A cursor from a link of this collection.' }
  const cursors = page !== undefined && { after: cursor, before: cursor }
  const schema = createOpenObjectSchema({ size: number(limits.maxSize), number: number(limits.maxNumber), ...cursors })
  return { name: 'page', in: 'query', description: describeLimits(page), style: 'deepObject', explode: true, schema }
}

function describePages(pattern: string): SchemaObject {
  return { type: 'string', pattern, description: SCOPED }
}

const SCOPED = 'For included resources, by path: `children:3`. Each path once.'

function describeLimits(page: PageOptionsOrNone): string {
  if (page === undefined) return 'Pages of included resources.'
  if (page === false) return 'Always returns all resources in one page. Included resources have pages.'
  const { size, maxSize } = page
  const known = size === null ? 'All resources if no size is sent' : `${size} resources if no size is sent`
  return `${known}${maxSize === null ? '' : `, and ${maxSize} at most`}. By numbers, or by cursors.`
}

function formatNames(names: readonly string[]): string {
  return names.map((name) => `\`${name}\``).join(', ')
}

const HEADERS: OpenApiObjectMap = Object.fromEntries(
  Object.entries({
    'If-Match': 'The ETags that the resource may have, or `*`.',
    'If-None-Match': 'The ETags of the cached responses. The response is 304 if one of them is current.',
    Prefer: '`return=minimal` or `return=representation`.',
    'Idempotency-Key':
      'A quoted string, unique for each new request. A repeated request gets the first response again.',
  }).flatMap(([name, description]) => {
    const header: OpenApiParameterObject = { name, in: 'header', description, schema: { type: 'string' } }
    return [
      [name, header],
      [`${name}.required`, { ...header, required: true }],
    ]
  }),
)
