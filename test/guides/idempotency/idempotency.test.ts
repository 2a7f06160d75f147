import { setTimeout as wait } from 'node:timers/promises'
import { IdempotencyKey, type IdempotencyStore, type KeptAnswer } from 'stemma'
import type { Response } from 'supertest'
import { apiOver, type TestApi } from '../../support/api'
import { DATABASE, openDatabase } from '../../support/database'
import { toOne } from '../../support/documents'
import { PAYMENT_TABLES, PAYMENTS, Payment, PaymentRules } from '../../support/payments'
import type { ApiRequest } from '../../support/request'
import { type ServerOptions, startServer } from '../../support/server'

let api: TestApi
let rules: PaymentRules
let reported: unknown[]

async function start(options: Partial<ServerOptions> = {}): Promise<TestApi> {
  const database = await openDatabase(PAYMENT_TABLES)
  const report = (error: unknown) => reported.push(error)
  const configuration = { ...PAYMENTS, dataSource: database.dataSource, definitions: [rules], report, ...options }
  const server = await startServer(configuration)
  return apiOver(database, server, async () => {
    await server.close()
    await database.close()
  })
}

beforeEach(async () => {
  rules = new PaymentRules()
  reported = []
  api = await start()
})
afterEach(() => api.close())

const payment = (attributes: object = {}, rest: object = {}) => ({ data: { type: 'payments', attributes, ...rest } })

