import fc from 'fast-check'
import type { ResourceDefinition } from 'stemma'
import type { Response } from 'supertest'
import { MAX_SIZE_EXCEEDED } from '../../../src/document/cursor-profile'
import { parseMediaType } from '../../../src/document/media-type'
import { ref, using } from '../../support/api'
import { define } from '../../support/define'
import { keysOf, resourceKeys } from '../../support/expectations'
import { FUNCTIONS } from '../../support/functions'
import { startServer } from '../../support/server'
import { setUp } from '../../support/set-up'
import { Book, Film, Maker, SHELVES, Shelf, startShelves, Thing } from '../../support/shelves'
import { ACCEPT, fetched, PROFILE, walk } from '../../support/walk'

// https://jsonapi.org/profiles/ethanresnick/cursor-pagination/
const api = setUp(() => startShelves({ functions: FUNCTIONS, limits: { urlLength: null } }))
let shelf: string
beforeAll(async () => {
  shelf = await api.add(Shelf)
  // Ids 1 to 12; ranks with ties, grades with nulls.
  for (let each = 1; each <= 12; each += 1) {
    const values = { name: `n${each % 5}`, rank: each % 3, grade: each % 4 === 0 ? null : each % 4, shelf: ref(shelf) }
    await (each % 2 === 0 ? api.add(Book, { ...values, pages: each }) : api.add(Film, values))
  }
})

const page = (path: string): Promise<Response> => fetched(api, path)
const ids = ({ body }: Response): readonly string[] => body.data.map(({ id }: { id: string }) => id)
const cursors = ({ body }: Response): readonly string[] =>
  body.data.map(({ meta }: { meta: { page: { cursor: string } } }) => meta.page.cursor)
const asked = (cursor = '') => encodeURIComponent(cursor)

/** The cursor of one thing in an order. */
async function cursorOf(id: string, sort = 'id'): Promise<string> {
  const answer = await page(`/things?sort=${sort}&page[size]=100`)
  return cursors(answer)[ids(answer).indexOf(id)] ?? ''
}

/** Past a cursor that a client has made of one that it was given. */
function forged(cursor: string, sort: string, values: readonly unknown[]): string {
  const [mark] = JSON.parse(Buffer.from(cursor, 'base64url').toString())
  return `/things?sort=${sort}&page[after]=${Buffer.from(JSON.stringify([mark, ...values])).toString('base64url')}`
}

it('CN-3, CN-14, CP-1 the profile is applied when it is asked for in Accept, in each of its spellings', async () => {
  const spellings = [PROFILE, `${PROFILE}/`, PROFILE.replace('https', 'http'), `${PROFILE.replace('https', 'http')}/`]
  for (const uri of spellings) {
    const answer = await api.get('/things?page[size]=2').set({ accept: `application/vnd.api+json; profile="${uri}"` })
    expect(parseMediaType(answer.headers['content-type'] ?? '').profiles).toEqual([PROFILE])
    expect(answer.body.jsonapi.profile).toEqual([PROFILE])
    expect(cursors(answer)).toHaveLength(2)
  }
})

it('CN-3 it is applied unasked where a cursor is sent, and named', async () => {
  const after = cursors(await page('/things?page[size]=2'))[1]
  const answer = await api.get(`/things?page[size]=2&page[after]=${after}`)
  expect(ids(answer)).toEqual(['3', '4'])
  expect(parseMediaType(answer.headers['content-type'] ?? '').profiles).toEqual([PROFILE])
})

it('is not applied where nobody asks for it, where there is no page, and where a page number is sent', async () => {
  const plain = async (path: string, headers = {}) => {
    const answer = await api.get(path).set(headers)
    expect([answer.status, answer.headers['content-type']]).toEqual([200, 'application/vnd.api+json'])
    return answer
  }
  expect((await plain('/things?page[size]=2')).body.data[0].meta).toBeUndefined()
  await plain('/things/1', ACCEPT)
  await plain('/things/1/shelf', ACCEPT)
  await plain(`/shelves/${shelf}/allThings?page[after]=x`, ACCEPT)
  const { links } = (await plain('/things?page[size]=2&page[number]=2', ACCEPT)).body
  expect(links.next).toBe('/things?page%5Bsize%5D=2&page%5Bnumber%5D=3')
})

