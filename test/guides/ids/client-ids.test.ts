import { Attribute, ConfigurationError, createJsonApi, type JsonApiOptions, ToMany, ToOne } from 'stemma'
import {
  BeforeInsert,
  Column,
  DeleteDateColumn,
  JoinColumn,
  ManyToOne,
  OneToMany,
  PrimaryColumn,
  PrimaryGeneratedColumn,
} from 'typeorm'
import type { Any } from '../../support/any'
import { setUp, startApi } from '../../support/api'
import { DATABASE, DATETIME, openDatabase } from '../../support/database'
import { resource, toMany, toOne } from '../../support/documents'
import { expectError, includedKeys, outcomeOf, resourceKeys } from '../../support/expectations'
import { DerivedResource, HierarchyRoot, StoredResource } from '../../support/resource-decorators'
import { deleteRows } from '../../support/rows'
import { Member, Page, Tag, TEAMS } from '../../support/writing-models'

// https://jsonapi.org/format/1.1/#crud-creating-client-ids

@StoredResource('parcels', { clientGeneratedIds: 'required' })
class Parcel {
  @PrimaryColumn({ type: 'varchar', length: 20 }) id!: string
  @Attribute() @Column({ type: 'int', default: 0 }) weight!: number
  @ToOne() @ManyToOne('Parcel', 'contents', { nullable: true }) container!: Parcel | null
  @ToMany() @OneToMany('Parcel', 'container') contents!: Parcel[]
  @DeleteDateColumn(DATETIME) deletedAt!: Date | null
}

@HierarchyRoot('boxes', { abstract: true })
abstract class Box {
  @PrimaryGeneratedColumn('uuid') id!: string
}

@DerivedResource('crates')
class Crate extends Box {}

@DerivedResource('cases', { clientGeneratedIds: 'forbidden' })
class Case extends Box {}

@StoredResource('tickets')
class Ticket {
  @PrimaryGeneratedColumn() id!: number
}

const GREATEST_COUNT = DATABASE === 'mariadb' ? 2n ** 64n - 1n : 2n ** 63n - 1n

/** Only PostgreSQL has identity columns. */
@StoredResource('passes')
class Pass {
  @PrimaryGeneratedColumn((DATABASE === 'postgres' ? 'identity' : 'increment') as 'identity') id!: number
}

@StoredResource('counts')
class Count {
  @PrimaryColumn({ type: 'bigint', unsigned: DATABASE === 'mariadb' }) id!: string
}

@StoredResource('numbers')
class Numbered {
  @PrimaryColumn({ type: 'int' }) id!: number
}

@StoredResource('grades')
class Grade {
  @PrimaryColumn({ type: 'decimal', precision: 4, scale: 2 }) id!: string
  @ToOne() @ManyToOne('Grade', { nullable: true }) parent!: Grade | null
}

/** Neither clients nor the server may give its id. */
@StoredResource('seats', { clientGeneratedIds: 'forbidden' })
class Seat {
  @PrimaryColumn({ type: 'varchar', length: 40 }) id!: string
}

/** Its id is made where the client sends none. */
@StoredResource('nicknames')
class Nickname {
  @PrimaryColumn({ type: 'varchar', length: 40 }) id!: string

  @BeforeInsert()
  fillIn(): void {
    this.id ??= 'made'
  }
}

@StoredResource('countries')
class Country {
  @PrimaryColumn({ type: 'varchar', length: 2 }) id!: string
}

/** Its id is that of its country. */
@StoredResource('capitals')
class Capital {
  @PrimaryColumn({ type: 'varchar', length: 2 }) countryId!: string
  @ToOne() @ManyToOne('Country', { nullable: false }) @JoinColumn({ name: 'countryId' }) country!: Country
}

const RESOURCES = [Parcel, Box, Crate, Case, Ticket, Pass, Count, Numbered, Grade, Seat, Nickname, Country, Capital]
const reported: unknown[] = []
const api = setUp(() =>
  startApi(RESOURCES, { clientGeneratedIds: 'allowed', openApi: true, onError: (error) => reported.push(error) }),
)

const post = (type: string, id?: string, relationships?: object) =>
  api.post(`/${type}`).send(resource(type, id, undefined, relationships))
const UUID = '123e4567-e89b-42d3-a456-426614174000'

