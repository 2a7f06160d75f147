import * as exported from 'stemma/client'
import {
  and,
  any,
  ascending,
  attributeRef,
  type Client,
  contains,
  descending,
  endsWith,
  equals,
  type FilterExpression,
  getRawResourceObject,
  greaterOrEqual,
  greaterThan,
  has,
  isType,
  lessOrEqual,
  lessThan,
  not,
  or,
  type QueriedType,
  rawFilter,
  relatedIsType,
  startsWith,
} from 'stemma/client'
import { FILTER_FUNCTION_NAMES } from '../../../src/graph/model/filter-or-sort-function'
import { setUp } from '../../support/api'
import { seedFamily } from '../../support/family'
import { startHumans } from '../../support/humans'
import { type Family, familyAt } from './support/family'

const api = setUp(startHumans)
let client: Client<Family>
beforeAll(async () => {
  await seedFamily(api)
  client = familyAt(api.url)
})

describe('a resource', () => {
  it('has its fields next to type and id', async () => {
    expect(await client.get('humans', '2')).toEqual({ type: 'women', id: '2', name: 'Greta', maidenName: 'Hill' })
  })

  it('has only the requested fields', async () => {
    const fields = { humans: ['name'], women: ['maidenName'] } as const
    const { data } = await client.list('humans', { fields, page: { size: 2 } })
    expect(data).toEqual([
      { type: 'men', id: '1', name: 'Arthur', hasBeard: false },
      { type: 'women', id: '2', maidenName: 'Hill' },
    ])
    const all = await client.get('women', '2', { fields: { women: undefined } as object })
    expect(all).toEqual(await client.get('women', '2'))
  })

  it('gives access to its resource object', async () => {
    const greta = await client.get('women', '2')
    expect(getRawResourceObject(greta)).toMatchObject({
      attributes: { name: 'Greta' },
      links: { self: '/women/2' },
    })
    expect(getRawResourceObject({ ...greta })).toBeUndefined()
  })
})

describe('included resources', () => {
  it('are linked objects, one for each resource', async () => {
    const include = { wife: { include: { husband: true } }, children: true, father: true } as const
    const arthur = await client.get('men', '1', { include })
    expect([arthur.wife?.maidenName, arthur.father]).toEqual(['Hill', null])
    expect(arthur.wife?.husband).toBe(arthur)
    expect(arthur.children.map(({ name }) => name)).toEqual(['Conrad', 'Karen'])
    expect(arthur).not.toHaveProperty('mother')
  })

  it('can belong to derived types', async () => {
    const { data } = await client.list('humans', { include: { wife: true }, page: { size: 2 } })
    expect(data.map((human) => (human.type === 'men' ? human.wife?.name : 'a woman'))).toEqual(['Greta', 'a woman'])
  })

  it('are filtered, sorted and paginated for each parent', async () => {
    const { data } = await client.list('men', {
      include: { children: { filter: isType('women'), sort: [descending('name')], page: { size: 1 } } },
      page: { size: 3 },
    })
    expect(data.map((man) => man.children.map(({ name }) => name))).toEqual([['Karen'], ['Irene'], ['Judith']])
  })
})

