import { Attribute, getEntityManager, Resource, type ResourceClass, type ResourceWrite } from 'stemma'
import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm'
import { define, setUp, startApi } from '../../support/api'
import { newResource, resource, toMany, toOne } from '../../support/documents'
import { Boat, Harbour, VESSELS, Vessel } from '../../support/writing-models'

// Every write adds an entry in its own transaction that tells who changed what.

@Resource('changes', { endpoints: ['getCollection', 'getResource'] })
@Entity('changes')
class Change {
  @PrimaryGeneratedColumn() id: number
  @Attribute() @Column({ type: 'varchar', length: 40 }) who: string
  @Attribute() @Column({ type: 'varchar', length: 80 }) what: string
  @Attribute() @Column({ type: 'text' }) details: string
}

const audited = (resource: ResourceClass) =>
  define<object, string>(resource, {
    async afterWrite(write: ResourceWrite<object, string>): Promise<void> {
      const { context: who, kind, type, id } = write
      const entry = { who, what: `${kind} ${type.name} ${id}`, details: JSON.stringify(detailsOf(write)) }
      await getEntityManager(write).insert(Change, entry)
    },
  })

/** Changed attributes, and the ids of relationships. */
function detailsOf({ kind, previous, values, relationships }: ResourceWrite): object {
  if (kind === 'delete') return { ...values }
  const before = new Map(Object.entries(previous?.instance ?? {}))
  const changed = Object.entries(values).filter(([property, value]) => before.get(property) !== value)
  const linked = [...relationships].map(([name, right]) => [name, [right ?? []].flat().map(({ id }) => id)])
  return Object.fromEntries([...changed, ...linked])
}

const api = setUp(() =>
  startApi([Change, ...VESSELS], {
    definitions: [Vessel, Harbour].map(audited),
    context: (request) => request.get('x-user') ?? 'anonymous',
  }),
)
beforeAll(async () => {
  for (const name of ['One', 'Two', 'Three']) await api.add(Boat, { name })
  await api.add(Harbour, { name: 'Hull' })
})
beforeEach(() => api.dataSource.getRepository(Change).clear())

const HULL = toOne('harbours', '1')
const CREATED = { name: 'N', oars: 2, harbour: ['1'] }
const EMPTY = { harbour: toOne('harbours', null) }
const VESSELS_OF_HULL = '/harbours/1/relationships/vessels'

it.each([
  ['POST', '/vessels', newResource('boats', { name: 'N' }, { harbour: HULL }), 'create boats 4', CREATED],
  ['PATCH', '/vessels/1', resource('boats', '1', { oars: 5 }), 'update boats 1', { oars: 5 }],
  ['PATCH', '/boats/1', resource('boats', '1', undefined, EMPTY), 'update boats 1', { harbour: [] }],
  ['PATCH', '/vessels/2/relationships/harbour', HULL, 'setRelationship boats 2', { harbour: ['1'] }],
  ['PATCH', VESSELS_OF_HULL, toMany('boats', '2'), 'setRelationship harbours 1', { vessels: ['2'] }],
  ['POST', VESSELS_OF_HULL, toMany('boats', '3'), 'addToRelationship harbours 1', { vessels: ['3'] }],
  ['DELETE', VESSELS_OF_HULL, toMany('boats', '3'), 'removeFromRelationship harbours 1', { vessels: ['3'] }],
  ['DELETE', '/vessels/3', undefined, 'delete boats 3', { name: 'Three', oars: 2 }],
])('adds an entry for %s %s', async (method, path, body, what, details) => {
  const { status } = await api.request(method, path, { body, headers: { 'x-user': 'ann' } })
  expect(status).toBeLessThan(300)
  const [entry, ...others] = await api.dataSource.getRepository(Change).find()
  expect([entry?.who, entry?.what, JSON.parse(entry?.details ?? '')]).toEqual(['ann', what, details])
  expect(others).toEqual([])
})
