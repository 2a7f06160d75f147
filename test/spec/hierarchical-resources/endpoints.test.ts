import { resourceKeys } from '../../support/expectations'
import { type HumansApi, startHumans } from '../../support/humans'

// Endpoints: GET of collections, resources, related resources and relationships, through the base and through derived types.

let api: HumansApi
let adam: string
let bert: string
let eve: string
let abel: string

beforeAll(async () => {
  api = await startHumans()
  adam = await api.addMan({ name: 'Adam' })
  bert = await api.addMan({ name: 'Bert' })
  eve = await api.addWoman({ name: 'Eve' })
  abel = await api.addMan({ name: 'Abel' })
  await api.link(adam, 'wife', eve)
  await api.link(adam, 'bestFriend', bert)
  await api.link(eve, 'children', [abel])
  await api.link(abel, 'mother', eve)
})
afterAll(() => api.close())

it('GET /<base_type> gives resources of all derived types, each with its own stored type', async () => {
  expect(resourceKeys(await api.get('/humans'))).toEqual([`men ${adam}`, `men ${bert}`, `women ${eve}`, `men ${abel}`])
})

it('GET /<derived_type> gives only that type', async () => {
  expect(resourceKeys(await api.get('/men'))).toEqual([`men ${adam}`, `men ${bert}`, `men ${abel}`])
  expect(resourceKeys(await api.get('/women'))).toEqual([`women ${eve}`])
})

describe.each(['humans', 'men'])('GET /%s/<id of a man>', (type) => {
  const cases = [
    ['/wife', () => ({ type: 'women', id: eve, attributes: { name: 'Eve' }, links: { self: `/women/${eve}` } })],
    ['/bestFriend', () => ({ type: 'men', id: bert, links: { self: `/men/${bert}` } })],
    ['/father', () => null],
    ['/children', () => []],
    ['/relationships/wife', () => ({ type: 'women', id: eve })],
    ['/relationships/bestFriend', () => ({ type: 'men', id: bert })],
    ['/relationships/father', () => null],
    ['/relationships/children', () => []],
  ] as const
  it.each(cases)('%s', async (path, expected) => {
    const { body } = await api.get(`/${type}/${adam}${path}`).expect(200)
    if (path.startsWith('/relationships')) expect(body.data).toEqual(expected())
    else if (expected() === null) expect(body.data).toBeNull()
    else expect(body.data).toMatchObject(expected() as object)
  })

  it('links a relationship and its related resources by the stored type', async () => {
    const { body } = await api.get(`/${type}/${adam}/relationships/wife`)
    expect(body.links).toEqual({
      self: `/${type}/${adam}/relationships/wife`,
      related: `/men/${adam}/wife`,
    })
  })
})

it('gives identifiers only where a relationship is asked for', async () => {
  const { body } = await api.get(`/women/${eve}/relationships/children`)
  expect(body.data).toEqual([{ type: 'men', id: abel }])
  expect(body.included).toBeUndefined()
})

it.each([
  ['a woman through men', () => `/men/${eve}`],
  ['a man through women', () => `/women/${adam}`],
  ['the children of a woman through men', () => `/men/${eve}/children`],
  ['the best friend of a man through women', () => `/women/${adam}/relationships/bestFriend`],
  ['nobody', () => '/humans/999'],
  ['the father of nobody', () => '/humans/999/father'],
])('does not find %s', async (_what, path) => {
  const { body } = await api.get(path()).expect(404)
  expect(body.errors).toMatchObject([{ status: '404', code: 'resource.not-found' }])
})

it.each([
  ['a relationship of men', () => `/humans/${eve}/wife`],
  ['a relationship of men as identifiers', () => `/humans/${eve}/relationships/wife`],
  ['a relationship of women', () => `/women/${eve}/wife`],
  ['a relationship of nobody', () => `/humans/${eve}/sister`],
  ['an attribute', () => `/humans/${eve}/name`],
  ['an attribute as a relationship', () => `/humans/${eve}/relationships/name`],
])('does not find %s on a woman', async (_what, path) => {
  const { body } = await api.get(path()).expect(404)
  expect(body.errors).toMatchObject([{ status: '404', code: 'relationship.not-found' }])
})
