import { entityManagerOf, equals, not, type ResourceClass, ResourceDefinition, type ResourceWrite } from 'stemma'
import { startApi, type TestApi } from '../../support/api'
import { DATABASE } from '../../support/database'
import { keysOf, singleError } from '../../support/expectations'
import { byTables } from '../../support/lay-tables'
import { operate, resultsOf } from '../../support/operate'
import { Customer, ODD, Order, Return, refillTrade, SERIAL, Slot, Tenant, TOKEN, TRADE } from '../../support/trade'

// What is written with one id for a key of several columns, and that the id never becomes another.

let api: TestApi
const seen: string[] = []

class OrderRules extends ResourceDefinition<Order> {
  readonly resource: ResourceClass = Order

  override beforeWrite({ id, values: { shop, code, amount } }: ResourceWrite<Order>): object | Promise<object> {
    seen.push(`${id || 'new'}: ${shop} ${code}`)
    // Says the key again, or another one.
    return { shop, code: amount === 666 ? 'evil' : code }
  }
  override afterWrite({ id }: ResourceWrite<Order>) {
    seen.push(`after ${id}`)
  }
}

/** Nobody sees the tenant `se` who says so. */
class TenantRules extends ResourceDefinition<Tenant, string | undefined> {
  readonly resource: ResourceClass = Tenant

  override filter(who: string | undefined) {
    return who === 'blind' ? not(equals('id', 'se')) : undefined
  }
}

/** Takes the customer away at the last moment. */
class ReturnRules extends OrderRules {
  override readonly resource: ResourceClass = Return

  override async beforeWrite(write: ResourceWrite<Order>): Promise<object> {
    if (write.values.amount === 13) await entityManagerOf(write).delete(Customer, { tenantId: 'no', number: 2 })
    return super.beforeWrite(write)
  }
}

/** Takes the sponsor away. */
class CustomerRules extends ResourceDefinition<Customer> {
  readonly resource: ResourceClass = Customer

  override async beforeWrite(write: ResourceWrite<Customer>) {
    if (write.values.name === 'late') await entityManagerOf(write).delete(Customer, { tenantId: 'no', number: 12 })
  }
}

beforeAll(async () => {
  api = await startApi(TRADE, {
    definitions: [new OrderRules(), new ReturnRules(), new TenantRules(), new CustomerRules()],
    context: (request) => request.get('x-who'),
  })
})
beforeEach(async () => {
  await refillTrade(api)
  seen.length = 0
})
afterAll(() => api.close())

const one = (type: string, id: string) => ({ data: { type, id } })
const many = (type: string, ...ids: readonly string[]) => ({ data: ids.map((id) => ({ type, id })) })
const body = (type: string, id: string | undefined, attributes: object = {}, relationships: object = {}) => ({
  data: { type, id, attributes, relationships },
})
const linked = async (path: string) => keysOf((await api.get(path)).body.data)
const sendWith = (headers: Record<string, string>) => (method: string, path: string, sent: object) =>
  api
    .request(method, path)
    .send(sent)
    .set({ 'content-type': 'application/vnd.api+json', ...headers })
const refusal = async (sending: () => ReturnType<TestApi['get']>) => {
  const answer = await api.unchanged(sending)
  const { status, code } = singleError(answer)
  return `${status} ${code} ${answer.body.errors[0].source?.pointer ?? ''}`.trim()
}

