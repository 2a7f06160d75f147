import {
  ConfigurationError,
  createJsonApi,
  defineFunction,
  type IdCodec,
  type ResourceRecord,
  type ResourceWrite,
} from 'stemma'
import type { Response } from 'supertest'
import { PrimaryColumn, PrimaryGeneratedColumn } from 'typeorm'
import { define, setUp, startApi, type TestApi, useApi } from '../../support/api'
import { openDatabase } from '../../support/database'
import { createResource, resource, toMany, toOne, updateResource } from '../../support/documents'
import { expectError, includedKeys, keysAt, linkageKeys, resourceKeys } from '../../support/expectations'
import { findRow } from '../../support/find-rows'
import { decodedCursors, fetchPage, followPages } from '../../support/follow-pages'
import { expectMistake } from '../../support/marked-paths'
import { operate, resultsOf } from '../../support/operate'
import { DerivedResource, HierarchyRoot } from '../../support/resource-decorators'
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

const [W1, W2, W3, W4] = [1, 2, 3, 4].map(wallet) as [string, string, string, string]
const UPPER = W1.toUpperCase()
const ALL = [`purses ${W1}`, `purses ${W2}`, `safes ${W3}`, `purses ${W4}`]
const STAMPS = ['blue', 'red'].map((key) => `stamps ${STAMP_IDS.encode(key)}`)
const double = defineFunction({
  name: 'double',
  argumentTypes: ['integer'],
  returnType: 'integer',
  toSql: (sql, [number]) => sql`${number} * 2`,
})

const api = setUp(() => startApi(WALLETS, { functions: [double] }), fillWallets)

describe('an idCodec', () => {
  it.each([
    ['of a collection', '/wallets', ALL],
    ['of a derived type', '/safes', [`safes ${W3}`]],
    ['of one resource', `/wallets/${W3}`, [`safes ${W3}`]],
    ['of related resources', `/wallets/${W1}/parts`, ALL.slice(1, 3)],
    ['of linkage', `/wallets/${W1}/relationships/parts`, ALL.slice(1, 3)],
    ['of a related resource', `/wallets/${W2}/whole`, [`purses ${W1}`]],
    ['of a UUID', `/wallets/${W1}/owner`, [`owners ${ann}`]],
    ['that URLs must encode', `/wallets/${W1}/stamps?sort=id`, STAMPS],
    ['of the inverse relationship', `/stamps/${encodeURIComponent(STAMP_IDS.encode('red'))}/wallets`, [`purses ${W1}`]],
  ])('encodes ids %s', async (_what, path, expected) => {
    const response = await api.get(path)
    expect(resourceKeys(response)).toEqual(expected) // anchor: R/A-15
    expect(leaksOf(response)).toEqual([])
  })

  it('encodes ids of included resources, links and linkage', async () => {
    const query = 'include=whole.parts,owner,whole.stamps&fields[purses]=owner,whole,parts'
    const response = await api.get(`/wallets/${W2}?${query}`)
    const { data, included } = response.body
    const keys = [`owners ${ann}`, `purses ${W1}`, `safes ${W3}`, ...STAMPS]
    expect(includedKeys(response).toSorted()).toEqual(keys.toSorted())
    expect(linkageKeys([data as never], 'whole')).toEqual([[`purses ${W1}`]])
    expect(data.links.self).toBe(`/purses/${W2}`)
    expect(data.relationships.whole.links.related).toBe(`/purses/${W2}/whole`)
    const stamp = included.find(({ type }: { type: string }) => type === 'stamps')
    expect((await api.get(stamp.links.self)).body.data).toMatchObject({ type: 'stamps', id: stamp.id })
    expect(leaksOf(response)).toEqual([])
  })

  it('encodes ids of linkage that is always shown, and leaves listeners of entities their work', async () => {
    const { data } = (await api.get(`/safes/${W3}`)).body
    expect(linkageKeys([data as never], 'owner')).toEqual([[`owners ${ann}`]])
    expect(data.attributes.lock).toBe('turned old')
  })
})

