import { define, setUp, useApi } from '../../support/api'
import { idsAt } from '../../support/expectations'
import { startFilledVehicles, Van } from '../../support/filled-vehicles'
import { fetchPage, followPages } from '../../support/follow-pages'
import type { Row } from '../../support/row'
import { Car, Truck, Vehicle } from '../../support/vehicles'

const idsIn = (pages: readonly (readonly string[])[]) =>
  pages
    .flat()
    .join(' ')
    .replace(/[a-z]+ /g, '')

describe('vehicles', () => {
  const api = setUp(startFilledVehicles)
  // Beside bikes 1, tandems 2, cars 3 and trucks 4.
  beforeAll(async () => {
    await api.add(Car, { weight: 20, mileage: 10 })
    await api.add(Truck, { weight: 20, loadingCapacity: 12 })
  })

  it.each<Row<[sort: string, expected: string]>>([
    ['weight,-id', '1 6 5 2 3 4'],
    ['gearCount', '2 1 3 4 5 6', 'R/R-80'],
    ['-gearCount', '1 2 3 4 5 6', 'R/R-80'],
    ['gearCount,-weight', '2 1 4 3 5 6', 'R/R-80'],
    ['-loadingCapacity', '6 4 1 2 3 5', 'R/R-80'],
    ['requiresDriverLicense,-loadingCapacity', '6 1 2 5 4 3'],
    ['loadingCapacity,gearCount,-id', '4 6 2 1 5 3'],
    ['trucks:mileage', '4 1 2 3 5 6', 'R/R-82'],
    ['-cars:mileage', '3 5 1 2 4 6'],
    ['-trucks:mileage,-cars:mileage', '4 3 5 1 2 6', 'R/R-82'],
    ['bikes:weight,-id', '1 2 6 5 4 3'],
    ['-cars:id', '5 3 1 2 4 6'],
    ['-engine.capacity', '3 4 1 2 5 6', 'R/R-81'],
    ['engine.viscosity', '4 1 2 3 5 6', 'R/R-81'],
    ['engine.gasolineEngines:serialCode', '3 1 2 4 5 6', 'R/R-82'],
    ['engine.dieselEngines:serialCode,engine.gasolineEngines:serialCode', '4 3 1 2 5 6'],
    ['-sleepingArea.volume', '4 1 2 3 5 6', 'R/R-81'],
    ['-count(engine.cylinders),-id', '3 6 5 4 2 1', 'R/R-81'],
    // Rows that lack the relationship, and those whose path breaks, are last in both directions.
    ['count(engine.cylinders),id', '3 1 2 4 5 6'],
    ['-count(cars:features)', '3 5 1 2 4 6', 'R/R-82'],
    ['count(cars:features)', '5 3 1 2 4 6'],
    ['count(engine.gasolineEngines:cylinders),-id', '3 6 5 4 2 1'],
    ['-count(tandems:features),-count(cars:features)', '2 3 5 1 4 6'],
  ])('sorts /vehicles by %s', async (sort, expected) => {
    expect(await idsAt(api, `/vehicles?sort=${sort}`)).toBe(expected)
  })

  it.each([
    ['count(cars:features),-id', '5 3 6 4 2 1'],
    ['-count(cars:features)', '3 5 6 4 2 1'],
    ['count(engine.cylinders)', '3 1 2 4 5 6'],
  ])('has the same order in pages at cursors, in both directions: %s', async (sort, expected) => {
    for (const size of [1, 4]) {
      const start = `/vehicles?sort=${sort}&page[size]=${size}`
      expect(idsIn(await followPages(api, start, 'next'))).toBe(expected)
      const { links } = (await fetchPage(api, start)).body
      expect(idsIn((await followPages(api, links.last, 'prev')).toReversed())).toBe(expected)
    }
  })

  it.each<Row<[path: string, expected: string]>>([
    ['/bikes?sort=-passengerCount', '2 1'],
    ['/motorVehicles?sort=-cars:mileage', '3 5 4 6'],
    ['/cars?sort=mileage', '5 3'],
    // Of engines the name would be ambiguous.
    ['/cylinders?sort=engine.serialCode,-id', '3 2 1', 'R/R-84'],
  ])('sorts %s', async (path, expected) => expect(await idsAt(api, path)).toBe(expected))

  it('considers only fields of the requested kind where branches share a name', async () => {
    await useApi(startFilledVehicles({}, [Van]), async (vehicles) => {
      await vehicles.add(Van, { cargoBoxes: 7 })
      await vehicles.add(Van, { cargoBoxes: 3 })
      // An attribute of vans, a to-one relationship of bikes.
      expect(await idsAt(vehicles, '/vehicles?sort=cargoBox')).toBe('6 5 1 2 3 4')
      expect(await idsAt(vehicles, '/vehicles?sort=-cargoBox.volume')).toBe('1 2 3 4 5 6')
    })
  }) // anchor: R/R-83

  it.each([
    ['-gearCount', '1 2 3 4'],
    ['-count(engine.cylinders),gearCount', '3 2 1 4'],
    ['-trucks:mileage', '4 1 2 3'],
  ])('sorts by %s as the default order of a definition', async (sort, expected) => {
    await useApi(
      startFilledVehicles({ definitions: [define(Vehicle as never, { sort: () => sort })] }),
      async (sorted) => {
        expect(await idsAt(sorted, '/vehicles')).toBe(expected)
        expect(await idsAt(sorted, '/vehicles?sort=id')).toBe('1 2 3 4')
      },
    )
  }) // anchor: R/R-86
})
