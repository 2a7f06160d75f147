import fc from 'fast-check'
import { setUp, useApi } from '../../support/api'
import { expectError, idsOf } from '../../support/expectations'
import { ACCEPT, cursorsOf, fetchPage, followPages, PROFILE } from '../../support/follow-pages'
import { FUNCTIONS } from '../../support/functions'
import { Film, startFilledShelves, startShelves } from '../../support/shelves'

// https://jsonapi.org/profiles/ethanresnick/cursor-pagination/#auto-id-query-parameters

const api = setUp(() => startFilledShelves({ functions: FUNCTIONS, limits: { urlLength: null } }))
const page = (path: string) => fetchPage(api, path)
const ids = async (path: string) => idsOf(await page(path))

async function cursorOf(id: string, sort = 'id'): Promise<string> {
  const response = await page(`/things?sort=${sort}&page[size]=100`)
  return cursorsOf(response)[idsOf(response).split(' ').indexOf(id)] ?? ''
}

/** A cursor with other values, as a client can make it. */
function forged(cursor: string, ...values: readonly unknown[]): string {
  const [mark] = JSON.parse(Buffer.from(cursor, 'base64url').toString())
  return Buffer.from(JSON.stringify([mark, ...values])).toString('base64url')
}

describe('page[size]', () => {
  it.each(['0', '-1', '1.5', '%2B5', '%205', '', 'abc', '1e2'])('CP-7 returns 400 for %p', async (size) => {
    const response = await api.get(`/things?page[size]=${size}`).set(ACCEPT)
    expectError(response, 400, 'page[size]', 'query.page')
    expect(response.body.errors[0].links).toBeUndefined()
  })

  it.each(['101', '1000000000000000000000000000000'])(
    'CP-8, CP-9, CP-28 returns 400 with the maximum for %s',
    async (size) => {
      const response = await api.get(`/things?page[size]=${size}`).set(ACCEPT).expect(400)
      const [error] = response.body.errors
      expect(error).toMatchObject({ source: { parameter: 'page[size]' }, meta: { page: { maxSize: 100 } } })
      expect(error.links).toEqual({ type: `${PROFILE}/max-size-exceeded` })
      expect(response.headers['content-type']).toContain(PROFILE)
      await api.get(`/things?page[size]=${error.meta.page.maxSize}`).set(ACCEPT).expect(200)
      expect((await api.get(`/things?page[size]=${size}`)).body.errors[0].links).toBeUndefined()
    },
  )

  it('CP-28 no error of another parameter or value has a maximum', async () => {
    for (const query of ['page[number]=9007199254740993', 'page[size]=-1']) {
      const { body } = await api.get(`/things?${query}`).set(ACCEPT).expect(400)
      expect(body.errors[0].meta?.page).toBeUndefined()
    }
  })

  it('CP-10, CP-11 page[size] is ten by default, and all pages but the last are full', async () => {
    expect((await followPages(api, '/things', 'next')).map(({ length }) => length)).toEqual([10, 2])
    const filtered = `/things?filter=equals(rank,'1')&page[size]=3`
    expect((await followPages(api, filtered, 'next')).map(({ length }) => length)).toEqual([3, 1])
  })
})