describe('what is created gets its id', () => {
  it('from attributes', async () => {
    const answer = await api.post('/orders').send(body('sales', undefined, { shop: 'q~', code: '!', amount: 2 }))
    expect([answer.status, answer.headers.location]).toEqual([201, '/sales/q!~~!!'])
    expect(answer.body.data).toMatchObject({ id: 'q!~~!!', attributes: { shop: 'q~', code: '!', amount: 2 } })
    expect(seen).toEqual(['new: q~ !', 'after q!~~!!'])
    expect((await api.get('/orders/q!~~!!')).body.data).toEqual(answer.body.data)
  })

  it('from a relationship and an attribute', async () => {
    const answer = await api
      .post('/customers')
      .send(body('customers', undefined, { number: 9 }, { tenant: one('tenants', 'se') }))
    expect([answer.status, answer.body.data.id]).toEqual([201, 'se~9'])
    expect(await linked('/tenants/se/customers')).toEqual(['customers se~1', 'customers se~9'])
  })

  it('from a relationship to a key of several columns', async () => {
    const given = body('lines', undefined, { position: 4, text: 'new' }, { order: one('sales', ODD) })
    const answer = await api.post('/lines').send(given)
    expect([answer.status, answer.body.data.id]).toEqual([201, `${ODD}~4`])
    expect(answer.body.data.attributes).toEqual({ position: 4, text: 'line new!' })
    expect(await linked(`/orders/${ODD}/lines`)).toEqual([`lines ${ODD}~4`])
  })

  it('from the client, who need not say it twice', async () => {
    const answer = await api.post('/orders').send(body('returns', 'n~N', { reason: 'broken' }))
    expect(answer.body.data).toMatchObject({ id: 'n~N', attributes: { shop: 'n', code: 'N', reason: 'broken' } })
    expect(seen).toEqual(['n~N: n N', 'after n~N'])
    const customer = await api.post('/customers').send(body('customers', 'se~3'))
    expect([customer.status, customer.body.data.attributes.number]).toEqual([201, 3])
    expect(await linked('/customers/se~3/tenant')).toEqual(['tenants se'])
    await api
      .post('/customers')
      .send(body('customers', 'se~4', { number: 4 }))
      .expect(201)
  })

  it('with a part that the library makes up', async () => {
    const answer = await api.post('/receipts').send(body('receipts', undefined, { series: 8 }))
    expect([answer.status, answer.body.data.id]).toEqual([201, expect.stringMatching(/^8~[\da-f-]{36}$/)])
    expect((await api.get(answer.body.data.links.self)).body.data).toEqual(answer.body.data)
  })

  it('and is told of only if something was added', async () => {
    const create = sendWith({ prefer: 'return=minimal' })
    const sent = body('slots', '3~2026-01-01', { place: 'hall' })
    await create('POST', '/slots', sent).expect(204)
    const customer = body('customers', undefined, { number: 6, name: 'Fay' }, { tenant: one('tenants', 'no') })
    await create('POST', '/customers', customer).expect(204)
    await create('POST', '/receipts', body('receipts', undefined, { series: 9 })).expect(201)
  })

  it('with everything that it is linked to', async () => {
    const relationships = {
      customer: one('customers', 'se~1'),
      receipt: one('receipts', `7~${TOKEN}`),
      slots: many('slots', '5~2026-11-20', `${SERIAL}~2026-11-21`),
      returns: many('returns', 'x~B'),
    }
    await api
      .post('/sales')
      .send(body('sales', 'w~1', {}, relationships))
      .expect(201)
    expect(await linked('/sales/w~1/customer')).toEqual(['customers se~1'])
    expect(await linked('/sales/w~1/slots')).toEqual(['slots 5~2026-11-20', `slots ${SERIAL}~2026-11-21`])
    expect(await linked('/sales/w~1/returns')).toEqual(['returns x~B'])
    expect(await linked(`/receipts/7~${TOKEN}/sale`)).toEqual(['sales w~1'])
    expect(await linked('/sales/x~A/receipt')).toEqual([])
  })

  it('also where it is linked to itself', async () => {
    const data = { type: 'returns', lid: 'a', attributes: { shop: 'me', code: '1' }, relationships: {} }
    await api
      .post('/returns')
      .send({
        data: { ...data, relationships: { original: { data: { type: 'returns', lid: 'a' } } } },
      })
      .expect(201)
    expect(await linked('/returns/me~1/original')).toEqual(['returns me~1'])
  })

  it.each([
    ['that is malformed', body('sales', 'x~A~B'), '422 resource.id-value /data/id'],
    ['with a part that does not fit', body('sales', `x~${'A'.repeat(21)}`), '422 resource.id-value /data/id'],
    ['with a number too large', body('customers', `no~${SERIAL}`), '422 resource.id-value /data/id'],
    ['that is taken', body('sales', 'x~A'), '409 resource.id-taken /data/id'],
    ['that is taken by attributes', body('sales', undefined, { shop: 'x', code: 'A' }), '409 resource.id-taken /data'],
    [
      'that an attribute contradicts',
      body('sales', 'x~C', { code: 'D' }),
      '422 resource.id-parts /data/attributes/code',
    ],
    ['of which a part is missing', body('sales', undefined, { shop: 'x' }), '422 attribute.required /data/attributes'],
    [
      'that a relationship contradicts',
      body('customers', 'no~7', {}, { tenant: one('tenants', 'se') }),
      '422 resource.id-parts /data/relationships/tenant',
    ],
    [
      'that two relationships contradict',
      body('customers', undefined, { number: 7 }, { tenant: one('tenants', 'no'), sponsor: one('customers', 'se~1') }),
      '422 resource.id-parts /data/relationships/sponsor',
    ],
    [
      'of which a relationship is missing',
      body('customers', undefined, { number: 7 }),
      '422 relationship.required /data/relationships',
    ],
    ['that refers to nothing', body('customers', 'xx~7'), '404 related.not-found /data/id'],
    ['that is not to be given', body('receipts', `8~${TOKEN}`, { series: 8 }), '403 resource.client-id /data/id'],
  ])('and not one %s', async (_what, given, expected) => {
    expect(await refusal(() => api.post(`/${given.data.type}`).send(given))).toBe(expected)
  })
})

