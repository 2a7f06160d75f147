import type { ResourceRecord } from 'stemma'
import { define, setUp, useApi } from '../../support/api'
import { Article } from '../../support/blogs'
import { includedKeys } from '../../support/expectations'
import { startFilledBlogs } from '../../support/filled-blogs'
import { startFilledVehicles } from '../../support/filled-vehicles'
import { Tandem } from '../../support/vehicles'

// https://jsonapi.org/format/1.1/#fetching-sparse-fieldsets

// More of one type: test/spec/json-api/inclusion. What the parser refuses: test/modules/query/parse-query.
describe('fields', () => {
  const api = setUp(startFilledBlogs)

  it.each([
    ['/articles?fields[articles]=title,views', ['title', 'views']],
    ['/articles?fields[articles]=tags', []],
    ['/articles?fields[articles]=', []],
    // The ETag of a single resource needs all columns, unless there is a version.
  ])('selects only the columns that it shows: %s', async (path, expected) => {
    const statements = await api.statementsOf(() => api.get(path)) // anchor: R/I-07
    const columns = ['title', 'subtitle', 'views', 'likes', 'bytes', 'price', 'token', 'extra']
    expect(columns.filter((column) => new RegExp(`["\`]${column}["\`]`).test(statements.join()))).toEqual(expected)
  })

  it('gives serialize all columns', async () => {
    const serialize = ({ instance: { title, views } }: ResourceRecord<Article>) => ({
      subtitle: `${title}, ${views} times`,
    })
    await useApi(startFilledBlogs({ definitions: [define(Article, { serialize })] }), async (shown) => {
      const { data } = (await shown.get('/articles/1?fields[articles]=subtitle')).body // anchor: R/I-08
      expect(data.attributes).toEqual({ subtitle: 'Ash, 5 times' })
    })
  })
})

describe('fields of a hierarchy', () => {
  const api = setUp(startFilledVehicles)

  const ALL = {
    bikes: 'weight requiresDriverLicense gearCount manufacturer wheels cargoBox lights',
    tandems:
      'weight requiresDriverLicense gearCount passengerCount manufacturer wheels cargoBox lights foldingDimensions features',
    cars: 'weight requiresDriverLicense licensePlate seatCount mileage manufacturer wheels engine features',
    trucks:
      'weight requiresDriverLicense licensePlate loadingCapacity mileage manufacturer wheels engine sleepingArea features',
  }
  const ROOT_WEIGHT = {
    bikes: 'weight gearCount cargoBox lights',
    tandems: 'weight gearCount passengerCount cargoBox lights foldingDimensions features',
    cars: 'weight licensePlate seatCount mileage engine features',
    trucks: 'weight licensePlate loadingCapacity mileage engine sleepingArea features',
  }
  const SETS = 'fields[vehicles]=weight&fields[bikes]=gearCount'
  const NEAREST = { ...ROOT_WEIGHT, bikes: 'gearCount', tandems: 'passengerCount' }
  const LICENSED = {
    cars: 'licensePlate seatCount mileage features',
    trucks: 'licensePlate loadingCapacity mileage sleepingArea features',
  }
  const WEIGHED = { bikes: 'weight', tandems: 'weight passengerCount foldingDimensions features' }
  const NO_ROOT = Object.fromEntries(
    Object.entries(ROOT_WEIGHT).map(([type, names]) => [type, names.replace('weight ', '')]),
  )

  it.each([
    ['show all by default', '', {}],
    ['of the root limit what the root declares', 'fields[vehicles]=weight', ROOT_WEIGHT, 'R/R-53'],
    ['of the root hide what it declares when empty', 'fields[vehicles]=', NO_ROOT],
    ['of an abstract type limit its branch', 'fields[motorVehicles]=licensePlate', LICENSED, 'R/R-53'],
    ['of a concrete base limit its own rows and those below', 'fields[bikes]=weight', WEIGHED, 'R/R-50'],
    ['of a leaf are exact', 'fields[tandems]=gearCount,features', { tandems: 'gearCount features' }, 'R/R-50'],
    ['of a leaf may be inherited', 'fields[cars]=weight,seatCount', { cars: 'weight seatCount' }, 'R/R-52'],
    ['of the nearest type win alone', `${SETS}&fields[tandems]=passengerCount`, NEAREST, 'R/R-51'],
    ['of two sets are united', 'fields[cars]=weight&fields[cars]=seatCount', { cars: 'weight seatCount' }],
    ['may be the id alone', 'fields[cars]=id', { cars: '' }],
    ['of an absent type change nothing', 'fields[wheels]=radius', {}],
  ])('%s: %s', async (_what, query, expected, ..._ids) => {
    const { data } = (await api.get(`/vehicles?${query}`).expect(200)).body
    const shown = data.map(({ type, attributes = {}, relationships = {} }: Shown) => [
      type,
      Object.keys({ ...attributes, ...relationships }).join(' '),
    ])
    expect(Object.fromEntries(shown)).toEqual({ ...ALL, ...expected })
  })

  it('limit included resources', async () => {
    const sets = 'fields[engines]=capacity&fields[manufacturers]='
    const answer = await api.get(`/cars?include=engine,manufacturer&${sets}`)
    expect(includedKeys(answer)).toEqual(['manufacturers 2', 'gasolineEngines 1'])
    const [manufacturer, engine] = answer.body.included
    const expected = [{ serialCode: 'G1', capacity: 5 }, ['cylinders']]
    expect([engine.attributes, Object.keys(engine.relationships)]).toEqual(expected)
    expect([manufacturer.attributes, manufacturer.relationships]).toEqual([undefined, undefined])
  })

  it.each([
    ['/vehicles/3?fields[cars]=seatCount', { seatCount: 4 }],
    ['/gasolineEngines/1/vehicle?fields[cars]=seatCount', { seatCount: 4 }],
    ['/manufacturers/2/vehicles?fields[cars]=seatCount&page[size]=1', { seatCount: 4 }],
  ])('limit the stored type at every endpoint: %s', async (path, attributes) => {
    expect([].concat((await api.get(path)).body.data).map((each: Shown) => each.attributes)).toEqual([attributes])
  })

  it('are selected alone, except for a type that computes values', async () => {
    const tandemDefinition = define(Tandem, {
      serialize: ({ instance: { gearCount, weight } }) => ({ passengerCount: gearCount + weight }),
    })
    await useApi(startFilledVehicles({ definitions: [tandemDefinition] }), async (computing) => {
      const sets = 'fields[tandems]=passengerCount&fields[cars]=seatCount&fields[motorVehicles]=&fields[bikes]=id'
      const [statement] = await computing.statementsOf(async () => {
        const { data } = (await computing.get(`/vehicles?${sets}`)).body // anchor: R/R-54
        expect(data[1].attributes).toEqual({ passengerCount: 23 })
      })
      for (const column of ['passengerCount', 'gearCount', 'weight', 'seatCount']) expect(statement).toContain(column)
      expect(statement).not.toContain('licensePlate')
    })
  })
})

type Shown = Readonly<{ type: string; attributes?: object; relationships?: object }>
