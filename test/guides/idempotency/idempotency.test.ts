import { IdempotencyKey } from 'stemma'
import type { Response } from 'supertest'
import { combineApi, startServerOn, type TestApi, useApi } from '../../support/api'
import { DATABASE, openDatabase } from '../../support/database'
import { deferred } from '../../support/deferred'
import { createResource, newResource, resource, toOne } from '../../support/documents'
import { expectError, outcomeOf } from '../../support/expectations'
import { KeysInMemory } from '../../support/keys-in-memory'
import { nextRequestWaits } from '../../support/overlapping-writes'
import { PAYMENT_TABLES, PAYMENTS, Payment, PaymentRules } from '../../support/payments'
import { type RequestOptions, type ServerOptions, startServer } from '../../support/server'

let api: TestApi
let rules: PaymentRules
let reported: unknown[]

async function start(options: Partial<ServerOptions> = {}): Promise<TestApi> {
  const database = await openDatabase(PAYMENT_TABLES)
  const onError = (error: unknown) => reported.push(error)
  return combineApi(database, await startServerOn(database, { ...PAYMENTS, definitions: [rules], onError, ...options }))
}

async function restart(options: Partial<ServerOptions>): Promise<void> {
  await api.close()
  api = await start(options)
}

beforeEach(async () => {
  rules = new PaymentRules()
  reported = []
  api = await start()
})
afterEach(() => api.close())
const KEY = { 'idempotency-key': '"8e03978e-40d5-43e8-bc93-6894a57f9324"' }
const IN_PROGRESS = '409 idempotency.in-progress Idempotency-Key'
const REUSED = '422 idempotency.key-reused Idempotency-Key'

type Keyed = RequestOptions & Readonly<{ method?: string; path?: string }>

/** Sends a request with a key: by default one that creates a payment. */
function send({ method = 'POST', path = '/payments', body, headers }: Keyed = {}) {
  const sent = body ?? (method === 'POST' ? newResource('payments') : undefined)
  return api.request(method, path, { body: sent, headers: { ...KEY, ...headers } })
}

const sendWith = (headers: Readonly<Record<string, string>>) => send({ headers })
const payments = () => api.dataSource.getRepository(Payment).count()
const keys = () => api.dataSource.getRepository(IdempotencyKey)

function replayable({ status, text, headers }: Response) {
  const names = ['content-type', 'location', 'etag', 'vary', 'preference-applied']
  return { status, text, headers: names.map((name) => headers[name]) }
}

describe('a request that is repeated with its key', () => {
  it.each<readonly [string, number, Keyed]>([
    ['a create', 201, {}],
    ['an update', 200, { method: 'PATCH', path: '/payments/1', body: resource('payments', '1', { amount: 5 }) }],
    ['a delete', 204, { method: 'DELETE', path: '/payments/1' }],
    ['a link', 204, { method: 'PATCH', path: '/payments/2/relationships/refunds', body: toOne('payments', '1') }],
    ['a request that a rule refuses', 422, { body: newResource('payments', { reference: 'refused' }) }],
    ['a request that the database refuses', 409, { body: newResource('payments', { reference: 'first' }) }],
    ['a request for a missing resource', 404, { method: 'DELETE', path: '/payments/77' }],
    ['a create with a preference', 201, { headers: { prefer: 'return=representation' } }],
  ])('gets the first response and writes nothing: %s', async (_what, status, request) => {
    await api.add(Payment, { reference: 'first' })
    await api.add(Payment, { reference: 'second' })
    const first = await send(request).expect(status)
    const { length } = rules.calls
    expect(replayable(await api.unchanged(() => send(request)))).toEqual(replayable(first))
    expect(rules.calls.length).toBe(length)
  }) // anchor: W/S-02

  it('gets the first response when it has other Accept and Prefer headers', async () => {
    const first = await send()
    expect(replayable(await sendWith({ accept: '*/*', prefer: 'return=minimal' }))).toEqual(replayable(first))
  })

  it('creates one resource when many are sent at the same time', async () => {
    const responses = await Promise.all(Array.from({ length: 12 }, () => send()))
    const created = responses.filter(({ status }) => status === 201)
    expect(new Set(created.map(({ text }) => text)).size).toBe(1)
    const others = responses.filter(({ status }) => status !== 201)
    expect(others.map(outcomeOf)).toEqual(others.map(() => IN_PROGRESS))
    expect(others.map(({ headers }) => headers['retry-after'])).toEqual(others.map(() => '1'))
    expect(await payments()).toBe(1)
  })

  it.each<readonly [string, Keyed]>([
    ['body', { body: newResource('payments', { amount: 2 }) }],
    ['URL', { path: '/payments?include=refunds' }],
    ['method', { method: 'DELETE', path: '/payments/1' }],
    ['If-Match', { headers: { 'if-match': '*' } }],
  ])('returns 422 with another %s', async (_what, other) => {
    await send()
    expect(outcomeOf(await api.unchanged(() => send(other)))).toBe(REUSED)
    await send().expect(201)
  }) // anchor: W/S-02

  it('is performed when the first one was malformed', async () => {
    await send({ body: newResource('payments', { amount: 'much' }) }).expect(422)
    await send().expect(201)
  })

  it.each([
    ['failing', 500],
    ['busy', 429],
  ] as const)('is performed when the server was %s', async (trouble, status) => {
    rules.failure = trouble
    await send().expect(status)
    rules.failure = 'none'
    await send().expect(201)
    expect(await payments()).toBe(1)
  })

  it('gets the meta of the first response, which is not evaluated again', async () => {
    let calls = 0
    await restart({ meta: () => ({ calls: ++calls }) })
    const [first, again] = [await send(), await send()]
    expect([first.body.meta, again.text, calls]).toEqual([{ calls: 1 }, first.text, 1])
  })
})

