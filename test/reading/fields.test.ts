import { ref, type TestApi } from '../support/api'
import { Bike, Car, GasolineEngine, Manufacturer, startVehicles, Tandem, Truck } from '../support/vehicles'

// https://jsonapi.org/format/1.1/#fetching-sparse-fieldsets; of a stored type the set of its nearest self-or-ancestor wins alone.

let api: TestApi
let maker: string
let engine: string

beforeAll(async () => {
  api = await startVehicles()
  maker = await api.add(Manufacturer, { name: 'M' })
  engine = await api.add(GasolineEngine, { gasolineCode: 'G' })
  await api.add(Bike, { gearCount: 3, manufacturer: ref(maker) })
  await api.add(Tandem, { gearCount: 6 })
  await api.add(Car, { seatCount: 4, licensePlate: 'C', engine: ref(engine) })
  await api.add(Truck, { licensePlate: 'T' })
})
afterAll(() => api.close())

interface Shown {
  readonly type: string
  readonly attributes?: object
  readonly relationships?: object
}

async function fieldsShown(query: string): Promise<Record<string, string>> {
  const { status, body } = await api.get(`/vehicles?${query}`)
  expect({ status, errors: body.errors }).toEqual({ status: 200, errors: undefined })
  return Object.fromEntries(
    body.data.map(({ type, attributes = {}, relationships = {} }: Shown) => [
      type,
      [...Object.keys(attributes), ...Object.keys(relationships)].join(' '),
    ]),
  )
}

const ALL = {
  bikes: 'gearCount weight requiresDriverLicense cargoBox lights manufacturer wheels',
  tandems:
    'passengerCount gearCount weight requiresDriverLicense foldingDimensions features cargoBox lights manufacturer wheels',
  cars: 'seatCount mileage licensePlate weight requiresDriverLicense features engine manufacturer wheels',
  trucks:
    'loadingCapacity mileage licensePlate weight requiresDriverLicense sleepingArea features engine manufacturer wheels',
}

it.each([
  ['no set shows all', '', {}],
  [
    'a set of the root limits what the root has',
    'fields[vehicles]=weight,wheels',
    {
      bikes: 'gearCount weight cargoBox lights wheels',
      tandems: 'passengerCount gearCount weight foldingDimensions features cargoBox lights wheels',
      cars: 'seatCount mileage licensePlate weight features engine wheels',
      trucks: 'loadingCapacity mileage licensePlate weight sleepingArea features engine wheels',
    },
  ],
  [
    'an empty set of the root hides all that the root has',
    'fields[vehicles]=',
    {
      bikes: 'gearCount cargoBox lights',
      tandems: 'passengerCount gearCount foldingDimensions features cargoBox lights',
      cars: 'seatCount mileage licensePlate features engine',
      trucks: 'loadingCapacity mileage licensePlate sleepingArea features engine',
    },
  ],
  [
    'a set of a type in the middle limits its own and inherited fields, of its branch only',
    'fields[motorVehicles]=licensePlate',
    {
      cars: 'seatCount mileage licensePlate features',
      trucks: 'loadingCapacity mileage licensePlate sleepingArea features',
    },
  ],
  [
    'a set of a concrete base holds for its own rows and those below',
    'fields[bikes]=weight',
    { bikes: 'weight', tandems: 'passengerCount weight foldingDimensions features' },
  ],
  ['a set of a stored type is exact', 'fields[tandems]=gearCount,features', { tandems: 'gearCount features' }],
  [
    'the nearest set wins alone',
    'fields[vehicles]=weight&fields[bikes]=gearCount&fields[tandems]=passengerCount',
    {
      bikes: 'gearCount',
      tandems: 'passengerCount',
      cars: 'seatCount mileage licensePlate weight features engine',
      trucks: 'loadingCapacity mileage licensePlate weight sleepingArea features engine',
    },
  ],
  ['a repeated set is the union', 'fields[cars]=weight&fields[cars]=seatCount', { cars: 'seatCount weight' }],
  ['id is legal, and stands where it always does', 'fields[cars]=id', { cars: '' }],
  ['a type that is not in the answer', 'fields[wheels]=radius', {}],
])('%s', async (_what, query, expected) => {
  expect(await fieldsShown(query)).toEqual({ ...ALL, ...expected })
})

it('leaves empty members out, and keeps type, id and links', async () => {
  const { body } = await api.get('/cars?fields[cars]=')
  expect(body.data).toEqual([{ type: 'cars', id: '3', links: { self: '/cars/3' } }])
})

it('holds for included resources, in each place', async () => {
  const { body } = await api.get(
    '/vehicles?include=engine,manufacturer&fields[engines]=capacity&fields[manufacturers]=',
  )
  expect(body.included).toMatchObject([
    { type: 'manufacturers', id: maker },
    { type: 'gasolineEngines', id: engine },
  ])
  expect(body.included[0].attributes).toBeUndefined()
  expect(body.included[0].relationships).toBeUndefined()
  expect(body.included[1].attributes).toEqual({ serialCode: 'G', capacity: 0 })
  expect(Object.keys(body.included[1].relationships)).toEqual(['cylinders'])
})

it('shows linkage only of relationships that are shown, and includes what was asked for all the same', async () => {
  const { body } = await api.get('/cars?include=engine&fields[cars]=seatCount')
  expect(body.data[0].relationships).toBeUndefined()
  expect(body.included).toMatchObject([{ type: 'gasolineEngines', id: engine }])
})

it.each([
  ['/vehicles/3?fields[cars]=seatCount', { seatCount: 4 }],
  ['/gasolineEngines/1/vehicle?fields[cars]=seatCount', { seatCount: 4 }],
  ['/manufacturers/1/vehicles?fields[bikes]=gearCount', { gearCount: 3 }],
])('%s shows the set', async (path, attributes) => {
  const { body } = await api.get(path)
  expect([].concat(body.data)).toMatchObject([{ attributes }])
  expect(Object.keys(([].concat(body.data)[0] as unknown as Shown).attributes ?? {})).toEqual(Object.keys(attributes))
})

it.each([
  ['a field of a derived type in the set of its base', 'fields[vehicles]=gearCount', 'fields[vehicles]', "'bikes'"],
  ['an unknown field', 'fields[cars]=seatCont', 'fields[cars]', "'seatCount'"],
  ['an unknown type', 'fields[car]=seatCount', 'fields[car]', "'cars'"],
  ['a path', 'fields[cars]=engine.capacity', 'fields[cars]', "'engine'"],
  ['no type', 'fields=name', 'fields', 'fields[type]'],
])('refuses %s', async (_what, query, parameter, named) => {
  const { body } = await api.get(`/vehicles?${query}`).expect(400)
  expect(body.errors).toMatchObject([{ source: { parameter }, detail: expect.stringContaining(named) }])
})

it('fetches no columns that are not shown', async () => {
  const [statement] = await api.statementsOf(() => api.get('/cars?fields[cars]=seatCount'))
  expect(statement).toContain('seatCount')
  expect(statement).not.toContain('licensePlate')
})
