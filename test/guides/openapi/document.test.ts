import {
  Attribute,
  createJsonApi,
  type JsonApiConfiguration,
  type OpenApiDocument,
  Resource,
  ResourceDefinition,
  ToMany,
  ToOne,
} from 'stemma'
import {
  ChildEntity,
  Column,
  Entity,
  ManyToOne,
  OneToMany,
  PrimaryColumn,
  PrimaryGeneratedColumn,
  TableInheritance,
} from 'typeorm'
import { openDatabase, type TestDatabase } from '../../support/database'
import { VEHICLES } from '../../support/vehicles'

// What is told of a graph with a bit of everything. That it is true is for test/support/described.ts, in all tests.

@Resource('boats', { abstract: true, description: 'All that floats.' })
@Entity('described_boats')
@TableInheritance({ column: { type: 'varchar', name: 'kind' } })
abstract class Boat {
  @PrimaryGeneratedColumn() id: number
  @Attribute({ description: 'On its bow.', example: 'Argo' }) @Column({ type: 'varchar', length: 30 }) name: string
  @Attribute({ capabilities: ['view'] }) @Column({ type: 'int', default: 0 }) voyages: number
  @Attribute({ capabilities: ['create'] }) @Column({ type: 'varchar', length: 9, nullable: true }) secret: string | null
  @ToOne({ description: 'Where it lies.' }) @ManyToOne('Harbour', 'boats', { nullable: false }) harbour: Harbour
}

@Resource('canoes')
@ChildEntity()
class Canoe extends Boat {
  @Attribute({ deprecated: true }) @Column({ type: 'int', default: 2 }) seats: number
}

@Resource('ships', { deprecated: true, ifMatch: 'required' })
@ChildEntity()
class Ship extends Boat {
  @Attribute() @Column({ type: 'bigint', nullable: true }) tons: string | null
}

@Resource('liners')
@ChildEntity()
class Liner extends Ship {
  @Attribute() @Column({ type: 'simple-enum', enum: ['first', 'second'], nullable: true }) best: string | null
}

@Resource('harbours', { clientIds: 'required', endpoints: ['getCollection', 'createResource', 'getRelated'] })
@Entity('described_harbours')
class Harbour {
  @PrimaryColumn({ type: 'varchar', length: 5 }) id: string
  @ToMany({ capabilities: ['view', 'include', 'add'] }) @OneToMany('Boat', 'harbour') boats: Boat[]
}

const RESOURCES = [Boat, Canoe, Ship, Liner, Harbour]

let database: TestDatabase
beforeAll(async () => {
  database = await openDatabase(RESOURCES)
})
afterAll(() => database.close())

function descriptionOf(options: Partial<JsonApiConfiguration> = {}): OpenApiDocument {
  return createJsonApi({
    dataSource: database.dataSource,
    resources: RESOURCES,
    startUp: 'quiet',
    ...options,
  }).openApi()
}

// biome-ignore lint/suspicious/noExplicitAny: tests look into documents of every shape
type Any = any

function schemaOf(name: string, options: Partial<JsonApiConfiguration> = {}): Any {
  return (descriptionOf(options) as Any).components.schemas[name]
}

function operationAt(method: string, path: string, options: Partial<JsonApiConfiguration> = {}): Any {
  return (descriptionOf(options) as Any).paths[path][method]
}

it('has the URLs that are there, with the methods that are switched on', () => {
  const { paths } = descriptionOf()
  const methods = Object.entries(paths).map(([path, item]) => [
    path,
    ...Object.keys(item as object).filter((name) => name !== 'parameters' && name !== 'head' && name !== 'options'),
  ])
  const all = (type: string) => [
    [`/${type}`, 'get', 'post'],
    [`/${type}/{id}`, 'get', 'patch', 'delete'],
    [`/${type}/{id}/harbour`, 'get'],
    [`/${type}/{id}/relationships/harbour`, 'get', 'patch'],
  ]
  expect(methods).toEqual([
    ...['boats', 'canoes', 'ships', 'liners'].flatMap(all),
    ['/harbours', 'get', 'post'],
    ['/harbours/{id}/boats', 'get'],
    ['/operations', 'post'],
  ])
})

