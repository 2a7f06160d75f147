import { Attribute, Resource } from 'stemma'
import { ChildEntity, Column, Entity, PrimaryGeneratedColumn, TableInheritance } from 'typeorm'
import { startApi, type TestApi } from '../../support/api'
import { outcomeOf } from '../../support/expectations'
import { operate, resultsOf } from '../../support/operate'
import { VESSELS } from '../../support/writing-models'

// Operations in hierarchies, and which of them are switched on.

@Resource('gems', { abstract: true, endpoints: ['getCollection'] })
@Entity('gems')
@TableInheritance({ column: { type: 'varchar', name: 'kind' } })
abstract class Gem {
  @PrimaryGeneratedColumn() id!: number
  @Attribute() @Column({ type: 'varchar', length: 20 }) name!: string
}

/** May be created. */
@Resource('stones', { endpoints: ['createResource'] })
@ChildEntity()
class Stone extends Gem {}

@Resource('opals', { endpoints: [] })
@ChildEntity()
class Opal extends Stone {}

@Resource('pearls', { endpoints: [] })
@ChildEntity()
class Pearl extends Gem {}

let gems: TestApi
let vessels: TestApi
beforeAll(async () => {
  gems = await startApi([Gem, Stone, Opal, Pearl])
  vessels = await startApi(VESSELS)
})
afterAll(async () => {
  await gems.close()
  await vessels.close()
})

const add = (type: string, rest: object = {}) => ({ op: 'add', data: { type, attributes: { name: 'New' }, ...rest } })

it('HO-01: what is allowed for a base is allowed for what derives from it', async () => {
  await operate(gems, add('stones'), add('opals')).expect(200)
})

it('HO-02: but not for its own base, nor for those beside it', async () => {
  expect(outcomeOf(await gems.unchanged(() => operate(gems, add('pearls'))))).toBe(
    '403 endpoint.off /atomic:operations/0/data/type',
  )
  const atBase = { ...add('opals'), href: '/gems' }
  expect(outcomeOf(await gems.unchanged(() => operate(gems, atBase)))).toBe(
    '403 endpoint.off /atomic:operations/0/href',
  )
})

it('HO-03: a result has the stored type, and no links where there are no endpoints', async () => {
  const [{ data }] = resultsOf(await operate(gems, add('opals')))
  expect(data).toEqual({ type: 'opals', id: data.id, attributes: { name: 'New' } })
})

it('HO-04: overruled: a ref may name a base, an abstract one for an update too', async () => {
  const ferry = { type: 'ferries', lid: 'f' }
  const target = (type: string) => ({ type, lid: 'f' })
  const answer = await operate(
    vessels,
    add('ferries', { lid: 'f' }),
    add('harbours', { lid: 'h' }),
    { op: 'update', ref: target('ships'), data: { ...ferry, attributes: { name: 'Old' } } },
    { op: 'update', ref: target('vessels'), data: { ...ferry, attributes: { engines: 3 } } },
    { op: 'add', ref: { type: 'harbours', lid: 'h', relationship: 'vessels' }, data: [target('vessels')] },
  )
  const [{ data }] = resultsOf(answer)
  const { body } = await vessels.get(`/vessels/${data.id}?include=harbour`)
  expect(body.data.attributes).toEqual({ name: 'Old', engines: 3 })
  expect(body.included).toHaveLength(1)
  await operate(vessels, { op: 'remove', ref: { type: 'vessels', id: data.id } }).expect(204)
})

it('HO-05: beaten: a relationship is found by the stored type', async () => {
  const stops = {
    op: 'add',
    ref: { type: 'vessels', lid: 'f', relationship: 'stops' },
    data: [{ type: 'harbours', lid: 'h' }],
  }
  const answer = await operate(vessels, add('ferries', { lid: 'f' }), add('harbours', { lid: 'h' }), stops)
  const [ferry, harbour] = resultsOf(answer).map(({ data }: { data?: { id: string } }) => data?.id)
  const { body } = await vessels.get(`/ferries/${ferry}/relationships/stops`)
  expect(body.data).toEqual([{ type: 'harbours', id: harbour }])
})

it('HO-06: beaten: a local id may be named by a base', async () => {
  const escorted = { relationships: { escort: { data: { type: 'boats', lid: 's' } } } }
  const [sail, tug] = resultsOf(await operate(vessels, add('sailboats', { lid: 's' }), add('tugs', escorted)))
  const { body } = await vessels.get(`/tugs/${tug.data.id}/relationships/escort`)
  expect(body.data).toEqual({ type: 'sailboats', id: sail.data.id })
})
