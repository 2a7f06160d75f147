import type { ResourceClass, ResourceRecord, ResourceWrite } from 'stemma'
import { define, setUp, startApi } from '../../support/api'
import { resource, toMany, toOne } from '../../support/documents'
import { keysAt, keysOf, outcomeOf } from '../../support/expectations'
import { startServer } from '../../support/server'
import { Customer, ODD, refillTrade, SERIAL, Slot, TOKEN, TRADE } from '../../support/trade'

// Keys of several columns as foreign keys.

const api = setUp(() => startApi(TRADE))
beforeEach(() => refillTrade(api))
const tokenOf = async (path: string) => (await api.get(path)).headers.etag?.split('.')[0]
const RECEIPT = `7~${TOKEN}`
const [FIRST, SECOND, OTHER] = ['5~2026-11-20', `${SERIAL}~2026-11-21`, `${SERIAL}~2026-11-20`] as const
type Sent = readonly [method: string, place: string, sent: object | undefined]
/** `orders y~A customer` */
const pathOf = (place: string) => place.replace(/^(\S+) (\S+)/, '/$1/$2').replace(' ', '/relationships/')

const WRITES: readonly (readonly [...Sent, expected: string])[] = [
  ['PATCH', 'orders y~A customer', toOne('customers', 'se~1'), 'customers se~1'],
  ['PATCH', 'orders x~A customer', toOne('customers', 'no~2'), 'customers no~2'],
  ['PATCH', 'orders x~A customer', { data: null }, ''],
  // The foreign key shares a column with the primary key.
  ['PATCH', 'customers no~1 sponsor', toOne('customers', 'no~12'), 'customers no~12'],
  ['PATCH', 'customers no~2 sponsor', { data: null }, ''],
  // One-to-one, new and unchanged, from both ends.
  ['PATCH', `sales ${ODD} receipt`, toOne('receipts', RECEIPT), `receipts ${RECEIPT}`],
  ['PATCH', 'sales x~A receipt', toOne('receipts', RECEIPT), `receipts ${RECEIPT}`],
  ['PATCH', `receipts ${RECEIPT} sale`, toOne('sales', 'y~A'), 'sales y~A'],
  ['PATCH', `receipts ${RECEIPT} sale`, { data: null }, ''],
  // One-to-many.
  ['PATCH', 'customers se~1 orders', toMany('sales', 'x~A', 'y~A'), 'sales x~A, sales y~A'],
  ['PATCH', 'customers no~1 orders', { data: [] }, ''],
  ['PATCH', 'customers no~1 sponsored', toMany('customers', 'no~12'), 'customers no~12'],
  ['PATCH', 'customers no~12 sponsored', toMany('customers', 'no~12', 'no~2'), 'customers no~2, customers no~12'],
  ['PATCH', 'orders x~A lines', toMany('lines', 'x~A~2'), 'lines x~A~2'],
  ['PATCH', 'orders y~A returns', toMany('returns', 'x~B'), 'returns x~B'],
  ['POST', 'customers se~1 orders', toMany('orders', 'x~A', 'x~B'), `sales x~A, sales ${ODD}, returns x~B`],
  ['POST', 'customers no~1 orders', toMany('sales', 'y~A', 'x~A'), 'sales x~A, returns x~B, sales y~A'],
  ['POST', 'customers no~2 sponsored', toMany('customers', 'no~12', 'no~2'), 'customers no~2, customers no~12'],
  ['DELETE', 'customers no~1 orders', toMany('orders', 'x~B', 'y~A'), 'sales x~A'],
  ['DELETE', 'orders x~A lines', toMany('lines', 'x~A~1', 'y~A~1'), 'lines x~A~2'],
  // Many-to-many.
  ['PATCH', 'orders x~A slots', toMany('slots', FIRST, SECOND), `slots ${FIRST}, slots ${SECOND}`],
  ['PATCH', `slots ${FIRST} orders`, toMany('sales', 'y~A'), 'sales y~A'],
  ['PATCH', `slots ${FIRST} before`, toMany('slots', OTHER, FIRST), `slots ${FIRST}, slots ${OTHER}`],
  ['POST', 'orders y~A slots', toMany('slots', OTHER, FIRST), `slots ${FIRST}, slots ${OTHER}`],
  ['POST', `slots ${OTHER} orders`, toMany('orders', 'y~A', 'x~B'), 'sales x~A, returns x~B, sales y~A'],
  ['DELETE', `slots ${OTHER} orders`, toMany('orders', 'y~A', 'x~B'), 'sales x~A'],
]

it.each(WRITES)('%s of %s with %j leaves %s', async (method, place, sent, expected) => {
  await api.request(method, pathOf(place)).send(sent).expect(204)
  expect((await keysAt(api, pathOf(place))).join(', ')).toBe(expected)
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
    const before = await tokenOf(path)
    await api.patch(path).send(toMany('slots', SECOND))
    expect(await keysAt(api, path)).toHaveLength(1)
    expect(await tokenOf(path)).not.toBe(before)
  })
})