describe('filters', () => {
  const cases: readonly (readonly [string, FilterExpression<QueriedType<Family, 'humans'>>, readonly string[]])[] = [
    ['equals', equals('name', 'Arthur'), ['1']],
    ['equals of a related attribute', equals('father.hasBeard', true), ['6', '7', '11']],
    ['equals with null', and(equals('father', null), isType('men')), ['1', '3']],
    ['equals with an attribute', equals('bestFriend.bestFriend.name', attributeRef('name')), ['1', '3']],
    ['a count', equals('count(children)', 1), ['7', '8']],
    ['greaterThan', greaterThan('count(father.children)', 1), ['5', '6', '7', '8', '9', '10']],
    ['the four orders', and(greaterOrEqual('name', 'Conrad'), lessOrEqual('name', 'David')), ['5', '9']],
    ['less and more', and(greaterThan('name', 'Conrad'), lessThan('name', 'Edwin')), ['9']],
    ['texts', or(contains('name', 'udi'), startsWith('name', 'Gre'), endsWith('name', 'ydia')), ['2', '10', '12']],
    ['any', any('name', ['Felix', "O'Hara"]), ['11']],
    ['has', has('children', equals('name', 'Karen')), ['1', '2']],
    ['has, along a path', has('father.children', equals('name', 'David')), ['9', '10']],
    ['isType', isType('women', equals('maidenName', 'Hill')), ['2']],
    ['relatedIsType', relatedIsType('bestFriend', 'men', equals('hasBeard', true)), ['1', '5']],
    ['not', and(isType('women'), not(isType('women', lessThan('maidenName', 'D')))), ['2', '4', '12']],
    ['no check', rawFilter("any(id,'3','4')"), ['3', '4']],
  ]

  it.each(cases)('support %s', async (_what, filter, ids) => {
    const { data } = await client.list('humans', { filter, page: { size: 20 } })
    expect(data.map(({ id }) => id).sort()).toEqual([...ids].sort())
  })

  it('are exported, each built-in function', () => {
    expect(Object.keys(exported)).toEqual(expect.arrayContaining([...FILTER_FUNCTION_NAMES]))
  })

  it('consist of the only term of and() and or()', () => {
    const one: FilterExpression = rawFilter("equals(name,'Ada')")
    expect([and(one), or(one)]).toEqual([one, one])
    expect(and(one, or(one, one)).text).toBe(`and(${one.text},or(${one.text},${one.text}))`)
  })

  it.each([{ attributeRef: 'name' }, undefined, Number.NaN, new Date(Number.NaN), String, ['Ada']])(
    'refuse the value %s',
    (value) => {
      const refused = expect.objectContaining({ message: expect.stringMatching(/^A filter got .* Give it a string/) })
      expect(() => client.list('humans', { filter: equals('name', value as never) })).toThrow(refused)
      expect(() => client.list('humans', { filter: any('name', ['Ada', value as never]) })).toThrow(refused)
    },
  )

  it('escape quotes and other special characters', async () => {
    const id = await api.addMan({ name: "O'Hara & (sons), 100 % + #1" })
    const { data } = await client.list('men', { filter: equals('name', "O'Hara & (sons), 100 % + #1") })
    expect(data).toMatchObject([{ id }])
    await client.delete({ type: 'men', id })
  })
})

it('sort keys can be attributes, also of derived types, and counts', async () => {
  const { data } = await client.list('humans', {
    sort: [descending('count(children)'), ascending('maidenName'), ascending('men:father.name')],
    page: { size: 3 },
  })
  expect(data.map(({ id }) => id)).toEqual(['6', '4', '2'])
})

describe('pages', () => {
  it('link to the previous and next page', async () => {
    const page = await client.list('humans', { page: { size: 5, number: 2 } })
    expect(page.total).toBe(12)
    expect((await page.previous())?.data.map(({ id }) => id)).toEqual(['1', '2', '3', '4', '5'])
    const last = await page.next()
    expect(last?.data.map(({ id }) => id)).toEqual(['11', '12'])
    expect(await last?.next()).toBeUndefined()
  })

  it.each([
    ['numbers', {}],
    ['cursors', { after: 'start' }],
  ])('can be iterated by %s', async (_by, by) => {
    const names: string[] = []
    const include = { children: true } as const
    const page = await client.list('humans', { sort: [ascending('name')], include, page: { size: 5, ...by } })
    for await (const human of page) names.push(`${human.name} ${human.children.length}`)
    expect(names).toHaveLength(12)
    expect(names[0]).toBe('Arthur 2')
  })

  it('can start after a cursor', async () => {
    const first = await client.list('humans', { page: { size: 5, after: 'start' } })
    const cursor = getRawResourceObject(first.data[4] ?? {})?.meta?.page as { cursor: string } | undefined
    const { data } = await client.list('humans', { page: { size: 2, after: cursor?.cursor ?? '' } })
    expect(data.map(({ id }) => id)).toEqual(['6', '7'])
  })
})

describe('related resources', () => {
  it('are a resource, null or a list', async () => {
    const arthur = await client.get('men', '1')
    expect(await client.getRelated(arthur, 'wife')).toMatchObject({ type: 'women', name: 'Greta' })
    expect(await client.getRelated(arthur, 'father')).toBeNull()
    const { data, total } = await client.listRelated(arthur, 'children', { filter: isType('women') })
    expect([data.map(({ name }) => name), total]).toEqual([['Karen'], 1])
  })

  it('can be read as identifiers', async () => {
    const { data, total, etag } = await client.getLinkage({ type: 'humans', id: '1' }, 'children')
    expect(data).toEqual([
      { type: 'men', id: '5' },
      { type: 'women', id: '8' },
    ])
    expect([total, typeof etag]).toEqual([2, 'string'])
    expect((await client.getLinkage({ type: 'men', id: '1' }, 'wife')).data).toEqual({ type: 'women', id: '2' })
    expect((await client.getLinkage({ type: 'men', id: '1' }, 'father')).data).toBeNull()
  })
})
