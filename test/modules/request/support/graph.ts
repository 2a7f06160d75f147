import type { ClientIdOption } from '../../../../src/declarations/field-options'
import { ALL_LINKS } from '../../../../src/declarations/link-options'
import { DEFAULT_OPTIONS } from '../../../../src/graph/options'
import type {
  Attribute,
  Field,
  Relationship,
  ResourceGraph,
  ResourceType,
  StoredType,
  ToMany,
  ToOne,
} from '../../../../src/graph/resource-graph'
import type { ValueRange } from '../../../../src/graph/value-type'

interface Description {
  readonly isAbstract?: boolean
  readonly base?: string
  readonly clientIds?: ClientIdOption
  readonly id?: ValueRange
  readonly attributes?: Readonly<Record<string, Partial<Attribute>>>
  readonly relationships?: Readonly<Record<string, RelationshipDescription>>
}

type RelationshipDescription = { readonly target: string } & (
  | { readonly toOne: 'nullable' | 'required' }
  | { toMany: true }
)

/**
 * `humans` (abstract) above `men` and `women`, `knights` below `men`; `samples` with an attribute of each value type. `squire` is a
 * relationship to one of men and to many of women.
 */
export const graph = buildGraph({
  humans: {
    isAbstract: true,
    attributes: {
      name: { isRequired: true, range: { valueType: 'string', maximumLength: 5 } },
      age: integer(0n, 150n),
    },
    relationships: {
      father: { target: 'men', toOne: 'nullable' },
      children: { target: 'humans', toMany: true },
      bestFriend: { target: 'humans', toOne: 'nullable' },
    },
  },
  men: {
    base: 'humans',
    clientIds: 'allowed',
    attributes: { hasBeard: { range: { valueType: 'boolean' } }, createdAt: { upkeep: 'createDate' } },
    relationships: { wife: { target: 'women', toOne: 'nullable' }, squire: { target: 'men', toOne: 'nullable' } },
  },
  women: {
    base: 'humans',
    attributes: { maidenName: { isNullable: true } },
    relationships: { husband: { target: 'men', toOne: 'nullable' }, squire: { target: 'women', toMany: true } },
  },
  knights: { base: 'men', clientIds: 'required', attributes: { order: {} } },
  samples: {
    clientIds: 'allowed',
    id: { valueType: 'uuid' },
    attributes: {
      text: { range: { valueType: 'string', maximumLength: 3 } },
      json: { range: { valueType: 'json' } },
      raw: { isTransformed: true },
    },
    relationships: { owner: { target: 'humans', toOne: 'required' }, tags: { target: 'samples', toMany: true } },
  },
})

export const type = {
  humans: typeNamed('humans'),
  men: typeNamed('men'),
  women: typeNamed('women'),
  knights: typeNamed('knights'),
  samples: typeNamed('samples'),
}

export function attributeOf(owner: ResourceType, name: string): Attribute {
  const field = owner.fields.get(name)
  if (field?.kind !== 'attribute') throw new TypeError(`No attribute ${name}`)
  return field
}

export function relationshipOf(owner: ResourceType, name: string): Relationship {
  const field = owner.fields.get(name)
  if (field === undefined || field.kind === 'attribute') throw new TypeError(`No relationship ${name}`)
  return field
}

/** An attribute of its own, for readers of values. */
export function attributeWith(range: ValueRange, facts: Partial<Attribute> = {}): Attribute {
  return toAttribute('value', { range, ...facts }, type.samples)
}

/** A type like another one, with its ids in another range or under another rule. */
export function withIds(like: ResourceType, clientIds: ClientIdOption, range: ValueRange): StoredType {
  return { ...like, clientIds, id: { ...like.id, range } } as StoredType
}

type Unfinished = { -readonly [Member in keyof ResourceType]: ResourceType[Member] }

