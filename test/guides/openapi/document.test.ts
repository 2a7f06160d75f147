import Ajv from 'ajv/dist/2020'
import { Attribute, createJsonApi, type JsonApi, type JsonApiOptions, ToMany, ToOne } from 'stemma'
import { Column, ManyToOne, OneToMany, PrimaryColumn, PrimaryGeneratedColumn } from 'typeorm'
import type { Any } from '../../support/any'
import { define, setUp, startApi, useApi } from '../../support/api'
import { openDatabase } from '../../support/database'
import { newResource, toOne } from '../../support/documents'
import { expectError } from '../../support/expectations'
import { KeysInMemory } from '../../support/keys-in-memory'
import { DerivedResource, HierarchyRoot, StoredResource } from '../../support/resource-decorators'
import { VEHICLES } from '../../support/vehicles'

// The document of a model with every kind of field. All tests check their responses against such documents; test/guides/examples/descriptions
// shows those of the examples as a whole.

@HierarchyRoot('boats', { abstract: true, description: 'All that floats.' })
abstract class Boat {
  @PrimaryGeneratedColumn() id: number
  @Attribute({ description: 'On its bow.', example: 'Argo' }) @Column({ type: 'varchar', length: 30 }) name: string
  @Attribute({ capabilities: ['view'] }) @Column({ type: 'int', default: 0 }) voyages: number
  @Attribute({ capabilities: ['create'] }) @Column({ type: 'varchar', length: 9, nullable: true }) secret: string | null
  @ToOne({ description: 'Where it lies.' }) @ManyToOne('Harbour', 'boats', { nullable: false }) harbour: Harbour
}

@DerivedResource('canoes')
class Canoe extends Boat {
  @Attribute({ deprecated: true }) @Column({ type: 'int', default: 2 }) seats: number
}

@DerivedResource('ships', { deprecated: true, ifMatch: 'required' })
class Ship extends Boat {
  @Attribute() @Column({ type: 'bigint', nullable: true }) tons: string | null
}

@DerivedResource('liners')
class Liner extends Ship {
  @Attribute() @Column({ type: 'simple-enum', enum: ['first', 'second'], nullable: true }) best: string | null
}

@StoredResource('harbours', {
  clientGeneratedIds: 'required',
  endpoints: ['getCollection', 'createResource', 'getRelated'],
})
class Harbour {
  @PrimaryColumn({ type: 'varchar', length: 5 }) id: string
  @ToMany({ capabilities: ['view', 'include', 'add'] }) @OneToMany('Boat', 'harbour') boats: Boat[]
  @ToOne({ required: true }) @ManyToOne('Boat') flagship: Boat
}

/** Has the name of an extension that the document also describes. */
@StoredResource('atomic')
class Atom {
  @PrimaryGeneratedColumn() id: number
}

const RESOURCES = [Boat, Canoe, Ship, Liner, Harbour, Atom]
const database = setUp(() => openDatabase(RESOURCES))
let api: Any
beforeAll(() => {
  api = openApiOf({})
})

function openApiOf(options: Partial<JsonApiOptions>): Any {
  const { dataSource } = database
  return createJsonApi({ dataSource, resources: RESOURCES, startupLog: false, ...options }).openApi()
}

const schemaOf = (name: string, { components } = api): Any => components.schemas[name]
const attributesOf = (name: string): Any => schemaOf(name).properties.attributes
const operationAt = (method: string, path: string, { paths } = api): Any => paths[path][method]
const statusesOf = (method: string, path: string, document = api) =>
  Object.keys(operationAt(method, path, document).responses)

it('has only the paths and methods of enabled endpoints', () => {
  const methods = (path: string) => Object.keys(api.paths[path]).filter((name) => !/parameters|head|options/.test(name))
  const paths = Object.keys(api.paths).filter((path) => path.startsWith('/harbours') || path.startsWith('/liners'))
  expect(paths.map((path) => [path, ...methods(path)])).toEqual([
    ['/liners', 'get', 'post'],
    ['/liners/{id}', 'get', 'patch', 'delete'],
    ['/liners/{id}/harbour', 'get'],
    ['/liners/{id}/relationships/harbour', 'get', 'patch'],
    ['/harbours', 'get', 'post'],
    ['/harbours/{id}/boats', 'get'],
    ['/harbours/{id}/flagship', 'get'],
  ])
})