describe('filter and sort', () => {
  it.each([
    ['equals', `equals(id,'${W2}')`, [`purses ${W2}`]],
    ['any', `any(id,'${W1}','${W3}','${W1}')`, [`purses ${W1}`, `safes ${W3}`]],
    ['a path', `equals(whole.id,'${W1}')`, ALL.slice(1, 3)],
    ['a UUID', `equals(owner.id,'${ann}')`, ALL.slice(0, 3)],
    ['a text', `has(stamps,equals(id,'${STAMP_IDS.encode('red')}'))`, [`purses ${W1}`]],
    ['not', `not(equals(whole.id,'${W1}'))`, [`purses ${W1}`, `purses ${W4}`]],
    ['two ids', 'equals(id,whole.id)', []],
    ['null', 'equals(whole.id,null)', [`purses ${W1}`, `purses ${W4}`]],
    ['the order of keys', `greaterThan(id,'${W2}')`, ALL.slice(2)],
  ])('filters by %s', async (_what, filter, expected) => {
    expect(resourceKeys(await api.get(`/wallets?filter=${encodeURIComponent(filter)}`))).toEqual(expected)
  })

  it.each([
    ['a key', "equals(id,^'7300001')", "Expected an id, found '7300001'."],
    ['an id in upper case', `any(id,'${W1}',^'${UPPER}')`, `Expected an id, found '${UPPER}'.`],
    ['an id of no key', "equals(owner.id,^'abc')", "Expected an id, found 'abc'."],
    ['a number', 'equals(id,^points)', 'Expected an id of the same kind, found one of type integer.'],
    ['a number on the left', 'equals(points,^id)', 'Expected a value of type integer, found an id.'],
    ['an id of another type', 'equals(owner.id,^id)', 'Expected an id of the same kind, found an id.'],
    ['a part of an id', "has(stamps,contains(^id,'e'))", 'Expected an attribute of type string, found an id.'],
    ['a function of an id', "equals(double(^id),'2')", 'Expected a value of type integer, found an id.'],
  ])('returns 400 for a filter by %s', (_what, marked, message) =>
    expectMistake(api, `/wallets?filter=${marked}`, 'query.filter', message),
  )

  it('sorts by the key', async () => {
    expect(resourceKeys(await api.get('/wallets?sort=-id'))).toEqual(ALL.toReversed())
    expect(resourceKeys(await api.get('/wallets?sort=-whole.id,id')).slice(0, 2)).toEqual(ALL.slice(1, 3))
    expectError(await api.get('/wallets?sort=double(id)'), 400, 'sort', 'query.sort')
  })
})

describe('cursors', () => {
  it.each(['id', '-id', 'label', '-whole.id', 'owner.id,-label'])('page by %s, and contain no key', async (sort) => {
    const all = await fetchPage(api, `/wallets?sort=${sort}`)
    const expected = resourceKeys(all)
    const first = `/wallets?sort=${sort}&page[size]=1`
    const one = await fetchPage(api, first)
    expect((await followPages(api, first, 'next')).flat()).toEqual(expected)
    expect((await followPages(api, one.body.links.last, 'prev')).flat()).toEqual(expected.toReversed())
    expect([...leaksOf(all), ...leaksOf(one)]).toEqual([])
  })

  it('are refused when they contain a key', async () => {
    const { body } = await fetchPage(api, '/wallets?sort=id&page[size]=1')
    const cursor: unknown[] = JSON.parse(Buffer.from(body.data[0].meta.page.cursor, 'base64url').toString())
    const forged = Buffer.from(JSON.stringify([...cursor.slice(0, -1), '7300001'])).toString('base64url')
    expectError(await api.get(`/wallets?sort=id&page[after]=${forged}`), 400, 'page[after]', 'query.page')
  })
})

it.each([
  ['a key', 'purses', '7300001'],
  ['an id in upper case', 'purses', UPPER],
  ['an id that decode throws for', 'purses', 'nothing'],
  ['an id of a fraction', 'purses', 'w1'],
  ['an id of no number', 'purses', 'w!'],
  ['an id of a number beyond the column', 'purses', 'wzzzzzzzz'],
  ['a UUID', 'owners', ANN],
  ['an id with other last bits', 'owners', `${ann.slice(0, -1)}${ann.endsWith('Q') ? 'R' : 'h'}`],
  ['an id that is too short', 'owners', ann.slice(1)],
  ['an id that decode returns nothing for', 'stamps', 'der'],
])('returns 404 in a URL and in a body for %s: %s %s', async (_what, type, id) => {
  const url = `/${type}/${encodeURIComponent(id)}`
  for (const request of [() => api.get(url), () => api.patch(url).send(toOne(type, id)), () => api.delete(url)])
    expectError(await api.unchanged(request), 404, undefined, 'resource.not-found') // anchor: R/A-15
  const name = { purses: 'whole', owners: 'owner', stamps: 'stamps' }[type] ?? ''
  const linkage = type === 'stamps' ? toMany(type, id) : toOne(type, id)
  for (const request of [
    () => api.patch(`/purses/${W4}/relationships/${name}`).send(linkage),
    () => updateResource(api, 'purses', W4, undefined, { [name]: linkage }),
  ])
    expect((await api.unchanged(request)).body.errors[0]).toMatchObject({ status: '404', code: 'related.not-found' })
})

