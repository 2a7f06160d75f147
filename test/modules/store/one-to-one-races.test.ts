import { setTimeout as wait } from 'node:timers/promises'
import { Attribute, Resource, ResourceDefinition, ToOne } from 'stemma'
import { ChildEntity, Column, Entity, JoinColumn, OneToOne, PrimaryGeneratedColumn, TableInheritance } from 'typeorm'
import { startApi, type TestApi } from '../../support/api'
import { deferred } from '../../support/deferred'
import { newResource, toOne } from '../../support/documents'
import type { Tables } from '../../support/lay-tables'
import { setUp } from '../../support/set-up'

// Two writes that take the same resource in a one-to-one relationship: the later one takes it away from the earlier one.

@Resource('vehicles', { abstract: true })
@Entity()
@TableInheritance({ column: { type: 'varchar', name: 'kind' } })
abstract class Vehicle {
  @PrimaryGeneratedColumn() id: number
  @Attribute() @Column({ type: 'int', default: 0 }) speed: number
  @ToOne() @OneToOne('Engine', 'vehicle', { nullable: true }) @JoinColumn() engine: Engine | null
}

@Resource('cars')
@ChildEntity()
class Car extends Vehicle {}

@Resource('trucks')
@ChildEntity()
class Truck extends Vehicle {}

@Resource('engines')
@Entity()
class Engine {
  @PrimaryGeneratedColumn() id: number
  @ToOne() @OneToOne('Vehicle', 'engine') vehicle: Vehicle | null
}

const RESOURCES = [Vehicle, Car, Truck, Engine]

/** The vehicles that have an engine, asked for in both ways. */
async function ownersOf(api: TestApi, engine: string): Promise<readonly (readonly string[])[]> {
  const asked = await api.get(`/vehicles?filter=equals(engine.id,'${engine}')&sort=id`).expect(200)
  const included = await api.get(`/engines?include=vehicle&filter=equals(id,'${engine}')`).expect(200)
  const keys = [asked.body.data, included.body.included ?? []]
  return keys.map((found: { type: string; id: string }[]) => found.map(({ type, id }) => `${type} ${id}`))
}

describe.each<Tables>(['single', 'joined', 'perConcreteType'])('%s', (tables) => {
  const reached = deferred()
  const released = deferred()
  let isHeld = false

  class CarDefinition extends ResourceDefinition<Car> {
    readonly resource = Car

    override async afterWrite(): Promise<void> {
      if (!isHeld) return
      isHeld = false
      reached.resolve()
      await released.promise
    }
  }

  const api = setUp(() => startApi(RESOURCES, { tables, definitions: [new CarDefinition()], maximumRetries: 20 }))
  const add = async (type: string) => (await api.post(`/${type}`).send(newResource(type)).expect(201)).body.data.id

  it('waits for an earlier write that has not ended', async () => {
    const [car, truck, engine] = [await add('cars'), await add('trucks'), await add('engines')]
    isHeld = true
    const earlier = api
      .patch(`/cars/${car}/relationships/engine`)
      .send(toOne('engines', engine))
      .then((response) => response)
    await reached.promise
    const later = api
      .patch(`/trucks/${truck}/relationships/engine`)
      .send(toOne('engines', engine))
      .then((response) => response)
    // Long enough for a write that does not wait to be over.
    await Promise.race([later, wait(300)])
    released.resolve()
    expect([(await earlier).status, (await later).status]).toEqual([204, 204])
    expect(await ownersOf(api, engine)).toEqual([[`trucks ${truck}`], [`trucks ${truck}`]])
  })

  it('leaves one owner after writes to both ends at once', async () => {
    for (let round = 0; round < 40; round += 1) {
      const [car, truck, engine] = [await add('cars'), await add('trucks'), await add('engines')]
      const link = toOne('engines', engine)
      const responses = await Promise.all([
        api.patch(`/cars/${car}/relationships/engine`).send(link),
        api.patch(`/trucks/${truck}/relationships/engine`).send(link),
        ...(round % 2 === 0 ? [] : [api.post('/trucks').send(newResource('trucks', {}, { engine: link }))]),
        ...(round % 4 === 0 ? [api.patch(`/engines/${engine}/relationships/vehicle`).send(toOne('cars', car))] : []),
      ])
      for (const { status } of responses) expect([201, 204]).toContain(status)
      const [[owner, ...others] = [], included] = await ownersOf(api, engine)
      expect([others, included]).toEqual([[], [owner]])
    }
  })
})