it('DS-10 `self` is a link object whose type is the media type of the answer', async () => {
  const { body, headers } = await page('/things?page[size]=2')
  expect(body.links.self).toEqual({ href: '/things?page%5Bsize%5D=2', type: headers['content-type'] })
})

it('CP-2 ties are broken, and every resource comes once', async () => {
  for (const sort of ['rank', '-rank', 'grade,-name', '-grade', "join(name,'x')"]) {
    const start = `/things?sort=${sort}&page[size]=3`
    const pages = await walk(api, start, 'next')
    const [all] = await walk(api, `/things?sort=${sort}&page[size]=100`, 'next')
    expect(pages.flat()).toEqual(all)
    expect(new Set(pages.flat()).size).toBe(12)
    expect(await walk(api, start, 'next')).toEqual(pages)
  }
})

it('CP-2 ties go the way of the last key', async () => {
  const ranks = (sort: string) => page(`/things?sort=${sort}&page[size]=12`).then(ids)
  expect(await ranks('rank')).toEqual(['3', '6', '9', '12', '1', '4', '7', '10', '2', '5', '8', '11'])
  expect(await ranks('-rank')).toEqual(['11', '8', '5', '2', '10', '7', '4', '1', '12', '9', '6', '3'])
  expect((await ranks('rank,-isNew,rank')).slice(0, 4)).toEqual(['3', '6', '9', '12'])
})

it('CP-3 a list without an order is in that of its ids', async () => {
  const path = `/shelves/${shelf}/relationships/things?page[size]=12`
  expect(ids(await page(path))).toEqual(['1', '2', '3', '4', '5', '6', '7', '8', '9', '10', '11', '12'])
})

it('CP-4, CP-27 an order by what a transformer makes is refused', async () => {
  const answer = await api.get('/things?sort=-label').set(ACCEPT).expect(400)
  const [error] = answer.body.errors
  expect(error).toMatchObject({ code: 'query.sort', source: { parameter: 'sort' } })
  expect(error.links).toEqual({ type: `${PROFILE}/unsupported-sort` })
  expect(answer.headers['content-type']).toContain(PROFILE)
  await api.get('/things?sort=-label').expect(200)
})

it('CP-5 a cursor works when the resource that it falls on is gone', async () => {
  const id = await api.add(Film, { name: 'n2', rank: 1 })
  const cursor = await cursorOf(id, 'name,-rank')
  const [before, after] = ['before', 'after'].map(
    (name) => `/things?sort=name,-rank&page[size]=2&page[${name}]=${cursor}`,
  )
  const there = [ids(await page(before ?? '')), ids(await page(after ?? ''))]
  await api.delete(`/things/${id}`).expect(204)
  expect([ids(await page(before ?? '')), ids(await page(after ?? ''))]).toEqual(there)
})

it('CP-6 what comes in before the cursor is neither seen nor a reason to skip or repeat', async () => {
  const added: string[] = []
  const pages = await walk(api, '/things?sort=-id&page[size]=5', 'next', async () => {
    added.push(await api.add(Book, { name: 'new' }))
  })
  expect(pages.flat()).toEqual([...Array(12).keys()].map((each) => expect.stringMatching(` ${12 - each}$`)))
  for (const id of added) await api.delete(`/things/${id}`)
})

