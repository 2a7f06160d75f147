import { ResourceDefinition } from 'stemma'
import { type TestApi, using } from '../support/api'
import { singleError } from '../support/expectations'
import { Tandem } from '../support/vehicles'
import { startGarage } from './support/garage'

// Hierarchies: which set of fields is that of a stored type.

let api: TestApi
beforeAll(async () => {
  api = await startGarage()
})
afterAll(() => api.close())

/** The fields of bike 1, tandem 2 and car 3. */
async function shownBy(query: string): Promise<readonly string[]> {
  const { status, body } = await api.get(`/vehicles?${query}`)
  expect({ status, errors: body.errors }).toEqual({ status: 200, errors: undefined })
  return body.data
    .slice(0, 3)
    .map(({ attributes = {}, relationships = {} }) => Object.keys({ ...attributes, ...relationships }).join(' '))
}

const BIKE = 'gearCount weight requiresDriverLicense cargoBox lights manufacturer wheels'
const TANDEM = `passengerCount ${BIKE.replace('cargoBox', 'foldingDimensions features cargoBox')}`
const CAR = 'seatCount mileage licensePlate weight requiresDriverLicense features engine manufacturer wheels'

it.each([
  ['R-50: of a leaf it is exact', 'fields[tandems]=passengerCount,lights', [BIKE, 'passengerCount lights', CAR]],
  [
    'R-50: overruled: of a concrete base it limits what the base has, below it as well',
    'fields[bikes]=gearCount',
    ['gearCount', 'passengerCount gearCount foldingDimensions features', CAR],
  ],
  [
    'R-51: stored types have sets of their own',
    'fields[bikes]=gearCount&fields[tandems]=features&fields[cars]=engine',
    ['gearCount', 'features', 'engine'],
  ],
  [
    'R-52: inherited fields are fields of the type',
    'fields[tandems]=weight,gearCount,passengerCount',
    [BIKE, 'passengerCount gearCount weight', CAR],
  ],
  [
    'R-53: overruled: of an abstract type it limits the fields of the base',
    'fields[vehicles]=weight',
    [
      'gearCount weight cargoBox lights',
      'passengerCount gearCount weight foldingDimensions features cargoBox lights',
      'seatCount mileage licensePlate weight features engine',
    ],
  ],
  [
    'R-53: overruled: also in the middle',
    'fields[motorVehicles]=engine',
    [BIKE, TANDEM, 'seatCount mileage features engine'],
  ],
])('%s', async (_rule, query, expected) => {
  expect(await shownBy(query)).toEqual(expected)
})

it('R-52: a field of a derived type is refused in the set of its base', async () => {
  const mistake = singleError(await api.get('/vehicles?fields[bikes]=gearCount,passengerCount'))
  expect(mistake).toMatchObject({ status: 400, code: 'query.fields', parameter: 'fields[bikes]', position: 11 })
  expect(mistake.detail).toContain("It is a field of 'tandems'.")
})

it('R-54: a type whose values are computed is fetched as a whole, the others as they are shown', async () => {
  class TandemDefinition extends ResourceDefinition<Tandem> {
    readonly resource = Tandem
    override serialize: ResourceDefinition<Tandem>['serialize'] = ({ instance: { gearCount, weight } }) => ({
      passengerCount: gearCount + weight,
    })
  }
  await using(startGarage({ definitions: [new TandemDefinition()] }), async (computing) => {
    const path =
      '/vehicles?fields[tandems]=passengerCount&fields[cars]=seatCount&fields[motorVehicles]=&fields[bikes]=id'
    const [statement] = await computing.statementsOf(async () => {
      expect((await computing.get(path)).body.data[1].attributes).toEqual({ passengerCount: 23 })
    })
    for (const column of ['passengerCount', 'gearCount', 'weight', 'seatCount']) expect(statement).toContain(column)
    expect(statement).not.toContain('licensePlate')
  })
})