it('describes HEAD like GET, without a body', () => {
  for (const path of ['/boats', '/canoes/{id}', '/harbours/{id}/boats']) {
    const [get, head] = [operationAt('get', path), operationAt('head', path)]
    expect(head.parameters).toEqual(get.parameters)
    expect(Object.keys(head.responses)).toEqual(Object.keys(get.responses))
    expect(head.responses[200]).toEqual({ ...get.responses[200], content: undefined })
    expect(head.responses[400]).toEqual({ $ref: '#/components/responses/error.400.head' })
  }
  const { responses } = api.components
  expect(responses['error.400.head']).toEqual({ ...responses['error.400'], content: undefined })
  expect(operationAt('head', '/operations')).toBeUndefined()
})

it('describes OPTIONS of every path', () => {
  const allowed = (path: string) => operationAt('options', path).responses[204].headers.Allow.schema
  expect(allowed('/boats')).toEqual({ const: 'GET, HEAD, POST, OPTIONS' })
  expect(allowed('/operations')).toEqual({ const: 'POST, OPTIONS' })
  const statuses = ['204', '400', '414', '500', '503', 'default']
  for (const path of ['/boats', '/boats/{id}', '/operations']) expect(statusesOf('options', path)).toEqual(statuses)
  expect(Object.values<object>(api.paths).filter((item) => !('options' in item))).toEqual([])
})

it('has the path of operations only if they are enabled', async () => {
  expect(openApiOf({ operations: false }).paths).not.toHaveProperty('/operations')
  expect(openApiOf({ operations: { path: 'batch' } }).paths).toHaveProperty('/batch')
  const readOnly = await createVehicleApi({ endpoints: ['getCollection', 'getResource', 'getRelated'] })
  expect(readOnly.openApi().paths).not.toHaveProperty('/operations')
  expect(readOnly.summary().endpoints.filter(({ method }) => method !== 'GET')).toEqual([])
})

it.each(['', '.create', '.update'])('describes an abstract type as a choice of stored types: boats%s', (purpose) => {
  const schemaRef = (name: string) => `#/components/schemas/${name}${purpose}`
  const [canoes, ships, liners] = [schemaRef('canoes'), schemaRef('ships.exact'), schemaRef('liners')]
  const { oneOf, discriminator } = schemaOf(`boats${purpose}`)
  expect(oneOf).toEqual([canoes, ships, liners].map(($ref) => ({ $ref })))
  expect(discriminator).toEqual({ propertyName: 'type', mapping: { canoes, ships, liners } })
})

it('distinguishes read-only, write-only and hidden attributes', () => {
  expect(attributesOf('canoes').properties).toMatchObject({ voyages: { readOnly: true } })
  expect(attributesOf('canoes').properties).not.toHaveProperty('secret')
  expect(Object.keys(attributesOf('canoes.create').properties)).toEqual(['name', 'secret', 'seats'])
  expect(attributesOf('canoes.create').additionalProperties).toBe(false)
  expect(Object.keys(attributesOf('canoes.update').properties)).toEqual(['name', 'seats'])
})

it('requires members of POST that PATCH may leave out', () => {
  const create = schemaOf('canoes.create')
  expect(create.required).toEqual(['type', 'attributes', 'relationships'])
  expect(create.properties.attributes.required).toEqual(['name'])
  expect(create.properties.relationships.required).toEqual(['harbour'])
  expect(create.properties).not.toHaveProperty('id')
  for (const type of ['canoes', 'atomic']) expect(schemaOf(`${type}.update`).required).toEqual(['type', 'id'])
  const { required, properties } = schemaOf('harbours.create')
  expect([required, properties.relationships.required]).toEqual([['type', 'id', 'relationships'], ['flagship']])
})