describe('page[size]', () => {
  it.each(['0', '-1', '1.5', '%2B5', '%205', '', 'abc', '1e2'])('CP-7 %p is no size', async (size) => {
    const { body } = await api.get(`/things?page[size]=${size}`).set(ACCEPT).expect(400)
    expect(body.errors).toMatchObject([{ code: 'query.page', source: { parameter: 'page[size]' } }])
    expect(body.errors[0].links).toBeUndefined()
  })

  it('CP-7 is in base ten', async () => expect(ids(await page('/things?page[size]=007'))).toHaveLength(7))

  it.each(['101', '1000000000000000000000000000000'])('CP-8, CP-9, CP-28 %s is too large', async (size) => {
    const answer = await api.get(`/things?page[size]=${size}`).set(ACCEPT).expect(400)
    const [error] = answer.body.errors
    expect(error).toMatchObject({ source: { parameter: 'page[size]' }, meta: { page: { maxSize: 100 } } })
    expect(error.links).toEqual({ type: `${PROFILE}/max-size-exceeded` })
    expect(answer.headers['content-type']).toContain(PROFILE)
    await api.get(`/things?page[size]=${error.meta.page.maxSize}`).set(ACCEPT).expect(200)
    const numbers = await api.get(`/things?page[size]=${size}`)
    expect(numbers.body.errors[0].links).toBeUndefined()
  })

  it('CP-10, CP-11 is ten by default, and pages are full', async () => {
    expect((await walk(api, '/things', 'next')).map(({ length }) => length)).toEqual([10, 2])
    const filtered = `/things?filter=equals(rank,'1')&page[size]=3`
    expect((await walk(api, filtered, 'next')).map(({ length }) => length)).toEqual([3, 1])
  })
})