interface Keyed {
  readonly method?: string
  readonly path?: string
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/** Pays, unless it says otherwise. */
function send({ method = 'POST', path = '/payments', body, headers }: Keyed = {}): ApiRequest {
  const sent = body ?? (method === 'POST' ? payment() : undefined)
  return api.request(method, path, { body: sent, headers: { ...KEY, ...headers } })
}

const KEY = { 'idempotency-key': '"8e03978e-40d5-43e8-bc93-6894a57f9324"' }

const codesOf = ({ status, body }: Response) => [status, body?.errors?.[0].code]

const payments = () => api.dataSource.getRepository(Payment).count()
const keys = () => api.dataSource.getRepository(IdempotencyKey)

function shownOf({ status, text, headers }: Response) {
  const names = ['content-type', 'location', 'etag', 'vary', 'preference-applied']
  return { status, text, headers: names.map((name) => headers[name]) }
}

describe('a request that is sent again with its key', () => {
  const update = (rest: object, attributes: object = { amount: 5 }) => payment(attributes, { id: '1', ...rest })
  const link = toOne('payments', '1')

  it.each<readonly [string, number, Keyed]>([
    ['a create', 201, {}],
    ['an update that shows what became of it', 200, { method: 'PATCH', path: '/payments/1', body: update({}) }],
    ['a delete', 204, { method: 'DELETE', path: '/payments/1' }],
    ['a link', 204, { method: 'PATCH', path: '/payments/2/relationships/refunds', body: link }],
    ['what a rule refuses', 422, { body: payment({ reference: 'refused' }) }],
    ['what the database refuses', 409, { body: payment({ reference: 'first' }) }],
    ['what is not there', 404, { method: 'DELETE', path: '/payments/77' }],
    ['a create with a preference', 201, { headers: { prefer: 'return=representation' } }],
  ])('gets the first answer again, and nothing happens: %s', async (_name, status, request) => {
    await api.add(Payment, { reference: 'first' })
    await api.add(Payment, { reference: 'second' })
    const first = await send(request)
    const { length } = rules.asked
    const again = await api.unchanged(() => send(request))
    expect(first.status).toBe(status)
    expect(shownOf(again)).toEqual(shownOf(first))
    expect(rules.asked.length).toBe(length)
  })

  it('gets it at once with many others', async () => {
    const answers = await Promise.all(Array.from({ length: 12 }, () => send()))
    const created = answers.filter(({ status }) => status === 201)
    expect(new Set(created.map(({ text }) => text)).size).toBe(1)
    const others = answers.filter(({ status }) => status !== 201)
    expect(others.map(codesOf)).toEqual(others.map(() => [409, 'idempotency.in-progress']))
    expect(others.map(({ headers }) => headers['retry-after'])).toEqual(others.map(() => '1'))
    expect(await payments()).toBe(1)
  })

  it('may ask to be answered otherwise', async () => {
    const first = await send()
    const again = await send({ headers: { accept: '*/*', prefer: 'return=minimal' } })
    expect(shownOf(again)).toEqual(shownOf(first))
  })

  it.each<readonly [string, Keyed]>([
    ['another body', { body: payment({ amount: 2 }) }],
    ['another URL', { path: '/payments?include=refunds' }],
    ['another method', { method: 'DELETE', path: '/payments/1' }],
    ['another state', { headers: { 'if-match': '*' } }],
  ])('is refused when it is %s', async (_name, other) => {
    await send()
    expect(codesOf(await api.unchanged(() => send(other)))).toEqual([422, 'idempotency.key-reused'])
    await send().expect(201)
  })

  it('is performed again where it could not be read: nothing was claimed', async () => {
    await send({ body: payment({ amount: 'much' }) }).expect(422)
    await send().expect(201)
  })

  it.each(['failing', 'busy'] as const)('is performed again where the server was %s', async (trouble) => {
    rules.trouble = trouble
    const first = await send()
    rules.trouble = 'none'
    expect([first.status, (await send()).status]).toEqual([trouble === 'busy' ? 429 : 500, 201])
    expect(await payments()).toBe(1)
  })

  it('means nothing when it reads, or without the option', async () => {
    await send({ method: 'GET', headers: { 'idempotency-key': '' } }).expect(200)
    const { dataSource } = api
    const other = await startServer({ dataSource, resources: [Payment] })
    const answers = [1, 2].map(() => other.post('/payments').send(payment()).set(KEY))
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([201, 201])
    await other.close()
    expect([await payments(), await keys().count()]).toEqual([2, 0])
  })
})

describe('keys', () => {
  it('are of whoever sends them', async () => {
    const asked = ['Ada', 'Bob', 'Ada'].map((authorization) => () => send({ headers: { authorization } }))
    const ids: string[] = []
    for (const each of asked) ids.push((await each()).body.data.id)
    expect(ids[1]).not.toBe(ids[0])
    expect(ids[2]).toBe(ids[0])
    expect(await payments()).toBe(2)
  })

  it.each(['plain', '"plain"', ' plain '])('are strings, in quotes or not: %s', async (key) => {
    const first = await send({ headers: { 'idempotency-key': '"plain"' } })
    expect((await send({ headers: { 'idempotency-key': key } })).text).toBe(first.text)
    expect(await payments()).toBe(1)
  })

  it('can have quotes within, and differ by case', async () => {
    for (const key of ['"a\\"b"', '"a\\\\b"', 'ab', 'AB']) await send({ headers: { 'idempotency-key': key } })
    expect(await payments()).toBe(4)
  })

  it.each(['""', '"open', 'one, two', '"one", "two"', 'two words', '"ü"', 'x'.repeat(256), '"a\\b"'])(
    'are no other than that: %s',
    async (key) => {
      const answer = await api.unchanged(() =>
        send({ headers: { 'idempotency-key': Buffer.from(key).toString('latin1') } }),
      )
      expect(codesOf(answer)).toEqual([400, 'header.idempotency-key'])
      expect(answer.body.errors[0].source).toEqual({ header: 'Idempotency-Key' })
    },
  )

  it('can be required', async () => {
    await api.close()
    api = await start({ idempotency: { ...PAYMENTS.idempotency, requiredFor: ['POST'] } })
    expect(codesOf(await api.post('/payments').send(payment()))).toEqual([400, 'header.idempotency-key-missing'])
    await send().expect(201)
    await api.delete('/payments/1').expect(204)
  })

  it('are forgotten after a time, and cleared away', async () => {
    await send()
    await keys().updateAll({ endsAt: '1' })
    expect((await send()).body.data.id).toBe('2')
    await keys().updateAll({ endsAt: '1' })
    const other = await startServer({ ...PAYMENTS, dataSource: api.dataSource })
    await other.post('/payments').send(payment()).set({ 'idempotency-key': 'another' })
    await other.close()
    expect(await keys().count()).toBe(1)
  })

  it('are kept for a day', async () => {
    await send()
    const [{ endsAt } = { endsAt: 0 }] = await keys().find()
    const hours = (Number(endsAt) - Date.now()) / 3_600_000
    expect([hours > 23.9, hours <= 24]).toEqual([true, true])
  })
})

it('what stands around documents is not asked for again with an answer that is kept', async () => {
  let asked = 0
  const meta = () => ({ asked: ++asked })
  const { dataSource } = api
  const other = await startServer({ ...PAYMENTS, dataSource, definitions: [rules], meta })
  const pay = () => other.post('/payments').send(payment()).set(KEY)
  const [first, again] = [await pay(), await pay()]
  await other.close()
  expect([first.body.meta, again.text, asked]).toEqual([{ asked: 1 }, first.text, 1])
})

it.each<readonly [string, unknown]>([
  ['a promise', async () => 'ann'],
  ['a promise', () => Promise.reject(new Error('No connection.'))],
  ['an object', () => ({})],
  ['nothing', () => undefined],
])('no owner is %s, which would be the same for everybody: 500, and nothing is written', async (found, owner) => {
  await api.close()
  api = await start({ idempotency: { owner: owner as () => string } })
  expect(codesOf(await api.unchanged(() => send()))).toEqual([500, 'server.error'])
  expect(reported.map(String)).toEqual([
    `InvariantError: The owner of idempotency returned ${found}, expected a string: whose keys they are. What it needs to wait for belongs into the option 'context'.`,
  ])
})

describe('a key without an answer', () => {
  it('is in progress, until its time is over', async () => {
    await send()
    await keys().updateAll({ answer: null })
    expect(codesOf(await api.unchanged(() => send()))).toEqual([409, 'idempotency.in-progress'])
    expect(codesOf(await send({ body: payment({ amount: 2 }) }))).toEqual([422, 'idempotency.key-reused'])
    await keys().updateAll({ endsAt: '1' })
    expect((await send()).body.data.id).toBe('2')
  })

  // SQLite has one writer: whoever comes later waits for the write, and finds its answer.
  it('is in progress while its write is under way, or is waited for', async () => {
    const beforeWrite = rules.beforeWrite.bind(rules)
    const entered = new Promise<void>((enter) => {
      rules.beforeWrite = async (write) => {
        enter()
        await wait(100)
        await beforeWrite(write)
      }
    })
    const first = send().start()
    await entered
    const second = await send()
    expect((await first).status).toBe(201)
    expect(second.status).toBe(DATABASE === 'sqlite' ? 201 : 409)
    expect(await payments()).toBe(1)
  })

  it('that was taken over in the meantime undoes the write', async () => {
    rules.trouble = 'overtaken'
    const answer = await api.unchanged(async () => {
      const sent = await send()
      await keys().clear()
      return sent
    })
    expect(codesOf(answer)).toEqual([409, 'idempotency.in-progress'])
  })
})

describe('a store of the application', () => {
  class Keys implements IdempotencyStore {
    readonly keeps = 'afterCommit'
    readonly found = new Map<string, { request: string; answer: KeptAnswer | undefined }>()
    isBroken = false

    async claim({ key, request }: Parameters<IdempotencyStore['claim']>[0]) {
      const taken = this.found.get(key)
      if (taken !== undefined) return { kind: 'taken', ...taken } as const
      this.found.set(key, { request, answer: undefined })
      return { kind: 'claimed' } as const
    }

    async complete({ key, request }: Parameters<IdempotencyStore['claim']>[0], answer: KeptAnswer) {
      if (this.isBroken) throw new Error('No connection.')
      this.found.set(key, { request, answer })
      return 'kept' as const
    }

    async release({ key }: Parameters<IdempotencyStore['claim']>[0]) {
      this.found.delete(key)
    }
  }

  it('keeps the keys elsewhere', async () => {
    await api.close()
    const store = new Keys()
    api = await start({ idempotency: { ...PAYMENTS.idempotency, store } })
    rules.trouble = 'failing'
    await send().expect(500)
    rules.trouble = 'none'
    const first = await send()
    expect(shownOf(await send())).toEqual(shownOf(first))
    expect([await payments(), await keys().count(), store.found.size]).toEqual([1, 0, 1])
  })

  it('can fail after the write, which stands', async () => {
    await api.close()
    const store = Object.assign(new Keys(), { isBroken: true })
    api = await start({ idempotency: { ...PAYMENTS.idempotency, store } })
    await send().expect(201)
    expect(reported).toEqual([new Error('No connection.')])
    expect(codesOf(await send())).toEqual([409, 'idempotency.in-progress'])
    expect(await payments()).toBe(1)
  })
})
