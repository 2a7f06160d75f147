import { type ResourceClass, ResourceDefinition, type ResourceWrite, type StoredRecord } from 'stemma'
import { startApi, type TestApi } from '../../support/api'
import { keysOf } from '../../support/expectations'
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

// With an idCodec bodies name resources by ids, and so do rules; keys are in the database only.

let api: TestApi
const seen: string[] = []
const stamp = STAMP_IDS.encode('red')

/** Writes down every id that it is told; parts that have no label go to wallet 4. */
class WalletRules extends ResourceDefinition<Wallet> {
  readonly resource: ResourceClass = Wallet

  override beforeWrite({ id, stored }: ResourceWrite<Wallet>) {
    seen.push(`before ${id} ${stored?.id}`)
  }
  override setToOne({ values }: ResourceWrite<Wallet>, relationship: string, right: StoredRecord | null) {
    seen.push(`${relationship} ${right?.id}`)
    return relationship === 'whole' && values.label === '' ? { type: 'wallets', id: wallet(4) } : undefined
  }
  override afterWrite({ id }: ResourceWrite<Wallet>) {
    seen.push(`after ${id}`)
  }
}

beforeEach(async () => {
  api = await startApi(WALLETS, { definitions: [new WalletRules()] })
  await fillWallets(api)
  seen.length = 0
})
afterEach(() => api.close())

const resource = (type: string, id: string | undefined, members: object = {}) => ({ data: { type, id, ...members } })
const linked = async (path: string) => keysOf((await api.get(path)).body.data)

it('what is created is at its id, whoever gave the key', async () => {
  const given = await api.post('/receipts').send(resource('receipts', undefined))
  const [row] = await api.dataSource.getRepository(Receipt).find()
  const id = WALLET_IDS.encode(row?.id ?? 0)
  expect([given.status, given.headers.location, given.body.data.id]).toEqual([201, `/receipts/${id}`, id])

  const named = await api.post('/wallets').send(resource('safes', wallet(9), { attributes: { label: 'New' } }))
  expect([named.status, named.headers.location]).toEqual([201, `/safes/${wallet(9)}`])
  expect(await findRow(api.dataSource, Wallet, 7_300_009)).toMatchObject({ label: 'New' })

  const ours = await api.post('/owners').send(resource('owners', undefined))
  expect(OWNER_IDS.decode(ours.body.data.id)).toMatch(/^[\da-f]{8}-[\da-f]{4}-4/)
})

it('keys above 2^53 keep all of their digits', async () => {
  const [id, before] = ['9223372036854775807', '9007199254740993'].map(ENTRY_IDS.encode) as [string, string]
  await api.post('/entries').send(resource('entries', before)).expect(201)
  const relationships = { before: { data: { type: 'entries', id: before } } }
  expect((await api.post('/entries').send(resource('entries', id, { relationships }))).body.data.id).toBe(id)
  expect(await linked(`/entries/${id}/before`)).toEqual([`entries ${before}`])
  expect(await linked(`/entries?filter=equals(before.id,'${before}')&sort=-id`)).toEqual([`entries ${id}`])
})

it('a local id and ids stand beside each other', async () => {
  const relationships = { before: { data: { type: 'receipts', lid: 'new' } } }
  const { body } = await api.post('/receipts').send({ data: { type: 'receipts', lid: 'new', relationships } })
  expect(await linked(`/receipts/${body.data.id}/before`)).toEqual([`receipts ${body.data.id}`])
})

it.each([
  ['a key', 'purses', '7300009', 422, 'resource.id-value', "Expected an id of 'purses', found '7300009'."],
  ['a UUID', 'owners', ANN, 422, 'resource.id-value', `Expected an id of 'owners', found '${ANN}'.`],
  ['a key that is too long', 'stamps', STAMP_IDS.encode('x'.repeat(7)), 422, 'resource.id-value', undefined],
  ['what is no whole number', 'purses', 'w1', 422, 'resource.id-value', undefined],
  ['a taken id', 'owners', ann, 409, 'resource.id-taken', undefined],
  ['an id that another branch has', 'safes', wallet(1), 409, 'resource.id-taken', undefined],
  ['any id where the server gives it', 'receipts', wallet(1), 403, 'resource.client-id', undefined],
])('a POST refuses %s', async (_what, type, id, status, code, detail) => {
  const answer = await api.unchanged(() => api.post(`/${type}`).send(resource(type, id)))
  const [error] = answer.body.errors
  expect([answer.status, error.code, error.source]).toEqual([status, code, { pointer: '/data/id' }])
  if (detail !== undefined) expect(error.detail).toBe(detail)
})