describe('a cursor', () => {
  it('CP-12, CP-29 that this list has not given in this order is refused', async () => {
    const cursor = await cursorOf('5', 'grade')
    const json = Buffer.from(cursor, 'base64url').toString()
    const [mark] = JSON.parse(json)
    const made = (...values: unknown[]) => Buffer.from(JSON.stringify([mark, ...values])).toString('base64url')
    const wrong = [
      ...['', 'garbage', '%00', 'W10', 'bnVsbA', `${cursor}A`, cursor.slice(0, -2), `${cursor}%3D`],
      ...[await cursorOf('5'), await cursorOf('5', '-grade'), await cursorOf('5', 'grade,-id')],
      cursors(await page(`/shelves/${shelf}/things?sort=grade`))[0] ?? '',
      ...[
        made('1'),
        made('1', '5', '6'),
        made('1', null),
        made('x', '5'),
        made('99999999999999999999', '5'),
        made(1, 5),
      ],
      Buffer.from(` ${json}`).toString('base64url'),
    ]
    for (const text of wrong) {
      for (const name of ['page[after]', 'page[before]']) {
        const { status, body } = await api.get(`/things?sort=grade&${name}=${text}`)
        const expected = { text, status: 400, errors: [{ code: 'query.page', source: { parameter: name } }] }
        expect({ text, status, errors: body.errors }).toMatchObject(expected)
      }
    }
    await api.get(`/things?sort=grade&page[after]=${made(null, '5')}`).expect(200)
  })

  it.each([
    ['rank', [null, '5']],
    ['id', [null]],
    ['weight', ['1e-400', '5']],
    ['weight', ['1e999', '5']],
    ['weight', ['0x10', '5']],
    ['weight', [' 1', '5']],
    ['weight', ['1e-4000', '5']],
    ['rank', ['01', '5']],
    ['rank', ['1.5', '5']],
    ['weight', [['0.5'], '5']],
    ['bytes', ['9223372036854775808', '5']],
    ['price', ['1'.repeat(101), '5']],
    ['isNew', ['yes', '5']],
    ['madeAt', ['2024-02-30 00:00:00', '5']],
    ['madeAt', ['yesterday', '5']],
    ['madeAt', ['2024-02-28 25:00:00', '5']],
    ['madeAt', ['2024-02-28 10:00:00x02:00', '5']],
    ['cents(price)', ['9223372036854775808', '5']],
    ['cents(price)', ['-9223372036854775809', '5']],
    ['opensAt', ['25:00:00', '5']],
    ['state', ['worst', '5']],
    ['count(parts)', ['-1', '5']],
    ['name', ['a\u0000b', '5']],
    ['name', ['\ud800', '5']],
    ['name', [{ __proto__: null, length: 2 }, '5']],
  ])('CP-12 of %s that holds %j is refused', async (sort, values) => {
    const expected = [{ status: '400', source: { parameter: 'page[after]' } }]
    expect((await api.get(forged(await cursorOf('5', sort), sort, values))).body.errors).toMatchObject(expected)
  })

  it.each([
    ['weight', ['1e308', '5']],
    ['bytes', ['-9223372036854775808', '5']],
    ['price', ['9'.repeat(100), '5']],
    ['length(name)', ['2147483647', '5']],
    ['cents(price)', ['9223372036854775807', '5']],
    ['cents(price)', ['-9223372036854775808', '5']],
    ['count(parts)', ['9999999999999999', '5']],
    ['madeAt', ['2024-02-28 10:00:00+02:00', '5']],
    ['madeAt', ['2024-02-28 10:00:00.5-0930', '5']],
    ['name', ["'; drop table things; --", '5']],
    ['name', ['x'.repeat(5000), '5']],
  ])('of %s may stand where no row is', async (sort, values) => {
    for (const direction of ['', '-']) {
      const cursor = await cursorOf('5', direction + sort)
      await api.get(forged(cursor, direction + sort, values)).expect(200)
    }
  })

  const NO_CURSORS = [
    '{"__proto__":{"length":1}}',
    'null',
    '[[]]',
    '"x"',
    '[',
    '1',
    '[null]',
    '[1e400]',
    '['.repeat(9000),
  ]
  it.each(NO_CURSORS)('CP-12 that holds %j is refused', async (json) => {
    const text = Buffer.from(json).toString('base64url')
    const expected = [{ status: '400', source: { parameter: 'page[before]' } }]
    expect((await api.get(`/things?page[before]=${text}`)).body.errors).toMatchObject(expected)
  })

  it('CP-12 of random bytes is refused', async () => {
    const bytes = fc.uint8Array({ minLength: 1, maxLength: 60 })
    const property = fc.asyncProperty(bytes, async (given) => {
      await api.get(`/things?sort=name&page[after]=${Buffer.from(given).toString('base64url')}`).expect(400)
    })
    await fc.assert(property, { numRuns: 30 })
  })

  it('is refused with what it should have been', async () => {
    const { body } = await api.get('/things?sort=grade&page[after]=garbage')
    expect(body.errors[0].detail).toBe(
      "Expected a cursor of this collection in this order, found 'garbage'. At position 1: ^garbage",
    )
  })

  it('CP-28 only a size that is too large has a largest size in its error', async () => {
    const errorOf = async (query: string) => (await api.get(`/things?${query}`).set(ACCEPT)).body.errors[0]
    expect((await errorOf('page[size]=100000')).meta).toMatchObject({ page: { maxSize: 100 } })
    expect((await errorOf('page[number]=9007199254740993')).meta?.page).toBeUndefined()
    expect((await errorOf('page[size]=-1')).meta?.page).toBeUndefined()
  })

  it('CP-29 two that are wrong are told together', async () => {
    const { body } = await api.get('/things?page[after]=x&page[before]=y')
    const expected = ['page[after]', 'page[before]']
    expect(body.errors.map(({ source }: { source: { parameter: string } }) => source.parameter)).toEqual(expected)
  })

  it('is refused beside a page number, but not beside one of an included relationship', async () => {
    const cursor = await cursorOf('5')
    const { body } = await api.get(`/things?page[after]=${cursor}&page[number]=2`).expect(400)
    expect(body.errors).toMatchObject([{ code: 'query.page', source: { parameter: 'page[number]' } }])
    await page(`/things?include=parts&page[after]=${cursor}&page[number]=parts:1`)
  })

  it('is refused where there are no pages', async () => {
    for (const path of ['/things/1', '/things/1/shelf', '/things/1/relationships/shelf']) {
      expect((await api.get(`${path}?page[after]=x`)).body.errors).toMatchObject([{ code: 'query.not-allowed' }])
    }
  })
})