describe('writes', () => {
  let own: TestApi
  const seen: string[] = []
  const stamp = STAMP_IDS.encode('red')

  /** Records every id that it gets; wallets without a label become parts of wallet 4. */
  const walletRules = define(Wallet, {
    beforeWrite: ({ id, previous }) => void seen.push(`before ${id} ${previous?.id}`),
    setToOne({ values }: ResourceWrite<Wallet>, relationship: string, related: ResourceRecord | null) {
      seen.push(`${relationship} ${related?.id}`)
      return relationship === 'whole' && values.label === '' ? { type: 'wallets', id: wallet(4) } : undefined
    },
    afterWrite: ({ id }) => void seen.push(`after ${id}`),
  })

  beforeEach(async () => {
    own = await startApi(WALLETS, { definitions: [walletRules] })
    await fillWallets(own)
    seen.length = 0
  })
  afterEach(() => own.close())

  it('returns the id of a new resource in data and Location, for keys of the database and of the client', async () => {
    const generated = await createResource(own, 'receipts').expect(201)
    const [row] = await own.dataSource.getRepository(Receipt).find()
    const id = WALLET_IDS.encode(row?.id ?? 0)
    expect([generated.headers.location, generated.body.data.id]).toEqual([`/receipts/${id}`, id])

    const sent = resource('safes', wallet(9), { label: 'New' })
    expect((await own.post('/wallets').send(sent).expect(201)).headers.location).toBe(`/safes/${wallet(9)}`)
    expect(await findRow(own.dataSource, Wallet, 7_300_009)).toMatchObject({ label: 'New' })

    const uuid = await createResource(own, 'owners')
    expect(OWNER_IDS.decode(uuid.body.data.id)).toMatch(/^[\da-f]{8}-[\da-f]{4}-4/)
  }) // anchor: W/T-05

  it('keeps all digits of keys above 2^53', async () => {
    const [id, before] = ['9223372036854775807', '9007199254740993'].map(ENTRY_IDS.encode) as [string, string]
    await own.post('/entries').send(toOne('entries', before)).expect(201)
    const created = await createResource(own, 'entries', undefined, { before: toOne('entries', before) }, id)
    expect(created.body.data.id).toBe(id)
    expect(await keysAt(own, `/entries/${id}/before`)).toEqual([`entries ${before}`])
    expect(await keysAt(own, `/entries?filter=equals(before.id,'${before}')&sort=-id`)).toEqual([`entries ${id}`])
  })

  it('supports a local id in a POST', async () => {
    const relationships = { before: { data: { type: 'receipts', lid: 'new' } } }
    const { body } = await own.post('/receipts').send({ data: { type: 'receipts', lid: 'new', relationships } })
    expect(await keysAt(own, `/receipts/${body.data.id}/before`)).toEqual([`receipts ${body.data.id}`])
  })

  it.each([
    ['a key', 'purses', '7300009', 422, 'resource.id-value', "Expected an id of 'purses', found '7300009'."],
    ['a UUID', 'owners', ANN, 422, 'resource.id-value', `Expected an id of 'owners', found '${ANN}'.`],
    ['a key that is too long', 'stamps', STAMP_IDS.encode('x'.repeat(7)), 422, 'resource.id-value', ''],
    ['an id that is no whole number', 'purses', 'w1', 422, 'resource.id-value', ''],
    ['a taken id', 'owners', ann, 409, 'resource.id-exists', ''],
    ['an id of another branch', 'safes', wallet(1), 409, 'resource.id-exists', ''],
    ['an id that the server generates', 'receipts', wallet(1), 403, 'resource.client-id-forbidden', ''],
  ])('refuses a POST with %s', async (_what, type, id, status, code, detail) => {
    const response = await own.unchanged(() => own.post(`/${type}`).send(toOne(type, id)))
    expectError(response, status, '/data/id', code)
    if (detail !== '') expect(response.body.errors[0].detail).toBe(detail)
  }) // anchor: W/T-05

  it('accepts only the id of the URL in a PATCH, not another spelling of it', async () => {
    const path = `/wallets/${wallet(3)}`
    await updateResource(own, 'safes', wallet(3), { label: 'Z' }).expect(204)
    for (const id of ['7300003', wallet(3).toUpperCase(), wallet(2)]) {
      const response = await own.patch(path).send(resource('safes', id, { label: 'Z' }))
      expectError(response, 409, '/data/id', 'document.id-conflict')
    }
  })

  it('reads and writes relationships by ids', async () => {
    const path = `/wallets/${wallet(4)}/relationships`
    const [stamps, owner, parts] = [`${path}/stamps`, `${path}/owner`, `${path}/parts`]
    await own.post(stamps).send(toMany('stamps', stamp)).expect(204)
    expect(await keysAt(own, stamps)).toEqual([`stamps ${stamp}`])
    await own.delete(stamps).send(toMany('stamps', 'red')).expect(204)
    expect(await keysAt(own, stamps)).toEqual([`stamps ${stamp}`])
    await own.delete(stamps).send(toMany('stamps', stamp)).expect(204)
    expect(await keysAt(own, stamps)).toEqual([])
    await own.patch(owner).send(toOne('owners', ann)).expect(204)
    expect(await keysAt(own, owner)).toEqual([`owners ${ann}`])
    const both = toMany('wallets', wallet(2), wallet(3))
    await own.patch(parts).send(both).expect(204)
    expect(await keysAt(own, parts)).toEqual([`purses ${wallet(2)}`, `safes ${wallet(3)}`])
    await own.delete(`/wallets/${wallet(4)}`).expect(204)
    await own.get(`/wallets/${wallet(4)}`).expect(404)
  }) // anchor: W/T-05

  it('passes ids to rules, and takes ids from them', async () => {
    const id = wallet(9)
    await createResource(own, 'purses', undefined, { whole: toOne('purses', wallet(1)) }, id).expect(201)
    expect(seen).toEqual([`whole ${wallet(1)}`, `before ${id} undefined`, `after ${id}`])
    expect(await keysAt(own, `/purses/${id}/whole`)).toEqual([`purses ${wallet(4)}`])
    await updateResource(own, 'purses', id, { label: 'Z' })
    expect(seen.slice(3)).toEqual([`before ${id} ${id}`, `after ${id}`])
  })

  it('supports local ids in atomic operations', async () => {
    const ref = { type: 'purses', id: wallet(1), relationship: 'owner' }
    const [, receipt] = resultsOf(
      await operate(
        own,
        { op: 'add', data: { type: 'owners', lid: 'o' } },
        { op: 'add', data: { type: 'receipts', lid: 'r' } },
        { op: 'update', ref, data: { type: 'owners', lid: 'o' } },
        { op: 'add', data: { type: 'receipts', lid: 'gone' } },
        { op: 'remove', ref: { type: 'receipts', lid: 'gone' } },
        { op: 'update', data: { type: 'receipts', lid: 'r' } },
      ),
    )
    await own.get(`/receipts/${receipt.data.id}`).expect(200)
    expect(await keysAt(own, `/purses/${wallet(1)}/owner`)).toEqual([expect.stringMatching(/^owners [\w-]{22}$/)])
  })
})