it('ignores keys of reads, and all keys without the option', async () => {
  await send({ method: 'GET', headers: { 'idempotency-key': '' } }).expect(200)
  await useApi(startServer({ dataSource: api.dataSource, resources: [Payment] }), async (other) => {
    for (const _ of [1, 2]) await createResource(other, 'payments').set(KEY).expect(201)
  })
  expect([await payments(), await keys().count()]).toEqual([2, 0])
})

describe('a key', () => {
  it('belongs to its owner', async () => {
    const ids: string[] = []
    for (const authorization of ['Ada', 'Bob', 'Ada']) ids.push((await sendWith({ authorization })).body.data.id)
    expect([ids[1] === ids[0], ids[2] === ids[0], await payments()]).toEqual([false, true, 2])
  })

  it.each(['plain', '"plain"', ' plain '])('can be written with or without quotes: %j', async (key) => {
    const first = await sendWith({ 'idempotency-key': '"plain"' })
    expect((await sendWith({ 'idempotency-key': key })).text).toBe(first.text)
    expect(await payments()).toBe(1)
  })

  it('can contain escaped quotes and up to 255 characters, and is case-sensitive', async () => {
    const all = ['"a\\"b"', '"a\\\\b"', 'ab', 'AB', 'x'.repeat(255)]
    for (const key of all) await sendWith({ 'idempotency-key': key }).expect(201)
    expect(await payments()).toBe(5)
  })

  it.each(['""', '"open', 'one, two', '"one", "two"', 'two words', '"ü"', 'x'.repeat(256), '"a\\b"'])(
    'returns 400 for %j',
    async (key) => {
      const malformed = { 'idempotency-key': Buffer.from(key).toString('latin1') }
      const response = await api.unchanged(() => sendWith(malformed))
      expectError(response, 400, 'Idempotency-Key', 'header.idempotency-key')
    },
  )

  it('can be required for methods', async () => {
    await restart({ idempotency: { ...PAYMENTS.idempotency, requiredMethods: ['POST'] } })
    expect(outcomeOf(await createResource(api, 'payments'))).toContain('400 header.idempotency-key-missing')
    await send().expect(201)
    await api.delete('/payments/1').expect(204)
  })

  it('is kept for a day, then free again, and removed', async () => {
    await send()
    const [{ endsAt } = { endsAt: 0 }] = await keys().find()
    const hours = (Number(endsAt) - Date.now()) / 3_600_000
    expect([hours > 23.9, hours <= 24]).toEqual([true, true])
    await keys().updateAll({ endsAt: '1' })
    expect((await send()).body.data.id).toBe('2')
    await keys().updateAll({ endsAt: '1' })
    await sweep()
    expect(await keys().count()).toBe(1)
  })

  it.each<readonly [string, unknown]>([
    ['a promise', async () => 'ann'],
    ['a promise', () => Promise.reject(new Error('No connection.'))],
    ['an object', () => ({})],
    ['nothing', () => undefined],
  ])('returns 500 and writes nothing when the option owner returns %s', async (found, owner) => {
    await restart({ idempotency: { owner: owner as () => string } })
    expect(outcomeOf(await api.unchanged(() => send()))).toBe('500 server.error')
    expect(reported.map(String)).toEqual([
      `InvariantError: The option idempotency.owner returned ${found}, expected a string. Do asynchronous work in the option 'context'.`,
    ])
  })
})