describe('page[after] and page[before]', () => {
  it.each([
    ['CP-13 page[after] starts behind', 'after', '4', '5 6 7', '12', { next: null, prev: expect.any(String) }],
    ['CP-14 page[before] ends before', 'before', '9', '6 7 8', '1', { prev: null, next: '/things' }],
  ])('%s the cursor, and can return an empty page', async (_what, side, id, expected, end, links) => {
    expect(await ids(`/things?page[size]=3&page[${side}]=${await cursorOf(id)}`)).toBe(expected)
    const { body } = await page(`/things?page[${side}]=${await cursorOf(end)}`)
    expect(body).toMatchObject({ data: [], links })
  })

  it('CP-15 a request without a cursor returns the first page, or an empty one', async () => {
    expect(await ids('/things?page[size]=2')).toBe('1 2')
    const { body } = await page(`/things?filter=equals(name,'none')`)
    expect(body).toMatchObject({ data: [], links: { prev: null, next: null } })
  })

  it('CP-16, CP-17 two cursors return everything between them, up to the maximum size', async () => {
    const [after, before] = [await cursorOf('1'), await cursorOf('12')]
    const { body } = await page(`/things?page[after]=${after}&page[before]=${before}`)
    expect(body.data).toHaveLength(10)
    expect(body.meta.page.rangeTruncated).toBeUndefined()
    await useApi(startShelves({ page: { size: 1, maxSize: 3 } }), async (small) => {
      for (let each = 1; each <= 6; each += 1) await small.add(Film, { name: 'f' })
      const all = cursorsOf(await fetchPage(small, '/things?page[size]=3'))
      const last = cursorsOf(await fetchPage(small, `/things?page[size]=3&page[after]=${all[2]}`))[2]
      expect(idsOf(await fetchPage(small, `/things?page[after]=${all[0]}&page[before]=${last}`))).toBe('2 3 4')
    })
  })

  it('CP-18 a range that is too long is truncated, with rangeTruncated', async () => {
    const [after, before] = [await cursorOf('2'), await cursorOf('8')]
    const response = await page(`/things?page[size]=2&page[after]=${after}&page[before]=${before}`)
    expect(idsOf(response)).toBe('3 4')
    expect(response.body.meta.page).toEqual({ total: 12, rangeTruncated: true })
    const rest = await page(response.body.links.next)
    expect([idsOf(rest), rest.body.meta.page.rangeTruncated]).toEqual(['5 6', true])
    expect(await ids(rest.body.links.next)).toBe('7')
    const complete = await page(`/things?page[size]=5&page[after]=${after}&page[before]=${before}`)
    expect([idsOf(complete), complete.body.meta.page]).toEqual(['3 4 5 6 7', { total: 12 }])
    expect(await ids(`/things?page[after]=${before}&page[before]=${after}`)).toBe('')
    const end = new URL((await page('/things')).body.links.last, 'http://a').searchParams.get('page[before]')
    const toEnd = (await page(`/things?page[after]=${before}&page[before]=${end}`)).body
    expect([toEnd.data.length, toEnd.links.next]).toEqual([4, null])
  })

  it('CP-29 a request with two invalid cursors returns an error for each', async () => {
    const { body } = await api.get('/things?page[after]=x&page[before]=y')
    const parameters = body.errors.map(({ source }: { source: { parameter: string } }) => source.parameter)
    expect(parameters).toEqual(['page[after]', 'page[before]'])
  })

  it('are refused with a page number, except that of an included relationship', async () => {
    const cursor = await cursorOf('5')
    expectError(await api.get(`/things?page[after]=${cursor}&page[number]=2`), 400, 'page[number]', 'query.page')
    await page(`/things?include=parts&page[after]=${cursor}&page[number]=parts:1`)
  })

  it.each(['/things/1', '/things/1/shelf', '/things/1/relationships/shelf'])('are refused at %s', async (path) => {
    expectError(await api.get(`${path}?page[after]=x`), 400, 'page[after]', 'query.not-allowed')
  })
})

