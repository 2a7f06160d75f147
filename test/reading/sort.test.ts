import { ref, refs, type TestApi } from '../support/api'
import { Article, Blog, Comment, startBlogs } from '../support/blogs'
import { attributeValues, resourceKeys, singleError } from '../support/expectations'
import {
  Bike,
  Car,
  Cylinder,
  DieselEngine,
  Feature,
  GasolineEngine,
  startVehicles,
  Tandem,
  Truck,
} from '../support/vehicles'

// https://jsonapi.org/format/1.1/#fetching-sorting; nulls, broken paths and keys that the stored type lacks come last, both ways.

describe('a hierarchy', () => {
  let api: TestApi

  // In the order of their ids: b1 t2 c3 c4 r5 r6
  beforeAll(async () => {
    api = await startVehicles()
    const feature = await api.add(Feature, { description: 'F' })
    const other = await api.add(Feature, { description: 'G' })
    const gasoline = await api.add(GasolineEngine, { capacity: 5, gasolineCode: 'G1' })
    const diesel = await api.add(DieselEngine, { capacity: 3, dieselCode: 'D1', viscosity: 7 })
    await api.add(Cylinder, { engine: ref(gasoline) })
    await api.add(Bike, { gearCount: 9, weight: 5 })
    await api.add(Tandem, { gearCount: 2, weight: 5, tandemFeatures: refs(feature) })
    await api.add(Car, {
      weight: 1,
      seatCount: 2,
      mileage: 30,
      engine: ref(gasoline),
      carFeatures: refs(feature, other),
    })
    await api.add(Car, { weight: 5, seatCount: null, mileage: 10 })
    await api.add(Truck, { weight: 9, loadingCapacity: 1, mileage: 20, engine: ref(diesel) })
    await api.add(Truck, { weight: 5, loadingCapacity: 2, mileage: null })
  })
  afterAll(() => api.close())

  const order = async (sort: string, path = '/vehicles') =>
    resourceKeys(await api.get(`${path}?sort=${sort}`))
      .map((key) => key.replace('bikes ', 'b').replace('tandems ', 't').replace('cars ', 'c').replace('trucks ', 'r'))
      .join(' ')

  it.each([
    ['weight', 'c3 b1 t2 c4 r6 r5'],
    ['-weight', 'r5 b1 t2 c4 r6 c3'],
    ['weight,-id', 'c3 r6 c4 t2 b1 r5'],
    ['-id', 'r6 r5 c4 c3 t2 b1'],
    ['gearCount', 't2 b1 c3 c4 r5 r6'],
    ['-gearCount', 'b1 t2 c3 c4 r5 r6'],
    ['-seatCount', 'c3 b1 t2 c4 r5 r6'],
    ['seatCount', 'c3 b1 t2 c4 r5 r6'],
    ['requiresDriverLicense,-loadingCapacity', 'r6 r5 b1 t2 c3 c4'],
    ['loadingCapacity,gearCount,-id', 'r5 r6 t2 b1 c4 c3'],
    ['cars:mileage', 'c4 c3 b1 t2 r5 r6'],
    ['-trucks:mileage', 'r5 b1 t2 c3 c4 r6'],
    ['-cars:weight', 'c4 c3 b1 t2 r5 r6'],
    ['bikes:weight,-id', 't2 b1 r6 r5 c4 c3'],
    ['-cars:id', 'c4 c3 b1 t2 r5 r6'],
    ['engine.capacity', 'r5 c3 b1 t2 c4 r6'],
    ['-engine.capacity', 'c3 r5 b1 t2 c4 r6'],
    ['engine.viscosity', 'r5 b1 t2 c3 c4 r6'],
    ['engine.gasolineEngines:serialCode', 'c3 b1 t2 c4 r5 r6'],
    ['engine.dieselEngines:serialCode,engine.gasolineEngines:serialCode', 'r5 c3 b1 t2 c4 r6'],
    ['-count(engine.cylinders)', 'c3 b1 t2 c4 r5 r6'],
    ['-count(cars:features)', 'c3 b1 t2 c4 r5 r6'],
    ['-count(tandems:features),-count(cars:features)', 't2 c3 b1 c4 r5 r6'],
    ['cars:engine.capacity', 'c3 b1 t2 c4 r5 r6'],
  ])('/vehicles?sort=%s', async (sort, expected) => {
    expect(await order(sort)).toBe(expected)
  })

  it.each([
    ['/bikes', '-passengerCount', 't2 b1'],
    ['/motorVehicles', '-cars:mileage', 'c3 c4 r5 r6'],
    ['/cars', 'mileage', 'c4 c3'],
  ])('%s?sort=%s', async (path, sort, expected) => {
    expect(await order(sort, path)).toBe(expected)
  })

  it.each([
    ['an attribute of several branches', '^mileage', ["'cars:mileage'", "'trucks:mileage'"]],
    [
      'an attribute of several branches, behind a path',
      'engine.^serialCode',
      ["'gasolineEngines:serialCode'", "'dieselEngines:serialCode'"],
    ],
    [
      'a relationship of several branches',
      'count(^features)',
      ["'tandems:features'", "'cars:features'", "'trucks:features'"],
    ],
    ['an unknown name', '^nothing', ["'vehicles' or a type derived from it"]],
    ['a relationship', 'engine^', ["'.'"]],
    ['a branch that lacks the name', 'cars:^gearCount', ["'cars'"]],
    ['a type that is no branch', '^boxes:volume', ["'vehicles' or a type derived from it"]],
    ['a minus alone', '-^', ['an attribute']],
    ['an empty key', 'weight,^,id', ['an attribute']],
  ])('refuses %s', async (_what, marked, named) => {
    const mistake = singleError(await api.get(`/vehicles?sort=${marked.replace('^', '')}`))
    expect(mistake).toMatchObject({
      status: 400,
      code: 'query.sort',
      parameter: 'sort',
      position: marked.indexOf('^') + 1,
    })
    for (const name of named) expect(mistake.detail).toContain(name)
  })

  it('sorts included resources of every branch by a path', async () => {
    const { body } = await api.get('/vehicles?include=features&sort[features]=-description&filter=isType(,cars)')
    expect(body.data[0].relationships.features.data).toMatchObject([{ id: '2' }, { id: '1' }])
  })
})

