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

const OPEN_RELATIONSHIP = { capabilities: ['view', 'include', 'filter'], inverses: new Map() } as const

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
  ...[attribute('name', 'string'), hasOne('father', men), hasOne('mother', women), hasMany('children', humans)],
  hasOne('bestFriend', humans),
])
addFields(men, [
  ...[attribute('hasBeard', 'boolean'), attribute('age', 'integer'), attribute('notes', 'json'), hasOne('wife', women)],
  ...[hasMany('friends', humans), hasMany('sameGenderFriends', men), hasMany('drinkingBuddies', men)],
  ...[attribute('rival', 'string'), hasOne('partner', women), hasOne('idol', men)],
])
addFields(women, [
  ...[attribute('maidenName', 'string', 'nullable'), attribute('age', 'integer'), hasOne('husband', men)],
  ...[hasMany('friends', humans), hasMany('sameGenderFriends', women), hasOne('rival', women), hasOne('partner', men)],
  hasMany('idol', women),
])
addFields(blogs, [
  ...[attribute('title', 'string'), hasMany('articles', articles), hasMany('drafts', articles, { page: false })],
])
addFields(articles, [
  attribute('title', 'string'),
  attribute('views', { valueType: 'integer', minimum: 0n, maximum: 2147483647n }),
  ...[hasOne('blog', blogs), hasOne('author', humans)],
  hasMany('revisions', revisions, { page: { size: 5, maxSize: 20, maxNumber: 3 } }),
])
addFields(revisions, [attribute('content', 'string'), hasOne('article', articles), hasOne('author', humans)])
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
  ...[attribute('größe', 'integer'), hasOne('other', samples), hasMany('parts', samples)],
])

type Undeclared = Omit<Field, 'declaringType'>

type TypeFacts = Readonly<{ base?: ResourceType; isAbstract?: boolean; id?: ValueConstraints }>

// Types and fields have only the members that parsers read, and nothing is switched off.

/** A type without fields yet: its relationships may lead to types that come later. */
function addType(
  name: string,
  { base, isAbstract = false, id = { valueType: 'integer' } }: TypeFacts = {},
): ResourceType {
  const derived: ResourceType[] = []
  const type = {
    name,
    isAbstract,
    parameters: ['filter', 'sort', 'include', 'fields', 'page'],
    key: ['id'],
    base,
    derived,
    get concreteTypes(): readonly StoredType[] {
      const below = derived.flatMap((each) => each.concreteTypes)
      return isAbstract ? below : [type as StoredType, ...below]
    },
    fields: new Map(),
    page: DEFAULT_API_OPTIONS.page,
    pagination: 'numbers',
  } as unknown as ResourceType
  Object.assign(type, { id: { ...attribute('id', id), declaringType: type } })
  if (base !== undefined) (base.derived as ResourceType[]).push(type)
  types.set(name, type)
  return type
}

/** In the order of types: a base first. */
function addFields(type: ResourceType, own: readonly Undeclared[]): void {
  const fields = type.fields as Map<string, Field>
  for (const field of own) fields.set(field.name, { ...field, declaringType: type } as Field)
  for (const [name, field] of type.base?.fields ?? []) fields.set(name, field)
}

function attribute(
  name: string,
  constraints: ValueConstraints | ValueConstraints['valueType'],
  nullable?: 'nullable',
): Undeclared {
  return {
    kind: 'attribute',
    name,
    constraints: typeof constraints === 'string' ? { valueType: constraints } : constraints,
    isNullable: nullable === 'nullable',
    capabilities: ['view', 'filter', 'sort', 'create', 'change'],
  } as Partial<Attribute> as Undeclared
}

function hasOne(name: string, target: ResourceType): Undeclared {
  const relationship: Partial<ToOneRelationship> = { kind: 'toOne', name, target, isNullable: true }
  return { ...OPEN_RELATIONSHIP, ...relationship } as Undeclared
}

function hasMany(name: string, target: ResourceType, { page = DEFAULT_API_OPTIONS.page }: PageFacts = {}): Undeclared {
  const relationship: Partial<ToManyRelationship> = { kind: 'toMany', name, target, page, pagination: 'numbers' }
  return { ...OPEN_RELATIONSHIP, ...relationship } as Undeclared
}

type PageFacts = Partial<Pick<ToManyRelationship, 'page'>>
