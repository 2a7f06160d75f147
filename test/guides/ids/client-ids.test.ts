import { Attribute, Resource, ToMany, ToOne } from 'stemma'
import {
  ChildEntity,
  Column,
  DeleteDateColumn,
  Entity,
  ManyToOne,
  OneToMany,
  PrimaryColumn,
  PrimaryGeneratedColumn,
  TableInheritance,
} from 'typeorm'
import { startApi, type TestApi } from '../../support/api'
import { DATABASE, DATETIME } from '../../support/database'
import { includedKeys, resourceKeys } from '../../support/expectations'
import { deleteRows } from '../../support/rows'

// Ids that clients give to what they create. https://jsonapi.org/format/1.1/#crud-creating-client-ids

@Resource('parcels', { clientIds: 'required' })
@Entity('parcels')
class Parcel {
  @PrimaryColumn({ type: 'varchar', length: 20 }) id!: string
  @Attribute() @Column({ type: 'int', default: 0 }) weight!: number
  @ToOne() @ManyToOne('Parcel', 'contents', { nullable: true }) container!: Parcel | null
  @ToMany() @OneToMany('Parcel', 'container') contents!: Parcel[]
  @DeleteDateColumn(DATETIME) deletedAt!: Date | null
}

@Resource('boxes', { abstract: true })
@Entity('boxes')
@TableInheritance({ column: { type: 'varchar', name: 'kind' } })
abstract class Box {
  @PrimaryGeneratedColumn('uuid') id!: string
}

@Resource('crates')
@ChildEntity()
class Crate extends Box {}

@Resource('cases', { clientIds: 'forbidden' })
@ChildEntity()
class Case extends Box {}

@Resource('tickets')
@Entity('tickets')
class Ticket {
  @PrimaryGeneratedColumn() id!: number
}

@Resource('counts')
@Entity('counts')
class Count {
  @PrimaryColumn({ type: 'bigint' }) id!: string
}

let api: TestApi
beforeAll(async () => {
  api = await startApi([Parcel, Box, Crate, Case, Ticket, Count], { clientIds: 'allowed' })
})
afterAll(() => api.close())

const post = (type: string, id?: string, members: object = {}) =>
  api.post(`/${type}`).send({ data: { type, id, ...members } })
const UUID = '123e4567-e89b-42d3-a456-426614174000'

it.each([
  ['a blank', ' '],
  ['blanks around', ' a '],
  ['a line', 'a\nb'],
  ['a slash', 'a/b'],
  ['only a slash', '/'],
  ['a backslash', 'a\\b'],
  ['what starts a query', 'a?b=c&d'],
  ['what starts a fragment', 'a#b'],
  ['a percent sign', '100%'],
  ['what is encoded already', '%2F%00'],
  ['a plus sign', 'a+b'],
  ['a comma and a colon', 'a,b:c;d'],
  ['quotes', `it's "a"`],
  ['brackets', '[a]{b}<c>'],
  ['letters of other alphabets', 'Žluťoučký kůň'],
  ['what takes four bytes', '🚂🚃'],
  ['three points', '...'],
  ['a word of URLs', 'relationships'],
  ['a word of the query language', 'null'],
  ['a name that objects have', '__proto__'],
  ['digits', '007'],
])('%s: is an id like any other', async (_what, id) => {
  const created = await post('parcels', id)
  const location = String(created.headers.location)
  expect([created.status, created.body.data.id]).toEqual([201, id])
  expect([location, created.body.data.links.self]).toEqual(Array(2).fill(`/parcels/${encodeURIComponent(id)}`))
  const container = { data: { type: 'parcels', id } }
  await post('parcels', 'inner', { relationships: { container } }).expect(201)

  expect(resourceKeys(await api.get(location))).toEqual([`parcels ${id}`])
  expect(includedKeys(await api.get('/parcels/inner?include=container'))).toEqual([`parcels ${id}`])
  const filter = encodeURIComponent(`any(container.id,'${id.replaceAll("'", "''")}')`)
  expect(resourceKeys(await api.get(`/parcels?filter=${filter}`))).toEqual(['parcels inner'])
  const { links } = created.body.data.relationships.contents
  for (const link of [links.self, links.related]) expect(resourceKeys(await api.get(link))).toEqual(['parcels inner'])

  await api
    .patch(location)
    .send({ data: { type: 'parcels', id, attributes: { weight: 2 } } })
    .expect(204)
  await api.delete('/parcels/inner').expect(204)
  await api.delete(location).expect(204)
  for (const each of ['inner', id]) await deleteRows(api.dataSource, Parcel, each)
})

