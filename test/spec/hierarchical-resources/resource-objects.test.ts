import { startHumans } from '../../support/humans'
import { setUp } from '../../support/set-up'

// Resources and their fields: https://jsonapi.org/format/1.1/#document-resource-objects under a hierarchy.

const api = setUp(startHumans)
beforeAll(async () => {
  await api.addMan({ name: 'Adam', hasBeard: true })
  await api.addWoman({ name: 'Eve', maidenName: null })
})

const MAN = human('men', '1', { hasBeard: true, name: 'Adam' }, 'wife')
const WOMAN = human('women', '2', { maidenName: null, name: 'Eve' }, 'husband')

it.each([
  ['/humans', [MAN, WOMAN]],
  ['/men', [MAN]],
  ['/women', [WOMAN]],
  ['/humans/1', MAN],
  ['/men/1', MAN],
  ['/humans/2', WOMAN],
  ['/women/2', WOMAN],
])('GET %s shows type, fields and links of the stored type, and nothing else', async (path, expected) => {
  expect((await api.get(path)).body.data).toEqual(expected)
})

it('gives own fields before inherited ones, in the order of their declaration', async () => {
  const { data } = (await api.get('/humans/1')).body // anchor: R/J-01
  expect(Object.keys(data)).toEqual(['type', 'id', 'attributes', 'relationships', 'links'])
  expect(Object.keys(data.attributes)).toEqual(Object.keys(MAN.attributes))
  expect(Object.keys(data.relationships)).toEqual(Object.keys(MAN.relationships))
})

function human(type: string, id: string, attributes: object, spouse: string) {
  const names = [spouse, 'father', 'mother', 'children', 'bestFriend']
  const links = (name: string) => ({ self: `/${type}/${id}/relationships/${name}`, related: `/${type}/${id}/${name}` })
  const relationships = Object.fromEntries(names.map((name) => [name, { links: links(name) }]))
  return { type, id, attributes, relationships, links: { self: `/${type}/${id}` } }
}
