import { PARAMETERS, type PageOptions } from '../declarations/field-options'
import { NOTHING_HIDDEN } from '../graph/model/capabilities'
import { selfAndAncestors } from '../graph/model/inheritance'
import type { Field, Relationship, ResourceType } from '../graph/model/resource-graph'
import { type FieldLookup, type FieldUse, namesThat } from '../query/parsing/field-lookup'
import { EXPLAIN } from '../request/http/explain-parameter'
import type { ApiFacts } from './api-facts'
import { nameOf, plainName } from './component-names'
import { typesWithin } from './describe-documents'
import { describeFieldFilters } from './describe-field-filters'
import { arrayOf, type Schema, type Schemas, withoutNothing } from './schema'

/** https://spec.openapis.org/oas/v3.1.1.html#parameter-object */
export type ParameterObject = Schema

/** What the primary data of an endpoint are, as far as its parameters go. */
export interface PrimaryData {
  readonly type: ResourceType
  /** Of a list: how it is cut. */
  readonly page?: PageOptions | false
  /** Those that a relationship endpoint shows the linkage of: paths of `include` start with their name. */
  readonly relationship?: Relationship
}

export function parameterRef(name: string): ParameterObject {
  return { $ref: `#/components/parameters/${name}` }
}

/** Parameters that are the same at all endpoints with primary data of a type. */
export function describeParameters(facts: ApiFacts): Schemas {
  const { graph, options } = facts
  const types = [...graph.types.values()]
  return {
    id: { name: 'id', in: 'path', required: true, schema: { type: 'string' } },
    ...HEADERS,
    [EXPLAIN]: { name: EXPLAIN, in: 'query', description: EXPLANATION, schema: { const: 'true' } },
    ...Object.fromEntries([undefined, ...types.flatMap(pagesOf)].map((page) => [pageName(page), describePage(page)])),
    ...Object.fromEntries(
      types.flatMap((type) => [
        [nameOf(type, 'filter'), describeFilter('filter', type)] as const,
        ...fieldFiltersOf(type, facts),
        [nameOf(type, 'sort'), describeSort('sort', type)] as const,
        [nameOf(type, 'include'), describeInclude(includable(type), options)] as const,
        [nameOf(type, 'fields'), describeFields(type)] as const,
        ...scopesOf(type).flatMap((scope) => [
          [
            nameOf(type, `filter.${plainName(scope.name)}`),
            describeFilter(`filter[${scope.name}]`, scope.target),
          ] as const,
          [nameOf(type, `sort.${plainName(scope.name)}`), describeSort(`sort[${scope.name}]`, scope.target)] as const,
        ]),
      ]),
    ),
  }
}

/** The parameters that an endpoint takes, in the order of the guide. */
export function parametersAt(primary: PrimaryData, facts: ApiFacts): readonly ParameterObject[] {
  const { type, page, relationship } = primary
  const has = (name: ResourceType['parameters'][number]) => type.parameters.includes(name)
  const isList = page !== undefined
  const scopes = scopesOf(type).map(({ name }) => plainName(name))
  const fieldFilters = fieldFiltersOf(type, facts).map(([name]) => parameterRef(name))
  const within = (name: 'filter' | 'sort') => [
    ...(isList ? [parameterRef(nameOf(type, name)), ...(name === 'filter' ? fieldFilters : [])] : []),
    ...scopes.map((scope) => parameterRef(nameOf(type, `${name}.${scope}`))),
  ]
  return [
    ...(has('filter') ? within('filter') : []),
    ...(has('sort') ? within('sort') : []),
    ...(has('include') ? includeAt(type, relationship, facts) : []),
    ...(has('fields') ? [parameterRef(nameOf(type, 'fields'))] : []),
    ...(has('page') && (isList || (has('include') && includable(type).length > 0))
      ? [parameterRef(pageName(page))]
      : []),
  ]
}

/** Where it depends on the resource what a name leads to, all that is said of the parameters is which there are. */
export function looseParametersAt(primaries: readonly PrimaryData[]): readonly ParameterObject[] {
  const families = PARAMETERS.filter((name) => primaries.some(({ type }) => type.parameters.includes(name)))
  return families.map((name) => ({ name, in: 'query', ...LOOSE[name] }))
}

