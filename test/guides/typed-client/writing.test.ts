import { AcceptedResponseError, and, equals, getEtag, greaterThan, PreconditionFailedError } from 'stemma/client'
import { openShop, type RunningShop } from './support/shop'

let shop: RunningShop
beforeEach(async () => {
  shop = await openShop()
  await shop.client.create('customers', { id: 'ada', attributes: { address: { city: 'Oslo', street: null } } })
})
afterEach(() => shop.close())
const ADA = { type: 'customers', id: 'ada' } as const

function order(amount = 5) {
  return shop.client.create('orders', { attributes: { amount }, relationships: { customer: ADA } })
}

describe('create', () => {
  it('returns the stored resource', async () => {
    expect(await order()).toEqual({ type: 'orders', id: '1', amount: 5, note: null, weight: '0', version: 1 })
  })

  it('returns included resources', async () => {
    const values = { attributes: { amount: 1 }, relationships: { customer: ADA } }
    const { customer } = await shop.client.create('orders', values, { include: { customer: true } })
    expect(customer.address.city).toBe('Oslo')
  })

  it('accepts a client id, and resources as relationships', async () => {
    const read = await shop.client.get('customers', 'ada', { include: { orders: true } })
    await shop.client.create('orders', { attributes: { amount: 1 }, relationships: { customer: read } })
    const attributes = { address: { city: 'Rome', street: 'Via' } }
    const values = { attributes, relationships: { orders: [] } }
    const bea = await shop.client.create('customers', { id: 'bea', ...values })
    expect(bea).toMatchObject({ id: 'bea', address: { city: 'Rome' } })
    // The response is 204.
    const cleo = await shop.client.create(
      'customers',
      { id: 'cleo', ...values },
      { headers: { prefer: 'return=minimal' } },
    )
    expect(cleo).toMatchObject({ id: 'cleo', address: { city: 'Rome' } })
  })
})

describe('update', () => {
  it('returns the stored resource', async () => {
    const changed = await shop.client.update(await order(), { attributes: { note: 'soon' } })
    expect(changed).toMatchObject({ amount: 5, note: 'soon', version: 2 })
  })

  it('accepts an identifier, and changes a relationship', async () => {
    await order()
    const address = { city: 'Rome', street: null }
    const bea = await shop.client.create('customers', { id: 'bea', attributes: { address } })
    const change = { relationships: { customer: bea } }
    const changed = await shop.client.update({ type: 'orders', id: '1' }, change, { include: { customer: true } })
    expect(changed.customer).toMatchObject({ id: 'bea', address })
  })
})

describe('optimistic concurrency', () => {
  it('keeps the ETag of a resource that was read, created or updated', async () => {
    const created = await order()
    const read = await shop.client.get('orders', '1')
    const related = await shop.client.listRelated(ADA, 'orders')
    expect([created, read].map(getEtag)).toEqual([expect.stringMatching(/^"v1/), expect.stringMatching(/^"v1/)])
    expect(related.data.map(getEtag)).toEqual([undefined])
    expect(getEtag(await shop.client.update(read, { attributes: { amount: 6 } }))).toMatch(/^"v2/)
  })

  it('keeps no ETag for a related resource', async () => {
    const customer = await shop.client.getRelated(await order(), 'customer')
    expect(getEtag(customer)).toBeUndefined()
    const address = { city: 'Rome', street: null }
    expect(await shop.client.update(customer, { attributes: { address } })).toMatchObject({ address })
  })

  it('rejects update and delete of a resource that has changed', async () => {
    const [one, other] = [await order(), await shop.client.get('orders', '1')]
    const changed = await shop.client.update(one, { attributes: { note: 'first' } })
    await expect(shop.client.update(other, { attributes: { note: 'second' } })).rejects.toThrow(PreconditionFailedError)
    await expect(shop.client.delete(other)).rejects.toMatchObject({ status: 412, name: 'PreconditionFailedError' })
    await shop.client.delete(changed)
    await expect(shop.client.get('orders', '1')).rejects.toMatchObject({ status: 404 })
  })

  it('is skipped for ifMatch: *, and for an identifier', async () => {
    const old = await order()
    await shop.client.update(old, { attributes: { note: 'first' } })
    await shop.client.update(old, { attributes: { note: 'second' } }, { ifMatch: '*' })
    await shop.client.delete({ type: 'orders', id: '1' })
  })

  it('uses the ETag of the linkage for relationships', async () => {
    const created = await order()
    const { etag = '' } = await shop.client.getLinkage(ADA, 'orders')
    await shop.client.addLinkage(ADA, 'orders', [created], { ifMatch: etag })
    await order()
    const late = shop.client.addLinkage(ADA, 'orders', [created], { ifMatch: etag })
    await expect(late).rejects.toMatchObject({ status: 412 })
  })
})

describe('an idempotency key', () => {
  it('applies a repeated write once', async () => {
    const values = { attributes: { amount: 7 }, relationships: { customer: ADA } }
    const first = await shop.client.create('orders', values, { idempotencyKey: 'a "1"' })
    expect(await shop.client.create('orders', values, { idempotencyKey: 'a "1"' })).toEqual(first)
    expect((await shop.client.list('orders', { filter: equals('amount', 7) })).total).toBe(1)
    expect(shop.sent.at(-2)?.headers.get('idempotency-key')).toBe('"a \\"1\\""')
  })

  it('applies repeated operations once', async () => {
    const values = { attributes: { amount: 8 }, relationships: { customer: ADA } }
    for (let time = 0; time < 2; time += 1)
      await shop.client.performOperations((operations) => void operations.create('orders', values), {
        idempotencyKey: 'b-1',
      })
    expect((await shop.client.list('orders')).total).toBe(1)
  })
})

it('202 Accepted rejects with the job', async () => {
  const error = await order(1000).catch((reason: unknown) => reason)
  expect(error).toBeInstanceOf(AcceptedResponseError)
  expect(error).toMatchObject({ job: { type: 'jobs', id: '1', task: 'create' } })
})

it('a filter compares values by their types', async () => {
  for (const amount of [3, 12]) await order(amount)
  const { data } = await shop.client.list('orders', {
    filter: and(equals('customer.address.city', 'Oslo'), greaterThan('amount', 5), equals('note', null)),
  })
  expect(data.map(({ amount }) => amount)).toEqual([12])
})