describe('what an id refers to', () => {
  it('is looked for under the rules, and told to them', async () => {
    const create = sendWith({ 'x-who': 'blind' })
    const answer = await api.unchanged(() => create('POST', '/customers', body('customers', 'se~8')))
    expect(singleError(answer)).toMatchObject({ status: 404, code: 'related.not-found' })
    await create('POST', '/customers', body('customers', 'no~8')).expect(201)
  })

  it('is missed by the field, where it went in between', async () => {
    const relationships = { customer: one('customers', 'no~2'), original: one('sales', 'x~A') }
    const given = body('returns', 'w~1', { amount: 13 }, relationships)
    expect(await refusal(() => api.post('/returns').send(given))).toBe(missing('customer'))
  })

  it('is missed by the relationship that has all of the key, where others share a part', async () => {
    const relationships = { tenant: one('tenants', 'no'), sponsor: one('customers', 'no~12') }
    const given = body('customers', undefined, { number: 31, name: 'late' }, relationships)
    expect(await refusal(() => api.post('/customers').send(given))).toBe(missing('sponsor'))
  })

  /** SQLite names no foreign key. */
  function missing(name: string): string {
    if (DATABASE === 'sqlite') return '409 constraint.reference'
    return `404 related.not-found /data/relationships/${name}`
  }
})

describe('an update', () => {
  it('changes all but the key', async () => {
    await api
      .patch(`/sales/${ODD}`)
      .send(body('sales', ODD, { amount: 9 }, { customer: one('customers', 'no~2') }))
      .expect(204)
    expect(seen).toEqual([`${ODD}: x A~1!`, `after ${ODD}`])
    expect((await api.get(`/sales/${ODD}?include=customer`)).body).toMatchObject({
      data: { attributes: { shop: 'x', code: 'A~1!', amount: 9 } },
      included: [{ type: 'customers', id: 'no~2' }],
    })
    expect(await linked('/customers/no~2/orders')).toEqual([`sales ${ODD}`])
  })

  it('may write a UUID in either case', async () => {
    const id = `7~${TOKEN.toUpperCase()}`
    await api.patch(`/receipts/7~${TOKEN}`).send(body('receipts', id)).expect(204)
  })

  it.each([
    [
      'an attribute',
      '/sales/x~A',
      body('sales', 'x~A', { code: 'C' }),
      '422 attribute.read-only /data/attributes/code',
    ],
    ['the id', '/sales/x~A', body('sales', 'x~C'), '409 document.id-conflict /data/id'],
    ['a rule', '/sales/x~A', body('sales', 'x~A', { amount: 666 }), '422 resource.id-parts /data/attributes'],
    [
      'a relationship',
      '/customers/no~2',
      body('customers', 'no~2', {}, { tenant: one('tenants', 'se') }),
      '403 relationship.read-only /data/relationships/tenant',
    ],
    ['its endpoint', '/customers/no~2/relationships/tenant', one('tenants', 'se'), '403 relationship.read-only'],
    ['a shared part', '/customers/no~2/relationships/sponsor', one('customers', 'se~1'), '422 resource.id-parts /data'],
    ['that of members', '/tenants/se/relationships/customers', many('customers', 'no~1'), '403 relationship.read-only'],
    [
      'a shared part of members',
      '/customers/no~1/relationships/sponsored',
      many('customers', 'no~2', 'se~1'),
      '422 resource.id-parts /data',
    ],
    [
      'the parts of new members',
      '/orders/x~A/relationships/lines',
      many('lines', 'y~A~1'),
      '422 resource.id-parts /data',
    ],
  ])('never changes the key by %s', async (_what, path, given, expected) => {
    expect(await refusal(() => api.patch(path).send(given))).toBe(expected)
  })
})