it('CP-13 page[after] starts right behind the cursor, and can give an empty page', async () => {
  expect(ids(await page(`/things?page[size]=3&page[after]=${await cursorOf('4')}`))).toEqual(['5', '6', '7'])
  const { body } = await page(`/things?page[after]=${await cursorOf('12')}`)
  expect(body.data).toEqual([])
  expect(body.links).toMatchObject({ next: null, prev: expect.any(String) })
})

it('CP-14 page[before] ends right before the cursor, in the order of the list', async () => {
  expect(ids(await page(`/things?page[size]=3&page[before]=${await cursorOf('9')}`))).toEqual(['6', '7', '8'])
  const { body } = await page(`/things?page[before]=${await cursorOf('1')}`)
  expect(body.data).toEqual([])
  expect(body.links).toMatchObject({ prev: null, next: '/things' })
})

it('CP-15 without a cursor the list starts at its first item, or is empty', async () => {
  expect(ids(await page('/things?page[size]=2'))).toEqual(['1', '2'])
  const { body } = await page(`/things?filter=equals(name,'none')`)
  expect(body).toMatchObject({ data: [], links: { prev: null, next: null } })
})

it('CP-16, CP-17 between two cursors there are all items, up to the maximum', async () => {
  const [after, before] = [await cursorOf('1'), await cursorOf('12')]
  const { body } = await page(`/things?page[after]=${after}&page[before]=${before}`)
  expect(body.data).toHaveLength(10)
  expect(body.meta.page.rangeTruncated).toBeUndefined()
  const small = await startShelves({ page: { size: 1, maximumSize: 3 } })
  for (let each = 1; each <= 6; each += 1) await small.add(Film, { name: 'f' })
  const all = cursors(await fetched(small, '/things?page[size]=3'))
  const last = cursors(await fetched(small, `/things?page[size]=3&page[after]=${all[2]}`))[2]
  expect(ids(await fetched(small, `/things?page[after]=${all[0]}&page[before]=${last}`))).toEqual(['2', '3', '4'])
  await small.close()
})

it('CP-18 of a range that is too long the first items are given, and said to be', async () => {
  const [after, before] = [await cursorOf('2'), await cursorOf('8')]
  const { body } = await page(`/things?page[size]=2&page[after]=${after}&page[before]=${before}`)
  expect(keysOf(body.data)).toEqual(['films 3', 'books 4'])
  expect(body.meta.page).toEqual({ total: 12, rangeTruncated: true })
  const rest = await page(body.links.next)
  expect([ids(rest), rest.body.meta.page.rangeTruncated]).toEqual([['5', '6'], true])
  expect(ids(await page(rest.body.links.next))).toEqual(['7'])
  const fits = await page(`/things?page[size]=5&page[after]=${after}&page[before]=${before}`)
  expect(ids(fits)).toEqual(['3', '4', '5', '6', '7'])
  expect(fits.body.meta.page).toEqual({ total: 12 })
  expect(ids(await page(`/things?page[after]=${before}&page[before]=${after}`))).toEqual([])
})

it('CP-20 every item has its cursor, resource objects and identifiers alike', async () => {
  for (const path of ['/things', `/shelves/${shelf}/things`, `/shelves/${shelf}/relationships/things`]) {
    const all = await page(`${path}?sort=-rank,grade&page[size]=100`)
    for (const index of [0, 5, 11]) {
      const cursor = cursors(all)[index]
      const after = await page(`${path}?sort=-rank,grade&page[size]=1&page[after]=${asked(cursor)}`)
      expect(ids(after)).toEqual(ids(all).slice(index + 1, index + 2))
      const before = await page(`${path}?sort=-rank,grade&page[size]=1&page[before]=${asked(cursor)}`)
      expect(ids(before)).toEqual(ids(all).slice(0, index).slice(-1))
    }
  }
})

