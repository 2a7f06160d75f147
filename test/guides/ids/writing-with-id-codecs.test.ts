import type { ResourceWrite, StoredRecord } from 'stemma'
import { startApi, type TestApi } from '../../support/api'
import { define } from '../../support/define'
import { createResource, resource, toMany, toOne, updateResource } from '../../support/documents'
import { expectError, keysOf } from '../../support/expectations'
import { findRow } from '../../support/find-rows'
import { operate, resultsOf } from '../../support/operate'
import {
  ANN,
  ann,
  ENTRY_IDS,
  fillWallets,
  OWNER_IDS,
  Receipt,
  STAMP_IDS,
  WALLET_IDS,
  WALLETS,
  Wallet,
  wallet,
} from '../../support/wallets'

// With an idCodec, requests, responses and rules have ids; only the database has keys.

let api: TestApi
const seen: string[] = []
const stamp = STAMP_IDS.encode('red')

/** Records every id that it gets; wallets without a label become parts of wallet 4. */
const walletRules = define(Wallet, {
  beforeWrite: ({ id, stored }) => void seen.push(`before ${id} ${stored?.id}`),
  setToOne({ values }: ResourceWrite<Wallet>, relationship: string, right: StoredRecord | null) {
    seen.push(`${relationship} ${right?.id}`)
    return relationship === 'whole' && values.label === '' ? { type: 'wallets', id: wallet(4) } : undefined
  },
  afterWrite: ({ id }) => void seen.push(`after ${id}`),
})

beforeEach(async () => {
  api = await startApi(WALLETS, { definitions: [walletRules] })
  await fillWallets(api)
  seen.length = 0
})
afterEach(() => api.close())

const linked = async (path: string) => keysOf((await api.get(path)).body.data)

it('returns the id of a new resource in data and Location, for keys of the database and of the client', async () => {
  const generated = await createResource(api, 'receipts').expect(201)
  const [row] = await api.dataSource.getRepository(Receipt).find()
  const id = WALLET_IDS.encode(row?.id ?? 0)
  expect([generated.headers.location, generated.body.data.id]).toEqual([`/receipts/${id}`, id])

  const given = await api
    .post('/wallets')
    .send(resource('safes', wallet(9), { label: 'New' }))
    .expect(201)
  expect(given.headers.location).toBe(`/safes/${wallet(9)}`)
  expect(await findRow(api.dataSource, Wallet, 7_300_009)).toMatchObject({ label: 'New' })

  const uuid = await createResource(api, 'owners')
  expect(OWNER_IDS.decode(uuid.body.data.id)).toMatch(/^[\da-f]{8}-[\da-f]{4}-4/)
}) // anchor: W/T-05

it('keeps all digits of keys above 2^53', async () => {
  const [id, before] = ['9223372036854775807', '9007199254740993'].map(ENTRY_IDS.encode) as [string, string]
  await api.post('/entries').send(toOne('entries', before)).expect(201)
  const created = await createResource(api, 'entries', undefined, { before: toOne('entries', before) }, id)
  expect(created.body.data.id).toBe(id)
  expect(await linked(`/entries/${id}/before`)).toEqual([`entries ${before}`])
  expect(await linked(`/entries?filter=equals(before.id,'${before}')&sort=-id`)).toEqual([`entries ${id}`])
})

it('supports a local id in a POST', async () => {
  const relationships = { before: { data: { type: 'receipts', lid: 'new' } } }
  const { body } = await api.post('/receipts').send({ data: { type: 'receipts', lid: 'new', relationships } })
  expect(await linked(`/receipts/${body.data.id}/before`)).toEqual([`receipts ${body.data.id}`])
})

