import { MAX_SIZE_EXCEEDED_URI } from '../../../src/document/cursor-profile'
import { parseMediaType } from '../../../src/document/media-type'
import { ACCOUNTS, Account, Admin, User } from '../../support/accounts'
import { define, ref, setUp, startApi, type TestApi, useApi } from '../../support/api'
import { idsOf, resourceKeys } from '../../support/expectations'
import { ACCEPT, cursorsOf, fetchPage, followPages, PROFILE } from '../../support/follow-pages'
import { FUNCTIONS } from '../../support/functions'
import { startServer } from '../../support/server'
import { Book, Film, Maker, SHELVES, startFilledShelves, startShelves, Thing } from '../../support/shelves'

// https://jsonapi.org/profiles/ethanresnick/cursor-pagination/#auto-id-document-structure

const api = setUp(() => startFilledShelves({ functions: FUNCTIONS }))
const page = (path: string) => fetchPage(api, path)
const ids = async (path: string) => idsOf(await page(path))
const lengthsOf = (pages: readonly (readonly string[])[]) => pages.map(({ length }) => length)

describe('the profile', () => {
  it('CN-3, CN-14, CP-1 the profile is applied when Accept has it, in each of its spellings', async () => {
    const spellings = [PROFILE, `${PROFILE}/`, PROFILE.replace('https', 'http'), `${PROFILE.replace('https', 'http')}/`]
    for (const uri of spellings) {
      const accept = `application/vnd.api+json; profile="${uri}"`
      const response = await api.get('/things?page[size]=2').set({ accept })
      expect(parseMediaType(response.headers['content-type'] ?? '').profiles).toEqual([PROFILE])
      expect(response.body.jsonapi.profile).toEqual([PROFILE])
      expect(cursorsOf(response)).toHaveLength(2)
    }
  })

  it('CN-3 the profile is applied without Accept when a cursor is sent', async () => {
    const after = cursorsOf(await page('/things?page[size]=2'))[1]
    const response = await api.get(`/things?page[size]=2&page[after]=${after}`)
    expect(idsOf(response)).toBe('3 4')
    expect(parseMediaType(response.headers['content-type'] ?? '').profiles).toEqual([PROFILE])
  })

  it('is not applied without Accept, without pages, and with a page number', async () => {
    const plain = async (path: string, headers = {}) => {
      const response = await api.get(path).set(headers)
      expect([response.status, response.headers['content-type']]).toEqual([200, 'application/vnd.api+json'])
      return response.body
    }
    expect((await plain('/things?page[size]=2')).data[0].meta).toBeUndefined()
    await plain('/things/1', ACCEPT)
    await plain('/things/1/shelf', ACCEPT)
    await plain('/shelves/1/allThings?page[after]=x', ACCEPT)
    const { links } = await plain('/things?page[size]=2&page[number]=2', ACCEPT)
    expect(links.next).toBe('/things?page%5Bsize%5D=2&page%5Bnumber%5D=3')
  })

  it('is the default with the option pagination, except for relationships that have another', async () => {
    await useApi(startShelves({ pagination: 'cursors' }), async (on) => {
      const parts = `/things/${await on.add(Film, { name: 'f' })}/parts`
      const typeOf = async (path: string, headers = {}) => (await on.get(path).set(headers)).headers['content-type']
      expect(await typeOf(parts)).toBe('application/vnd.api+json')
      expect(await typeOf(parts, ACCEPT)).toContain(PROFILE)
      expect(await typeOf('/makers?page[number]=1')).toBe('application/vnd.api+json')
      const maker = await on.add(Maker, { name: 'm' })
      const response = await on.get('/makers')
      expect(response.headers['content-type']).toContain(PROFILE)
      expect(response.body.data).toMatchObject([{ id: maker, meta: { page: { cursor: expect.any(String) } } }])
      expect((await on.get('/makers?page[size]=1000')).body.errors[0].links.type).toContain(PROFILE)
    })
  })
})

describe('the order of a list', () => {
  it('CP-2, CP-3 a list has ties in the direction of the last key, and the order of the ids by default', async () => {
    expect(await ids('/things?sort=rank&page[size]=12')).toBe('3 6 9 12 1 4 7 10 2 5 8 11')
    expect(await ids('/things?sort=-rank&page[size]=12')).toBe('11 8 5 2 10 7 4 1 12 9 6 3')
    expect(await ids('/things?sort=rank,-isNew,rank&page[size]=4')).toBe('3 6 9 12')
    expect(await ids('/shelves/1/relationships/things?page[size]=12')).toBe('1 2 3 4 5 6 7 8 9 10 11 12')
  })

  it('CP-4, CP-27 a sort by a value of a transformer returns 400', async () => {
    const response = await api.get('/things?sort=-label').set(ACCEPT).expect(400)
    const [error] = response.body.errors
    expect(error).toMatchObject({ code: 'query.sort', source: { parameter: 'sort' } })
    expect(error.links).toEqual({ type: `${PROFILE}/unsupported-sort` })
    expect(response.headers['content-type']).toContain(PROFILE)
    await api.get('/things?sort=-label').expect(200)
  })
})

