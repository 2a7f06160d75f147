import { attributeValues, includedKeys, resourceKeys } from '../../support/expectations'
import { startHumans } from '../../support/humans'
import type { Row } from '../../support/row'
import { setUp } from '../../support/set-up'

const api = setUp(startHumans)
const ids: Record<string, string> = {}

beforeAll(async () => {
  for (const [name, hasBeard] of Object.entries({ Carl: true, Adam: false, Bert: true }))
    ids[name] = await api.addMan({ name, hasBeard })
  for (const [name, maidenName] of Object.entries({ Gina: 'Young', Eve: null, Fay: 'Xen' }))
    ids[name] = await api.addWoman({ name, maidenName })
  await api.link(ids.Eve as string, 'husband', ids.Adam as string)
  await api.link(ids.Fay as string, 'husband', ids.Bert as string)
  await api.link(ids.Adam as string, 'wife', ids.Eve as string)
  await api.link(ids.Gina as string, 'bestFriend', ids.Fay as string)
})

describe('fields[<type_name>]', () => {
  it('limits the fields of the base, and keeps those of the derived types', async () => {
    const { body } = await api.get('/humans?fields[humans]=name&page[size]=100&sort=id')
    expect(body.data[0].attributes).toEqual({ hasBeard: true, name: 'Carl' })
    expect(Object.keys(body.data[0].relationships)).toEqual(['wife'])
    expect(body.data[3].attributes).toEqual({ maidenName: 'Young', name: 'Gina' })
    expect(Object.keys(body.data[3].relationships)).toEqual(['husband'])
  })

  it('limits the fields of a derived type alone', async () => {
    const { body } = await api.get('/humans?fields[men]=hasBeard')
    expect(body.data[0].attributes).toEqual({ hasBeard: true })
    expect(body.data[0].relationships).toBeUndefined()
    expect(body.data[3].attributes).toEqual({ maidenName: 'Young', name: 'Gina' })
    expect(body.data[3].relationships).toBeDefined()
  })
})

describe('include', () => {
  it('accepts relationships of derived types by their plain names', async () => {
    const answer = await api.get('/humans?include=wife,husband&sort=id')
    expect(includedKeys(answer)).toEqual([])
    expect(answer.body.data[1].relationships.wife.data).toEqual({ type: 'women', id: ids.Eve })
    expect(answer.body.data[0].relationships.wife.data).toBeNull()
    expect(answer.body.data[5].relationships.husband.data).toEqual({ type: 'men', id: ids.Bert })
  })

  it('includes only resources that are not primary data', async () => {
    expect(includedKeys(await api.get('/men?include=wife'))).toEqual([`women ${ids.Eve}`])
    expect(includedKeys(await api.get('/women?include=husband,bestFriend&sort=id'))).toEqual([
      `men ${ids.Adam}`,
      `men ${ids.Bert}`,
    ])
  })

  it('goes on from a base to relationships of its derived types', async () => {
    expect(includedKeys(await api.get(`/humans/${ids.Gina}?include=bestFriend.husband`))).toEqual([
      `women ${ids.Fay}`,
      `men ${ids.Bert}`,
    ])
  })
})

it.each<Row<[sort: string, expected: string]>>([
  ['name', 'Adam Bert Carl Eve Fay Gina'],
  ['-name', 'Gina Fay Eve Carl Bert Adam'],
  ['hasBeard,-name', 'Adam Carl Bert Gina Fay Eve'],
  ['maidenName', 'Fay Gina Carl Adam Bert Eve'],
  ['-maidenName', 'Gina Fay Carl Adam Bert Eve'],
  ['bestFriend.name,name', 'Gina Adam Bert Carl Eve Fay'],
  ['-husband.name,name', 'Fay Eve Adam Bert Carl Gina', 'R/R-81'],
  ['husband.hasBeard,name', 'Eve Fay Adam Bert Carl Gina', 'R/R-81'],
  ['wife.husband.name,-name', 'Adam Gina Fay Eve Carl Bert', 'R/R-81'],
  ['hasBeard,husband.name,name', 'Adam Bert Carl Eve Fay Gina'],
  ['-hasBeard,-husband.name,name', 'Bert Carl Adam Fay Eve Gina'],
])('sorts humans by %s, with those that lack the field last', async (sort, expected) => {
  expect(attributeValues(await api.get(`/humans?sort=${sort}`), 'name').join(' ')).toBe(expected)
})

it('combines filter, sort, page, include and fields', async () => {
  const answer = await api.get(
    "/humans?filter=not(equals(name,'Gina'))&sort=-name&page[size]=2&page[number]=2&include=wife&fields[men]=name,wife",
  )
  expect(resourceKeys(answer)).toEqual([`men ${ids.Carl}`, `men ${ids.Bert}`])
  expect(answer.body.meta).toEqual({ total: 5 })
  expect(answer.body.data[0].attributes).toEqual({ name: 'Carl' })
})
