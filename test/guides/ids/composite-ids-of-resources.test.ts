import { equals, getEntityManager, not, type ResourceDefinition, type ResourceWrite } from 'stemma'
import { define, setUp, startApi } from '../../support/api'
import { DATABASE } from '../../support/database'
import { newResource, resource, toMany, toOne, updateResource } from '../../support/documents'
import { keysAt, outcomeOf } from '../../support/expectations'
import { operate, resultsOf } from '../../support/operate'
import { byLayout, LAYOUT } from '../../support/table-layout'
import { Customer, ODD, Order, refillTrade, SERIAL, Tenant, TOKEN, TRADE } from '../../support/trade'

/** The ids and key parts that rules got. */
const calls: string[] = []

const orderRules = define(Order, {
  async beforeWrite(write: ResourceWrite<Order>) {
    const { shop, code, amount } = write.values
    calls.push(`${write.id || 'new'}: ${shop} ${code}`)
    // Removes the customer before the row is written.
    if (amount === 13) await getEntityManager(write).delete(Customer, { tenantId: 'no', number: 2 })
    // Returns the same key, or another one.
    return { shop, code: amount === 666 ? 'evil' : code }
  },
  afterWrite: ({ id }) => void calls.push(`after ${id}`),
})

/** Hides the tenant `se` from the client `blind`. */
const tenantRules = define(Tenant, { filter: (client) => (client === 'blind' ? not(equals('id', 'se')) : undefined) })

/** Removes the sponsor. */
const customerRules = define(Customer, {
  async beforeWrite(write: ResourceWrite<Customer>) {
    if (write.values.name === 'late') await getEntityManager(write).delete(Customer, { tenantId: 'no', number: 12 })
  },
})

const definitions = [orderRules, tenantRules, customerRules] as ResourceDefinition[]
const api = setUp(() => startApi(TRADE, { definitions, context: (request) => request.get('x-client') }))
beforeEach(async () => {
  await refillTrade(api)
  calls.length = 0
})

const post = (body: ReturnType<typeof resource>, headers: Record<string, string> = {}) =>
  api.post(`/${body.data.type}`).send(body).set(headers)