describe('relationships', () => {
  it.each([
    ['to one', '/orders/y~A/relationships/customer', one('customers', 'se~1'), ['customers se~1']],
    ['to none', '/orders/x~A/relationships/customer', { data: null }, []],
    [
      'to one that shares a part',
      '/customers/no~1/relationships/sponsor',
      one('customers', 'no~12'),
      ['customers no~12'],
    ],
    ['to none that shares a part', '/customers/no~2/relationships/sponsor', { data: null }, []],
    ['one to one', `/sales/${ODD}/relationships/receipt`, one('receipts', `7~${TOKEN}`), [`receipts 7~${TOKEN}`]],
    ['one to one, again', '/sales/x~A/relationships/receipt', one('receipts', `7~${TOKEN}`), [`receipts 7~${TOKEN}`]],
    ['one to one, from the other end', `/receipts/7~${TOKEN}/relationships/sale`, one('sales', 'y~A'), ['sales y~A']],
    ['one to none, from the other end', `/receipts/7~${TOKEN}/relationships/sale`, { data: null }, []],
    ['to many', '/customers/se~1/relationships/orders', many('sales', 'x~A', 'y~A'), ['sales x~A', 'sales y~A']],
    ['to many of which none is left', '/customers/no~1/relationships/orders', { data: [] }, []],
    [
      'to many that share a part',
      '/customers/no~1/relationships/sponsored',
      many('customers', 'no~12'),
      ['customers no~12'],
    ],
    ['to many that go', '/orders/x~A/relationships/lines', many('lines', 'x~A~2'), ['lines x~A~2']],
    [
      'in pairs',
      '/orders/x~A/relationships/slots',
      many('slots', '5~2026-11-20', `${SERIAL}~2026-11-21`),
      ['slots 5~2026-11-20', `slots ${SERIAL}~2026-11-21`],
    ],
    ['in pairs, from the other end', '/slots/5~2026-11-20/relationships/orders', many('sales', 'y~A'), ['sales y~A']],
    [
      'in pairs of one kind',
      '/slots/5~2026-11-20/relationships/before',
      many('slots', `${SERIAL}~2026-11-20`, '5~2026-11-20'),
      ['slots 5~2026-11-20', `slots ${SERIAL}~2026-11-20`],
    ],
  ])('are set: %s', async (_what, path, given, expected) => {
    await api.patch(path).send(given).expect(204)
    expect(await linked(path)).toEqual(expected)
  })

  it('leave rows that lost a link with their own key', async () => {
    await api.patch('/customers/no~1/relationships/sponsored').send(many('customers', 'no~12'))
    const rows = await api.dataSource.getRepository(Customer).find({ order: { tenantId: 'ASC', number: 'ASC' } })
    expect(
      rows.map(({ tenantId, number, sponsorNumber, version }) => [tenantId, number, sponsorNumber, version]),
    ).toEqual([
      ['no', 1, null, 2],
      ['no', 2, null, 2],
      ['no', 12, 1, 1],
      ['se', 1, null, 1],
    ])
  })

  it('count up the versions of rows that are moved, and of no others', async () => {
    const version = async () =>
      (await api.dataSource.getRepository(Customer).findOneByOrFail({ tenantId: 'no', number: 2 })).version
    for (const expected of [2, 2]) {
      await api.post('/customers/no~12/relationships/sponsored').send(many('customers', 'no~2'))
      expect(await version()).toBe(expected)
    }
  })

  it.each([
    ['add', 'post', '/orders/x~A/relationships/slots', many('slots', `${SERIAL}~2026-11-21`, '5~2026-11-20'), 3],
    [
      'remove',
      'deleteWith',
      '/orders/x~A/relationships/slots',
      many('slots', `${SERIAL}~2026-11-21`, '5~2026-11-20'),
      1,
    ],
    ['add', 'post', '/customers/no~1/relationships/orders', many('sales', 'y~A', 'x~A'), 3],
    ['remove', 'deleteWith', '/customers/no~1/relationships/orders', many('returns', 'x~B'), 1],
    ['remove', 'deleteWith', '/orders/x~A/relationships/lines', many('lines', 'x~A~1', 'y~A~1'), 1],
    ['add', 'post', '/customers/no~2/relationships/sponsored', many('customers', 'no~12', 'no~2'), 2],
  ] as const)('%s members: %s %s', async (_what, method, path, given, count) => {
    const answer = method === 'post' ? await api.post(path).send(given) : await api.delete(path).send(given)
    expect(answer.status).toBe(204)
    expect(await linked(path)).toHaveLength(count)
  })

  it.each([
    ['/orders/y~A/relationships/customer', one('customers', 'no~99'), '404 related.not-found /data'],
    ['/orders/y~A/relationships/customer', one('customers', 'no'), '404 related.not-found /data'],
    ['/orders/y~A/relationships/slots', many('slots', '5~2026-11-20', '5~x'), '404 related.not-found /data/1'],
    // Whatever a collation takes for equal.
    ['/customers/no~2/relationships/orders', many('sales', 'x~A', 'Y~A'), '404 related.not-found /data/1'],
    ['/customers/no~2/relationships/orders', many('sales', 'x~a', 'y~A'), '404 related.not-found /data/0'],
  ])('name what is there: %s', async (path, given, expected) => {
    expect(await refusal(() => api.patch(path).send(given))).toBe(expected)
  })
})