it.each([
  ['a key', 'purses', '7300009', 422, 'resource.id-value', "Expected an id of 'purses', found '7300009'."],
  ['a UUID', 'owners', ANN, 422, 'resource.id-value', `Expected an id of 'owners', found '${ANN}'.`],
  ['a key that is too long', 'stamps', STAMP_IDS.encode('x'.repeat(7)), 422, 'resource.id-value', ''],
  ['an id that is no whole number', 'purses', 'w1', 422, 'resource.id-value', ''],
  ['a taken id', 'owners', ann, 409, 'resource.id-taken', ''],
  ['an id of another branch', 'safes', wallet(1), 409, 'resource.id-taken', ''],
  ['an id that the server generates', 'receipts', wallet(1), 403, 'resource.client-id', ''],
])('refuses a POST with %s', async (_what, type, id, status, code, detail) => {
  const response = await api.unchanged(() => api.post(`/${type}`).send(toOne(type, id)))
  expectError(response, status, '/data/id', code)
  if (detail !== '') expect(response.body.errors[0].detail).toBe(detail)
}) // anchor: W/T-05

it('accepts only the id of the URL in a PATCH, not another spelling of it', async () => {
  const path = `/wallets/${wallet(3)}`
  await updateResource(api, 'safes', wallet(3), { label: 'Z' }).expect(204)
  for (const id of ['7300003', wallet(3).toUpperCase(), wallet(2)]) {
    const response = await api.patch(path).send(resource('safes', id, { label: 'Z' }))
    expectError(response, 409, '/data/id', 'document.id-conflict')
  }
})

it('reads and writes relationships by ids', async () => {
  const path = `/wallets/${wallet(4)}/relationships`
  const [stamps, owner, parts] = [`${path}/stamps`, `${path}/owner`, `${path}/parts`]
  await api.post(stamps).send(toMany('stamps', stamp)).expect(204)
  expect(await linked(stamps)).toEqual([`stamps ${stamp}`])
  await api.delete(stamps).send(toMany('stamps', 'red')).expect(204)
  expect(await linked(stamps)).toEqual([`stamps ${stamp}`])
  await api.delete(stamps).send(toMany('stamps', stamp)).expect(204)
  expect(await linked(stamps)).toEqual([])
  await api.patch(owner).send(toOne('owners', ann)).expect(204)
  expect(await linked(owner)).toEqual([`owners ${ann}`])
  await api
    .patch(parts)
    .send(toMany('wallets', wallet(2), wallet(3)))
    .expect(204)
  expect(await linked(parts)).toEqual([`purses ${wallet(2)}`, `safes ${wallet(3)}`])
  await api.delete(`/wallets/${wallet(4)}`).expect(204)
  await api.get(`/wallets/${wallet(4)}`).expect(404)
}) // anchor: W/T-05

it('passes ids to rules, and takes ids from them', async () => {
  const id = wallet(9)
  await createResource(api, 'purses', undefined, { whole: toOne('purses', wallet(1)) }, id).expect(201)
  expect(seen).toEqual([`whole ${wallet(1)}`, `before ${id} undefined`, `after ${id}`])
  expect(await linked(`/purses/${id}/whole`)).toEqual([`purses ${wallet(4)}`])
  await updateResource(api, 'purses', id, { label: 'Z' })
  expect(seen.slice(3)).toEqual([`before ${id} ${id}`, `after ${id}`])
})

it('supports local ids in atomic operations', async () => {
  const ref = { type: 'purses', id: wallet(1), relationship: 'owner' }
  const [, receipt] = resultsOf(
    await operate(
      api,
      { op: 'add', data: { type: 'owners', lid: 'o' } },
      { op: 'add', data: { type: 'receipts', lid: 'r' } },
      { op: 'update', ref, data: { type: 'owners', lid: 'o' } },
      { op: 'add', data: { type: 'receipts', lid: 'gone' } },
      { op: 'remove', ref: { type: 'receipts', lid: 'gone' } },
      { op: 'update', data: { type: 'receipts', lid: 'r' } },
    ),
  )
  await api.get(`/receipts/${receipt.data.id}`).expect(200)
  expect(await linked(`/purses/${wallet(1)}/owner`)).toEqual([expect.stringMatching(/^owners [\w-]{22}$/)])
})
