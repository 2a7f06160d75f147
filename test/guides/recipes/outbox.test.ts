import {
  Attribute,
  entityManagerOf,
  JsonApiError,
  Resource,
  ResourceDefinition,
  type ResourceWrite,
  ToMany,
  ToOne,
  withTransaction,
} from 'stemma'
import { Column, type DataSource, Entity, ManyToOne, OneToMany, PrimaryGeneratedColumn } from 'typeorm'
import { startApi, type TestApi } from '../../support/api'

// Events for others: written in the transaction of what they tell of, sent once it has ended well.

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

/** Sends what waits, oldest first; what was sent waits no more. */
async function relay(dataSource: DataSource): Promise<void> {
  const waiting = await withTransaction(dataSource, (manager) => manager.find(Event, { order: { id: 'ASC' } }))
  for (const { id, name } of waiting) {
    if (isDown) throw new Error('The broker is down.')
    sent.push(name)
    await withTransaction(dataSource, (manager) => manager.delete(Event, id))
  }
}

class OrderDefinition extends ResourceDefinition<Order> {
  readonly resource = Order

  override async afterWrite(write: ResourceWrite<Order>): Promise<void> {
    await entityManagerOf(write).insert(Event, { name: `${write.kind} ${write.id}` })
    if (write.values.title === 'Refused') throw new JsonApiError({ title: 'No.' })
  }

  override afterCommit(): Promise<void> {
    return relay(api.dataSource)
  }
}

let api: TestApi
const reported: unknown[] = []

beforeAll(async () => {
  const report = (error: unknown) => reported.push(error)
  api = await startApi([Event, Order], { definitions: [new OrderDefinition()], report })
  for (const title of ['One', 'Two', 'Three']) await api.add(Order, { title })
})
afterAll(() => api.close())

beforeEach(() => {
  sent = []
  reported.length = 0
  isDown = false
})

const waiting = async () => (await api.dataSource.getRepository(Event).find()).map(({ name }) => name)
const order = (id: string) => ({ type: 'orders', id })
const change = () => api.patch('/orders/1').send({ data: { ...order('1'), attributes: { title: 'New' } } })

it.each([
  ['POST', '/orders', { type: 'orders', attributes: { title: 'Four' } }, 'create 4'],
  ['PATCH', '/orders/1', { ...order('1'), attributes: { title: 'New' } }, 'update 1'],
  ['PATCH', '/orders/1/relationships/whole', order('2'), 'setRelationship 1'],
  ['PATCH', '/orders/1/relationships/parts', [order('3')], 'setRelationship 1'],
  ['POST', '/orders/2/relationships/parts', [order('3')], 'addToRelationship 2'],
  ['DELETE', '/orders/2/relationships/parts', [order('3')], 'removeFromRelationship 2'],
  ['DELETE', '/orders/3', undefined, 'delete 3'],
] as const)('%s %s is told of, once', async (method, path, data, event) => {
  const { status } = await api.request(method, path, data === undefined ? {} : { body: { data } })
  expect([status < 300, sent, await waiting()]).toEqual([true, [event], []])
})

it('tells of nothing that was undone', async () => {
  const data = { type: 'orders', attributes: { title: 'Refused' } }
  expect((await api.unchanged(() => api.post('/orders').send({ data }))).status).toBe(422)
  expect([sent, reported]).toEqual([[], []])
})

it('loses nothing while the broker is down', async () => {
  isDown = true
  await change().expect(204)
  expect([sent, reported, await waiting()]).toEqual([[], [new Error('The broker is down.')], ['update 1']])
  isDown = false
  await api.delete('/orders/2').expect(204)
  expect([sent, await waiting()]).toEqual([['update 1', 'delete 2'], []])
})

it('writes of many are all told of', async () => {
  const data = { type: 'orders', attributes: { title: 'One of many' } }
  const answers = await Promise.all(Array.from({ length: 8 }, () => api.post('/orders').send({ data })))
  const events = answers.map(({ body }) => `create ${body.data.id}`)
  expect([new Set(sent), await waiting()]).toEqual([new Set(events), []])
})