const CODEC: IdCodec = { encode: String, decode: (id) => id }

function keyedBy(idCodec: Partial<IdCodec>, key: PropertyDecorator) {
  @HierarchyRoot('things', { idCodec: idCodec as IdCodec })
  class Thing {
    @key id!: unknown
  }
  return Thing
}

const Numbered = keyedBy(CODEC, PrimaryGeneratedColumn())
@DerivedResource('tools', { idCodec: CODEC })
class Tool extends Numbered {}

const HALF = keyedBy({ encode: String }, PrimaryGeneratedColumn())
const COPYING = { to: (key: string) => key, from: (key: string) => key }
const TURNED = keyedBy(CODEC, PrimaryColumn({ type: 'varchar', length: 9, transformer: COPYING }))
const DECIMAL = keyedBy(CODEC, PrimaryColumn({ type: 'decimal', precision: 4, scale: 2 }))

it.each([
  ['below the root', [Numbered, Tool], 'Tool: it has an idCodec, but its ids are those of Thing. Move it to Thing.'],
  ['without decode', [HALF], 'Thing: its idCodec is invalid. Give an object with the functions encode and decode.'],
  ['beside a transformer', [TURNED], 'Thing: its primary key id has a transformer and an idCodec.'],
  ['of a decimal key', [DECIMAL], "Thing: its primary key id is of type decimal, which an idCodec can't encode."],
])('an idCodec %s is refused at start-up', async (_what, resources, message) => {
  const { dataSource, close } = await openDatabase(resources)
  const starting = () => createJsonApi({ dataSource, resources })
  expect(starting).toThrow(ConfigurationError)
  expect(starting).toThrow(message)
  await close()
})

it('returns 500 when an idCodec makes an empty id', async () => {
  const Broken = keyedBy({ ...CODEC, encode: () => '' }, PrimaryColumn({ type: 'varchar', length: 9 }))
  const reported: string[] = []
  await useApi(startApi([Broken], { onError: (error) => reported.push(String(error)) }), async (broken) => {
    await broken.add(Broken, { id: 'a' })
    await broken.get('/things').expect(500)
  })
  expect(reported).toEqual([
    expect.stringContaining('An idCodec encoded a key as "", which is not a valid id in a URL.'),
  ])
})

/** The parts of a response that contain a key of a wallet or an owner, cursors included. */
function leaksOf({ text }: Response): readonly string[] {
  const shown = text.replaceAll('"points":7300002', '')
  return [shown, ...decodedCursors({ text: shown })].filter((each) => each.includes('73000') || each.includes(ANN))
}
