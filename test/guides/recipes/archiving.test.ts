import { Attribute, equals, JsonApiError, Resource, type ResourceWrite, ToMany, ToOne } from 'stemma'
import { Column, Entity, ManyToOne, OneToMany, PrimaryGeneratedColumn } from 'typeorm'
import { startApi } from '../../support/api'
import { DATETIME } from '../../support/database'
import { define } from '../../support/define'
import { expectError, includedKeys, resourceKeys } from '../../support/expectations'
import { setUp } from '../../support/set-up'
import { hidesEverywhere } from './support/twins'

// Archived rows are hidden unless the client sends a parameter of the application: `?showsArchived=true`.

@Resource('stations')
@Entity('stations')
class Station {
  @PrimaryGeneratedColumn() id: number
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

interface Context {
  readonly showsArchived: boolean
}

const broadcastRules = define<Broadcast, Context>(Broadcast, {
  filter: ({ showsArchived }: Context) => (showsArchived ? undefined : equals('archivedAt', null)),
  beforeWrite({ kind, stored, values }: ResourceWrite<Broadcast, Context>): void {
    if (kind === 'delete' && values.archivedAt === null) throw new JsonApiError({ title: 'Archive it first.' })
    if (kind === 'create' && values.archivedAt !== null) {
      throw new JsonApiError({ title: 'New broadcasts are not archived.', field: 'archivedAt' })
    }
    if (stored?.instance.archivedAt && values.archivedAt && stored.instance.title !== values.title) {
      throw new JsonApiError({ title: 'Archived broadcasts are read-only.', field: 'title' })
    }
  },
})

const ARCHIVED = { archivedAt: new Date('2024-01-01T00:00:00Z') }

describe('an archive with a parameter of the application', () => {
  const api = setUp(() =>
    startApi([Station, Broadcast], {
      definitions: [broadcastRules],
      unknownParameters: ['showsArchived'],
      context: ({ query }) => ({ showsArchived: query.showsArchived === 'true' }),
    }),
  )
  beforeAll(async () => {
    const station = { id: await api.add(Station) }
    await api.add(Broadcast, { title: 'News', station })
    await api.add(Broadcast, { title: 'Old news', ...ARCHIVED, station })
  })

  // anchor: R/O-09
  it.each([
    ['/broadcasts?', ['broadcasts 1'], ['broadcasts 1', 'broadcasts 2']],
    ['/stations/1/broadcasts?', ['broadcasts 1'], ['broadcasts 1', 'broadcasts 2']],
    ["/stations?filter=has(broadcasts,equals(title,'Old news'))&", [], ['stations 1']],
  ])('shows archived rows at %s only with the parameter', async (path, hidden, shown) => {
    expect(resourceKeys(await api.get(path.slice(0, -1)))).toEqual(hidden)
    expect(resourceKeys(await api.get(`${path}showsArchived=true`))).toEqual(shown)
  })

  it('includes archived rows only with the parameter', async () => {
    const included = async (parameter: string) =>
      includedKeys(await api.get(`/stations?include=broadcasts${parameter}`))
    expect(await included('')).toEqual(['broadcasts 1'])
    expect(await included('&showsArchived=true')).toEqual(['broadcasts 1', 'broadcasts 2'])
  })

  it('returns 404 for an archived resource without the parameter', async () => {
    await api.get('/broadcasts/2').expect(404)
    expect(resourceKeys(await api.get('/broadcasts/2?showsArchived=true'))).toEqual(['broadcasts 2'])
  })

  it('keeps the parameter in pagination links, and returns 400 for a parameter it does not name', async () => {
    const { body } = await api.get('/broadcasts?showsArchived=true&page[size]=1')
    expect(body.links.next).toBe('/broadcasts?showsArchived=true&page%5Bsize%5D=1&page%5Bnumber%5D=2')
    expectError(await api.get('/broadcasts?shown=true'), 400, 'shown', 'query.unknown')
  })

  it('applies the rule and the parameter to writes', async () => {
    const attributes = { title: 'New', archivedAt: '2024-01-01T00:00:00Z' }
    const created = await api.post('/broadcasts').send({ data: { type: 'broadcasts', attributes } })
    expectError(created, 422, '/data/attributes/archivedAt')
    const data = { type: 'broadcasts', id: '2', attributes: { title: 'Rewritten' } }
    await api.patch('/broadcasts/2').send({ data }).expect(404)
    expectError(await api.patch('/broadcasts/2?showsArchived=true').send({ data }), 422, '/data/attributes/title')
    await api.delete('/broadcasts/1').expect(422)
  })
})

describe('an archived row', () => {
  hidesEverywhere({ hooks: { filter: () => equals('archivedAt', null) }, mark: ARCHIVED })
})