describe('states', () => {
  it('are those of the row', async () => {
    const etag = (await api.get('/sales/x~A')).headers.etag ?? ''
    const patch = (amount: number) =>
      sendWith({ 'if-match': etag })('PATCH', '/sales/x~A', body('sales', 'x~A', { amount }))
    await patch(8).expect(204)
    await patch(9).expect(412)
  })

  it.each(['slots', 'returns', 'lines'])('are those of linkage: %s', async (name) => {
    const path = `/orders/x~A/relationships/${name}`
    const etag = (await api.get(path)).headers.etag ?? ''
    const empty = () => sendWith({ 'if-match': etag })('PATCH', path, { data: [] })
    await empty().expect(204)
    await empty().expect(412)
  })
})

it('linkage is in another state where any part of a member is another', async () => {
  const path = '/orders/y~A/relationships/slots'
  const etag = async () => (await api.get(path)).headers.etag?.split('.')[0]
  const before = await etag()
  await api.patch(path).send(many('slots', `${SERIAL}~2026-11-21`))
  expect(await linked(path)).toHaveLength(1)
  expect(await etag()).not.toBe(before)
})

describe('a delete', () => {
  it('takes the row, and loosens what refers to it', async () => {
    await api.delete('/customers/no~1').expect(204)
    await api.get('/customers/no~1').expect(404)
    expect(await linked('/customers/no~2/sponsor')).toEqual([])
    expect(await linked('/orders/x~A/customer')).toEqual([])
    expect(await linked('/customers')).toEqual(['customers no~2', 'customers no~12', 'customers se~1'])
  })

  it('takes its pairs', async () => {
    await api.patch('/orders/x~B/relationships/slots').send(many('slots', '5~2026-11-20'))
    await api.delete('/returns/x~B').expect(204)
    expect(await linked('/slots/5~2026-11-20/orders')).toEqual(['sales x~A'])
  })

  it('keeps the pairs of what only counts as deleted', async () => {
    const path = '/orders/x~A/relationships/slots'
    const etag = (await api.get(path)).headers.etag
    await api.delete(`/slots/${SERIAL}~2026-11-20`).expect(204)
    expect(await linked(path)).toEqual(['slots 5~2026-11-20'])
    expect((await api.get(path)).headers.etag).not.toBe(etag)
    await api.patch(path).send({ data: [] })
    expect(await linked(path)).toEqual([])
    await api.dataSource.getRepository(Slot).restore({ serial: SERIAL, day: '2026-11-20' })
    expect(await linked(path)).toEqual([`slots ${SERIAL}~2026-11-20`])
  })

  it('is refused while something needs the row', async () => {
    expect(await refusal(() => api.delete('/orders/x~A'))).toBe('409 constraint.reference')
    expect(await refusal(() => api.delete('/tenants/no'))).toBe('409 constraint.reference')
  })
})