describe('items', () => {
  it('CP-20 each resource object and each identifier of a page has a cursor', async () => {
    for (const path of ['/things', '/shelves/1/things', '/shelves/1/relationships/things']) {
      const all = await page(`${path}?sort=-rank,grade&page[size]=100`)
      const expected = idsOf(all).split(' ')
      for (const index of [0, 5, 11]) {
        const cursor = encodeURIComponent(cursorsOf(all)[index] ?? '')
        const at = (side: string) => ids(`${path}?sort=-rank,grade&page[size]=1&page[${side}]=${cursor}`)
        expect([await at('after'), await at('before')]).toEqual([expected[index + 1] ?? '', expected[index - 1] ?? ''])
      }
    }
  })
})

describe('links', () => {
  it('DS-10, CP-21 a page has self with the media type of the response, and always prev and next', async () => {
    const { body, headers } = await page('/things?page[size]=2')
    expect(body.links.self).toEqual({ href: '/things?page%5Bsize%5D=2', type: headers['content-type'] })
    const cursors = cursorsOf(await page('/things?page[size]=12'))
    const [cursor, last] = [cursors[5], cursors[11]]
    const pages = ['', `&page[before]=${cursor}`, `&page[after]=${cursor}`, `&page[after]=${last}`]
    const empty = `/things?filter=equals(name,'none')`
    for (const path of [...pages.map((rest) => `/things?page[size]=5${rest}`), empty])
      expect(Object.keys((await page(path)).body.links)).toEqual(expect.arrayContaining(['prev', 'next']))
  })

  it('CP-21 relationship objects with pages have prev and next, whatever includedPagination says', async () => {
    const path = '/shelves?include=things&page[size]=things:5'
    const { things } = (await page(path)).body.data[0].relationships
    expect([things.data.length, things.links.prev, things.meta]).toEqual([5, null, { hasMore: true }])
    expect(await ids(things.links.next)).toBe('6 7 8 9 10')
    const last = (await page(`${path}&page[number]=things:3`)).body.data[0].relationships.things
    expect([last.data.length, last.links.next]).toEqual([2, null])
    expect(await ids(last.links.prev)).toBe('6 7 8 9 10')
    const included = (await page('/things?page[size]=1&include=shelf.things&fields[things]=shelf')).body.included
    const shelf = included.find(({ type }: { type: string }) => type === 'shelves')
    expect(Object.keys(shelf.relationships.things.links)).toEqual(expect.arrayContaining(['prev', 'next']))
    const plain = (await api.get(`${path}&page[number]=1`)).body.data[0].relationships
    expect(Object.keys(plain.things.links)).toEqual(['self', 'related'])
  })

  it('CP-21 relationship objects without other links have prev and next', async () => {
    const quiet = await startServer({ dataSource: api.dataSource, resources: SHELVES, links: { relationship: false } })
    const { body } = await fetchPage(quiet, '/shelves?include=things&page[size]=things:5')
    expect(Object.keys(body.data[0].relationships.things.links)).toEqual(['first', 'prev', 'next'])
    await quiet.close()
  })

  it('CP-22, CP-23 next is null on the last page only, and prev on the first', async () => {
    expect(lengthsOf(await followPages(api, '/things?page[size]=4', 'next'))).toEqual([4, 4, 4])
    expect(lengthsOf(await followPages(api, '/things?page[size]=5', 'next'))).toEqual([5, 5, 2])
    const { prev, last } = (await page('/things?page[size]=4')).body.links
    expect(prev).toBeNull()
    expect(lengthsOf(await followPages(api, last, 'prev'))).toEqual([4, 4, 4])
  })

  it('CP-24 a link can lead to an empty page where another statement would be needed to know', async () => {
    const cursors = cursorsOf(await page('/things?page[size]=5'))
    const { body } = await page(`/things?page[size]=4&page[before]=${cursors[4]}`)
    expect(await ids(body.links.next)).toBe('5 6 7 8')
    const first = await page(`/things?filter=greaterThan(id,'4')&page[size]=4&page[after]=${cursors[3]}`)
    const empty = await page(first.body.links.prev)
    expect(empty.body).toMatchObject({ data: [], links: { prev: null, next: expect.any(String) } })
  })

  it('CP-25 a page has the links first and last', async () => {
    const after = cursorsOf(await page('/things?sort=-id&page[size]=6'))[5]
    const { links } = (await page(`/things?sort=-id&page[size]=5&page[after]=${after}`)).body
    expect(links.first).toBe('/things?sort=-id&page%5Bsize%5D=5')
    const last = await page(links.last)
    expect(idsOf(last)).toBe('5 4 3 2 1')
    expect(last.body.links).toMatchObject({ next: null, last: links.last })
  })

  it('lead to pages of the same kind as the page with the links', async () => {
    const numbered = (await page('/things?sort=label&page[size]=2&page[number]=2')).body.links
    const included = await page('/shelves?include=things&page[size]=1,things:5&page[number]=things:2')
    const { things } = included.body.data[0].relationships
    for (const { first, prev } of [numbered, things.links])
      for (const link of [first, prev]) expect((await page(link)).headers['content-type']).not.toContain(PROFILE)
    const cursor = cursorsOf(await page('/things?sort=-rank&page[size]=1'))[0]
    const behind = (await api.get(`/things?sort=-rank&page[size]=4&page[after]=${cursor}`)).body.links
    const before = (await api.get(`/things?sort=-rank&page[size]=4&page[before]=${cursor}`)).body.links
    expect(before.next).toBe(behind.first)
    expect(idsOf(await api.get(behind.first))).toBe('11 8 5 2')
    await api.get(`${behind.first}&page[before]=${cursor}`).expect(400)
  })

  it('CP-31 page links keep the size and all other parameters', async () => {
    const query = `sort=-rank&include=shelf&fields[things]=name&page[size]=2&filter=not(equals(name,'x'))`
    const { next } = (await page(`/things?${query}`)).body.links
    const parameters = new URLSearchParams(next.slice(next.indexOf('?')))
    expect(parameters.get('page[after]')).not.toBeNull()
    parameters.delete('page[after]')
    expect([...parameters]).toEqual([...new URLSearchParams(query)])
  })
})

