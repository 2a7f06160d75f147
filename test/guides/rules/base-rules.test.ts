import { and, equals, isType, not, or, ResourceDefinition } from 'stemma'
import { define, ref, setUp, useApi } from '../../support/api'
import { includedKeys, resourceKeys } from '../../support/expectations'
import * as models from '../../support/vehicles'

const { Bike, Car, DieselEngine, Engine, GasolineEngine } = models
const { Manufacturer, startVehicles, Tandem, Truck, Vehicle } = models
const SERVER_ERROR = { status: '500', code: 'server.error', title: 'The server failed.' }

describe('a filter rule of a base that uses isType', () => {
  class VehicleDefinition extends ResourceDefinition {
    readonly resource: typeof Vehicle = Vehicle
    override filter() {
      return or(isType('', 'cars'), isType('', 'bikes', equals('gearCount', 3)))
    }
  }

  class TandemDefinition extends VehicleDefinition {
    override readonly resource = Tandem
    override filter() {
      return and(super.filter(), not(equals('passengerCount', 9)))
    }
  }

  const api = setUp(() => startVehicles({ definitions: [new VehicleDefinition(), new TandemDefinition()] }))
  beforeAll(async () => {
    await api.add(Car)
    await api.add(Truck)
    for (const gearCount of [3, 4]) await api.add(Bike, { gearCount })
    for (const passengerCount of [2, 9]) await api.add(Tandem, { gearCount: 3, passengerCount })
  })

  it.each([
    ['/vehicles', ['cars 1', 'bikes 3', 'tandems 5']],
    ['/cars', ['cars 1']],
    ['/trucks', []],
    ['/bikes', ['bikes 3', 'tandems 5']],
    ['/tandems', ['tandems 5']],
    ['/vehicles?filter=isType(,motorVehicles)', ['cars 1']],
  ])('is evaluated for each type at %s', async (path, expected) => {
    expect(resourceKeys(await api.get(path))).toEqual(expected)
  })

  it('does not let clients name a type outside the collection', async () => {
    await api.get('/bikes?filter=isType(,cars)').expect(400)
  })
})

describe('a sort rule on a field that each type declares itself', () => {
  it('orders collections of the type, and no collection, relationship or include of a base', async () => {
    const sorted = [Car, Truck].map((type) => define<models.Vehicle>(type, { sort: () => '-mileage' }))
    const definitions = [define(Engine, { sort: () => '-serialCode' }), ...sorted]
    await useApi(startVehicles({ definitions }), async (api) => {
      for (const gasolineCode of ['A', 'B']) await api.add(GasolineEngine, { gasolineCode })
      for (const dieselCode of ['Y', 'Z']) await api.add(DieselEngine, { dieselCode })
      expect(resourceKeys(await api.get('/gasolineEngines'))).toEqual(['gasolineEngines 2', 'gasolineEngines 1'])
      const byId = ['gasolineEngines 1', 'gasolineEngines 2', 'dieselEngines 3', 'dieselEngines 4']
      expect(resourceKeys(await api.get('/engines'))).toEqual(byId)
      const manufacturer = ref(await api.add(Manufacturer, { name: 'M' }))
      await api.add(Car, { mileage: 1, manufacturer })
      await api.add(Truck, { mileage: 2, manufacturer })
      for (const path of ['/motorVehicles', '/manufacturers/1/vehicles'])
        expect(resourceKeys(await api.get(path))).toEqual(['cars 1', 'trucks 2'])
      expect(includedKeys(await api.get('/manufacturers/1?include=vehicles'))).toEqual(['cars 1', 'trucks 2'])
    })
  })

  it('orders no collection of a base with a type whose rule differs', async () => {
    const definitions = [Car, Truck].map((type) => define<object>(type, { sort: () => (type === Car ? '-id' : 'id') }))
    await useApi(startVehicles({ definitions }), async (api) => {
      for (const licensePlate of ['A', 'B']) await api.add(Car, { licensePlate })
      expect(resourceKeys(await api.get('/cars'))).toEqual(['cars 2', 'cars 1'])
      for (const path of ['/motorVehicles', '/vehicles'])
        expect(resourceKeys(await api.get(path))).toEqual(['cars 1', 'cars 2'])
    })
  })

  it('returns 500 where the field is ambiguous', async () => {
    const definitions = [define(Vehicle, { sort: () => 'mileage' })]
    await useApi(startVehicles({ definitions, onError: () => {} }), async (api) => {
      await api.get('/cars').expect(200)
      await api.get('/vehicles').expect(500)
    })
  })
})

