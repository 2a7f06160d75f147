import { type HumansApi, startHumans } from '../../support/humans'

// Resources and their fields: https://jsonapi.org/format/1.1/#document-resource-objects under a hierarchy.

let api: HumansApi
let adam: string
let eve: string

beforeAll(async () => {
  api = await startHumans()
  adam = await api.addMan({ name: 'Adam', hasBeard: true })
  eve = await api.addWoman({ name: 'Eve', maidenName: null })
})
afterAll(() => api.close())

const links = (type: string, id: string, relationship: string) => ({
  links: { self: `/${type}/${id}/relationships/${relationship}`, related: `/${type}/${id}/${relationship}` },
})
const man = () => ({
  type: 'men',
  id: adam,
  attributes: { hasBeard: true, name: 'Adam' },
  relationships: Object.fromEntries(
    ['wife', 'father', 'mother', 'children', 'bestFriend'].map((name) => [name, links('men', adam, name)]),
  ),
  links: { self: `/men/${adam}` },
})
const woman = () => ({
  type: 'women',
  id: eve,
  attributes: { maidenName: null, name: 'Eve' },
  relationships: Object.fromEntries(
    ['husband', 'father', 'mother', 'children', 'bestFriend'].map((name) => [name, links('women', eve, name)]),
  ),
  links: { self: `/women/${eve}` },
})

it.each([
  ['the collection of the base', '/humans', () => [man(), woman()]],
  ['the collection of men', '/men', () => [man()]],
  ['the collection of women', '/women', () => [woman()]],
  ['a man through the base', () => `/humans/${adam}`, man],
  ['a man through his own type', () => `/men/${adam}`, man],
  ['a woman through the base', () => `/humans/${eve}`, woman],
  ['a woman through her own type', () => `/women/${eve}`, woman],
])(
  '%s: type, fields and links are those of the stored type, and nothing else is there',
  async (_what, path, expected) => {
    const { body } = await api.get(typeof path === 'string' ? path : path())
    expect(body.data).toEqual(expected())
  },
)

it('gives own fields before inherited ones, in the order of their declaration', async () => {
  const { body } = await api.get(`/humans/${adam}`)
  expect(Object.keys(body.data)).toEqual(['type', 'id', 'attributes', 'relationships', 'links'])
  expect(Object.keys(body.data.attributes)).toEqual(['hasBeard', 'name'])
  expect(Object.keys(body.data.relationships)).toEqual(['wife', 'father', 'mother', 'children', 'bestFriend'])
})