it('CP-21 `prev` and `next` are always there', async () => {
  const cursor = await cursorOf('6')
  const pages = ['', `&page[before]=${cursor}`, `&page[after]=${cursor}`, `&page[after]=${await cursorOf('12')}`]
  const empty = `/things?filter=equals(name,'none')`
  for (const path of [...pages.map((rest) => `/things?page[size]=5${rest}`), empty]) {
    expect(Object.keys((await page(path)).body.links)).toEqual(expect.arrayContaining(['prev', 'next']))
  }
})

it('CP-21 they are there in relationship objects whose linkage is paged', async () => {
  const server = await startServer({ dataSource: api.dataSource, resources: SHELVES, includedPages: 'on' })
  const { body } = await fetched(server, '/shelves?include=things&page[size]=things:5')
  await server.close()
  const { links, data } = body.data[0].relationships.things
  expect([data.length, links.prev]).toEqual([5, null])
  expect(ids(await page(links.next))).toEqual(['6', '7', '8', '9', '10'])
})

it('CP-22 `next` is null exactly on the last page, full or not', async () => {
  expect((await walk(api, '/things?page[size]=4', 'next')).map(({ length }) => length)).toEqual([4, 4, 4])
  expect((await walk(api, '/things?page[size]=5', 'next')).map(({ length }) => length)).toEqual([5, 5, 2])
})

it('CP-23 `prev` is null exactly on the first page', async () => {
  expect((await page('/things?page[size]=4')).body.links.prev).toBeNull()
  const { last } = (await page('/things?page[size]=4')).body.links
  expect((await walk(api, last, 'prev')).map(({ length }) => length)).toEqual([4, 4, 4])
})

it('CP-24 where it takes another statement to know, the link leads to a page that may be empty', async () => {
  const { body } = await page(`/things?page[size]=4&page[before]=${await cursorOf('5')}`)
  const back = await page(body.links.next)
  expect(ids(back)).toEqual(['5', '6', '7', '8'])
  const first = await page(`/things?filter=greaterThan(id,'4')&page[size]=4&page[after]=${await cursorOf('4')}`)
  const empty = await page(first.body.links.prev)
  expect(empty.body).toMatchObject({ data: [], links: { prev: null, next: expect.any(String) } })
})

it('CP-25 `first` and `last` lead to both ends', async () => {
  const { links } = (await page(`/things?sort=-id&page[size]=5&page[after]=${await cursorOf('7', '-id')}`)).body
  expect(links.first).toBe('/things?sort=-id&page%5Bsize%5D=5')
  const last = await page(links.last)
  expect(ids(last)).toEqual(['5', '4', '3', '2', '1'])
  expect(last.body.links).toMatchObject({ next: null, last: links.last })
})

it('CP-19, CP-26 the total stands in meta.page too, unless totals are off', async () => {
  const { body } = await page(`/things?filter=equals(rank,'1')&page[size]=1`)
  expect(body.meta).toEqual({ total: 4, page: { total: 4 } })
  const off = await startShelves({ totals: 'off' })
  expect((await fetched(off, '/things')).body.meta).toBeUndefined()
  await off.close()
})

it('CP-31 links keep all other parameters and the size', async () => {
  const query = `sort=-rank&include=shelf&fields[things]=name&page[size]=2&filter=not(equals(name,'x'))`
  const { next } = (await page(`/things?${query}`)).body.links
  const parameters = new URLSearchParams(next.slice(next.indexOf('?')))
  expect(parameters.get('page[after]')).not.toBeNull()
  parameters.delete('page[after]')
  expect([...parameters]).toEqual([...new URLSearchParams(query)])
})

it('CP-32 the walk back from the end gives the same items as the walk from the start', async () => {
  const start = '/things?sort=grade,-name&page[size]=5'
  const { last } = (await page(start)).body.links
  const back = await walk(api, last, 'prev')
  expect(back.toReversed().flat()).toEqual((await walk(api, start, 'next')).flat())
})