describe('a new resource with a key of several columns', () => {
  it('has an id of its attributes', async () => {
    const sent = newResource('sales', { shop: 'q~', code: '!', amount: 2 })
    const { headers, body } = await api.post('/orders').send(sent).expect(201)
    expect(headers.location).toBe('/sales/q!~~!!')
    expect(body.data).toMatchObject({ id: 'q!~~!!', attributes: { shop: 'q~', code: '!', amount: 2 } })
    expect(calls).toEqual(['new: q~ !', 'after q!~~!!'])
    expect((await api.get('/orders/q!~~!!')).body.data).toEqual(body.data)
  })

  it('has an id of a relationship and an attribute', async () => {
    const created = await post(newResource('customers', { number: 9 }, { tenant: toOne('tenants', 'se') })).expect(201)
    expect(created.body.data.id).toBe('se~9')
    expect(await keysAt(api, '/tenants/se/customers')).toEqual(['customers se~1', 'customers se~9'])
    const sent = newResource('lines', { position: 4, text: 'new' }, { order: toOne('sales', ODD) })
    const line = await post(sent).expect(201)
    expect(line.body.data).toMatchObject({ id: `${ODD}~4`, attributes: { position: 4, text: 'line new!' } })
    expect(await keysAt(api, `/orders/${ODD}/lines`)).toEqual([`lines ${ODD}~4`])
  })

  it('takes its attributes and relationships from the id of the client', async () => {
    const { body } = await api.post('/orders').send(resource('returns', 'n~N', { reason: 'broken' }))
    expect(body.data).toMatchObject({ id: 'n~N', attributes: { shop: 'n', code: 'N', reason: 'broken' } })
    expect(calls).toEqual(['n~N: n N', 'after n~N'])
    expect((await post(resource('customers', 'se~3')).expect(201)).body.data.attributes.number).toBe(3)
    expect(await keysAt(api, '/customers/se~3/tenant')).toEqual(['tenants se'])
    await post(resource('customers', 'se~4', { number: 4 })).expect(201)
  })

  it('has an id with a generated part', async () => {
    const { body } = await post(newResource('receipts', { series: 8 })).expect(201)
    expect(body.data.id).toMatch(/^8~[\da-f-]{36}$/)
    expect((await api.get(body.data.links.self)).body.data).toEqual(body.data)
  })

  it.each([
    [204, resource('slots', '3~2026-01-01', { place: 'hall' })],
    [204, newResource('customers', { number: 6, name: 'Fay' }, { tenant: toOne('tenants', 'no') })],
    [201, newResource('receipts', { series: 9 })],
  ])('returns %i with Prefer: return=minimal for %j', async (status, sent) => {
    await post(sent, { prefer: 'return=minimal' }).expect(status)
  }) // anchor: W/T-04

  it('is linked to other resources, and to itself', async () => {
    const relationships = {
      customer: toOne('customers', 'se~1'),
      receipt: toOne('receipts', `7~${TOKEN}`),
      slots: toMany('slots', '5~2026-11-20', `${SERIAL}~2026-11-21`),
      returns: toMany('returns', 'x~B'),
    }
    await post(resource('sales', 'w~1', {}, relationships)).expect(201)
    expect(await keysAt(api, '/sales/w~1/customer')).toEqual(['customers se~1'])
    expect(await keysAt(api, '/sales/w~1/slots')).toEqual(['slots 5~2026-11-20', `slots ${SERIAL}~2026-11-21`])
    expect(await keysAt(api, '/sales/w~1/returns')).toEqual(['returns x~B'])
    expect(await keysAt(api, `/receipts/7~${TOKEN}/sale`)).toEqual(['sales w~1'])
    expect(await keysAt(api, '/sales/x~A/receipt')).toEqual([])
    const itself = { type: 'returns', lid: 'a' }
    const data = { ...itself, attributes: { shop: 'me', code: '1' }, relationships: { original: { data: itself } } }
    await api.post('/returns').send({ data }).expect(201)
    expect(await keysAt(api, '/returns/me~1/original')).toEqual(['returns me~1'])
  })

  const [SE, NO, SPONSOR] = [toOne('tenants', 'se'), toOne('tenants', 'no'), toOne('customers', 'se~1')]
  const customer = (relationships: object) => newResource('customers', { number: 7 }, relationships)
  const [VALUE, TAKEN] = ['422 resource.id-value /data', '409 resource.id-exists /data']
  const [PARTS, FORBIDDEN] = ['422 resource.id-mismatch', '403 resource.client-id-forbidden /data/id']
  const [ATTRIBUTES, LINKS] = ['/data/attributes', '/data/relationships']

  it.each([
    ['a malformed id', resource('sales', 'x~A~B'), `${VALUE}/id`],
    ['a part that is too long', resource('sales', `x~${'A'.repeat(21)}`), `${VALUE}/id`],
    ['a number that is too large', resource('customers', `no~${SERIAL}`), `${VALUE}/id`],
    ['a taken id', resource('sales', 'x~A'), `${TAKEN}/id`],
    ['attributes of a taken id', newResource('sales', { shop: 'x', code: 'A' }), TAKEN],
    ['an attribute that contradicts the id', resource('sales', 'x~C', { code: 'D' }), `${PARTS} ${ATTRIBUTES}/code`],
    ['a missing attribute', newResource('sales', { shop: 'x' }), `422 attribute.required ${ATTRIBUTES}`],
    ['another tenant than the id', resource('customers', 'no~7', {}, { tenant: SE }), `${PARTS} ${LINKS}/tenant`],
    ['a sponsor of another tenant', customer({ tenant: NO, sponsor: SPONSOR }), `${PARTS} ${LINKS}/sponsor`],
    ['a missing relationship', customer({}), `422 relationship.required ${LINKS}`],
    ['an id that refers to no row', resource('customers', 'xx~7'), '404 related.not-found /data/id'],
    ['an id of the server', resource('receipts', `8~${TOKEN}`, { series: 8 }), FORBIDDEN],
  ])('is refused with %s', async (_what, sent, expected) => {
    expect(outcomeOf(await api.unchanged(() => post(sent)))).toBe(expected)
  })

  it('cannot refer to a hidden row by its id', async () => {
    const blind = { 'x-client': 'blind' }
    const response = await api.unchanged(() => post(resource('customers', 'se~8'), blind))
    expect(outcomeOf(response)).toContain('404 related.not-found')
    await post(resource('customers', 'no~8'), blind).expect(201)
  })

  const returned = { customer: toOne('customers', 'no~2'), original: toOne('sales', 'x~A') }
  const sponsored = { tenant: NO, sponsor: toOne('customers', 'no~12') }

  it.each([
    ['customer', newResource('returns', { shop: 'w', code: '1', amount: 13 }, returned)],
    // The tenant is a part of the same foreign key, and is there.
    ['sponsor', newResource('customers', { number: 31, name: 'late' }, sponsored)],
  ])('points to the relationship %s when a rule deletes its row', async (name, sent) => {
    // SQLite names no foreign key.
    const expected = `404 related.not-found /data/relationships/${name}`
    const outcome = outcomeOf(await api.unchanged(() => post(sent)))
    expect(outcome).toBe(DATABASE === 'sqlite' ? '409 constraint.reference' : expected)
  })
})

