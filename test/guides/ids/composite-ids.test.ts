import { Attribute, type IdCodec, Resource, ToOne } from 'stemma'
import { Entity, ManyToOne, PrimaryColumn } from 'typeorm'
import { setUp, startApi, useApi } from '../../support/api'
import { DATABASE } from '../../support/database'
import { createResource, toOne } from '../../support/documents'
import {
  attributeValues,
  expectError,
  includedKeys,
  linkageKeys,
  resourceKeys,
  singleError,
} from '../../support/expectations'
import { fetchPage, followPages } from '../../support/follow-pages'
import { expectMistake } from '../../support/marked-paths'
import { fillTrade, ODD, SERIAL, TOKEN, TRADE } from '../../support/trade'

// A key of several columns is one id in URLs, documents and queries.

const api = setUp(() => startApi(TRADE), fillTrade)
const ORDERS = ['sales x~A', `sales ${ODD}`, 'returns x~B', 'sales y~A']
const CUSTOMERS = ['customers no~1', 'customers no~2', 'customers no~12', 'customers se~1']
const SLOTS = ['slots 5~2026-11-20', `slots ${SERIAL}~2026-11-20`, `slots ${SERIAL}~2026-11-21`]

describe('a composite id', () => {
  it.each([
    ['of a collection, in the order of the key', '/customers', CUSTOMERS],
    ['of a page', '/orders?page[size]=2&page[number]=2', ORDERS.slice(2)],
    ['of a hierarchy', '/orders', ORDERS],
    ['that contains the separator', `/sales/${ODD}`, [`sales ${ODD}`]],
    ['that is percent-encoded', `/sales/${encodeURIComponent(ODD).replaceAll('~', '%7E')}`, [`sales ${ODD}`]],
    ['of integers of 64 bits and days', '/slots', SLOTS],
    ['of a UUID in upper case', `/receipts/7~${TOKEN.toUpperCase()}`, [`receipts 7~${TOKEN}`]],
    ['of related resources', '/orders/x~A/lines', ['lines x~A~1', 'lines x~A~2']],
    ['of linkage', '/orders/x~A/relationships/slots', SLOTS.slice(0, 2)],
    ['of the inverse relationship', `/slots/${SERIAL}~2026-11-20/orders`, [ORDERS[0], ORDERS[3]]],
    ['of a related resource', '/customers/no~2/sponsor', ['customers no~1']],
    ['that is part of another', '/customers/no~1/relationships/tenant', ['tenants no']],
    ['of a one-to-one relationship', `/receipts/7~${TOKEN}/sale`, ['sales x~A']],
    ['of a relationship of a derived type', '/orders/x~B/original', ['sales x~A']],
    ['of an empty relationship', '/orders/y~A/customer', []],
    ['of a relationship with a column of its own', '/customers/no~1/sponsored', ['customers no~2', 'customers no~12']],
  ])('is shown: %s', async (_what, path, expected) => {
    expect(resourceKeys(await api.get(path))).toEqual(expected) // anchor: R/A-28
  })

  it('identifies included resources over several steps', async () => {
    const include = 'customer.sponsored,lines,slots,receipt,returns,original'
    const response = await api.get(`/orders?include=${include}`)
    const { data } = response.body
    const lines = ['lines x~A~1', 'lines x~A~2', 'lines y~A~1']
    const included = [...CUSTOMERS, ...SLOTS.slice(0, 2), ...lines, `receipts 7~${TOKEN}`]
    expect(includedKeys(response).toSorted()).toEqual(included.toSorted())
    const [no1, se1] = [['customers no~1'], ['customers se~1']]
    expect(linkageKeys(data as never, 'customer')).toEqual([no1, se1, no1, null])
    expect(linkageKeys(data as never, 'slots')).toEqual([SLOTS.slice(0, 2), [], [], SLOTS.slice(1, 2)])
    expect(linkageKeys(data as never, 'returns')).toEqual([['returns x~B'], [], [], []])
    expect(data[1].links.self).toBe(`/sales/${ODD}`)
  })

  it('identifies pages of included resources', async () => {
    const { data } = (await api.get('/orders?include=lines,slots&page[size]=lines:1,slots:1&sort[slots]=-id')).body
    expect(linkageKeys(data as never, 'lines')).toEqual([['lines x~A~1'], [], [], ['lines y~A~1']])
    expect(linkageKeys(data as never, 'slots')).toEqual([SLOTS.slice(1, 2), [], [], SLOTS.slice(1, 2)])
  })

  it('identifies rows that are loaded as entities', async () => {
    expect(attributeValues(await api.get('/lines?sort=-id'), 'text')).toEqual(['line other', 'line two', 'line one'])
  })

  it('is shown beside attributes of the same columns', async () => {
    const { attributes } = (await api.get(`/sales/${ODD}?fields[sales]=shop,code`)).body.data
    expect(attributes).toEqual({ shop: 'x', code: 'A~1!' })
  })
})