const NUMBERS = [' 1', '01', '+1', '1.0', '1e3', '0x1', '-0', '１', 'one'].flatMap((id) =>
  ['tickets', 'counts'].map((type): Refused => [`'${id}'`, type, id, 'Expected an integer in digits']),
)
type Refused = readonly [what: string, type: string, id: string, expected: string]

it.each<Refused>([
  ['no text', 'parcels', '', 'Expected an id that is not empty'],
  ['a point', 'parcels', '.', 'Expected an id that a URL can hold'],
  ['two points', 'parcels', '..', 'Expected an id that a URL can hold'],
  ['a NUL', 'parcels', 'a\0', 'Expected a string of legal Unicode'],
  ['half a character', 'parcels', '\ud800', 'Expected a string of legal Unicode'],
  ['a character too many', 'parcels', '🚂'.repeat(21), 'Expected a string of at most 20 characters'],
  ['no text for a UUID', 'crates', '', 'Expected an id that is not empty'],
  ['a UUID without dashes', 'crates', UUID.replaceAll('-', ''), 'Expected a UUID'],
  ['a UUID with blanks', 'crates', ` ${UUID}`, 'Expected a UUID'],
  ...NUMBERS,
  ['more than 64 bits', 'counts', '9223372036854775808', 'Expected an integer'],
  ['what no number keeps', 'tickets', '9007199254740993', 'Expected an integer'],
])('%s is no id of %s', async (_what, type, id, expected) => {
  const { status, body } = await api.unchanged(() => post(type, id))
  expect([status, body.errors]).toMatchObject([
    422,
    [{ code: 'resource.id-value', detail: expect.stringContaining(expected), source: { pointer: '/data/id' } }],
  ])
})

it('a resource can name itself by the id that it is given', async () => {
  const itself = { type: 'parcels', id: 'itself' }
  const relationships = { container: { data: itself }, contents: { data: [itself] } }
  await api
    .post('/parcels')
    .send({ data: { ...itself, relationships } })
    .expect(201)
  const { status, body } = await api.get('/parcels/itself?include=container,contents')
  expect([status, body.included]).toEqual([200, []])
  expect([body.data.relationships.container.data, body.data.relationships.contents.data]).toEqual([itself, [itself]])
})

it('an id that a deleted row has is taken', async () => {
  await post('parcels', 'gone')
  await api.delete('/parcels/gone')
  const { status, body } = await api.unchanged(() => post('parcels', 'gone'))
  expect([status, body.errors]).toMatchObject([409, [{ code: 'resource.id-taken', source: { pointer: '/data/id' } }]])
})

it('an id that another branch of the hierarchy has is taken, in either case', async () => {
  const id = (await post('cases')).body.data.id
  for (const named of [id, id.toUpperCase()]) {
    const { status, body } = await api.unchanged(() => post('crates', named))
    expect([status, body.errors[0].source]).toEqual([409, { pointer: '/data/id' }])
  }
})

it('whether it may be given is inherited, and said by the type that is named', async () => {
  await api
    .post('/boxes')
    .send({ data: { type: 'crates', id: UUID } })
    .expect(201)
  const refused = await api.unchanged(() => api.post('/boxes').send({ data: { type: 'cases', id: UUID } }))
  expect([refused.status, refused.body.errors[0].source]).toEqual([403, { pointer: '/data/id' }])
  const filtered = await api.get(`/boxes?filter=equals(id,'${UUID.toUpperCase()}')`)
  expect(resourceKeys(filtered)).toEqual([`crates ${UUID}`])
})

it('numbers that count up go on behind those that clients gave', async () => {
  const counted = async () => Number((await post('tickets')).body.data.id)
  const first = await counted()
  for (const id of [first + 1, first + 2, first + 40]) await post('tickets', String(id)).expect(201)
  const others = [await counted(), await counted()]
  expect(new Set([first, first + 1, first + 2, first + 40, ...others]).size).toBe(6)
  await post('tickets', '1').expect(409)
})

it('a URL as long as servers take names nothing', async () => {
  for (const type of ['parcels', 'crates', 'tickets', 'counts']) {
    for (const id of ['9'.repeat(8000), 'é'.repeat(1200)]) {
      await api.get(`/${type}/${encodeURIComponent(id)}`).expect(404)
    }
  }
})

it('databases that do not tell some texts apart refuse the second', async () => {
  await post('parcels', 'Same')
  const others = await Promise.all(['same', 'Same '].map((id) => post('parcels', id)))
  expect(others.map(({ status }) => status)).toEqual(DATABASE === 'mariadb' ? [409, 409] : [201, 201])
})