describe('a mistaken rule', () => {
  const FEATURES = "The property 'truckFeatures' has the public name 'features'."
  /** What is reported when a hook of trucks gives this, and each path returns 500 without any data. */
  async function reportedFor(hook: string, rule: () => unknown, ...paths: readonly string[]) {
    const reported: unknown[] = []
    const definitions = [define(Truck, { [hook]: rule as () => never })]
    await useApi(startVehicles({ definitions, onError: (error) => reported.push(error) }), async (api) => {
      await api.add(Truck, { licensePlate: 'SECRET' })
      for (const path of hook === 'redirect' ? ['/trucks/1'] : paths)
        expect((await api.get(path).expect(500)).body.errors).toEqual([SERVER_ERROR])
    })
    return [...new Set(reported.map(String))]
  }

  it.each([
    ['filter', "equals(chassis,'X1')", "Expected an attribute of 'trucks', found 'chassis'."],
    ['filter', "equals(weight,'heavy')", "Expected an integer from … to …, found 'heavy'."],
    ['sort', '-chassis', "Expected an attribute of 'trucks', found 'chassis'."],
    ['sort', 'wheels.radius', "Expected a to-one relationship of 'trucks', found the to-many relationship 'wheels'."],
    ['sort', 'manufacturer', "Expected '.' and an attribute of 'manufacturers', found the end."],
    ['filter', 'has(truckFeatures)', `Expected a to-many relationship of 'trucks', found 'truckFeatures'. ${FEATURES}`],
    ['sort', 'count(truckFeatures)', `Expected a to-many relationship of 'trucks', found 'truckFeatures'. ${FEATURES}`],
  ])('returns 500 and reports the definition when a %s rule is %s', async (hook, text, mistake) => {
    const reported = await reportedFor(hook, () => text, '/trucks')
    // The range of integers depends on the database.
    expect(reported.map((error) => error.replace(/from -\d+ to \d+/, 'from … to …'))).toEqual([
      `InvariantError: The ${hook} hook of 'trucks' (Truck) returned: ${text}. ${mistake} Use the public names of fields, and values of their types. Add @Attribute, @ToOne or @ToMany to a property to make it a field; \`capabilities: []\` hides it from clients.`,
    ])
  })

  it.each([
    ['fields', ['weight', 'wieght'], "'wieght', which is no field. Did you mean 'weight'? Return public"],
    ['fields', ['weight', 'truckFeatures'], `'truckFeatures'. ${FEATURES}`],
    ['include', ['wheel'], "'wheel', which is no relationship. Did you mean 'wheels'? Return public"],
    ['include', ['truckFeatures'], `'truckFeatures'. ${FEATURES}`],
  ])('returns 500 and reports when the %s hook returns the wrong name in %j', async (hook, names, mistake) => {
    const expected = expect.stringContaining(`The ${hook} hook of 'trucks' returned ${mistake}`)
    expect(await reportedFor(hook, () => names, '/trucks/1', '/vehicles')).toEqual([expected])
  })

  const PAGE = "the largest page as '{ size }', with a whole number from 1 on"
  const FIELDS = 'the names of fields, in a Set, a list or another iterable'
  const OBJECT = 'an object of the class Object'
  it.each([
    ['filter', 3, "a filter from functions such as 'equals' and 'and'", 'a value of type number: 3'],
    ['sort', ['id'], "a sort as text, such as '-name,id'", 'a list of 1: ["id"]'],
    ['page', 5, PAGE, 'a value of type number: 5'],
    ['page', { size: 0 }, PAGE, OBJECT],
    ['fields', 'mileage', FIELDS, 'a value of type string: mileage'],
    ['fields', [1], FIELDS, 'a list of 1: [1]'],
    ['fields', {}, FIELDS, OBJECT],
    ['include', true, 'the names of relationships, in a list or another iterable', 'a value of type boolean: true'],
    ['serialize', [], 'an object with values by property', 'a list of 0: []'],
    ['meta', 'x', 'an object', 'a value of type string: x'],
    ['meta', null, 'an object', 'null'],
    ['redirect', { id: 1 }, "a resource as '{ type, id }', both text", OBJECT],
  ])('returns 500 and reports when the %s hook returns %j', async (hook, said, expected, found) => {
    expect(await reportedFor(hook, () => said, '/trucks?include=manufacturer')).toEqual([
      `InvariantError: The ${hook} hook of trucks returned ${found}, in the class Definition. Return ${expected}, or nothing.`,
    ])
  })

  it.each([
    ['a Set', (names: ReadonlySet<string>) => new Set([...names].filter((name) => name === 'weight'))],
    ['a list, with the id and names of other types of the hierarchy', () => ['id', 'weight', 'gearCount']],
    ['a generator', () => ['weight'].values()],
  ])('takes the names of fields in %s', async (_what, fields) => {
    await useApi(startVehicles({ definitions: [define(Truck, { fields })] }), async (api) => {
      await api.add(Truck)
      expect(Object.keys((await api.get('/trucks/1')).body.data.attributes)).toEqual(['weight'])
    })
  })

  const HOOKS = ['filter', 'sort', 'page', 'fields', 'include', 'serialize', 'meta', 'redirect']
  it.each(HOOKS)('returns 500 without any data when the %s hook returns a promise', async (hook) => {
    // The rejection must not end the process.
    const rejecting = () => Promise.reject(new Error('later'))
    expect(await reportedFor(hook, rejecting, '/trucks', '/vehicles')).toEqual([
      `InvariantError: The ${hook} hook of trucks returned a promise, but read hooks must be synchronous. Load the data in the option 'context'.`,
    ])
  })
})