it('is known to later operations by a local id', async () => {
  const tenant = { tenant: one('tenants', 'se') }
  const customer = (lid: string, number: number, relationships: object) => ({
    op: 'add',
    data: { type: 'customers', lid, attributes: { number }, relationships: { ...tenant, ...relationships } },
  })
  const local = (type: string, lid: string) => ({ data: { type, lid } })
  const operations = [
    customer('first', 21, {}),
    customer('second', 22, { sponsor: local('customers', 'first') }),
    { op: 'add', data: { type: 'sales', lid: 'sale', attributes: { shop: 'op', code: '1' } } },
    {
      op: 'add',
      data: { type: 'lines', attributes: { position: 1 }, relationships: { order: local('sales', 'sale') } },
    },
    { op: 'update', ref: { type: 'sales', lid: 'sale', relationship: 'customer' }, ...local('customers', 'second') },
  ]
  const type = 'application/vnd.api+json;ext="https://jsonapi.org/ext/atomic"'
  const body = { 'atomic:operations': operations }
  const answer = await api.post('/operations').send(body).set({ 'content-type': type, accept: type }).expect(200)
  const results: { data?: { id: string } }[] = answer.body['atomic:results']
  expect(results.map(({ data }) => data?.id)).toEqual(['se~21', 'se~22', 'op~1', 'op~1~1', undefined])
  expect(await linked('/customers/se~21/sponsored')).toEqual(['customers se~22'])
  expect(await linked('/customers/se~22/orders')).toEqual(['sales op~1'])
  expect(await linked('/orders/op~1/lines')).toEqual(['lines op~1~1'])
})

it('takes no more statements than with a key of one column', async () => {
  const count = async (work: () => Promise<unknown>) => (await api.statementsOf(work)).length
  const slots = many('slots', '5~2026-11-20', `${SERIAL}~2026-11-21`)
  const changed = await count(() => api.patch('/orders/x~A/relationships/slots').send(slots))
  expect(changed).toBe(byTables({ single: 4, joined: 4, perConcreteType: 5 }))
  expect(await count(() => api.patch('/sales/y~A').send(body('sales', 'y~A', { amount: 4 })))).toBe(2)
  const created = await count(() => api.post('/sales').send(body('sales', 's~1')))
  expect(created).toBe(byTables({ single: 2, joined: 3, perConcreteType: DATABASE === 'postgres' ? 4 : 3 }))
})

it('operations name by local ids what has a key of several columns, parts that are resources of their own too', async () => {
  const part = (type: string, lid: string, attributes: object, relationships: object = {}) => ({
    op: 'add',
    data: { type, lid, attributes, relationships },
  })
  const tenant = { tenant: one('tenants', 'no') }
  const answer = await operate(
    api,
    part('customers', 'c', { number: 70 }, tenant),
    part('customers', 'd', { number: 71 }, { ...tenant, sponsor: { data: { type: 'customers', lid: 'c' } } }),
    part('sales', 'o', { shop: 'l', code: '~' }, { customer: { data: { type: 'customers', lid: 'd' } } }),
    part('lines', 'l', { position: 1 }, { order: { data: { type: 'sales', lid: 'o' } } }),
    { op: 'update', ref: { type: 'lines', lid: 'l' }, data: { type: 'lines', lid: 'l', attributes: { text: 'last' } } },
    { op: 'add', href: '/orders/l~!~/relationships/slots', data: many('slots', '5~2026-11-20').data },
  )
  const ids = resultsOf(answer).map(({ data }: { data?: { id: string } }) => data?.id)
  expect(ids.slice(0, 4)).toEqual(['no~70', 'no~71', 'l~!~', 'l~!~~1'])
  expect(await linked('/customers/no~71/sponsor')).toEqual(['customers no~70'])
  expect(await linked('/orders/l~!~/slots')).toEqual(['slots 5~2026-11-20'])
  expect((await api.get('/lines/l~!~~1')).body.data.attributes.text).toContain('last')
})
