import { Attribute, entityManagerOf, JsonApiError, Resource, type ResourceWrite, withTransaction } from 'stemma'
import { Column, type DataSource, Entity, PrimaryGeneratedColumn } from 'typeorm'
import { startApi, type TestApi } from '../../support/api'
import { define } from '../../support/define'
import { createResource, updateResource } from '../../support/documents'
import { setUp } from '../../support/set-up'

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

const reported: unknown[] = []
const api: TestApi = setUp(() =>
  startApi([Event, Order], { definitions: [orderDefinition], report: (error) => reported.push(error) }),
)
beforeAll(async () => {
  for (const title of ['One', 'Two']) await api.add(Order, { title })
})

beforeEach(() => {
  sent = []
  reported.length = 0
})

const stored = async () => (await api.dataSource.getRepository(Event).find()).map(({ name }) => name)
const create = (title: string) => createResource(api, 'orders', { title })

it('sends one event for a write', async () => {
  await create('Three').expect(201)
  expect([sent, await stored()]).toEqual([['create 3'], []])
}) // anchor: W/V-07

it('sends no event for a write that was rolled back', async () => {
  expect((await api.unchanged(() => create('Refused'))).status).toBe(422)
  expect([sent, reported]).toEqual([[], []])
}) // anchor: W/V-07

it('keeps events while the broker is down', async () => {
  isDown = true
  await updateResource(api, 'orders', '1', { title: 'Newer' }).expect(204)
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