describe('an update of a resource with a key of several columns', () => {
  it('changes attributes and relationships', async () => {
    const sent = resource('sales', ODD, { amount: 9 }, { customer: toOne('customers', 'no~2') })
    await api.patch(`/sales/${ODD}`).send(sent).expect(204)
    expect(calls).toEqual([`${ODD}: x A~1!`, `after ${ODD}`])
    expect((await api.get(`/sales/${ODD}?include=customer`)).body).toMatchObject({
      data: { attributes: { shop: 'x', code: 'A~1!', amount: 9 } },
      included: [{ type: 'customers', id: 'no~2' }],
    })
    expect(await keysAt(api, '/customers/no~2/orders')).toEqual([`sales ${ODD}`])
    const upper = `7~${TOKEN.toUpperCase()}`
    await api.patch(`/receipts/7~${TOKEN}`).send(resource('receipts', upper)).expect(204)
  })

  const tenant = toOne('tenants', 'se')
  const READ_ONLY = '403 relationship.read-only'

  it.each([
    ['/sales/x~A', resource('sales', 'x~A', { code: 'C' }), '422 attribute.read-only /data/attributes/code'],
    ['/sales/x~A', resource('sales', 'x~C'), '409 document.id-conflict /data/id'],
    // By a rule.
    ['/sales/x~A', resource('sales', 'x~A', { amount: 666 }), '422 resource.id-mismatch /data/id'],
    ['/customers/no~2', resource('customers', 'no~2', {}, { tenant }), `${READ_ONLY} /data/relationships/tenant`],
    ['/customers/no~2/relationships/tenant', tenant, READ_ONLY],
    ['/customers/no~2/relationships/sponsor', toOne('customers', 'se~1'), '422 resource.id-mismatch /data'],
    ['/tenants/se/relationships/customers', toMany('customers', 'no~1'), READ_ONLY],
    ['/customers/no~1/relationships/sponsored', toMany('customers', 'no~2', 'se~1'), '422 resource.id-mismatch /data'],
    ['/orders/x~A/relationships/lines', toMany('lines', 'y~A~1'), '422 resource.id-mismatch /data'],
  ])('cannot change the key: PATCH %s with %j', async (path, sent, expected) => {
    expect(outcomeOf(await api.unchanged(() => api.patch(path).send(sent)))).toBe(expected)
  })
})

