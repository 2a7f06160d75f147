import { Attribute, Resource } from 'stemma'
import { Column, Entity, type EntitySubscriberInterface, PrimaryGeneratedColumn, type UpdateEvent } from 'typeorm'
import { apiOver, type TestApi } from '../../support/api'
import { openDatabase } from '../../support/database'
import { startServer } from '../../support/server'

// What subscribers are told of embedded objects: that which is stored, and that which is to be.

class Place {
  @Column({ type: 'varchar', length: 20 }) city: string
}

class Home {
  @Column({ type: 'varchar', length: 20 }) street: string
  @Column(() => Place) place: Place
}

@Resource('guests')
@Entity()
class Guest {
  @PrimaryGeneratedColumn() id: number
  @Attribute() @Column(() => Home) home: Home
}

const told: string[] = []

class Journal implements EntitySubscriberInterface<Guest> {
  beforeUpdate({ entity, databaseEntity }: UpdateEvent<Guest>) {
    const lines = [databaseEntity.home, entity?.home as Home].map(({ street, place }) => `${street} ${place.city}`)
    told.push(lines.join(' -> '))
  }
}

let api: TestApi
beforeAll(async () => {
  const database = await openDatabase([Guest])
  const { dataSource } = database
  dataSource.subscribers.push(new Journal())
  const server = await startServer({ dataSource, resources: [Guest] })
  api = apiOver(database, server, async () => {
    await server.close()
    await database.close()
  })
})
afterAll(() => api.close())

it('an embedded object is told as it was and as it will be', async () => {
  const home = (street: string, city: string) => ({ home: { street, place: { city } } })
  const created = await api.post('/guests').send({ data: { type: 'guests', attributes: home('Elm', 'Bonn') } })
  const { id } = created.body.data
  const data = { type: 'guests', id, attributes: home('Oak', 'Ulm') }
  expect((await api.patch(`/guests/${id}`).send({ data })).status).toBeLessThan(300)
  expect(told).toEqual(['Elm Bonn -> Oak Ulm'])
  expect((await api.get(`/guests/${id}`)).body.data.attributes).toEqual(home('Oak', 'Ulm'))
})
