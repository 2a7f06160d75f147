import type { ResourceClass, ResourceWrite, StoredRecord } from 'stemma'
import { startApi } from '../../support/api'
import { define } from '../../support/define'
import { resource, toMany, toOne } from '../../support/documents'
import { setUp } from '../../support/set-up'
import { ODD, refillTrade, SERIAL, TOKEN, TRADE } from '../../support/trade'

// The hooks of other ends are asked for exactly the links that have changed, whatever keys they have. The links are read before and after.

const RELATIONSHIPS = {
  tenants: ['customers'],
  customers: ['tenant', 'sponsor', 'sponsored', 'orders'],
  sales: ['customer', 'lines', 'slots', 'returns', 'receipt'],
  returns: ['customer', 'lines', 'slots', 'returns', 'original'],
  lines: ['order'],
  slots: ['orders', 'before', 'after'],
  receipts: ['sale'],
}

const keyOf = ({ type, id }: { readonly type: string; readonly id: string }) => `${type} ${id}`

/** By `type id relationship`; a to-one relationship is text, and a to-many one a list. */
type Links = ReadonlyMap<string, string | readonly string[]>

let asked: string[] = []

function recorder(entity: ResourceClass) {
  const note = (write: ResourceWrite, sentence: string) => {
    if (write.origin !== undefined) asked.push(`${write.type.name} ${write.id} ${sentence}`)
  }
  const names = (records: readonly StoredRecord[]) => records.map((each) => `${each.type.name} ${each.id}`).sort()
  return define<object>(entity, {
    setToOne: (write, name, right) => note(write, `${name} = ${right === null ? 'nothing' : names([right])[0]}`),
    addToMany: (write, name, rights) => note(write, `${name} + ${names(rights).join()}`),
    removeFromMany: (write, name, rights) => note(write, `${name} - ${names(rights).join()}`),
  })
}

const api = setUp(() => startApi(TRADE, { definitions: TRADE.map(recorder) }))
beforeEach(() => refillTrade(api))

async function readLinks(): Promise<Links> {
  const links = new Map<string, string | readonly string[]>()
  for (const [type, relationships] of Object.entries(RELATIONSHIPS)) {
    const { body } = await api.get(`/${type}?include=${relationships.join()}&page[size]=100`).expect(200)
    for (const found of body.data) {
      for (const name of relationships) {
        const { data } = found.relationships[name]
        const value = Array.isArray(data) ? data.map(keyOf).sort() : data === null ? 'nothing' : keyOf(data)
        links.set(`${keyOf(found)} ${name}`, value)
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

const RECEIPT = `7~${TOKEN}`
const [FIRST, SECOND, OTHER] = ['5~2026-11-20', `${SERIAL}~2026-11-21`, `${SERIAL}~2026-11-20`] as const

it.each<readonly [method: string, path: string, sent: object | undefined]>([
  ['PATCH', '/orders/y~A/relationships/customer', toOne('customers', 'se~1')],
  ['PATCH', '/orders/x~A/relationships/customer', toOne('customers', 'no~2')],
  ['PATCH', '/orders/x~A/relationships/customer', { data: null }],
  ['PATCH', '/customers/no~1/relationships/sponsor', toOne('customers', 'no~12')],
  ['PATCH', '/customers/no~2/relationships/sponsor', { data: null }],
  ['PATCH', `/sales/${ODD}/relationships/receipt`, toOne('receipts', RECEIPT)],
  ['PATCH', '/sales/x~A/relationships/receipt', toOne('receipts', RECEIPT)],
  ['PATCH', `/receipts/${RECEIPT}/relationships/sale`, toOne('sales', 'y~A')],
  ['PATCH', `/receipts/${RECEIPT}/relationships/sale`, { data: null }],
  ['PATCH', '/customers/se~1/relationships/orders', toMany('sales', 'x~A', 'y~A')],
  [
    'POST',
    '/customers/se~1/relationships/orders',
    { data: [...toMany('sales', 'x~A').data, ...toMany('returns', 'x~B').data] },
  ],
  ['PATCH', '/customers/no~1/relationships/orders', { data: [] }],
  ['DELETE', '/customers/no~1/relationships/orders', toMany('orders', 'x~B', 'y~A')],
  ['PATCH', '/customers/no~1/relationships/sponsored', toMany('customers', 'no~12')],
  ['PATCH', '/customers/no~12/relationships/sponsored', toMany('customers', 'no~12', 'no~2')],
  ['PATCH', '/orders/x~A/relationships/lines', toMany('lines', 'x~A~2')],
  ['PATCH', '/orders/y~A/relationships/returns', toMany('returns', 'x~B')],
  ['PATCH', '/orders/x~A/relationships/slots', toMany('slots', FIRST, SECOND)],
  ['PATCH', `/slots/${FIRST}/relationships/orders`, toMany('sales', 'y~A')],
  ['POST', `/slots/${OTHER}/relationships/orders`, toMany('orders', 'y~A', 'x~B')],
  ['DELETE', `/slots/${OTHER}/relationships/orders`, toMany('orders', 'y~A', 'x~B')],
  ['PATCH', `/slots/${FIRST}/relationships/before`, toMany('slots', OTHER, FIRST)],
  [
    'PATCH',
    '/sales/x~A',
    resource('sales', 'x~A', {}, { customer: { data: null }, slots: toMany('slots', SECOND), receipt: { data: null } }),
  ],
  ['DELETE', '/orders/x~B', undefined],
  ['DELETE', `/slots/${OTHER}`, undefined],
  ['DELETE', `/receipts/${RECEIPT}`, undefined],
  ['DELETE', '/customers/se~1', undefined],
])('%s of %s with %j asks about what has changed', async (method, path, sent) => {
  const before = await readLinks()
  asked = []
  const { status } = await api.request(method, path).send(sent)
  expect(status).toBe(204)
  const [, , id = '', , relationship] = path.split('/').map(decodeURIComponent)
  // The hooks of the resource that is written are asked of what is sent.
  const own = (change: string) => {
    const [, of, name] = change.split(' ')
    return of === id && (relationship === undefined ? name : relationship) === name
  }
  const changes = changesBetween(before, await readLinks()).filter((change) => !own(change))
  expect([...asked].sort()).toEqual([...changes].sort())
})
