import type { TestApi } from '../../support/api'
import { Bike, Car, CarbonWheel, Manufacturer, Tandem, Vehicle, Wheel } from '../../support/vehicles'
import { startGarage } from '../support/garage'
import { Recorder } from './support/recorder'

// Hierarchies: which rules are asked, and what they are told. Bikes 1, tandems 2, cars 3, trucks 4.

const RULED = [Vehicle, Bike, Tandem, Car, Wheel, CarbonWheel, Manufacturer]
/** By the class whose rules they are. */
const lines = new Map(RULED.map((each) => [each, [] as string[]]))

let api: TestApi
beforeAll(async () => {
  const garage = await startGarage({ definitions: [...lines].map((ruled) => new Recorder(...ruled)) })
  api = garage
})
afterAll(() => api.close())
beforeEach(() => {
  for (const each of lines.values()) each.length = 0
})

const asked = () => RULED.filter((each) => lines.get(each)?.length !== 0).map(({ name }) => name)
const one = (type: string, id: string) => ({ data: { type, id } })
const many = (type: string, ...ids: readonly string[]) => ({ data: ids.map((id) => ({ type, id })) })

const WRITES: readonly (readonly [what: string, write: () => Promise<{ status: number }>, ruled: string])[] = [
  [
    'an update as a base',
    () => api.patch('/vehicles/2').send({ data: { type: 'bikes', id: '2', attributes: { weight: 1 } } }),
    'Tandem',
  ],
  ['a new one at a base', () => api.post('/vehicles').send({ data: { type: 'tandems' } }), 'Tandem'],
  ['setting at a base', () => api.patch('/vehicles/2/relationships/wheels').send(many('wheels', '1')), 'Tandem'],
  ['adding at a base', () => api.post('/bikes/2/relationships/wheels').send(many('wheels', '2')), 'Tandem'],
  ['removing at a base', () => api.delete('/vehicles/2/relationships/wheels').send(many('wheels', '1')), 'Tandem'],
  [
    'setting one at a base',
    () => api.patch('/wheels/2/relationships/vehicle').send(one('vehicles', '2')),
    'CarbonWheel',
  ],
  [
    'a type without rules, by those of its base',
    () => api.patch('/vehicles/4/relationships/engine').send({ data: null }),
    'Vehicle',
  ],
  ['deleting at a base', () => api.delete('/vehicles/2'), 'Tandem'],
]

describe.each(WRITES)('%s', (_what, write, ruled) => {
  it('HD-01: asks the rules of what is stored, and no others', async () => {
    expect((await write()).status).toBeLessThan(300)
    expect(asked()).toEqual([ruled])
  })
})

it.each([
  ['HD-02: every hook sees the same class', '/vehicles/1', 'bikes', Bike],
  ['HD-03: and is told the stored type', '/bikes/1', 'bikes', Bike],
])('%s', async (_rule, path, type, ruled) => {
  const relationships = { cargoBox: one('boxes', '1'), wheels: many('chromeWheels', '1') }
  const data = { type, id: '1', attributes: { weight: 3 }, relationships }
  await api.patch(path).send({ data }).expect(204)
  expect(lines.get(ruled)).toEqual([
    'prepareWrite bikes',
    'setToOne bikes cargoBox: boxes 1',
    'setToMany bikes wheels: chromeWheels 1',
    ...['beforeWrite bikes', 'afterWrite bikes', 'afterCommit bikes'],
  ])
})

describe('what is related has its stored type', () => {
  it('HD-04: for every relationship of a new resource', async () => {
    const relationships = {
      ...{ manufacturer: one('manufacturers', '1'), engine: one('gasolineEngines', '1') },
      ...{ wheels: many('chromeWheels', '1', '3'), features: many('features', '1') },
    }
    await api
      .post('/motorVehicles')
      .send({ data: { type: 'cars', relationships } })
      .expect(201)
    expect(lines.get(Car)?.filter((line) => line.includes(':'))).toEqual([
      'setToOne cars manufacturer: manufacturers 1',
      'setToOne cars engine: gasolineEngines 1',
      'setToMany cars wheels: chromeWheels 1, chromeWheels 3',
      'setToMany cars features: features 1',
    ])
  })

  it.each([
    ['HD-04: for an abstract type, on setting', 'PATCH', 'setToMany'],
    ['HD-04: on adding', 'POST', 'addToMany'],
    ['HD-04: on removing', 'DELETE', 'removeFromMany'],
  ])('%s', async (_rule, method, hook) => {
    const path = '/manufacturers/1/relationships/vehicles'
    await api
      .request(method, path)
      .send(many('vehicles', '1', '3'))
      .expect(204)
    expect(lines.get(Manufacturer)).toContain(`${hook} manufacturers vehicles: bikes 1, cars 3`)
  })
})
