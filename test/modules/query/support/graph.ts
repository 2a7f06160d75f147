import type {
  Attribute,
  Field,
  ResourceGraph,
  ResourceType,
  StoredType,
  ToManyRelationship,
  ToOneRelationship,
} from '../../../../src/graph/model/resource-graph'
import type { ValueConstraints } from '../../../../src/graph/model/value-type'
import { DEFAULT_API_OPTIONS } from '../../../../src/graph/options/options'

const types = new Map<string, ResourceType>()

/** Nothing is switched off. */
const OPEN_TYPE = {
  annotations: {},
  endpoints: [],
  parameters: ['filter', 'sort', 'include', 'fields', 'page'],
  links: { topLevel: true, resource: true, relationship: true, pages: true },
} as const
const OPEN_ATTRIBUTE = { annotations: {}, capabilities: ['view', 'filter', 'sort', 'create', 'change'] } as const
const OPEN_RELATIONSHIP = {
  annotations: {},
  capabilities: ['view', 'include', 'filter'],
  links: undefined,
  inverses: new Map(),
  relatedResourceCanBeShared: true,
  storedTogether: [],
  ownerRelationships: [],
  isExclusive: false,
} as const

/** The graph of the specification's humans, a blog, and `samples` with an attribute of every value type. */
export const graph: ResourceGraph = { types, functions: new Map(), typeOf: () => undefined }
export const humans = addType('humans', { isAbstract: true })
export const men = addType('men', { base: humans })
export const women = addType('women', { base: humans })
export const blogs = addType('blogs')
export const articles = addType('articles')
export const revisions = addType('revisions')
export const samples = addType('samples', { id: { valueType: 'uuid' } })

addFields(humans, [
  ...[attribute('name', 'string'), toOne('father', men), toOne('mother', women), toMany('children', humans)],
  toOne('bestFriend', humans),
])
addFields(men, [
  ...[attribute('hasBeard', 'boolean'), attribute('age', 'integer'), attribute('notes', 'json'), toOne('wife', women)],
  ...[toMany('friends', humans), toMany('sameGenderFriends', men), toMany('drinkingBuddies', men)],
  ...[attribute('rival', 'string'), toOne('partner', women), toOne('idol', men)],
])
addFields(women, [
  ...[attribute('maidenName', 'string', 'nullable'), attribute('age', 'integer'), toOne('husband', men)],
  ...[toMany('friends', humans), toMany('sameGenderFriends', women), toOne('rival', women), toOne('partner', men)],
  toMany('idol', women),
])
addFields(blogs, [
  ...[attribute('title', 'string'), toMany('articles', articles), toMany('drafts', articles, { page: false })],
])
addFields(articles, [
  attribute('title', 'string'),
  attribute('views', { valueType: 'integer', minimum: 0n, maximum: 2147483647n }),
  ...[toOne('blog', blogs), toOne('author', humans)],
  toMany('revisions', revisions, { page: { size: 5, maxSize: 20, maxNumber: 3 } }),
])
addFields(revisions, [attribute('content', 'string'), toOne('article', articles), toOne('author', humans)])
addFields(samples, [
  attribute('text', { valueType: 'string', maximumLength: 5 }),
  attribute('nullableText', 'string', 'nullable'),
  attribute('integer', { valueType: 'integer', minimum: -2147483648n, maximum: 2147483647n }),
  ...[attribute('anyInteger', 'integer'), attribute('bigint', 'bigint')],
  attribute('unsigned', { valueType: 'bigint', minimum: 0n, maximum: 2n ** 64n - 1n }),
  attribute('decimal', { valueType: 'decimal', precision: 6, scale: 2 }),
  attribute('precise', { valueType: 'decimal', precision: 3 }),
  ...[attribute('anyDecimal', 'decimal'), attribute('float', 'float'), attribute('boolean', 'boolean')],
  ...(['datetime', 'date', 'time', 'uuid'] as const).map((name) => attribute(name, name)),
  attribute('enum', { valueType: 'enum', enumValues: ['draft', 'published'] }),
  attribute('sameEnum', { valueType: 'enum', enumValues: ['draft', 'published'] }),
  attribute('level', { valueType: 'enum', enumValues: [1, 2] }),
  ...[attribute('noEnum', 'enum'), attribute('list', 'list'), attribute('binary', 'binary')],
  ...[attribute('json', 'json', 'nullable'), attribute('count', 'integer'), attribute('not', 'boolean')],
  ...[attribute('größe', 'integer'), toOne('other', samples), toMany('parts', samples)],
])