it('keeps the pairs of a row that is deleted softly', async () => {
  const path = '/orders/x~A/relationships/slots'
  const before = await tokenOf(path)
  await api.delete(`/slots/${OTHER}`).expect(204)
  expect(await keysAt(api, path)).toEqual([`slots ${FIRST}`])
  expect(await tokenOf(path)).not.toBe(before)
  await api.patch(path).send({ data: [] })
  expect(await keysAt(api, path)).toEqual([])
  await api.dataSource.getRepository(Slot).restore({ serial: SERIAL, day: '2026-11-20' })
  expect(await keysAt(api, path)).toEqual([`slots ${OTHER}`])
})

const RELATIONSHIPS = {
  tenants: ['customers'],
  customers: ['tenant', 'sponsor', 'sponsored', 'orders'],
  sales: ['customer', 'lines', 'slots', 'returns', 'receipt'],
  returns: ['customer', 'lines', 'slots', 'returns', 'original'],
  lines: ['order'],
  slots: ['orders', 'before', 'after'],
  receipts: ['sale'],
}

const ruled = setUp(() =>
  startServer({ dataSource: api.dataSource, resources: TRADE, definitions: TRADE.map(recorder) }),
)

/** By `type id relationship`; a to-one relationship is text, and a to-many one a list. */
type Links = ReadonlyMap<string, string | readonly string[]>
let asked: string[] = []

function recorder(entity: ResourceClass) {
  const note = (write: ResourceWrite, sentence: string) => {
    if (write.origin !== undefined) asked.push(`${write.type.name} ${write.id} ${sentence}`)
  }
  const names = (records: readonly ResourceRecord[]) => records.map((each) => `${each.type.name} ${each.id}`).sort()
  return define<object>(entity, {
    setToOne: (write, name, related) => note(write, `${name} = ${related === null ? 'nothing' : names([related])[0]}`),
    addToMany: (write, name, related) => note(write, `${name} + ${names(related).join()}`),
    removeFromMany: (write, name, related) => note(write, `${name} - ${names(related).join()}`),
  })
}

async function readLinks(): Promise<Links> {
  const links = new Map<string, string | readonly string[]>()
  for (const [type, relationships] of Object.entries(RELATIONSHIPS)) {
    const { body } = await api.get(`/${type}?include=${relationships.join()}&page[size]=100`).expect(200)
    for (const found of body.data) {
      for (const name of relationships) {
        const { data } = found.relationships[name]
        const [related = 'nothing'] = keysOf(data)
        links.set(`${keysOf(found)} ${name}`, Array.isArray(data) ? keysOf(data).toSorted() : related)
      }
    }
  }
  return links
}

/** What has become of each relationship, in the words of the hooks. */
function changesBetween(before: Links, after: Links): readonly string[] {
  return [...before].flatMap(([place, old]) => {
    if (typeof old === 'string') {
      const now = after.get(place) ?? 'nothing'
      return now === old ? [] : [`${place} = ${String(now)}`]
    }
    const now = (after.get(place) ?? []) as readonly string[]
    const [lost, gained] = [old.filter((each) => !now.includes(each)), now.filter((each) => !old.includes(each))]
    return [
      ...(lost.length > 0 ? [`${place} - ${lost.join()}`] : []),
      ...(gained.length > 0 ? [`${place} + ${gained.join()}`] : []),
    ]
  })
}

const SEVERAL = { customer: { data: null }, slots: toMany('slots', SECOND), receipt: { data: null } }
it.each<Sent>([
  ...WRITES.map(([method, path, sent]): Sent => [method, path, sent]),
  ['PATCH', 'sales x~A', resource('sales', 'x~A', {}, SEVERAL)],
  ['DELETE', 'orders x~B', undefined],
  ['DELETE', `slots ${OTHER}`, undefined],
  ['DELETE', `receipts ${RECEIPT}`, undefined],
  ['DELETE', 'customers se~1', undefined],
])(
  'the hooks of other ends are asked about exactly the links that change: %s of %s with %j',
  async (method, place, sent) => {
    const before = await readLinks()
    asked = []
    await ruled.request(method, pathOf(place)).send(sent).expect(204)
    const [, id, relationship] = place.split(' ')
    // The hooks of the resource that is written are asked of what is sent.
    const own = (change: string) => {
      const [, of, name] = change.split(' ')
      return of === id && (relationship === undefined ? name : relationship) === name
    }
    const changes = changesBetween(before, await readLinks()).filter((change) => !own(change))
    expect([...asked].sort()).toEqual([...changes].sort())
  },
)