it('has HEAD where there is GET, with its parameters and headers, and no body', () => {
  for (const path of ['/boats', '/canoes/{id}', '/harbours/{id}/boats']) {
    const [get, head] = [operationAt('get', path), operationAt('head', path)]
    expect(head.parameters).toEqual(get.parameters)
    expect(Object.keys(head.responses)).toEqual(Object.keys(get.responses))
    expect(head.responses[200]).toEqual({ ...get.responses[200], content: undefined })
    expect(head.responses[400]).toEqual({ $ref: '#/components/responses/error.400.head' })
  }
  const { responses } = descriptionOf().components as Any
  expect(responses['error.400.head']).toEqual({ ...responses['error.400'], content: undefined })
  expect(operationAt('head', '/operations')).toBeUndefined()
})

it('has OPTIONS wherever there is anything, with what it answers', () => {
  const allowed = (path: string) => operationAt('options', path).responses[204].headers.Allow.schema
  expect(allowed('/boats')).toEqual({ const: 'GET, HEAD, POST, OPTIONS' })
  expect(allowed('/operations')).toEqual({ const: 'POST, OPTIONS' })
  const statuses = ['204', '400', '408', '413', '414', '415', '500', '503', 'default']
  for (const path of ['/boats', '/boats/{id}', '/operations'])
    expect(Object.keys(operationAt('options', path).responses)).toEqual(statuses)
  const { paths } = descriptionOf()
  expect(Object.values(paths).filter((item) => !('options' in (item as object)))).toEqual([])
})

it('leaves operations out where they are off', () => {
  expect(descriptionOf({ operations: 'off' }).paths).not.toHaveProperty('/operations')
  expect(descriptionOf({ operations: { path: 'batch' } }).paths).toHaveProperty('/batch')
})

describe.each([
  ['', ['canoes', 'ships.exact', 'liners']],
  ['.create', ['canoes.create', 'ships.exact.create', 'liners.create']],
  ['.update', ['canoes.update', 'ships.exact.update', 'liners.update']],
])('the schema boats%s', (purpose, names) => {
  const refs = names.map((name) => `#/components/schemas/${name}`)

  it('is the choice between what rows are stored as', () => {
    const { oneOf, discriminator } = schemaOf(`boats${purpose}`)
    expect(oneOf).toEqual(refs.map(($ref) => ({ $ref })))
    expect(discriminator).toEqual({
      propertyName: 'type',
      mapping: { canoes: refs[0], ships: refs[1], liners: refs[2] },
    })
  })
})

it('has no object that could be sent as an abstract type', () => {
  const { components } = descriptionOf() as Any
  const types = Object.entries<Any>(components.schemas)
    .filter(([name]) => !/\.address$|^atomic\./.test(name))
    .flatMap(([, { properties, oneOf = [] }]) => [properties, ...oneOf.map((each: Any) => each.properties)])
    .flatMap((properties) => [properties?.type?.const ?? [], properties?.type?.enum ?? []].flat())
  expect(types).toContain('canoes')
  expect(types).not.toContain('boats')
})

it('tells what is read only, what is only written, and what is neither', () => {
  expect(schemaOf('canoes').properties.attributes.properties).toMatchObject({ voyages: { readOnly: true } })
  expect(schemaOf('canoes').properties.attributes.properties).not.toHaveProperty('secret')
  const { attributes } = schemaOf('canoes.create').properties
  expect(Object.keys(attributes.properties)).toEqual(['seats', 'name', 'secret'])
  expect(attributes.additionalProperties).toBe(false)
  expect(Object.keys(schemaOf('canoes.update').properties.attributes.properties)).toEqual(['seats', 'name'])
})