type Undeclared<Kind extends Field> = Omit<Kind, 'declaringType'>

interface TypeFacts {
  readonly base?: ResourceType
  readonly isAbstract?: boolean
  readonly id?: ValueConstraints
}

/** A type without fields yet: its relationships may lead to types that come later. */
function addType(
  name: string,
  { base, isAbstract = false, id = { valueType: 'integer' } }: TypeFacts = {},
): ResourceType {
  const derived: ResourceType[] = []
  const type: Omit<ResourceType, 'id'> & { id?: Attribute } = {
    ...OPEN_TYPE,
    name,
    resourceClass: Object,
    isAbstract,
    hasInsertListeners: false,
    hasUpdateListeners: false,
    isVersioned: false,
    isSoftDeletable: false,
    key: ['id'],
    base,
    derived,
    get concreteTypes() {
      const below = derived.flatMap((each) => each.concreteTypes)
      return isAbstract ? below : [type as StoredType, ...below]
    },
    fields: new Map(),
    attributes: [],
    relationships: [],
    page: DEFAULT_API_OPTIONS.page,
    pagination: 'numbers',
    totals: 'exact',
    clientGeneratedIds: 'forbidden',
    schema: undefined,
    unknownFields: 'reject',
    ifMatch: 'optional',
  }
  const complete = Object.assign(type, { id: { ...attribute('id', id), declaringType: type as ResourceType } })
  if (base !== undefined) (base.derived as ResourceType[]).push(complete)
  types.set(name, complete)
  return complete
}

/** In the order of types: a base first. */
function addFields(type: ResourceType, own: readonly Undeclared<Field>[]): void {
  const fields = type.fields as Map<string, Field>
  for (const field of own) fields.set(field.name, { ...field, declaringType: type } as Field)
  for (const [name, field] of type.base?.fields ?? []) fields.set(name, field)
}

function attribute(
  name: string,
  constraints: ValueConstraints | ValueConstraints['valueType'],
  nullable?: 'nullable',
): Undeclared<Attribute> {
  return {
    ...OPEN_ATTRIBUTE,
    kind: 'attribute',
    name,
    property: name,
    constraints: typeof constraints === 'string' ? { valueType: constraints } : constraints,
    isNullable: nullable === 'nullable',
    isNullableInStore: nullable === 'nullable',
    isRequired: false,
    valueOrigin: 'client',
    changesWithRow: false,
    isTransformed: false,
    isVirtual: false,
  }
}

function toOne(name: string, target: ResourceType): Undeclared<ToOneRelationship> {
  return {
    ...OPEN_RELATIONSHIP,
    kind: 'toOne',
    linkage: 'included',
    primaryKeyIndexes: [],
    name,
    property: name,
    target,
    holdsKey: true,
    isNullable: true,
    isRequired: false,
  }
}

function toMany(
  name: string,
  target: ResourceType,
  { page = DEFAULT_API_OPTIONS.page }: Partial<Pick<ToManyRelationship, 'page'>> = {},
): Undeclared<ToManyRelationship> {
  return {
    ...OPEN_RELATIONSHIP,
    kind: 'toMany',
    includedPagination: false,
    name,
    property: name,
    target,
    orphanAction: 'unlinked',
    page,
    pagination: 'numbers',
    totals: 'exact',
  }
}
