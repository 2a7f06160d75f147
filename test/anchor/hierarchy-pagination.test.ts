import { ref, type TestApi } from '../support/api'
import { linkageKeys } from '../support/expectations'
import { type HumansApi, startHumans } from '../support/humans'
import { Car, Cylinder, GasolineEngine } from '../support/vehicles'
import { startGarage } from './support/garage'

// Hierarchies: pages of what is included through names of derived types.

describe('vehicles', () => {
  let api: TestApi
  beforeAll(async () => {
    api = await startGarage()
    const engine = ref(await api.add(GasolineEngine))
    await api.add(Car, { engine })
    for (let each = 0; each < 3; each += 1) await api.add(Cylinder, { engine })
  })
  afterAll(() => api.close())

  it.each([
    [
      'R-90: a page of each parent',
      'page[size]=engine.cylinders:2',
      [
        ['cylinders 1', 'cylinders 2'],
        ['cylinders 4', 'cylinders 5'],
      ],
    ],
    [
      'R-90: the second page of each',
      'page[size]=engine.cylinders:2&page[number]=engine.cylinders:2',
      [['cylinders 3'], ['cylinders 6']],
    ],
  ])('%s', async (_rule, page, expected) => {
    const { included } = (await api.get(`/vehicles?include=engine.cylinders&${page}`)).body
    expect(linkageKeys(included, 'cylinders').filter((each) => each !== undefined)).toEqual(expected)
  })

  it.each([
    ['R-90: all branches that have the name', 'features:1', [['features 1'], ['features 2'], ['features 2']]],
    [
      'R-91: one branch by its name, beside the primary data',
      '9,cars:features:1',
      [['features 1'], ['features 2'], ['features 2']],
    ],
    [
      'R-91: branches apart',
      'cars:features:2,trucks:features:1',
      [['features 1'], ['features 2', 'features 3'], ['features 2']],
    ],
  ])('%s', async (_rule, size, expected) => {
    const { data } = (await api.get(`/vehicles?include=features&page[size]=${size}`)).body
    expect(linkageKeys(data, 'features').slice(1, 4)).toEqual(expected)
  })
})

describe('humans', () => {
  let api: HumansApi
  const children: string[] = []
  beforeAll(async () => {
    api = await startHumans()
    const adam = await api.addMan({ name: 'Adam' })
    const eve = await api.addWoman({ name: 'Eve' })
    for (const name of ['Abel', 'Cain', 'Seth']) children.push(`men ${await api.addMan({ name })}`)
    await api.link(adam, 'wife', eve)
    await api.link(eve, 'husband', adam)
    for (const parent of [adam, eve])
      await api.link(
        parent,
        'children',
        children.map((key) => key.slice(4)),
      )
  })
  afterAll(() => api.close())

  it('R-91: siblings have pages of their own in one parameter', async () => {
    const include = 'include=husband.children,wife.children'
    const page = 'page[size]=2,husband.children:1,wife.children:2&page[number]=husband.children:3,wife.children:1'
    const { data } = (await api.get(`/humans?${include}&${page}`)).body
    expect(linkageKeys(data, 'children')).toEqual([[children[2]], [children[0], children[1]]])
  })
})