it('requires relationships of types with prepareWrite, which may add attributes only', async () => {
  const definitions = [define(Boat, { prepareWrite: () => ({ name: 'Nameless' }) })]
  const create = schemaOf('canoes.create', openApiOf({ definitions }))
  expect(create.required).toEqual(['type', 'relationships'])
  expect(create.properties.relationships.required).toEqual(['harbour'])
  expect(create.properties.attributes).not.toHaveProperty('required')
  await useApi(startApi(RESOURCES, { definitions }), async (ruled) => {
    const harbour = toOne('harbours', await ruled.add(Harbour, { id: 'Rye' }))
    const { status, body } = await ruled.post('/boats').send(newResource('canoes', {}, { harbour }))
    expect([status, body.data.attributes.name]).toEqual([201, 'Nameless'])
    const refused = await ruled.unchanged(() => ruled.post('/boats').send(newResource('canoes', { name: 'Argo' })))
    expectError(refused, 422, '/data', 'relationship.required')
  })
})

it('describes values by their columns', () => {
  expect(attributesOf('liners.create').properties).toMatchObject({
    name: { type: 'string', maxLength: 30 },
    tons: { type: ['integer', 'string', 'null'], pattern: '^-?\\d+$' },
    best: { type: ['string', 'null'], enum: ['first', 'second', null] },
  })
  const expected = { tons: { type: ['string', 'null'], pattern: '^-?\\d+$' }, voyages: { type: 'integer' } }
  expect(attributesOf('liners').properties).toMatchObject(expected)
})

it('contains descriptions, examples and deprecations of decorators', () => {
  const description = 'All that floats.'
  expect(schemaOf('boats')).toMatchObject({ description })
  expect(api.tags).toContainEqual(expect.objectContaining({ name: 'boats', description }))
  const expected = { name: { description: 'On its bow.', examples: ['Argo'] }, seats: { deprecated: true } }
  expect(attributesOf('canoes').properties).toMatchObject(expected)
  expect(schemaOf('canoes').properties.relationships.properties.harbour.description).toBe('Where it lies.')
  expect(attributesOf('canoes.create').properties.seats.description).toBe('Without it: `2`.')
  expect(operationAt('get', '/ships').deprecated).toBe(true)
  expect(operationAt('get', '/boats')).not.toHaveProperty('deprecated')
})

const includeFieldsAndPage = (type: string) => [`${type}.include`, `${type}.fields`, 'page.included']
const HARBOURS = includeFieldsAndPage('harbours')

it.each([
  ['get', '/boats', ['boats.filter', 'boats.sort', 'boats.include', 'boats.fields', 'page.10.100.null']],
  ['get', '/canoes/{id}', [...includeFieldsAndPage('canoes'), 'If-None-Match']],
  ['get', '/canoes/{id}/harbour', ['harbours.filter.boats', 'harbours.sort.boats', ...HARBOURS, 'If-None-Match']],
  ['patch', '/canoes/{id}', [...includeFieldsAndPage('canoes'), 'If-Match', 'Prefer']],
  ['patch', '/ships/{id}', [...includeFieldsAndPage('ships'), 'If-Match.required', 'Prefer']],
  ['delete', '/canoes/{id}', ['If-Match']],
])('describes the parameters of %s %s', (method, path, expected) => {
  const { parameters } = operationAt(method, path)
  expect(parameters.map(({ $ref, name }: Any) => name ?? $ref.split('/').at(-1))).toEqual(expected)
})

it('describes include and page as the server reads them', async () => {
  const options = { limits: { includeDepth: 1 } }
  const { components, paths } = openApiOf(options)
  await useApi(startApi(RESOURCES, options), async ({ get }) => {
    for (const [path, parameter, value, status] of [
      ['/boats', 'include', 'canoes:harbour', 200],
      ['/boats', 'include', 'harbour.boats', 400],
      ['/harbours', 'page[size]', 'harbours:boats:1', 200],
      ['/harbours', 'page[size]', '2,boats:1', 200],
      ['/harbours', 'page[size]', 'boats:1,2', 200],
      ['/harbours', 'page[size]', '101', 400],
      ['/boats/{id}', 'page[size]', '2', 400],
      ['/boats/{id}', 'page[size]', '2,harbour.boats:1', 400],
    ] as const) {
      const [family = '', member] = parameter.split(/[[\]]/)
      const names: string[] = paths[path].get.parameters.map(({ $ref }: Any) => $ref.split('/').at(-1))
      const { schema } = names.map((name) => components.parameters[name]).find(({ name }) => name === family)
      const isAllowed = new Ajv({ strict: false }).validate(schema, member ? { [member]: value } : value.split(','))
      const response = await get(`${path.replace('{id}', '1')}?${parameter}=${value}`)
      expect([parameter, value, isAllowed, response.status]).toEqual([parameter, value, status === 200, status])
    }
  })
})