const EXPLANATION = '`true`: the answer is what would be done, its plan and its statements, and nothing is read.'

const LIST: Schema = { style: 'form', explode: false, schema: { type: 'array', items: { type: 'string' } } }
const BRACKETS: Schema = {
  style: 'deepObject',
  explode: true,
  schema: { type: 'object', additionalProperties: { type: ['string', 'integer'] } },
}
const LOOSE = { filter: { ...LIST, explode: true }, sort: LIST, include: LIST, fields: BRACKETS, page: BRACKETS }

function includeAt(
  type: ResourceType,
  relationship: Relationship | undefined,
  { options }: ApiFacts,
): readonly ParameterObject[] {
  if (relationship === undefined) return [parameterRef(nameOf(type, 'include'))]
  const { name, capabilities } = relationship
  if (!capabilities.includes('include')) return [describeInclude([], options)]
  return [describeInclude([name, ...includable(type).map((next) => `${name}.${next}`)], options)]
}

/** By the names of their components, of which none is that of a scope: a name is one or the other. */
function fieldFiltersOf(type: ResourceType, facts: ApiFacts): readonly (readonly [name: string, ParameterObject])[] {
  return Object.entries(describeFieldFilters(type, facts)).map(([name, parameter]) => [
    nameOf(type, `filter.${plainName(name)}`),
    parameter as ParameterObject,
  ])
}

/** The relationships of which a part can be asked for where they are included. */
function scopesOf(type: ResourceType): readonly (Relationship & { readonly kind: 'toMany' })[] {
  if (!type.parameters.includes('include')) return []
  const fields = includable(type).flatMap((name) => findRelationships(type, name))
  const byName = new Map(fields.filter((field) => field.kind === 'toMany').map((field) => [field.name, field] as const))
  return [...byName.values()]
}

function findRelationships(type: ResourceType, name: string): readonly Relationship[] {
  const own = type.fields.get(name)
  const found = own === undefined ? type.concreteTypes.flatMap((each) => each.fields.get(name) ?? []) : [own]
  return found.filter((field): field is Relationship => field.kind !== 'attribute')
}

function includable(type: ResourceType): readonly string[] {
  return namesThat(isRelationship, type, lookupFor('include'))
}

function isRelationship({ kind }: Field): boolean {
  return kind !== 'attribute'
}

/** The document is the same for everybody: what rules hide from some is in it. */
function lookupFor(use: FieldUse): FieldLookup {
  return { use, isHidden: NOTHING_HIDDEN }
}

function describeFilter(name: string, type: ResourceType): ParameterObject {
  const names = namesThat(() => true, type, lookupFor('filter'))
  return {
    name,
    in: 'query',
    description: `An expression like \`equals(${names[0] ?? 'id'},'…')\`; several are joined with \`or\`. By ${listed(names)}.`,
    style: 'form',
    explode: true,
    schema: arrayOf({ type: 'string' }),
  }
}

function describeSort(name: string, type: ResourceType): ParameterObject {
  const attributes = namesThat(({ kind }) => kind === 'attribute', type, lookupFor('sort'))
  const keys = attributes.flatMap((each) => [each, `-${each}`])
  return {
    name,
    in: 'query',
    description:
      'Sort keys, the first one first; with `-` descending. Paths over relationships and functions are keys too.',
    style: 'form',
    explode: false,
    schema: arrayOf({ anyOf: [{ enum: keys }, { type: 'string', pattern: '[.:(]' }] }),
  }
}

function describeInclude(paths: readonly string[], { limits }: ApiFacts['options']): ParameterObject {
  const { includeDepth } = limits
  const isDeep = includeDepth === null || includeDepth > 1
  const most = includeDepth === null ? '' : `, of at most ${includeDepth} relationships each`
  return {
    name: 'include',
    in: 'query',
    description: `Paths over relationships${most}: \`a,b.c\`. Without any, nothing is included.`,
    style: 'form',
    explode: false,
    allowEmptyValue: true,
    schema: paths.length === 0 ? arrayOf({ type: 'string' }, { maxItems: 0 }) : arrayOf(describePath(paths, isDeep)),
  }
}

