import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Attribute, createJsonApi, Resource, ToMany, ToOne } from 'stemma'
import { createLintingFetch } from 'stemma/testing'
import { DataSource, EntitySchema } from 'typeorm'

// Entities without decorators: the classes are targets of schemas, and the decorators of stemma are called as functions.

class Address {
  declare street: string
  declare city: string | null
}

class Human {
  declare id: number
  declare name: string
  declare address: Address
  declare mother: Human | null
  declare children: Human[]
}
Resource('humans', { abstract: true })(Human)
Attribute()(Human.prototype, 'name')
Attribute()(Human.prototype, 'address')
ToOne()(Human.prototype, 'mother')
ToMany()(Human.prototype, 'children')

class Man extends Human {
  declare beard: string
}
Resource('men')(Man)
Attribute()(Man.prototype, 'beard')

class Woman extends Human {
  declare maidenName: string | null
}
Resource('women')(Woman)
Attribute()(Woman.prototype, 'maidenName')

const AddressSchema = new EntitySchema<Address>({
  name: 'Address',
  target: Address,
  columns: { street: { type: 'varchar', length: 20 }, city: { type: 'varchar', nullable: true } },
})

const ENTITIES = [
  new EntitySchema<Human>({
    name: 'Human',
    target: Human,
    inheritance: { pattern: 'STI', column: { name: 'kind', type: 'varchar' } },
    columns: { id: { type: 'int', primary: true, generated: true }, name: { type: 'varchar' } },
    embeddeds: { address: { schema: AddressSchema } },
    relations: {
      mother: { type: 'many-to-one', target: 'Human', inverseSide: 'children', nullable: true },
      children: { type: 'one-to-many', target: 'Human', inverseSide: 'mother' },
    },
    indices: [{ columns: ['mother'] }],
  }),
  new EntitySchema<Man>({
    name: 'Man',
    target: Man,
    type: 'entity-child',
    columns: { beard: { type: 'varchar' } } as never,
  }),
  new EntitySchema<Woman>({
    name: 'Woman',
    target: Woman,
    type: 'entity-child',
    columns: { maidenName: { type: 'varchar', nullable: true } } as never,
  }),
]

const dataSource = new DataSource({
  type: 'better-sqlite3',
  database: ':memory:',
  synchronize: true,
  entities: ENTITIES,
})
const checkedFetch = createLintingFetch(fetch)
const server = createServer()
let url: string

beforeAll(async () => {
  await dataSource.initialize()
  const api = createJsonApi({ dataSource, resources: [Human, Man, Woman], startupLog: 'warnings' })
  server.on('request', api.listener).listen(0)
  url = `http://localhost:${(server.address() as AddressInfo).port}`
})
afterAll(async () => {
  server.close()
  await dataSource.destroy()
})

interface Answer {
  readonly data?: unknown
  readonly errors?: readonly object[]
}

async function send(method: string, path: string, data?: object) {
  const headers = { 'content-type': 'application/vnd.api+json', connection: 'close' }
  const body = data === undefined ? {} : { headers, body: JSON.stringify({ data }) }
  const response = await checkedFetch(url + path, { method, ...body })
  return { status: response.status, body: (await response.json()) as Answer }
}

const address = { street: 'Elm', city: null }

it('writes and reads embedded objects, relationships and derived types', async () => {
  const ann = { type: 'women', attributes: { name: 'Ann', address } }
  expect(await send('POST', '/women', ann)).toMatchObject({
    status: 201,
    body: { data: { id: '1', attributes: { name: 'Ann', address, maidenName: null } } },
  })
  const relationships = { mother: { data: { type: 'women', id: '1' } } }
  const bob = { type: 'men', attributes: { name: 'Bob', address, beard: 'long' }, relationships }
  expect((await send('POST', '/humans', bob)).status).toBe(201)
  expect((await send('GET', '/women/1?include=children')).body).toMatchObject({
    data: { relationships: { children: { data: [{ type: 'men', id: '2' }] } } },
    included: [{ type: 'men', id: '2', attributes: { name: 'Bob', beard: 'long' } }],
  })
  expect((await send('GET', "/humans?filter=equals(address.street,'Elm')&sort=-id")).body.data).toMatchObject([
    { type: 'men', id: '2' },
    { type: 'women', id: '1' },
  ])
})

it('requires the attributes of a derived type whose columns are not nullable', async () => {
  const { status, body } = await send('POST', '/men', { type: 'men', attributes: { name: 'Cid', address } })
  expect(status).toBe(422)
  expect(body.errors).toEqual([
    expect.objectContaining({ code: 'attribute.required', detail: "Expected 'beard' in 'attributes', found nothing." }),
  ])
})

it('requires the members of an embedded object whose columns are not nullable', async () => {
  const wrong = { type: 'women', attributes: { name: 'Dot', address: { city: 'York' } } }
  const { status, body } = await send('POST', '/women', wrong)
  expect([status, body.errors]).toMatchObject([422, [{ source: { pointer: '/data/attributes/address' } }]])
})