it.each([
  ...[' ', ' a ', 'a\nb', 'a/b', '/', 'a\\b', 'a?b=c&d', 'a#b', '100%', '%2F%00', 'a+b', 'a,b:c;d', `it's "a"`],
  ...['[a]{b}<c>', 'Žluťoučký kůň', '🚂🚃', '...', 'relationships', 'null', '__proto__', '007', '0', '%'],
])('%j is accepted, and works in URLs, linkage and filters', async (id) => {
  const created = await post('parcels', id).expect(201)
  const location = String(created.headers.location)
  expect(created.body.data.id).toBe(id)
  expect([location, created.body.data.links.self]).toEqual(Array(2).fill(`/parcels/${encodeURIComponent(id)}`))
  await post('parcels', 'inner', { container: toOne('parcels', id) }).expect(201)
  expect(resourceKeys(await api.get(location))).toEqual([`parcels ${id}`])
  expect(includedKeys(await api.get('/parcels/inner?include=container'))).toEqual([`parcels ${id}`])
  const filter = encodeURIComponent(`any(container.id,'${id.replaceAll("'", "''")}')`)
  expect(resourceKeys(await api.get(`/parcels?filter=${filter}`))).toEqual(['parcels inner'])
  const { links } = created.body.data.relationships.contents
  for (const link of [links.self, links.related]) expect(resourceKeys(await api.get(link))).toEqual(['parcels inner'])

  const heavier = resource('parcels', id, { weight: 2 })
  await api.patch(location).send(heavier).expect(204)
  await api.delete('/parcels/inner').expect(204)
  await api.delete(location).expect(204)
  for (const each of ['inner', id]) await deleteRows(api.dataSource, Parcel, each)
}) // anchor: R/A-12, R/A-13

it.each<readonly [type: string, id: string, expected: string]>([
  ['parcels', '', 'Expected an id that is not empty'],
  ['parcels', '.', 'Expected an id that a URL can hold'],
  ['parcels', '..', 'Expected an id that a URL can hold'],
  ['parcels', 'a\0', 'Expected a string of legal Unicode'],
  ['parcels', '\ud800', 'Expected a string of legal Unicode'],
  ['parcels', '🚂'.repeat(21), 'Expected a string of at most 20 characters'],
  ['crates', '', 'Expected an id that is not empty'],
  ['crates', UUID.replaceAll('-', ''), 'Expected a UUID'],
  ['crates', ` ${UUID}`, 'Expected a UUID'],
  ...[' 1', '01', '+1', '1.0', '1e3', '0x1', '-0', '１', 'one'].flatMap((id) =>
    ['tickets', 'counts'].map((type) => [type, id, 'Expected an integer in digits'] as const),
  ),
  ['counts', String(GREATEST_COUNT + 1n), 'Expected an integer'],
  ['tickets', '9007199254740993', 'Expected an integer'],
])('returns 422 for %s with the id %j: %s', async (type, id, expected) => {
  const response = await api.unchanged(() => post(type, id))
  expectError(response, 422, '/data/id', 'resource.id-value')
  expect(response.body.errors[0].detail).toContain(expected)
})

it('finds the greatest integer again', async () => {
  const { headers } = await post('counts', String(GREATEST_COUNT)).expect(201)
  const location = String(headers.location)
  expect(resourceKeys(await api.get(location))).toEqual([`counts ${GREATEST_COUNT}`])
  await api
    .patch(location)
    .send(resource('counts', String(GREATEST_COUNT)))
    .expect(204)
})

it('stores a UUID in lower case, and generates one when the client sends none', async () => {
  const id = '223E4567-E89B-42D3-A456-426614174000'
  expect((await post('crates', id).expect(201)).body.data.id).toBe(id.toLowerCase())
  await post('crates', id).expect(409)
  expect((await post('crates').expect(201)).body.data.id).toMatch(/^[0-9a-f-]{36}$/)
})

it('lets a new resource refer to itself', async () => {
  const itself = toOne('parcels', 'itself')
  await post('parcels', 'itself', { container: itself, contents: toMany('parcels', 'itself') }).expect(201)
  const { body } = await api.get('/parcels/itself?include=container,contents').expect(200)
  expect(body.included).toEqual([])
  const { container, contents } = body.data.relationships
  expect([container.data, contents.data]).toEqual([itself.data, [itself.data]])
})