describe('cursors', () => {
  it('CP-12, CP-29 a cursor is refused unless it comes from this list in this order', async () => {
    const cursor = await cursorOf('5', 'grade')
    const json = Buffer.from(cursor, 'base64url').toString()
    const invalid = [
      ...['', 'garbage', '%00', 'W10', 'bnVsbA', `${cursor}A`, cursor.slice(0, -2), `${cursor}%3D`],
      ...[await cursorOf('5'), await cursorOf('5', '-grade'), await cursorOf('5', 'grade,-id')],
      cursorsOf(await page('/shelves/1/things?sort=grade'))[0] ?? '',
      ...[['1'], ['1', '5', '6'], ['1', null], ['x', '5'], ['99999999999999999999', '5'], [1, 5]].map((values) =>
        forged(cursor, ...values),
      ),
      Buffer.from(` ${json}`).toString('base64url'),
    ]
    for (const text of invalid) {
      for (const name of ['page[after]', 'page[before]'])
        expectError(await api.get(`/things?sort=grade&${name}=${text}`), 400, name, 'query.page')
    }
    await api.get(`/things?sort=grade&page[after]=${forged(cursor, null, '5')}`).expect(200)
  })

  it.each([
    ...[
      ['id', [null]],
      ['rank', [null, '5']],
      ['rank', ['01', '5']],
      ['rank', ['1.5', '5']],
      ['isNew', ['yes', '5']],
    ],
    ...['1e-400', '1e999', '0x10', ' 1', '1e-4000', ['0.5']].map((weight) => ['weight', [weight, '5']]),
    ...['2024-02-30 00:00:00', 'yesterday', '2024-02-28 25:00:00', '2024-02-28 10:00:00x02:00'].map((time) => [
      'madeAt',
      [time, '5'],
    ]),
    ...['9223372036854775808', '-9223372036854775809'].map((cents) => ['cents(price)', [cents, '5']]),
    ...['\ud800', { __proto__: null, length: 2 }].map((name) => ['name', [name, '5']]),
    ['bytes', ['9223372036854775808', '5']],
    ['price', ['1'.repeat(101), '5']],
    ['opensAt', ['25:00', '5']],
    ['state', ['worst', '5']],
    ['count(parts)', ['-1', '5']],
  ] as [string, unknown[]][])('CP-12 a cursor ordered by %s is refused with the values %j', async (sort, values) => {
    const cursor = forged(await cursorOf('5', sort), ...values)
    expectError(await api.get(`/things?sort=${sort}&page[after]=${cursor}`), 400, 'page[after]')
  })

  it.each([
    ['weight', '1e308'],
    ['bytes', '-9223372036854775808'],
    ['price', '9'.repeat(100)],
    ['length(name)', '2147483647'],
    ['cents(price)', '9223372036854775807'],
    ['cents(price)', '-9223372036854775808'],
    ['count(parts)', '9999999999999999'],
    ['madeAt', '2024-02-28 10:00:00+02:00'],
    ['madeAt', '2024-02-28 10:00:00.5-0930'],
    ['name', "'; drop table things; --"],
    ['name', 'x'.repeat(5000)],
  ])('can have values of %s that no row has: %j', async (sort, value) => {
    for (const order of [sort, `-${sort}`]) {
      const cursor = forged(await cursorOf('5', order), value, '5')
      await api.get(`/things?sort=${order}&page[after]=${cursor}`).expect(200)
    }
  })

  it.each([
    ...['NaN', '-Infinity'].flatMap((value) => [`weight ${value}`, `price ${value}`, `ratio ${value}`]),
    ...['infinity', '0000-00-00', '12345-01-01', '0044-03-15 BC'].flatMap((value) => [
      `madeAt ${value}`,
      `soldOn ${value}`,
    ]),
    ...['opensAt 30:00:00', 'opensAt -01:00:00', 'opensAt 24:00:00', 'name a\0b'],
  ])('can have values that only another database prints: %j', async (text) => {
    const [sort = '', ...values] = text.split(' ')
    for (const order of [sort, `-${sort}`]) {
      const cursor = forged(await cursorOf('5', order), values.join(' '), '5')
      expect([200, 400]).toContain((await api.get(`/things?sort=${order}&page[after]=${cursor}`)).status)
    }
  })

  it.each(['{"__proto__":{"length":1}}', 'null', '[[]]', '"x"', '[', '1', '[null]', '[1e400]', '['.repeat(9000)])(
    'CP-12 are refused when their JSON is %j',
    async (json) => {
      const cursor = Buffer.from(json).toString('base64url')
      expectError(await api.get(`/things?page[before]=${cursor}`), 400, 'page[before]')
    },
  )

  it('CP-12 random bytes are refused as a cursor', async () => {
    const property = fc.asyncProperty(fc.uint8Array({ minLength: 1, maxLength: 60 }), async (bytes) => {
      await api.get(`/things?sort=name&page[after]=${Buffer.from(bytes).toString('base64url')}`).expect(400)
    })
    await fc.assert(property, { numRuns: 30 })
  })

  it('are refused with a message that says what was expected', async () => {
    const { body } = await api.get('/things?sort=grade&page[after]=garbage')
    expect(body.errors[0].detail).toBe(
      "Expected a cursor of this collection in this order, found 'garbage'. At position 1: ^garbage",
    )
  })

  it('CP-5 a cursor stays valid when its resource is deleted', async () => {
    const id = await api.add(Film, { name: 'n2', rank: 1 })
    const cursor = await cursorOf(id, 'name,-rank')
    const around = async () => [
      await ids(`/things?sort=name,-rank&page[size]=2&page[before]=${cursor}`),
      await ids(`/things?sort=name,-rank&page[size]=2&page[after]=${cursor}`),
    ]
    const before = await around()
    await api.delete(`/things/${id}`).expect(204)
    expect(await around()).toEqual(before)
  })
})