it('tells what a new resource must have, and a changed one need not', () => {
  const create = schemaOf('canoes.create')
  expect(create.required).toEqual(['type', 'attributes', 'relationships'])
  expect(create.properties.attributes.required).toEqual(['name'])
  expect(create.properties.relationships.required).toEqual(['harbour'])
  expect(create.properties).not.toHaveProperty('id')
  expect(schemaOf('canoes.update').required).toEqual(['type', 'id'])
  expect(schemaOf('harbours.create').required).toEqual(['type', 'id'])
})

it('demands nothing that rules may give', () => {
  class Rules extends ResourceDefinition<Boat> {
    readonly resource = Boat

    override prepareWrite() {
      return { name: 'Nameless' }
    }
  }
  expect(schemaOf('canoes.create', { definitions: [new Rules()] }).required).toEqual(['type'])
})

it('tells of values what their columns hold', () => {
  expect(schemaOf('liners.create').properties.attributes.properties).toMatchObject({
    name: { type: 'string', maxLength: 30 },
    tons: { type: ['integer', 'string', 'null'], pattern: '^-?\\d+$' },
    best: { type: ['string', 'null'], enum: ['first', 'second', null] },
  })
  expect(schemaOf('liners').properties.attributes.properties).toMatchObject({
    tons: { type: ['string', 'null'], pattern: '^-?\\d+$' },
    voyages: { type: 'integer' },
  })
})

it('shows what classes say of themselves', () => {
  expect(schemaOf('boats')).toMatchObject({ description: 'All that floats.' })
  expect(descriptionOf().tags).toContainEqual(
    expect.objectContaining({ name: 'boats', description: 'All that floats.' }),
  )
  const { attributes, relationships } = schemaOf('canoes').properties
  expect(attributes.properties.name).toMatchObject({ description: 'On its bow.', examples: ['Argo'] })
  expect(attributes.properties.seats).toMatchObject({ deprecated: true })
  expect(relationships.properties.harbour).toMatchObject({ description: 'Where it lies.' })
  expect(schemaOf('canoes.create').properties.attributes.properties.seats.description).toBe('Without it: `2`.')
  expect(operationAt('get', '/ships').deprecated).toBe(true)
  expect(operationAt('get', '/boats')).not.toHaveProperty('deprecated')
})

it('takes parameters where the endpoint does', () => {
  const names = (method: string, path: string, options = {}) =>
    operationAt(method, path, options).parameters.map(({ $ref, name }: Any) => name ?? $ref.split('/').at(-1))
  expect(names('get', '/boats')).toEqual([
    ...['boats.filter', 'boats.sort', 'boats.include', 'boats.fields', 'page.10.100.null'],
  ])
  expect(names('get', '/canoes/{id}')).toEqual(['canoes.include', 'canoes.fields', 'page.included', 'If-None-Match'])
  expect(names('get', '/canoes/{id}/harbour')).toEqual([
    ...['harbours.filter.boats', 'harbours.sort.boats', 'harbours.include', 'harbours.fields', 'page.included'],
    'If-None-Match',
  ])
  expect(names('patch', '/canoes/{id}')).toEqual([
    'canoes.include',
    'canoes.fields',
    'page.included',
    'If-Match',
    'Prefer',
  ])
  expect(names('patch', '/ships/{id}')).toEqual([
    'ships.include',
    'ships.fields',
    'page.included',
    'If-Match.required',
    'Prefer',
  ])
  expect(names('delete', '/canoes/{id}')).toEqual(['If-Match'])
  expect(names('get', '/boats', { parameters: ['sort'] })).toEqual(['boats.sort'])
})

it('says no more of parameters than holds, where a name leads to several types', async () => {
  const vehicles = await openDatabase(VEHICLES)
  const described = createJsonApi({ dataSource: vehicles.dataSource, resources: VEHICLES, startUp: 'quiet' }).openApi()
  await vehicles.close()
  const { parameters } = (described as Any).paths['/genericProperties/{id}/value'].get
  expect(parameters.map(({ name, $ref }: Any) => name ?? $ref)).toEqual([
    ...['filter', 'sort', 'include', 'fields', 'page'],
    '#/components/parameters/If-None-Match',
  ])
  expect(parameters[1].schema).toEqual({ type: 'array', items: { type: 'string' } })
})