it('describes only enabled parameters', () => {
  const { parameters } = operationAt('get', '/boats', openApiOf({ parameters: ['sort'] }))
  expect(parameters).toEqual([{ $ref: '#/components/parameters/boats.sort' }])
})

it('describes parameters in general where a name leads to several types', async () => {
  const described: Any = (await createVehicleApi({})).openApi()
  const { parameters } = described.paths['/genericProperties/{id}/value'].get
  const names = ['filter', 'sort', 'include', 'fields', 'page', '#/components/parameters/If-None-Match']
  expect(parameters.map(({ name, $ref }: Any) => name ?? $ref)).toEqual(names)
  expect(parameters[1].schema).toEqual({ type: 'array', items: { type: 'string' } })
})

async function createVehicleApi(options: Partial<JsonApiOptions>): Promise<JsonApi> {
  const { dataSource, close } = await openDatabase(VEHICLES)
  const vehicleApi = createJsonApi({ dataSource, resources: VEHICLES, startupLog: false, ...options })
  await close()
  return vehicleApi
}

it('lists the statuses of each operation', () => {
  const statuses = ['200', '400', '406', '408', '412', '413', '414', '415', '500', '503', 'default']
  expect(statusesOf('get', '/boats')).toEqual(statuses)
  expect(statusesOf('get', '/boats', openApiOf({ etags: 'all' }))).toContain('304')
  expect(statusesOf('get', '/boats/{id}')).toEqual(expect.arrayContaining(['200', '304', '404']))
  expect(statusesOf('patch', '/canoes/{id}')).not.toContain('428')
  expect(statusesOf('patch', '/boats/{id}')).toContain('428')
  expect(statusesOf('delete', '/boats/{id}')).toEqual(expect.arrayContaining(['204', '404', '409', '422']))
})

it('describes the header Idempotency-Key', () => {
  const store = new KeysInMemory()
  const document = openApiOf({ idempotency: { owner: () => 'all', requiredMethods: ['POST'], store } })
  const $ref = '#/components/parameters/Idempotency-Key'
  expect(operationAt('post', '/boats', document).parameters).toContainEqual({ $ref: `${$ref}.required` })
  expect(operationAt('patch', '/boats/{id}', document).parameters).toContainEqual({ $ref })
})

it('has a component for each reference, and no others', () => {
  const found = JSON.stringify(api).matchAll(/"\$ref":"#\/components\/(.*?)\/(.*?)"/g)
  const references = new Set(Array.from(found, ([, kind, name]) => `${kind}/${name}`))
  const components = Object.entries<object>(api.components).flatMap(([kind, named]) =>
    Object.keys(named).map((name) => `${kind}/${name}`),
  )
  expect([...references].toSorted()).toEqual(components.toSorted())
})

it('describes hierarchies and capabilities in x-resource-type', () => {
  const types = new Map(api.tags.map((tag: Any) => [tag.name, tag['x-resource-type']])) as Map<string, Any>
  expect(types.get('boats')).toMatchObject({ abstract: true })
  expect(types.get('boats')).not.toHaveProperty('base')
  expect(types.get('liners')).toMatchObject({ abstract: false, base: 'ships' })
  const fields = ['name', 'voyages', 'secret', 'harbour', 'tons', 'best']
  expect(types.get('liners').fields.map(({ name }: Any) => name)).toEqual(fields)
  const [kind, target, description] = ['toOne', 'harbours', 'Where it lies.']
  const capabilities = ['view', 'include', 'filter', 'create', 'set']
  expect(types.get('boats').fields).toContainEqual({ name: 'harbour', kind, target, description, capabilities })
})

it('omits fields without capabilities from x-resource-type', () => {
  const [boats] = openApiOf({ capabilities: { attribute: [], toOne: [], toMany: [] } }).tags
  expect(boats['x-resource-type'].fields.map(({ name }: Any) => name)).toEqual(['voyages', 'secret'])
})
