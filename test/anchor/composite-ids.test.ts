import { startApi, type TestApi } from '../support/api'
import { fillTrade, ODD, TRADE } from '../support/trade'
import { answered } from './support/answered'

// One id for several columns. test/reading/composite-ids.test.ts has it all.

let api: TestApi
beforeAll(async () => {
  api = await startApi(TRADE)
  await fillTrade(api)
})
afterAll(() => api.close())

it.each([
  ['A-28', 'can be asked for', `/orders/${ODD}`, { type: 'sales', id: ODD }],
  ['A-28', 'is compared', `/orders?filter=any(id,'${ODD}','x~B')`, [{ id: ODD }, { id: 'x~B' }]],
  ['A-28', 'is sorted by', '/customers?sort=-id&page[size]=2', [{ id: 'se~1' }, { id: 'no~12' }]],
  ['A-28', 'is there though no field is', '/orders/x~B?fields[returns]=', { type: 'returns', id: 'x~B' }],
])('%s: an id of several columns %s', async (_rule, _what, path, data) => {
  expect(answered(await api.get(path))).toMatchObject({ data })
})