function buildGraph(descriptions: Readonly<Record<string, Description>>): ResourceGraph {
  const types = new Map<string, Unfinished>()
  for (const [name, description] of Object.entries(descriptions)) types.set(name, toType(name, description, types))
  for (const [name, description] of Object.entries(descriptions)) giveFields(get(types, name), description, types)
  for (const each of [...types.values()].reverse()) {
    each.derived = [...types.values()].filter(({ base }) => base === each)
    const below = each.derived.flatMap(({ concreteTypes }) => concreteTypes)
    each.concreteTypes = each.isAbstract ? below : [each as StoredType, ...below]
  }
  return { types, functions: new Map(), typeOf: () => undefined }
}

function toType(
  name: string,
  { base, isAbstract, clientIds, id }: Description,
  types: Map<string, Unfinished>,
): Unfinished {
  const type: Unfinished = {
    name,
    resourceClass: class {},
    isAbstract: isAbstract ?? false,
    isListenedTo: false,
    isVersioned: false,
    key: ['id'],
    base: base === undefined ? undefined : get(types, base),
    derived: [],
    concreteTypes: [],
    id: undefined as unknown as Attribute,
    fields: new Map(),
    attributes: [],
    relationships: [],
    page: DEFAULT_OPTIONS.page,
    pagination: 'numbers',
    totals: 'exact',
    clientIds: clientIds ?? 'forbidden',
    unknownFields: 'refused',
    ifMatch: 'optional',
    schema: undefined,
    notes: {},
    links: ALL_LINKS,
    endpoints: DEFAULT_OPTIONS.endpoints,
    parameters: DEFAULT_OPTIONS.parameters,
  }
  type.id = toAttribute('id', { range: id ?? { valueType: 'integer', minimum: 1n, maximum: 2147483647n } }, type)
  return type
}

function giveFields(type: Unfinished, description: Description, types: Map<string, Unfinished>): void {
  const attributes = Object.entries(description.attributes ?? {}).map(([name, facts]) => toAttribute(name, facts, type))
  const relationships = Object.entries(description.relationships ?? {}).map(([name, facts]) => {
    return toRelationship(name, facts, type, types)
  })
  const own = [...attributes, ...relationships].map((field) => [field.name, field] as const)
  type.fields = new Map<string, Field>([...own, ...(type.base?.fields ?? [])])
  type.attributes = [...attributes, ...(type.base?.attributes ?? [])]
  type.relationships = [...relationships, ...(type.base?.relationships ?? [])]
}

function toAttribute(name: string, facts: Partial<Attribute>, declaringType: ResourceType): Attribute {
  return {
    kind: 'attribute',
    capabilities: DEFAULT_OPTIONS.capabilities.attribute,
    name,
    property: name,
    declaringType,
    range: { valueType: 'string' },
    isNullable: false,
    isNullableInStore: false,
    isRequired: false,
    upkeep: 'client',
    isTransformed: false,
    notes: {},
    ...facts,
  } as Attribute
}

function toRelationship(
  name: string,
  facts: RelationshipDescription,
  declaringType: ResourceType,
  types: Map<string, Unfinished>,
): ToOne | ToMany {
  const common = { name, property: name, declaringType, target: get(types, facts.target), inverse: undefined }
  const { toOne, toMany } = DEFAULT_OPTIONS.capabilities
  if ('toOne' in facts) {
    const isNullable = facts.toOne === 'nullable'
    return { kind: 'toOne', ...common, keyPlaces: [] as readonly number[], isNullable, capabilities: toOne } as ToOne
  }
  return {
    kind: 'toMany',
    ...common,
    capabilities: toMany,
    removed: 'unlinked',
    page: DEFAULT_OPTIONS.page,
    pagination: 'numbers',
    totals: 'exact',
  } as ToMany
}

function integer(minimum: bigint, maximum: bigint): Partial<Attribute> {
  return { range: { valueType: 'integer', minimum, maximum } }
}

function get(types: ReadonlyMap<string, Unfinished>, name: string): Unfinished {
  const type = types.get(name)
  if (type === undefined) throw new TypeError(`No type ${name}`)
  return type
}

function typeNamed(name: string): StoredType {
  return graph.types.get(name) as StoredType
}
