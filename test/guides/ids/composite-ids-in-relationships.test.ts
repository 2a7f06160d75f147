import { startApi } from '../../support/api'
import { toMany, toOne } from '../../support/documents'
import { keysOf, outcomeOf } from '../../support/expectations'
import { setUp } from '../../support/set-up'
import { Customer, ODD, refillTrade, SERIAL, Slot, TOKEN, TRADE } from '../../support/trade'

// Keys of several columns as foreign keys.

const api = setUp(() => startApi(TRADE))
beforeEach(() => refillTrade(api))
const linked = async (path: string) => keysOf((await api.get(path)).body.data)

const RECEIPT = `7~${TOKEN}`
const [FIRST, SECOND, OTHER] = ['5~2026-11-20', `${SERIAL}~2026-11-21`, `${SERIAL}~2026-11-20`] as const

describe('PATCH of a relationship', () => {
  it.each([
    ['/orders/y~A/relationships/customer', toOne('customers', 'se~1'), ['customers se~1']],
    ['/orders/x~A/relationships/customer', { data: null }, []],
    // The foreign key shares a column with the primary key.
    ['/customers/no~1/relationships/sponsor', toOne('customers', 'no~12'), ['customers no~12']],
    ['/customers/no~2/relationships/sponsor', { data: null }, []],
    // One-to-one, new and unchanged, from both ends.
    [`/sales/${ODD}/relationships/receipt`, toOne('receipts', RECEIPT), [`receipts ${RECEIPT}`]],
    ['/sales/x~A/relationships/receipt', toOne('receipts', RECEIPT), [`receipts ${RECEIPT}`]],
    [`/receipts/${RECEIPT}/relationships/sale`, toOne('sales', 'y~A'), ['sales y~A']],
    [`/receipts/${RECEIPT}/relationships/sale`, { data: null }, []],
    // One-to-many.
    ['/customers/se~1/relationships/orders', toMany('sales', 'x~A', 'y~A'), ['sales x~A', 'sales y~A']],
    ['/customers/no~1/relationships/orders', { data: [] }, []],
    ['/customers/no~1/relationships/sponsored', toMany('customers', 'no~12'), ['customers no~12']],
    ['/orders/x~A/relationships/lines', toMany('lines', 'x~A~2'), ['lines x~A~2']],
    // Many-to-many.
    ['/orders/x~A/relationships/slots', toMany('slots', FIRST, SECOND), [`slots ${FIRST}`, `slots ${SECOND}`]],
    [`/slots/${FIRST}/relationships/orders`, toMany('sales', 'y~A'), ['sales y~A']],
    [`/slots/${FIRST}/relationships/before`, toMany('slots', OTHER, FIRST), [`slots ${FIRST}`, `slots ${OTHER}`]],
  ])('sets %s to %j', async (path, sent, expected) => {
    await api.patch(path).send(sent).expect(204)
    expect(await linked(path)).toEqual(expected)
  }) // anchor: W/T-04

  it('keeps the primary key of rows that lose a link', async () => {
    await api.patch('/customers/no~1/relationships/sponsored').send(toMany('customers', 'no~12'))
    const order = { tenantId: 'ASC', number: 'ASC' } as const
    const rows = await api.dataSource.getRepository(Customer).find({ order })
    const columns = rows.map((row) => [row.tenantId, row.number, row.sponsorNumber, row.version].join(' '))
    expect(columns).toEqual(['no 1  2', 'no 2  2', 'no 12 1 1', 'se 1  1'])
  })

  it.each([
    ['/orders/y~A/relationships/customer', toOne('customers', 'no~99'), '404 related.not-found /data'],
    ['/orders/y~A/relationships/customer', toOne('customers', 'no'), '404 related.not-found /data'],
    ['/orders/y~A/relationships/slots', toMany('slots', FIRST, '5~x'), '404 related.not-found /data/1'],
    // Also when a collation takes them for equal.
    ['/customers/no~2/relationships/orders', toMany('sales', 'x~A', 'Y~A'), '404 related.not-found /data/1'],
    ['/customers/no~2/relationships/orders', toMany('sales', 'x~a', 'y~A'), '404 related.not-found /data/0'],
  ])('returns 404 for %s and %j, which does not exist', async (path, sent, expected) => {
    expect(outcomeOf(await api.unchanged(() => api.patch(path).send(sent)))).toBe(expected)
  })
})

it.each([
  ['POST', '/orders/x~A/relationships/slots', toMany('slots', SECOND, FIRST), 3],
  ['DELETE', '/orders/x~A/relationships/slots', toMany('slots', SECOND, FIRST), 1],
  ['POST', '/customers/no~1/relationships/orders', toMany('sales', 'y~A', 'x~A'), 3],
  ['DELETE', '/customers/no~1/relationships/orders', toMany('returns', 'x~B'), 1],
  ['DELETE', '/orders/x~A/relationships/lines', toMany('lines', 'x~A~1', 'y~A~1'), 1],
  ['POST', '/customers/no~2/relationships/sponsored', toMany('customers', 'no~12', 'no~2'), 2],
])('%s of members at %s with %j leaves %i', async (method, path, sent, count) => {
  await api.request(method, path).send(sent).expect(204)
  expect(await linked(path)).toHaveLength(count)
})

it('increments the versions of rows that are moved, and of no others', async () => {
  const key = { tenantId: 'no', number: 2 }
  for (const expected of [2, 2]) {
    await api.post('/customers/no~12/relationships/sponsored').send(toMany('customers', 'no~2'))
    expect((await api.dataSource.getRepository(Customer).findOneByOrFail(key)).version).toBe(expected)
  }
})

describe('the ETag of a relationship', () => {
  it.each(['slots', 'returns', 'lines'])('is outdated after a change of %s', async (name) => {
    const path = `/orders/x~A/relationships/${name}`
    const etag = (await api.get(path)).headers.etag ?? ''
    const empty = () => api.patch(path).send({ data: [] }).set({ 'if-match': etag })
    await empty().expect(204)
    await empty().expect(412)
  })

  it('changes with any part of the key of a member', async () => {
    const path = '/orders/y~A/relationships/slots'
    const token = async () => (await api.get(path)).headers.etag?.split('.')[0]
    const before = await token()
    await api.patch(path).send(toMany('slots', SECOND))
    expect(await linked(path)).toHaveLength(1)
    expect(await token()).not.toBe(before)
  })
})

it('keeps the pairs of a row that is deleted softly', async () => {
  const path = '/orders/x~A/relationships/slots'
  const etag = (await api.get(path)).headers.etag
  await api.delete(`/slots/${OTHER}`).expect(204)
  expect(await linked(path)).toEqual([`slots ${FIRST}`])
  expect((await api.get(path)).headers.etag).not.toBe(etag)
  await api.patch(path).send({ data: [] })
  expect(await linked(path)).toEqual([])
  await api.dataSource.getRepository(Slot).restore({ serial: SERIAL, day: '2026-11-20' })
  expect(await linked(path)).toEqual([`slots ${OTHER}`])
})