/** The first request of a process with a key removes expired keys. */
const sweep = () =>
  useApi(startServer({ ...PAYMENTS, dataSource: api.dataSource }), async (other) => {
    await createResource(other, 'payments').set({ 'idempotency-key': 'another' })
  })

describe('a key without a response', () => {
  it('is removed a day after it expires, because its write may still run until then', async () => {
    await send()
    await keys().updateAll({ response: null, endsAt: String(Date.now() - 1) })
    await sweep()
    expect(await keys().count()).toBe(2)
    await keys().updateAll({ response: null, endsAt: String(Date.now() - 86_400_001) })
    await sweep()
    expect(await keys().count()).toBe(1)
  })

  it('returns 409 until it expires', async () => {
    await send()
    await keys().updateAll({ response: null })
    expect(outcomeOf(await api.unchanged(() => send()))).toBe(IN_PROGRESS)
    expect(outcomeOf(await send({ body: newResource('payments', { amount: 2 }) }))).toBe(REUSED)
    await keys().updateAll({ endsAt: '1' })
    expect((await send()).body.data.id).toBe('2')
  })

  // SQLite has one writer: the second request waits for the first, and finds its response.
  it('returns 409 while its write runs', async () => {
    const beforeWrite = rules.beforeWrite.bind(rules)
    const [entered, answered] = [deferred(), deferred()]
    rules.beforeWrite = async (write) => {
      entered.resolve()
      await (DATABASE === 'sqlite' ? nextRequestWaits(api.dataSource) : answered.promise)
      await beforeWrite(write)
    }
    const first = send().start()
    await entered.promise
    const second = await send()
    answered.resolve()
    expect((await first).status).toBe(201)
    expect(second.status).toBe(DATABASE === 'sqlite' ? 201 : 409)
    expect(await payments()).toBe(1)
  })

  it('undoes the write when another request has claimed it in between', async () => {
    rules.failure = 'overtaken'
    expect(outcomeOf(await send())).toBe(IN_PROGRESS)
    expect(await payments()).toBe(0)
  })
})

describe('a store of the application', () => {
  it('keeps the keys in place of the table', async () => {
    const store = new KeysInMemory()
    await restart({ idempotency: { ...PAYMENTS.idempotency, store } })
    rules.failure = 'failing'
    await send().expect(500)
    rules.failure = 'none'
    const first = await send()
    expect(replayable(await send())).toEqual(replayable(first))
    expect([await payments(), await keys().count(), store.found.size]).toEqual([1, 0, 1])
  })

  it('reports that another request took over the key of a committed write', async () => {
    await restart({
      idempotency: { ...PAYMENTS.idempotency, store: Object.assign(new KeysInMemory(), { isLost: true }) },
    })
    await send().expect(201)
    expect(reported).toEqual([expect.objectContaining({ message: expect.stringContaining('may be performed twice') })])
  })

  it('does not undo the write when it fails afterwards', async () => {
    const store = Object.assign(new KeysInMemory(), { isBroken: true })
    await restart({ idempotency: { ...PAYMENTS.idempotency, store } })
    await send().expect(201)
    expect(reported).toEqual([new Error('No connection.')])
    expect(outcomeOf(await send())).toBe(IN_PROGRESS)
    expect(await payments()).toBe(1)
  })
})
