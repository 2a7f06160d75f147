import {
  Attribute,
  entityManagerOf,
  JsonApiError,
  Resource,
  type ResourceWrite,
  ToMany,
  ToOne,
  withTransaction,
} from 'stemma'
import { Column, type DataSource, Entity, ManyToOne, OneToMany, PrimaryGeneratedColumn } from 'typeorm'
import { startApi, type TestApi } from '../../support/api'
import { define } from '../../support/define'

// Events are stored in the transaction of the write, and sent after its commit.

@Resource('events', { endpoints: ['getCollection'] })
@Entity('events')
class Event {
  @PrimaryGeneratedColumn() id: number
  @Attribute() @Column({ type: 'varchar', length: 80 }) name: string
}

@Resource('orders')
@Entity('orders')
class Order {
  @PrimaryGeneratedColumn() id: number
  @Attribute() @Column({ type: 'varchar', length: 40 }) title: string
  @ToOne() @ManyToOne('Order', 'parts', { nullable: true }) whole: Order | null
  @ToMany() @OneToMany('Order', 'whole') parts: Order[]
}

let sent: string[] = []
let isDown = false

/** Sends the stored events, oldest first, and deletes each. */
async function relay(dataSource: DataSource): Promise<void> {
  const stored = await withTransaction(dataSource, (manager) => manager.find(Event, { order: { id: 'ASC' } }))
  for (const { id, name } of stored) {
    if (isDown) throw new Error('The broker is down.')
    sent.push(name)
    await withTransaction(dataSource, (manager) => manager.delete(Event, id))
  }
}

const orderDefinition = define(Order, {
  async afterWrite(write: ResourceWrite<Order>): Promise<void> {
    await entityManagerOf(write).insert(Event, { name: `${write.kind} ${write.id}` })
    if (write.values.title === 'Refused') throw new JsonApiError({ title: 'No.' })
  },
  afterCommit: () => relay(api.dataSource),
})

let api: TestApi
const reported: unknown[] = []

beforeAll(async () => {
  const report = (error: unknown) => reported.push(error)
  api = await startApi([Event, Order], { definitions: [orderDefinition], report })
  for (const title of ['One', 'Two', 'Three']) await api.add(Order, { title })
})
afterAll(() => api.close())

beforeEach(() => {
  sent = []
  reported.length = 0
})

const stored = async () => (await api.dataSource.getRepository(Event).find()).map(({ name }) => name)
const order = (id: string) => ({ type: 'orders', id })
const create = (title: string) => api.post('/orders').send({ data: { type: 'orders', attributes: { title } } })

it.each([
  ['POST', '/orders', { type: 'orders', attributes: { title: 'Four' } }, 'create 4'],
  ['PATCH', '/orders/1', { ...order('1'), attributes: { title: 'New' } }, 'update 1'],
  ['PATCH', '/orders/1/relationships/whole', order('2'), 'setRelationship 1'],
  ['PATCH', '/orders/1/relationships/parts', [order('3')], 'setRelationship 1'],
  ['POST', '/orders/2/relationships/parts', [order('3')], 'addToRelationship 2'],
  ['DELETE', '/orders/2/relationships/parts', [order('3')], 'removeFromRelationship 2'],
  ['DELETE', '/orders/3', undefined, 'delete 3'],
])('sends one event for %s %s', async (method, path, data, event) => {
  const { status } = await api.request(method, path).send(data && { data })
  expect([status < 300, sent, await stored()]).toEqual([true, [event], []])
}) // anchor: W/V-07

it('sends no event for a write that was rolled back', async () => {
  expect((await api.unchanged(() => create('Refused'))).status).toBe(422)
  expect([sent, reported]).toEqual([[], []])
}) // anchor: W/V-07

it('keeps events while the broker is down', async () => {
  isDown = true
  const data = { ...order('1'), attributes: { title: 'Newer' } }
  await api.patch('/orders/1').send({ data }).expect(204)
  expect([sent, reported, await stored()]).toEqual([[], [new Error('The broker is down.')], ['update 1']])
  isDown = false
  await api.delete('/orders/2').expect(204)
  expect([sent, await stored()]).toEqual([['update 1', 'delete 2'], []])
})

it('sends an event for each of several concurrent writes', async () => {
  const responses = await Promise.all(Array.from({ length: 8 }, () => create('One of many')))
  const events = responses.map(({ body }) => `create ${body.data.id}`)
  expect([new Set(sent), await stored()]).toEqual([new Set(events), []])
})