describe('blogs', () => {
  let api: TestApi

  beforeAll(async () => {
    api = await startBlogs()
    const blogs = [await api.add(Blog, { title: 'y' }), await api.add(Blog, { title: 'x' })] as const
    const given = [
      {
        title: 'a',
        subtitle: 'm',
        likes: 2,
        bytes: '9007199254740993',
        price: '10.50',
        rating: 1.5,
        publishedAt: new Date('2024-01-01T00:00:00.001Z'),
        releasedOn: '2024-01-10',
        blog: ref(blogs[0]),
      },
      {
        title: 'b',
        subtitle: null,
        likes: null,
        bytes: null,
        price: null,
        rating: null,
        publishedAt: null,
        releasedOn: null,
        blog: null,
      },
      {
        title: 'c',
        subtitle: 'l',
        likes: 10,
        bytes: '9007199254740992',
        price: '9.75',
        rating: -2,
        publishedAt: new Date('2024-01-01T00:00:00.000Z'),
        releasedOn: '2024-01-09',
        blog: ref(blogs[1]),
      },
    ]
    const ids: string[] = []
    for (const values of given) ids.push(await api.add(Article, values))
    await api.add(Comment, { id: '10', article: ref(ids[2] as string) })
    await api.add(Comment, { id: '9', article: ref(ids[2] as string) })
    await api.add(Comment, { id: '8', article: ref(ids[0] as string) })
  })
  afterAll(() => api.close())

  it.each([
    ['subtitle', 'cab', 'acb'],
    ['likes', 'acb', 'cab'],
    ['bytes', 'cab', 'acb'],
    ['price', 'cab', 'acb'],
    ['rating', 'cab', 'acb'],
    ['publishedAt', 'cab', 'acb'],
    ['releasedOn', 'cab', 'acb'],
    ['blog.title', 'cab', 'acb'],
    ['count(comments)', 'bac', 'cab'],
    ['title', 'abc', 'cba'],
  ])('%s puts nulls last, upwards and downwards', async (key, upwards, downwards) => {
    expect(attributeValues(await api.get(`/articles?sort=${key}`), 'title').join('')).toBe(upwards)
    expect(attributeValues(await api.get(`/articles?sort=-${key}`), 'title').join('')).toBe(downwards)
  })

  it('ends with the id, as a number where it is one', async () => {
    expect(resourceKeys(await api.get('/comments?sort=body'))).toEqual(['comments 8', 'comments 9', 'comments 10'])
    expect(resourceKeys(await api.get('/comments'))).toEqual(['comments 8', 'comments 9', 'comments 10'])
  })

  it.each([
    ['a value without an order', '/articles', 'sort=extra', 'query.sort'],
    ['a sort of one resource', '/articles/1', 'sort=title', 'query.not-allowed'],
    ['a sort of a to-one relationship', '/articles/1/blog', 'sort=title', 'query.not-allowed'],
    ['a repeated sort', '/articles', 'sort=title&sort=id', 'query.repeated'],
    ['a sort by members', '/blogs', 'sort=articles', 'query.sort'],
    ['a path through a to-many relationship', '/blogs', 'sort=articles.title', 'query.sort'],
  ])('refuses %s', async (_what, path, query, code) => {
    expect(singleError(await api.get(`${path}?${query}`))).toMatchObject({ status: 400, code })
  })

  it('sorts related resources and members', async () => {
    expect(resourceKeys(await api.get('/articles/3/comments?sort=-id'))).toEqual(['comments 10', 'comments 9'])
    expect(resourceKeys(await api.get('/articles/3/relationships/comments?sort=-id'))).toEqual([
      'comments 10',
      'comments 9',
    ])
  })
})