it('a PATCH names the id of its URL, and no other way to write it', async () => {
  const attributes = { label: 'Z' }
  await api
    .patch(`/wallets/${wallet(3)}`)
    .send(resource('safes', wallet(3), { attributes }))
    .expect(204)
  for (const id of ['7300003', wallet(3).toUpperCase(), wallet(2)]) {
    const { status, body } = await api.patch(`/wallets/${wallet(3)}`).send(resource('safes', id, { attributes }))
    expect([status, body.errors[0].code]).toEqual([409, 'document.id-conflict'])
  }
})

it('relationships are set, added to and taken from by ids', async () => {
  const stamps = `/wallets/${wallet(4)}/relationships/stamps`
  const owner = `/wallets/${wallet(4)}/relationships/owner`
  const parts = `/wallets/${wallet(4)}/relationships/parts`
  await api
    .post(stamps)
    .send({ data: [{ type: 'stamps', id: stamp }] })
    .expect(204)
  expect(await linked(stamps)).toEqual([`stamps ${stamp}`])
  await api
    .delete(stamps)
    .send({ data: [{ type: 'stamps', id: 'red' }] })
    .expect(204)
  expect(await linked(stamps)).toEqual([`stamps ${stamp}`])
  await api
    .delete(stamps)
    .send({ data: [{ type: 'stamps', id: stamp }] })
    .expect(204)
  expect(await linked(stamps)).toEqual([])
  await api
    .patch(owner)
    .send({ data: { type: 'owners', id: ann } })
    .expect(204)
  expect(await linked(owner)).toEqual([`owners ${ann}`])
  await api
    .patch(parts)
    .send({ data: [2, 3].map((digit) => ({ type: 'wallets', id: wallet(digit) })) })
    .expect(204)
  expect(await linked(parts)).toEqual([`purses ${wallet(2)}`, `safes ${wallet(3)}`])
  await api.delete(`/wallets/${wallet(4)}`).expect(204)
  await api.get(`/wallets/${wallet(4)}`).expect(404)
})

it('rules are told ids, and name resources by them', async () => {
  const relationships = { whole: { data: { type: 'purses', id: wallet(1) } } }
  await api
    .post('/purses')
    .send(resource('purses', wallet(9), { relationships }))
    .expect(201)
  expect(seen).toEqual([`whole ${wallet(1)}`, `before ${wallet(9)} undefined`, `after ${wallet(9)}`])
  expect(await linked(`/purses/${wallet(9)}/whole`)).toEqual([`purses ${wallet(4)}`])
  await api.patch(`/purses/${wallet(9)}`).send(resource('purses', wallet(9), { attributes: { label: 'Z' } }))
  expect(seen.slice(3)).toEqual([`before ${wallet(9)} ${wallet(9)}`, `after ${wallet(9)}`])
})

it('a write may be for one state of a resource', async () => {
  const url = `/purses/${wallet(4)}`
  const body = resource('purses', wallet(4), { attributes: { label: 'Z' } })
  const etag = String((await api.get(url)).headers.etag)
  const patch = () => api.patch(url).send(body).set({ 'if-match': etag })
  expect([(await patch()).status, (await patch()).status]).toEqual([204, 412])
})

it('operations have the ids of what was added under local ones', async () => {
  const [, receipt] = resultsOf(
    await operate(
      api,
      { op: 'add', data: { type: 'owners', lid: 'o' } },
      { op: 'add', data: { type: 'receipts', lid: 'r' } },
      {
        op: 'update',
        ref: { type: 'purses', id: wallet(1), relationship: 'owner' },
        data: { type: 'owners', lid: 'o' },
      },
      { op: 'add', data: { type: 'receipts', lid: 'gone' } },
      { op: 'remove', ref: { type: 'receipts', lid: 'gone' } },
      { op: 'update', data: { type: 'receipts', lid: 'r' } },
    ),
  )
  await api.get(`/receipts/${receipt.data.id}`).expect(200)
  const [owner] = await linked(`/purses/${wallet(1)}/owner`)
  expect(owner).toMatch(/^owners [\w-]{22}$/)
})
