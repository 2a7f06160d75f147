import {
  Attribute,
  equals,
  JsonApiError,
  Resource,
  ResourceDefinition,
  type ResourceWrite,
  ToMany,
  ToOne,
} from 'stemma'
import { Column, Entity, ManyToOne, OneToMany, PrimaryGeneratedColumn } from 'typeorm'
import { startApi, type TestApi } from '../../support/api'
import { DATETIME } from '../../support/database'
import { includedKeys, linkageKeys, resourceKeys, singleError } from '../../support/expectations'
import { PaperRules } from './support/papers'
import { hidesEverywhere } from './support/twins'

// What is archived is out of sight, unless it is asked for with a parameter of the application's own: `?showsArchived=true`.

@Resource('stations')
@Entity('stations')
class Station {
  @PrimaryGeneratedColumn() id: number
  @Attribute() @Column({ type: 'varchar', length: 40 }) name: string
  @ToMany() @OneToMany('Broadcast', 'station') broadcasts: Broadcast[]
}

@Resource('broadcasts')
@Entity('broadcasts')
class Broadcast {
  @PrimaryGeneratedColumn() id: number
  @Attribute() @Column({ type: 'varchar', length: 40 }) title: string
  @Attribute() @Column({ ...DATETIME, nullable: true }) archivedAt: Date | null
  @ToOne() @ManyToOne('Station', 'broadcasts', { nullable: true }) station: Station | null
}

interface Asking {
  readonly showsArchived: boolean
}

class BroadcastRules extends ResourceDefinition<Broadcast, Asking> {
  readonly resource = Broadcast

  override filter({ showsArchived }: Asking) {
    return showsArchived ? undefined : equals('archivedAt', null)
  }

  override beforeWrite({ kind, stored, values }: ResourceWrite<Broadcast, Asking>): void {
    if (kind === 'delete' && values.archivedAt === null) throw new JsonApiError({ title: 'Archive it first.' })
    if (kind === 'create' && values.archivedAt !== null) {
      throw new JsonApiError({ title: 'What is new is not archived.', field: 'archivedAt' })
    }
    if (stored?.instance.archivedAt && values.archivedAt && stored.instance.title !== values.title) {
      throw new JsonApiError({ title: 'What is archived stays as it is.', field: 'title' })
    }
  }
}

let api: TestApi

beforeAll(async () => {
  api = await startApi([Station, Broadcast], {
    definitions: [new BroadcastRules()],
    unknownParameters: ['showsArchived'],
    context: ({ query }) => ({ showsArchived: query.showsArchived === 'true' }),
  })
  const station = { id: await api.add(Station, { name: 'One' }) }
  await api.add(Broadcast, { title: 'News', station })
  await api.add(Broadcast, { title: 'Old news', archivedAt: new Date('2024-01-01T00:00:00Z'), station })
})
afterAll(() => api.close())

it.each([
  ['a collection', '/broadcasts', ['broadcasts 1'], ['broadcasts 1', 'broadcasts 2']],
  ['related resources', '/stations/1/broadcasts', ['broadcasts 1'], ['broadcasts 1', 'broadcasts 2']],
  ['linkage', '/stations/1/relationships/broadcasts', ['broadcasts 1'], ['broadcasts 1', 'broadcasts 2']],
  ['a filter', "/broadcasts?filter=equals(title,'Old news')", [], ['broadcasts 2']],
  ['a filter over it', "/stations?filter=has(broadcasts,equals(title,'Old news'))", [], ['stations 1']],
])('%s', async (_what, path, usually, asked) => {
  expect(resourceKeys(await api.get(path))).toEqual(usually)
  expect(resourceKeys(await api.get(`${path}${path.includes('?') ? '&' : '?'}showsArchived=true`))).toEqual(asked)
})

it('includes', async () => {
  const usually = await api.get('/stations?include=broadcasts')
  expect(includedKeys(usually)).toEqual(['broadcasts 1'])
  expect(linkageKeys(usually.body.data, 'broadcasts')).toEqual([['broadcasts 1']])
  expect(includedKeys(await api.get('/stations?include=broadcasts&showsArchived=true'))).toEqual([
    'broadcasts 1',
    'broadcasts 2',
  ])
})

it('one of them', async () => {
  await api.get('/broadcasts/2').expect(404)
  expect((await api.get('/broadcasts/2?showsArchived=true')).body.data).toMatchObject({ id: '2' })
})

it('keeps the parameter in links to pages', async () => {
  const { body } = await api.get('/broadcasts?showsArchived=true&page[size]=1')
  expect(body.links.next).toBe('/broadcasts?showsArchived=true&page%5Bsize%5D=1&page%5Bnumber%5D=2')
})

it('writes are held to the archive', async () => {
  const attributes = { title: 'New', archivedAt: '2024-01-01T00:00:00Z' }
  const created = await api.post('/broadcasts').send({ data: { type: 'broadcasts', attributes } })
  expect([created.status, created.body.errors[0].source]).toEqual([422, { pointer: '/data/attributes/archivedAt' }])
  const data = { type: 'broadcasts', id: '2', attributes: { title: 'Rewritten' } }
  await api.patch('/broadcasts/2').send({ data }).expect(404)
  expect(singleError(await api.patch('/broadcasts/2?showsArchived=true').send({ data })).status).toBe(422)
  expect(singleError(await api.delete('/broadcasts/1')).status).toBe(422)
})

describe('what is archived is hidden', () => {
  class Archive extends PaperRules<Asking> {
    override filter({ showsArchived }: Asking) {
      return showsArchived ? undefined : equals('archivedAt', null)
    }
  }

  hidesEverywhere({
    rules: Archive,
    context: { showsArchived: false },
    mark: { archivedAt: new Date('2024-01-01T00:00:00Z') },
  })
})