it('CP-19, CP-26 writes the total into meta.page as well, unless totals are off', async () => {
  const { body } = await page(`/things?filter=equals(rank,'1')&page[size]=1`)
  expect(body.meta).toEqual({ total: 4, page: { total: 4 } })
  await useApi(startShelves({ totals: false }), async (off) => {
    expect((await fetchPage(off, '/things')).body.meta).toBeUndefined()
  })
})

it('CP-28 takes the page size of a definition as the maximum', async () => {
  await useApi(startShelves({ definitions: [define(Thing, { page: () => ({ size: 2 }) })] }), async (ruled) => {
    for (let each = 0; each < 3; each += 1) await ruled.add(Film, { name: 'f' })
    expect(lengthsOf(await followPages(ruled, '/things', 'next'))).toEqual([2, 1])
    const { body } = await ruled.get('/things?page[size]=3').set(ACCEPT)
    expect(body.errors).toMatchObject([
      { source: { parameter: 'page[size]' }, meta: { page: { maxSize: 2 } }, links: { type: MAX_SIZE_EXCEEDED_URI } },
    ])
  })
})

describe('values that clients cannot see', () => {
  const sortedBy = (order: string) => define(Thing, { sort: () => order })
  const contentOf = async (server: TestApi, list = '/things') => {
    const [cursor = ''] = cursorsOf(await fetchPage(server, `${list}?page[size]=1`))
    return JSON.parse(Buffer.from(cursor, 'base64url').toString()).slice(1)
  }
  const orderOf = async (server: TestApi) => (await followPages(server, '/things?page[size]=1', 'next')).flat()

  it('are not in cursors, and count as null there, while page numbers keep the order of the rule', async () => {
    const fields = (names: ReadonlySet<string>) => [...names].filter((name) => !['grade', 'whole'].includes(name))
    const definition = Object.assign(sortedBy('-whole.hidden,-hidden,grade,-whole.name'), { fields })
    await useApi(startShelves({ definitions: [definition] }), async (ruled) => {
      const whole = ref(await ruled.add(Book, { name: 'b', hidden: 0, grade: 31337 }))
      for (const [grade, each] of [[31337], [2, { whole }], [2]] as const)
        await ruled.add(Book, { name: 'b', hidden: 31337, grade, ...each })
      expect(await contentOf(ruled)).toEqual([null, null, '4'])
      expect(await orderOf(ruled)).toEqual(['books 4', 'books 3', 'books 2', 'books 1'])
      expect(resourceKeys(await ruled.get('/things'))).toEqual(['books 3', 'books 4', 'books 2', 'books 1'])
    })
  })

  it('are not in cursors when a serialize hook covers them, unless clients can sort by them', async () => {
    const account = define(Account, { sort: () => '-note,-rank' })
    const user = define(User, { sort: account.sort, serialize: () => ({ note: '…', rank: 0 }) })
    await useApi(startApi(ACCOUNTS, { definitions: [account, user] }), async (ruled) => {
      for (const type of [User, Admin]) await ruled.add(type, { note: 'secret', rank: 7 })
      expect(await contentOf(ruled, '/accounts')).toEqual(['7', '2'])
      expect(await contentOf(ruled, '/admins')).toEqual(['secret', '7', '2'])
    })
  })

  it('are not in cursors when a transformer makes them, and the other keys decide the order', async () => {
    await useApi(startShelves({ definitions: [sortedBy('-label,-grade')] }), async (ruled) => {
      for (const [label, grade] of Object.entries({ a: 1, b: 3, c: 2 }))
        await ruled.add(Book, { name: 'b', label, grade })
      expect(await contentOf(ruled)).toEqual(['3', '2'])
      expect(await orderOf(ruled)).toEqual(['books 2', 'books 3', 'books 1'])
    })
  })
})