it('links a resource to itself by a decimal id in the digits of the database', async () => {
  const id = DATABASE === 'sqlite' ? '1.5' : '1.50'
  await post('grades', id, { parent: toOne('grades', id) }).expect(201)
})

it('returns 409 for the id of a row that is deleted softly', async () => {
  await post('parcels', 'gone')
  await api.delete('/parcels/gone')
  expectError(await api.unchanged(() => post('parcels', 'gone')), 409, '/data/id', 'resource.id-exists')
})

it('inherits clientGeneratedIds, and uses the option of the sent type', async () => {
  await api.post('/boxes').send(toOne('crates', UUID)).expect(201)
  expectError(await api.unchanged(() => api.post('/boxes').send(toOne('cases', UUID))), 403, '/data/id')
  expect(resourceKeys(await api.get(`/boxes?filter=equals(id,'${UUID.toUpperCase()}')`))).toEqual([`crates ${UUID}`])
})

it('stores the number 0, or refuses it where the database would give another', async () => {
  const answer = await api.post('/tickets').send(resource('tickets', '0'))
  if (DATABASE === 'mariadb') expectError(answer, 422, '/data/id', 'resource.id-value')
  else expect([answer.status, answer.body.data?.id]).toEqual([201, '0'])
  expect((await api.get('/tickets/0')).status).toBe(DATABASE === 'mariadb' ? 404 : 200)
})

it.each(['tickets', 'passes'])('generates numbers for %s that clients have not used', async (type) => {
  const counted = async () => Number((await post(type)).body.data.id)
  const first = await counted()
  for (const id of [first + 1, first + 2, first + 40]) await post(type, String(id)).expect(201)
  const others = [await counted(), await counted()]
  expect(new Set([first, first + 1, first + 2, first + 40, ...others]).size).toBe(6)
  await post(type, String(first)).expect(409)
})

it('returns 409 for an id that the database takes for an existing one', async () => {
  await post('parcels', 'Same')
  const others = await Promise.all(['same', 'Same '].map((id) => post('parcels', id)))
  expect(others.map(({ status }) => status)).toEqual(DATABASE === 'mariadb' ? [409, 409] : [201, 201])
})

describe('a new resource without an id', () => {
  /** SQLite counts rows by an integer key. */
  const NEEDING = ['countries', 'counts', 'grades', ...(DATABASE === 'sqlite' ? [] : ['numbers'])]

  it.each(NEEDING)('returns 422 for %s, whose ids nothing else gives', async (type) => {
    const response = await api.unchanged(() => post(type))
    expectError(response, 422, '/data', 'resource.id-value')
    expect(response.body.errors[0].detail).toBe(
      `Expected an id for '${type}', found none: the server does not generate one.`,
    )
    await post(type, '17').expect(201)
  })

  it('is created where a listener or SQLite makes an id', async () => {
    await post('nicknames').expect(201)
    if (DATABASE === 'sqlite') await post('numbers').expect(201)
  })

  it('is reported where neither clients nor the server may give an id', async () => {
    await post('seats').expect(500)
    expect(reported).toHaveLength(1)
  })

  it('needs an id in the OpenAPI document as well', async () => {
    const { components } = (await api.get('/openapi.json').unchecked()).body
    const needing = Object.entries<Any>(components.schemas)
      .filter(([name, { required }]) => name.endsWith('.create') && required?.includes('id'))
      .map(([name]) => name.split('.')[0])
    expect(needing.sort()).toEqual([...NEEDING, 'parcels'])
  })
})