it('names sort keys, include paths and fields', () => {
  const parameters = (descriptionOf() as Any).components.parameters
  const keys = ['name', '-name', 'id', '-id', 'seats', '-seats', 'tons', '-tons', 'best', '-best']
  expect(parameters['boats.sort'].schema.items.anyOf[0].enum.toSorted()).toEqual(keys.toSorted())
  expect(parameters['boats.include'].schema.items.anyOf[0].enum).toEqual(['harbour'])
  expect(Object.keys(parameters['boats.fields'].schema.properties).toSorted()).toEqual([
    ...['boats', 'canoes', 'harbours', 'liners', 'ships'],
  ])
})

it('has the statuses that an endpoint answers with', () => {
  const statuses = (method: string, path: string, options = {}) =>
    Object.keys(operationAt(method, path, options).responses)
  expect(statuses('get', '/boats')).toEqual([
    '200',
    '400',
    '406',
    '408',
    '412',
    '413',
    '414',
    '415',
    '500',
    '503',
    'default',
  ])
  expect(statuses('get', '/boats', { etags: 'all' })).toContain('304')
  expect(statuses('get', '/boats/{id}')).toEqual(expect.arrayContaining(['200', '304', '404']))
  expect(statuses('patch', '/canoes/{id}')).not.toContain('428')
  expect(statuses('patch', '/boats/{id}')).toContain('428')
  expect(statuses('delete', '/boats/{id}')).toEqual(expect.arrayContaining(['204', '404', '409', '422']))
})

it('tells of keys of requests where they mean something', () => {
  const idempotency = {
    owner: () => 'all',
    requiredFor: ['POST'] as const,
    store: { keeps: 'afterCommit', claim: fail, complete: fail, release: fail } as const,
  }
  const refs = (method: string) =>
    operationAt(method, '/boats/{id}'.slice(0, method === 'post' ? 6 : 11), { idempotency })
  expect(refs('post').parameters).toContainEqual({ $ref: '#/components/parameters/Idempotency-Key.required' })
  expect(refs('patch').parameters).toContainEqual({ $ref: '#/components/parameters/Idempotency-Key' })
})

it('refers to nothing that is not there, and has nothing that nobody refers to', () => {
  const described = descriptionOf() as Any
  const text = JSON.stringify(described)
  const refs = new Set([...text.matchAll(/"\$ref":"#\/components\/(.*?)\/(.*?)"/g)].map(([, a, b]) => `${a}/${b}`))
  const { components } = described
  const known = Object.keys(components).flatMap((kind) =>
    Object.keys(components[kind]).map((name) => `${kind}/${name}`),
  )
  expect([...refs].toSorted()).toEqual(known.toSorted())
})

function fail(): never {
  throw new Error('Nobody is to be asked.')
}

it('tells of each type what OpenAPI has no words for', () => {
  const tags = descriptionOf().tags as Any[]
  const told = new Map(tags.map((tag) => [tag.name, tag['x-resource-type']]))
  expect(told.get('boats')).toMatchObject({ abstract: true })
  expect(told.get('boats')).not.toHaveProperty('base')
  expect(told.get('liners')).toMatchObject({ abstract: false, base: 'ships' })
  expect(told.get('liners').fields.map(({ name }: Any) => name)).toEqual([
    'best',
    'tons',
    'name',
    'voyages',
    'secret',
    'harbour',
  ])
  expect(told.get('boats').fields).toContainEqual({
    name: 'harbour',
    kind: 'toOne',
    target: 'harbours',
    description: 'Where it lies.',
    capabilities: ['view', 'include', 'filter', 'create', 'set'],
  })
})

it('tells nothing of fields that clients can do nothing with', () => {
  const off = { attribute: [], toOne: [], toMany: [] }
  const [boats] = descriptionOf({ capabilities: off }).tags as Any[]
  expect(boats['x-resource-type'].fields.map(({ name }: Any) => name)).toEqual(['voyages', 'secret'])
})
