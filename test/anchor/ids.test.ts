import { startApi, type TestApi } from '../support/api'
import { ann, fillWallets, STAMP_IDS, WALLETS, wallet } from '../support/wallets'
import { answered, refused } from './support/answered'

// What stands for a key. test/reading/id-codecs.test.ts has it all.

let api: TestApi
beforeAll(async () => {
  api = await startApi(WALLETS)
  await fillWallets(api)
})
afterAll(() => api.close())

const purse = wallet(1)

it.each([
  ['A-15', 'ids', `/wallets/${purse}`, { type: 'purses', id: purse }],
  ['A-15', 'links', `/wallets/${purse}`, { links: { self: `/purses/${purse}` } }],
  ['A-15', 'linkage', `/wallets/${purse}/relationships/owner`, { type: 'owners', id: ann }],
  ['A-15', 'equals', `/wallets?filter=equals(id,'${purse}')`, [{ id: purse }]],
  ['A-15', 'any', `/wallets?filter=any(id,'${purse}','${wallet(2)}')`, [{ id: purse }, { id: wallet(2) }]],
  ['A-15', 'a path', `/owners?filter=has(wallets,equals(id,'${purse}'))`, [{ id: ann }]],
  ['A-15', 'texts', `/stamps/${encodeURIComponent(STAMP_IDS.encode('red'))}`, { id: STAMP_IDS.encode('red') }],
])('%s: a codec stands for keys in %s', async (_rule, _what, path, data) => {
  expect(answered(await api.get(path))).toMatchObject({ data })
})

it('A-15: an id that no codec has made is that of a row that does not exist', async () => {
  expect(refused(await api.get('/wallets/7300001'))).toEqual({ status: 404, code: 'resource.not-found' })
  const filtered = await api.get("/wallets?filter=equals(id,'7300001')")
  expect(refused(filtered)).toEqual({ status: 400, code: 'query.filter', parameter: 'filter' })
  expect(filtered.body.errors[0].meta).toMatchObject({ position: 11 })
})