describe('switched on', () => {
  it('for all but a relationship, where clients may still ask for the other kind', async () => {
    const on = await startShelves({ pagination: 'cursors' })
    const thing = await on.add(Film, { name: 'f' })
    const parts = `/things/${thing}/parts`
    expect((await on.get(parts)).headers['content-type']).toBe('application/vnd.api+json')
    expect((await on.get(parts).set(ACCEPT)).headers['content-type']).toContain(PROFILE)
    const maker = await on.add(Maker, { name: 'm' })
    const answer = await on.get('/makers')
    expect(answer.headers['content-type']).toContain(PROFILE)
    expect(answer.body.data).toMatchObject([{ id: maker, meta: { page: { cursor: expect.any(String) } } }])
    expect((await on.get('/makers?page[size]=1000')).body.errors[0].links.type).toContain(PROFILE)
    const numbers = await on.get('/makers?page[number]=1')
    expect(numbers.headers['content-type']).toBe('application/vnd.api+json')
    await on.close()
  })
})

it('CP-28 the largest page of a rule is a maximum like any other', async () => {
  await using(startShelves({ definitions: [define(Thing, { page: () => ({ size: 2 }) })] }), async (ruled) => {
    for (let each = 0; each < 3; each += 1) await ruled.add(Film, { name: 'f' })
    expect((await walk(ruled, '/things', 'next')).map(({ length }) => length)).toEqual([2, 1])
    const { body } = await ruled.get('/things?page[size]=3').set(ACCEPT)
    expect(body.errors).toMatchObject([
      { source: { parameter: 'page[size]' }, meta: { page: { maxSize: 2 } }, links: { type: MAX_SIZE_EXCEEDED } },
    ])
  })
})

describe('a value that a rule sorts by', () => {
  /** Stores books, and gives the cursor of the first one and the order of pages and of the collection. */
  async function sortedBy(hooks: Partial<ResourceDefinition<Thing>>, books: readonly object[]) {
    const ruled = await startShelves({ definitions: [define(Thing, hooks)] })
    for (const book of books) await ruled.add(Book, { name: 'b', ...book })
    const start = '/things?page[size]=1'
    const text = Buffer.from(cursors(await fetched(ruled, start))[0] ?? '', 'base64url').toString()
    const pages = (await walk(ruled, start, 'next')).flat()
    const collection = resourceKeys(await ruled.get('/things'))
    await ruled.close()
    return { cursor: JSON.parse(text).slice(1), pages, collection }
  }
  const [FIRST, SECOND, THIRD] = ['books 1', 'books 2', 'books 3']

  it('is in no cursor when it is hidden, and counts as null', async () => {
    const fields = (names: ReadonlySet<string>) => new Set([...names].filter((name) => name !== 'grade'))
    const books = [31337, 1, 2].map((grade) => ({ hidden: 31337 - grade, grade }))
    const { cursor, pages, collection } = await sortedBy({ sort: () => '-hidden,grade', fields }, books)
    expect([...cursor, ...pages]).toEqual([null, '1', FIRST, SECOND, THIRD])
    expect(collection).toEqual([SECOND, THIRD, FIRST])
  })

  it('is in no cursor when it is hidden in another row, over a relationship that is not hidden', async () => {
    const books = [{ hidden: 31337 }, { whole: ref('1') }, { whole: ref('1') }]
    const { cursor, pages } = await sortedBy({ sort: () => '-whole.hidden' }, books)
    expect([...cursor, ...pages]).toEqual(['1', FIRST, SECOND, THIRD])
  })

  it('is left out when a transformer makes it: rows are in the order of the other keys', async () => {
    const books = Object.entries({ a: 1, b: 3, c: 2 }).map(([label, grade]) => ({ label, grade }))
    const { cursor, pages } = await sortedBy({ sort: () => '-label,-grade' }, books)
    expect([...cursor, ...pages]).toEqual(['3', '2', SECOND, THIRD, FIRST])
  })
})