function describePath(paths: readonly string[], isDeep: boolean): Schema {
  const first: Schema = { type: 'string', enum: paths }
  return isDeep ? { anyOf: [first, { type: 'string', pattern: '[.:]' }] } : first
}

/** For each type that can be in the document, and those above them. */
function describeFields(type: ResourceType): ParameterObject {
  const types = new Set([...typesWithin(type)].flatMap(selfAndAncestors))
  return {
    name: 'fields',
    in: 'query',
    description: 'For a type, the fields that its resources are to have, with commas in between.',
    style: 'deepObject',
    explode: true,
    schema: {
      type: 'object',
      properties: Object.fromEntries([...types].map((each) => [each.name, describeFieldset(each)])),
    },
  }
}

function describeFieldset(type: ResourceType): Schema {
  const names = namesThat(() => true, type, lookupFor('fields')).filter((name) => name !== 'id')
  return { type: 'string', description: names.length === 0 ? 'It has none.' : `Of ${listed(names)}.` }
}

/** How lists are cut; `undefined`: only pages of what is included can be asked for. */
type PageOptionsOrNone = PageOptions | false | undefined

function pagesOf({ page, relationships }: ResourceType): readonly PageOptionsOrNone[] {
  return [page, ...relationships.map((each) => (each.kind === 'toMany' ? each.page : undefined))]
}

/** `page.20.100.null`: pages of 20, at most 100, however many. */
function pageName(page: PageOptionsOrNone): string {
  if (page === undefined) return 'page.included'
  return page === false ? 'page.off' : `page.${page.size}.${page.maxSize}.${page.maxNumber}`
}

function describePage(page: PageOptionsOrNone): ParameterObject {
  const scoped: Schema = { type: 'string', pattern: PAGES, description: `${SCOPED} \`children:3\`.` }
  const number = (maximum: number | null): Schema =>
    page === undefined
      ? scoped
      : { anyOf: [withoutNothing({ type: 'integer', minimum: 1, maximum: maximum ?? undefined }), scoped] }
  const limits = page === undefined || page === false ? { maxSize: null, maxNumber: null } : page
  const cursor: Schema = { type: 'string', description: 'A cursor that this collection has given.' }
  return {
    name: 'page',
    in: 'query',
    description: describeLimits(page),
    style: 'deepObject',
    explode: true,
    schema: {
      type: 'object',
      properties: {
        size: number(limits.maxSize),
        number: number(limits.maxNumber),
        ...(page !== undefined && { after: cursor, before: cursor }),
      },
    },
  }
}

const SCOPED = 'Of what is included, by the path to it:'
const PAGES = '^([^,:]+:)?\\d+(,([^,]+:)?\\d+)*$'

function describeLimits(page: PageOptionsOrNone): string {
  if (page === undefined) return 'Pages of what is included.'
  if (page === false) return 'All is one page, whatever is asked for; what is included has pages.'
  const { size, maxSize } = page
  const known = size === null ? 'All is one page if no size is said' : `${size} are a page if no size is said`
  return `${known}${maxSize === null ? '' : `, and ${maxSize} at most`}. By numbers, or by cursors.`
}

function listed(names: readonly string[]): string {
  return names.map((name) => `\`${name}\``).join(', ')
}

const HEADERS: Schemas = Object.fromEntries(
  Object.entries({
    'If-Match': 'The ETags of the states that it may be in, or `*`.',
    'If-None-Match': 'The ETags of what the client has already: 304 where it would get that again.',
    Prefer: '`return=minimal` or `return=representation`.',
    'Idempotency-Key': 'A string in quotes, new for each new request. Sent again, it gets the first answer again.',
  }).flatMap(([name, description]) => {
    const header: ParameterObject = { name, in: 'header', description, schema: { type: 'string' } }
    return [
      [name, header],
      [`${name}.required`, { ...header, required: true }],
    ]
  }),
)