describe('filter and sort', () => {
  it.each([
    ['equals', 'orders', `equals(id,'${ODD}')`, [ORDERS[1]]],
    ['any', 'orders', `any(id,'x~B','${ODD}','x~B','z~A')`, [ORDERS[1], ORDERS[2]]],
    ['not', 'orders', "not(equals(id,'x~A'))", ORDERS.slice(1)],
    ['an id over a relationship', 'orders', "equals(customer.id,'no~1')", [ORDERS[0], ORDERS[2]]],
    ['any over a relationship', 'orders', "any(customer.id,'se~1','no~2')", [ORDERS[1]]],
    ['not with an empty relationship', 'orders', "not(equals(customer.id,'no~1'))", [ORDERS[1], ORDERS[3]]],
    ['null', 'orders', 'equals(customer.id,null)', [ORDERS[3]]],
    ['an empty relationship', 'orders', 'equals(customer,null)', [ORDERS[3]]],
    ['has', 'customers', 'has(sponsored)', CUSTOMERS.slice(0, 1)],
    ['has with an id', 'orders', `has(slots,equals(id,'5~2026-11-20'))`, [ORDERS[0]]],
    ['count', 'orders', "equals(count(lines),'2')", [ORDERS[0]]],
    ['count of a many-to-many relationship', 'orders', "greaterThan(count(slots),'0')", [ORDERS[0], ORDERS[3]]],
    ['order', 'orders', "greaterThan(id,'x~A')", ORDERS.slice(1)],
    ['order, inclusive', 'customers', "greaterOrEqual(id,'no~2')", CUSTOMERS.slice(1)],
    ['order downwards, inclusive', 'customers', "lessOrEqual(id,'no~2')", CUSTOMERS.slice(0, 2)],
    ['order downwards', 'slots', `lessThan(id,'${SERIAL}~2026-11-21')`, SLOTS.slice(0, 2)],
    ['two ids', 'customers', 'greaterThan(id,sponsor.id)', CUSTOMERS.slice(1, 3)],
    ['a type over a path', 'returns', 'isType(original,sales)', [ORDERS[2]]],
    ['a UUID in either case', 'receipts', `equals(id,'7~${TOKEN.toUpperCase()}')`, [`receipts 7~${TOKEN}`]],
    ['an attribute of a key column', 'orders', "equals(code,'A~1!')", [ORDERS[1]]],
  ])('filters by %s', async (_what, type, filter, expected) => {
    expect(resourceKeys(await api.get(`/${type}?filter=${encodeURIComponent(filter)}`))).toEqual(expected)
  })

  it.each([
    ['too few parts', "equals(id,^'x')", "Expected an id of 2 parts with '~' in between, found 'x'."],
    ['too many parts', "any(id,'x~A',^'x~A~B')", "Expected an id of 2 parts with '~' in between, found 'x~A~B'."],
    ['a part of another type', "equals(customer.id,^'no~1a')", 'Expected an id of 2 parts'],
    ['another way to write a part', "equals(customer.id,^'no~01')", 'Expected an id of 2 parts'],
    ['an escape of an ordinary character', "equals(id,^'x~A!')", 'Expected an id of 2 parts'],
    ['an impossible day', "has(slots,equals(id,^'5~2026-02-30'))", 'Expected an id of 2 parts'],
    ['a text function', "contains(^id,'x')", 'Expected an attribute of type string, found an id.'],
    ['a text', 'equals(code,^id)', 'Expected a value of type string, found an id.'],
    ['an id of other parts', 'equals(id,^customer.id)', 'Expected an id of the same kind, found an id.'],
  ])('returns 400 for a filter by %s', (_what, marked, message) =>
    expectMistake(api, `/orders?filter=${marked}`, 'query.filter', message),
  )

  it.each([
    ['id', 'orders', ORDERS],
    ['-id', 'customers', CUSTOMERS.toReversed()],
    ['-id', 'slots', SLOTS.toReversed()],
    ['-customer.id', 'orders', [ORDERS[1], ORDERS[0], ORDERS[2], ORDERS[3]]],
    ['amount', 'orders', [ORDERS[2], ORDERS[1], ORDERS[0], ORDERS[3]]],
    ['returns:original.id,-id', 'orders', [ORDERS[2], ORDERS[3], ORDERS[1], ORDERS[0]]],
  ])('sorts by %s of %s', async (sort, type, expected) => {
    expect(resourceKeys(await api.get(`/${type}?sort=${sort}`))).toEqual(expected)
  })
})

