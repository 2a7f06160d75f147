import { expectError, resourceKeys } from '../../support/expectations'
import { startHumans } from '../../support/humans'
import { setUp } from '../../support/set-up'

// Endpoints: GET of collections, resources, related resources and relationships, through the base and through derived types.

const [ADAM, BERT, EVE, ABEL] = ['1', '2', '3', '4'] as const

const api = setUp(startHumans)
beforeAll(async () => {
  for (const name of ['Adam', 'Bert']) await api.addMan({ name })
  await api.addWoman({ name: 'Eve' })
  await api.addMan({ name: 'Abel' })
  await api.link(ADAM, 'wife', EVE)
  await api.link(ADAM, 'bestFriend', BERT)
  await api.link(EVE, 'children', [ABEL])
  await api.link(ABEL, 'mother', EVE)
})

it.each([
  ['/humans', ['men 1', 'men 2', 'women 3', 'men 4']],
  ['/men', ['men 1', 'men 2', 'men 4']],
  ['/women', ['women 3']],
])('GET %s returns resources of the type and derived types, as their stored types', async (path, keys) => {
  expect(resourceKeys(await api.get(path))).toEqual(keys)
})

const EVE_SHOWN = { type: 'women', id: EVE, attributes: { name: 'Eve' }, links: { self: `/women/${EVE}` } }

describe.each(['humans', 'men'])('the resource of a man through /%s', (type) => {
  it.each([
    ['wife', EVE_SHOWN],
    ['bestFriend', { type: 'men', id: BERT, links: { self: `/men/${BERT}` } }],
    ['father', null],
    ['children', []],
  ])('has the related resources of %s', async (name, expected) => {
    const { data } = (await api.get(`/${type}/${ADAM}/${name}`).expect(200)).body
    expect({ data }).toMatchObject({ data: expected })
  })

  it.each([
    ['wife', { type: 'women', id: EVE }],
    ['bestFriend', { type: 'men', id: BERT }],
    ['father', null],
    ['children', []],
  ])('has the linkage of %s', async (name, expected) => {
    const { data, links, included } = (await api.get(`/${type}/${ADAM}/relationships/${name}`).expect(200)).body
    expect({ data, included }).toEqual({ data: expected, included: undefined })
    const self = `/${type}/${ADAM}/relationships/${name}`
    expect(links).toMatchObject({ self, related: `/men/${ADAM}/${name}` })
  })
})

it.each([
  ['a woman through men', `/men/${EVE}`, 'resource'],
  ['a man through women', `/women/${ADAM}`, 'resource'],
  ['the children of a woman through men', `/men/${EVE}/children`, 'resource'],
  ['the best friend of a man through women', `/women/${ADAM}/relationships/bestFriend`, 'resource'],
  ['an unknown id', '/humans/999', 'resource'],
  ['a relationship of an unknown id', '/humans/999/father', 'resource'],
  ['a relationship of men on a woman', `/humans/${EVE}/wife`, 'relationship'],
  ['linkage of men on a woman', `/humans/${EVE}/relationships/wife`, 'relationship'],
  ['a relationship of men through women', `/women/${EVE}/wife`, 'relationship'],
  ['an unknown relationship', `/humans/${EVE}/sister`, 'relationship'],
  ['an attribute as related resource', `/humans/${EVE}/name`, 'relationship'],
  ['an attribute as linkage', `/humans/${EVE}/relationships/name`, 'relationship'],
])('returns 404 for %s', async (_what, path, missing) => {
  expectError(await api.get(path), 404, undefined, `${missing}.not-found`)
})