describe('the option clientGeneratedIds', () => {
  // Pages and teams follow it; members declare 'allowed', tags 'required'.
  const start = (clientGeneratedIds: 'forbidden' | 'allowed' | 'required') =>
    setUp(async () => {
      const started = await startApi(TEAMS, { clientGeneratedIds })
      await started.add(Page, { title: 'One' })
      await started.add(Tag, { id: 'old' })
      await started.add(Member, { id: UUID, name: 'Old' })
      return started
    })
  const apis = { forbidden: start('forbidden'), allowed: start('allowed'), required: start('required') }
  const PAGE = { type: 'pages', attributes: { title: 'New' } }
  const MEMBER = { type: 'members', attributes: { name: 'New' } }
  const TEAM = { team: toOne('teams', '99') }
  const OTHER = '33333333-3333-4333-8333-333333333333'
  type Data = { readonly type: string; readonly id?: string; readonly lid?: string; readonly relationships?: object }

  it.each<readonly [title: string, option: keyof typeof apis, data: Data, expected: string]>([
    ['refuses an id', 'forbidden', { ...PAGE, id: '9' }, '403 resource.client-id-forbidden /data/id'],
    ['accepts an id of a type that allows it', 'forbidden', { ...MEMBER, id: OTHER }, '201'],
    ['requires an id of a type that requires it', 'allowed', { type: 'tags' }, '422 resource.id-value /data'],
    ['accepts no id', 'allowed', PAGE, '201'],
    ['accepts an id', 'allowed', { ...PAGE, id: '77' }, '201'],
    ['requires an id', 'required', PAGE, '422 resource.id-value /data'],
    ['refuses a number that is taken', 'allowed', { ...PAGE, id: '1' }, '409 resource.id-exists /data/id'],
    ['refuses a taken text', 'forbidden', { type: 'tags', id: 'old' }, '409 resource.id-exists /data/id'],
    ['takes no local id for an id', 'required', { ...PAGE, lid: 'a' }, '422 resource.id-value /data'],
    ['refuses an id and a local id', 'allowed', { ...PAGE, id: '9', lid: 'a' }, '400 document.shape /data/lid'],
    ['accepts a local id', 'allowed', { ...PAGE, lid: 'a' }, '201'],
    ['accepts a local id, too', 'forbidden', { ...PAGE, lid: 'a' }, '201'],
    ['finds another type first', 'forbidden', { type: 'tasks', id: '9' }, '409 document.type-conflict /data/type'],
    [
      'finds a missing team before a taken id',
      'forbidden',
      { ...MEMBER, id: UUID, relationships: TEAM },
      '404 related.not-found /data/relationships/team/data',
    ],
  ])('%s with %s', async (_title, option, data, expected) => {
    const sending = () => apis[option].post(data.type === 'tasks' ? '/members' : `/${data.type}`).send({ data })
    expect(outcomeOf(expected === '201' ? await sending() : await apis[option].unchanged(sending))).toBe(expected)
  }) // anchor: W/C-11, W/F-01, W/F-02, W/F-03, W/F-04, W/F-05, W/F-06, W/F-07, W/F-08, W/F-09
})

describe('an integer key with a table for each concrete type', () => {
  @HierarchyRoot('rooms', { abstract: true })
  abstract class Room {
    @PrimaryColumn({ type: 'integer' }) id: number
  }

  @DerivedResource('halls')
  class Hall extends Room {}

  @DerivedResource('cellars')
  class Cellar extends Room {}

  const resources = [Room, Hall, Cellar]
  const database = setUp(() => openDatabase(resources, 'tablePerConcreteClass'))
  const start = (clientGeneratedIds: 'allowed' | 'required') => () =>
    createJsonApi({ dataSource: database.dataSource, resources, clientGeneratedIds, startupLog: false })

  it('is refused where each table would make up the same keys', () => {
    if (DATABASE !== 'sqlite') return void expect(start('allowed')).not.toThrow()
    expect(start('allowed')).toThrow(ConfigurationError)
    expect(start('allowed')).toThrow(
      "Room.id: SQLite counts it for each table, so rows of different types would have the same id. Use @PrimaryGeneratedColumn('uuid')",
    )
  })

  it('is accepted where clients have to send ids', () => expect(start('required')).not.toThrow())
})

const onPostgres = DATABASE === 'postgres' ? describe : describe.skip // Only PostgreSQL has keys that accept no value.
onPostgres('a key that PostgreSQL always generates', () => {
  @StoredResource('gauges')
  class Gauge {
    @PrimaryGeneratedColumn('identity', { generatedIdentity: 'ALWAYS' }) id: number
  }
  const database = setUp(() => openDatabase([Gauge]))
  const start = (options: Partial<JsonApiOptions>) => () =>
    createJsonApi({ dataSource: database.dataSource, resources: [Gauge], startupLog: false, ...options })

  it('is refused if clients may send it', () => {
    for (const clientGeneratedIds of ['allowed', 'required'] as const)
      expect(start({ clientGeneratedIds })).toThrow(
        `Gauge.id: its clientGeneratedIds is '${clientGeneratedIds}', but PostgreSQL accepts no value`,
      )
    expect(start({})).not.toThrow()
    expect(start({ clientGeneratedIds: 'allowed', endpoints: ['getResource'] })).not.toThrow()
  })
})
