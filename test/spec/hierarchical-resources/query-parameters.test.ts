import { attributeValues, includedKeys, resourceKeys } from '../../support/expectations'
import { startHumans } from '../../support/humans'
import { setUp } from '../../support/set-up'

// Query parameters (reads): derived fields by plain name in `fields`, `include` and `sort`.

const api = setUp(startHumans)
const ids: Record<string, string> = {}

beforeAll(async () => {
  for (const [name, hasBeard] of [
    ['Carl', true],
    ['Adam', false],
    ['Bert', true],
  ] as const) {
    ids[name] = await api.addMan({ name, hasBeard })
  }
  for (const [name, maidenName] of [
    ['Gina', 'Young'],
    ['Eve', null],
    ['Fay', 'Xen'],
  ] as const) {
    ids[name] = await api.addWoman({ name, maidenName })
  }
  await api.link(ids.Eve as string, 'husband', ids.Adam as string)
  await api.link(ids.Fay as string, 'husband', ids.Bert as string)
  await api.link(ids.Adam as string, 'wife', ids.Eve as string)
  await api.link(ids.Gina as string, 'bestFriend', ids.Fay as string)
})

const names = async (path: string) => attributeValues(await api.get(path), 'name')

describe('fields[<type_name>]', () => {
  it('of the base limits the fields of the base, and leaves those of the derived types', async () => {
    const { body } = await api.get('/humans?fields[humans]=name&page[size]=100&sort=id')
    expect(body.data[0].attributes).toEqual({ hasBeard: true, name: 'Carl' })
    expect(Object.keys(body.data[0].relationships)).toEqual(['wife'])
    expect(body.data[3].attributes).toEqual({ maidenName: 'Young', name: 'Gina' })
    expect(Object.keys(body.data[3].relationships)).toEqual(['husband'])
  })

  it('of a derived type limits that type only', async () => {
    const { body } = await api.get('/humans?fields[men]=hasBeard')
    expect(body.data[0].attributes).toEqual({ hasBeard: true })
    expect(body.data[0].relationships).toBeUndefined()
    expect(body.data[3].attributes).toEqual({ maidenName: 'Young', name: 'Gina' })
    expect(body.data[3].relationships).toBeDefined()
  })
})

describe('include', () => {
  it('takes relationships of derived types by plain name', async () => {
    const answer = await api.get('/humans?include=wife,husband&sort=id')
    expect(includedKeys(answer)).toEqual([])
    expect(answer.body.data[1].relationships.wife.data).toEqual({ type: 'women', id: ids.Eve })
    expect(answer.body.data[0].relationships.wife.data).toBeNull()
    expect(answer.body.data[5].relationships.husband.data).toEqual({ type: 'men', id: ids.Bert })
  })

  it('includes what is not primary data', async () => {
    expect(includedKeys(await api.get('/men?include=wife'))).toEqual([`women ${ids.Eve}`])
    const expected = [`men ${ids.Adam}`, `men ${ids.Bert}`]
    expect(includedKeys(await api.get('/women?include=husband,bestFriend&sort=id'))).toEqual(expected)
  })

  it('steps on from a base to what its derived types have', async () => {
    const expected = [`women ${ids.Fay}`, `men ${ids.Bert}`]
    expect(includedKeys(await api.get(`/humans/${ids.Gina}?include=bestFriend.husband`))).toEqual(expected)
  })
})

describe('sort', () => {
  it.each([
    ['an attribute', 'name', ['Adam', 'Bert', 'Carl', 'Eve', 'Fay', 'Gina']],
    ['an attribute, from the end', '-name', ['Gina', 'Fay', 'Eve', 'Carl', 'Bert', 'Adam']],
    ['several keys', 'hasBeard,-name', ['Adam', 'Carl', 'Bert', 'Gina', 'Fay', 'Eve']],
    ['a derived attribute; those without it come last', 'maidenName', ['Fay', 'Gina', 'Carl', 'Adam', 'Bert', 'Eve']],
    ['a derived attribute, those without it last', '-maidenName', ['Gina', 'Fay', 'Carl', 'Adam', 'Bert', 'Eve']],
    ['a relationship path', 'bestFriend.name,name', ['Gina', 'Adam', 'Bert', 'Carl', 'Eve', 'Fay']],
    ['a derived relationship path', '-husband.name,name', ['Fay', 'Eve', 'Adam', 'Bert', 'Carl', 'Gina']],
  ])('by %s', async (_what, sort, expected) => {
    expect(await names(`/humans?sort=${sort}`)).toEqual(expected)
  })

  it('by a derived attribute and then a derived path gives those that have the first key, and then those of the other type', async () => {
    const expected = ['Adam', 'Bert', 'Carl', 'Eve', 'Fay', 'Gina']
    expect(await names('/humans?sort=hasBeard,husband.name,name')).toEqual(expected)
    expect(await names('/humans?sort=-hasBeard,-husband.name,name')).toEqual([
      ...['Bert', 'Carl', 'Adam', 'Fay', 'Eve', 'Gina'],
    ])
  })
})

it('takes filter, sort, page, include and fields together', async () => {
  const answer = await api.get(
    "/humans?filter=not(equals(name,'Gina'))&sort=-name&page[size]=2&page[number]=2&include=wife&fields[men]=name,wife",
  )
  expect(resourceKeys(answer)).toEqual([`men ${ids.Carl}`, `men ${ids.Bert}`])
  expect(answer.body.meta).toEqual({ total: 5 })
  expect(answer.body.data[0].attributes).toEqual({ name: 'Carl' })
})