describe('a delete of a resource with a key of several columns', () => {
  it('removes the row, and empties what refers to it', async () => {
    await api.delete('/customers/no~1').expect(204)
    await api.get('/customers/no~1').expect(404)
    expect(await keysAt(api, '/customers/no~2/sponsor')).toEqual([])
    expect(await keysAt(api, '/orders/x~A/customer')).toEqual([])
    expect(await keysAt(api, '/customers')).toEqual(['customers no~2', 'customers no~12', 'customers se~1'])
  })

  it('removes its pairs', async () => {
    await api.patch('/orders/x~B/relationships/slots').send(toMany('slots', '5~2026-11-20'))
    await api.delete('/returns/x~B').expect(204)
    expect(await keysAt(api, '/slots/5~2026-11-20/orders')).toEqual(['sales x~A'])
  })

  it('returns 409 while another row requires it', async () => {
    for (const path of ['/orders/x~A', '/tenants/no'])
      expect(outcomeOf(await api.unchanged(() => api.delete(path)))).toBe('409 constraint.reference')
  })
})

const add = (type: string, lid: string, attributes: object, relationships: object = {}) => ({
  op: 'add',
  data: { type, lid, attributes, relationships },
})
const local = (type: string, lid: string) => ({ data: { type, lid } })

it('atomic operations name resources with keys of several columns by local ids', async () => {
  const tenant = { tenant: toOne('tenants', 'no') }
  const line = { type: 'lines', lid: 'l' }
  const response = await operate(
    api,
    add('customers', 'c', { number: 70 }, tenant),
    add('customers', 'd', { number: 71 }, { ...tenant, sponsor: local('customers', 'c') }),
    add('sales', 'o', { shop: 'l', code: '~' }, { customer: local('customers', 'c') }),
    add('lines', 'l', { position: 1 }, { order: local('sales', 'o') }),
    { op: 'update', ref: line, data: { ...line, attributes: { text: 'last' } } },
    { op: 'add', href: '/orders/l~!~/relationships/slots', data: toMany('slots', '5~2026-11-20').data },
    { op: 'update', ref: { type: 'sales', lid: 'o', relationship: 'customer' }, ...local('customers', 'd') },
  )
  const ids = resultsOf(response).map(({ data }: { data?: { id: string } }) => data?.id)
  expect([...ids.slice(0, 4), ids[6]]).toEqual(['no~70', 'no~71', 'l~!~', 'l~!~~1', undefined])
  expect(await keysAt(api, '/customers/no~70/sponsored')).toEqual(['customers no~71'])
  expect(await keysAt(api, '/customers/no~71/orders')).toEqual(['sales l~!~'])
  expect(await keysAt(api, '/orders/l~!~/slots')).toEqual(['slots 5~2026-11-20'])
  expect(await keysAt(api, '/orders/l~!~/lines')).toEqual(['lines l~!~~1'])
  expect((await api.get('/lines/l~!~~1')).body.data.attributes.text).toContain('last')
})

it('needs no more statements than a key of one column', async () => {
  const count = async (work: () => Promise<unknown>) => (await api.statementsOf(work)).length
  const slots = toMany('slots', '5~2026-11-20', `${SERIAL}~2026-11-21`)
  const changed = await count(() => api.patch('/orders/x~A/relationships/slots').send(slots))
  // PostgreSQL reads joined tables again after it has locked a row.
  const again = LAYOUT === 'joined' && DATABASE === 'postgres' ? 1 : 0
  expect(changed).toBe(again + byLayout({ single: 4, joined: 4, tablePerConcreteClass: 5 }))
  expect(await count(() => updateResource(api, 'sales', 'y~A', { amount: 4 }))).toBe(2 + again)
  const created = await count(() => post(resource('sales', 's~1', {}, {})))
  expect(created).toBe(byLayout({ single: 2, joined: 3, tablePerConcreteClass: DATABASE === 'postgres' ? 4 : 3 }))
})