describe('pagination', () => {
  it.each([
    ['orders', 'id'],
    ['customers', '-id'],
    ['slots', '-id'],
    ['orders', '-customer.id'],
    ['orders', 'customer.id,-amount'],
    ['orders', '-amount'],
    ['orders', 'returns:reason,id'],
    ['orders', 'returns:original.id'],
    ['orders', 'amount,-id'],
    ['lines', '-text'],
    ['receipts', 'id'],
  ])('has cursors for %s sorted by %s', async (type, sort) => {
    const expected = resourceKeys(await fetchPage(api, `/${type}?sort=${sort}`))
    const first = `/${type}?sort=${sort}&page[size]=1`
    expect((await followPages(api, first, 'next')).flat()).toEqual(expected)
    const { last } = (await fetchPage(api, first)).body.links
    expect((await followPages(api, last, 'prev')).flat()).toEqual(expected.toReversed())
  })

  it('returns 400 for a cursor with a malformed id', async () => {
    const { body } = await fetchPage(api, '/orders?sort=id&page[size]=1')
    const [mark, id] = JSON.parse(Buffer.from(body.data[0].meta.page.cursor, 'base64url').toString())
    expect(id).toBe('x~A')
    for (const forged of [['x'], ['x~A~1'], ['x', 'A']]) {
      const cursor = Buffer.from(JSON.stringify([mark, ...forged])).toString('base64url')
      expectError(await api.get(`/orders?sort=id&page[after]=${cursor}`), 400, 'page[after]', 'query.page')
    }
  })
})

it.each([
  ...['orders x', 'orders x~', 'orders x~A~B', 'orders x~A!', 'orders x~!A', 'orders x~a', 'customers no~01'],
  ...['customers no~99999999999', 'slots 5~2026-02-30', `slots ${SERIAL}0000~2026-11-20`],
  `receipts 7~${TOKEN.slice(1)}`,
])('returns 404 for the malformed id of %s', async (row) => {
  const [type, id = ''] = row.split(' ')
  const url = `/${type}/${encodeURIComponent(id)}`
  for (const sending of [() => api.get(url), () => api.delete(url)])
    expectError(await api.unchanged(sending), 404, undefined, 'resource.not-found')
})

const codec: IdCodec<readonly [string, number]> = {
  encode: ([row, place]) => `${row}${place}`,
  decode: (id) => [id.charAt(0), Number(id.slice(1))],
}

@Resource('seats', { idCodec: codec, clientGeneratedIds: 'allowed' })
@Entity('seats')
class Seat {
  @Attribute() @PrimaryColumn({ type: 'varchar', length: 1 }) row!: string
  @PrimaryColumn({ type: 'int' }) place!: number
  @ToOne({ linkage: 'always' }) @ManyToOne('Seat', { nullable: true }) beside!: Seat | null
}

it('an idCodec for a composite id gives ids their form', async () => {
  await useApi(startApi([Seat]), async (hall) => {
    const seat = (id: string, relationships = {}) => createResource(hall, 'seats', {}, relationships, id)
    expect((await seat('B12')).headers.location).toBe('/seats/B12')
    await seat('B9', { beside: toOne('seats', 'B12') }).expect(201)
    expect(singleError(await seat('B012')).detail).toBe("Expected an id of 'seats', found 'B012'.")
    expect(resourceKeys(await hall.get("/seats?filter=equals(beside.id,'B12')"))).toEqual(['seats B9'])
    expect(linkageKeys((await hall.get('/seats')).body.data, 'beside')).toEqual([['seats B12'], null])
    expect((await followPages(hall, '/seats?sort=-id&page[size]=1', 'next')).flat()).toEqual(['seats B12', 'seats B9'])
    for (const id of ['B~12', 'B012', 'B', 'BX']) await hall.get(`/seats/${id}`).expect(404)
    const { detail } = singleError(await hall.get("/seats?filter=equals(id,'B~12')"))
    expect(detail).toContain("Expected an id, found 'B~12'.")
  })
})

it('needs as many statements as a key of one column', async () => {
  const statements = (path: string) => api.statementsOf(() => api.get(path))
  expect(await statements('/orders/x~A')).toHaveLength(1)
  expect(await statements('/orders?include=customer,slots,returns')).toHaveLength(4)
  expect(await statements('/orders/x~A/lines')).toHaveLength(3)
})

it('finds a row by the index of its key', async () => {
  if (DATABASE !== 'sqlite') return
  const select = (await api.statementsOf(() => api.get('/orders/x~A'))).at(-1) ?? ''
  const plan: { detail: string }[] = await api.dataSource.query(`explain query plan ${select}`, ['x', 'A'])
  expect(plan.map(({ detail }) => detail).join()).toMatch(/SEARCH \w+ USING INDEX .*shop=\? AND code=\?/)
})
