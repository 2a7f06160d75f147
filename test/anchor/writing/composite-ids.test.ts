import { startApi, type TestApi } from '../../support/api'
import { resourceKeys } from '../../support/expectations'
import { fillTrade, TRADE } from '../../support/trade'

// One id for several columns. test/writing/composite-ids.test.ts has it all.

let api: TestApi
beforeAll(async () => {
  api = await startApi(TRADE)
  await fillTrade(api)
})
afterAll(() => api.close())

const order = { type: 'sales', attributes: { shop: 'new', code: '1', amount: 1 } }

it('T-04: the id follows from attributes; that nothing was added is told where it is asked for', async () => {
  const created = await api.post('/orders').send({ data: order })
  expect([created.status, created.body.data.id]).toEqual([201, 'new~1'])
  const attributes = { number: 5, name: 'Eve' }
  const relationships = { tenant: { data: { type: 'tenants', id: 'se' } } }
  const minimal = await api
    .post('/customers')
    .send({ data: { type: 'customers', attributes, relationships } })
    .set({ 'content-type': 'application/vnd.api+json', prefer: 'return=minimal' })
  expect([minimal.status, minimal.text]).toEqual([204, ''])
  expect(resourceKeys(await api.get("/customers?filter=equals(id,'se~5')"))).toEqual(['customers se~5'])
})

it('T-04: resources are updated, linked and deleted by it', async () => {
  const update = { data: { type: 'sales', id: 'y~A', attributes: { amount: 7 } } }
  await api.patch('/sales/y~A').send(update).expect(204)
  const to = (id: string) => ({ data: { type: 'customers', id } })
  await api.patch('/sales/y~A/relationships/customer').send(to('no~2')).expect(204)
  expect(resourceKeys(await api.get('/customers/no~2/orders'))).toEqual(['sales y~A'])
  const members = { data: [{ type: 'returns', id: 'x~B' }] }
  await api.post('/sales/y~A/relationships/returns').send(members).expect(204)
  expect(resourceKeys(await api.get('/sales/y~A/returns'))).toEqual(['returns x~B'])
  await api.delete('/sales/y~A/relationships/returns').send(members).expect(204)
  await api.delete('/returns/x~B').expect(204)
  await api.get('/returns/x~B').expect(404)
})
