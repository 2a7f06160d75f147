import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { IdempotencyKey } from 'stemma'
import { IsNull } from 'typeorm'
import { createDataSource } from '../../support/data-source'
import { DATABASE, openDatabase, openFile, type TestDatabase } from '../../support/database'
import { newResource } from '../../support/documents'
import { PAYMENT_TABLES, PAYMENTS, Payment, PaymentRules } from '../../support/payments'
import { type ServerProcess, startProcess } from '../../support/processes'
import { clientOf, startServer, type TestServer } from '../../support/server'

// Several processes that share only a database, as servers behind a load balancer do.

const PROGRAM = join(__dirname, 'support', 'payment-process.ts')
const PROCESSES = 3
const ROUNDS = 5
/** Seconds for which a key is claimed: longer than anything here takes. */
const CLAIMED_FOR = 600

let database: TestDatabase
let children: ServerProcess<string>[]
/** Never ends a write. */
let doomed: ServerProcess<string>
let own: TestServer
/** The URLs of the servers, one of which is in this process. */
let servers: string[]

beforeAll(async () => {
  database = await (DATABASE === 'sqlite' ? openFile(PAYMENT_TABLES) : openDatabase(PAYMENT_TABLES))
  const starting = Array.from({ length: PROCESSES - 1 }, () => startChild('none'))
  ;[own, doomed, ...children] = await Promise.all([startHere(), startChild('stuck'), ...starting])
  servers = [own.url, ...children.map(({ message }) => message)]
}, 60_000)

afterAll(async () => {
  for (const { process } of [doomed, ...children]) process.kill('SIGKILL')
  await own.close()
  await database.close()
})

const startChild = (trouble: 'none' | 'stuck') =>
  startProcess(PROGRAM, [JSON.stringify(database.connection), String(CLAIMED_FOR), trouble])

async function startHere(): Promise<TestServer> {
  const dataSource = await createDataSource({ ...database.connection, poolSize: 1 }, PAYMENT_TABLES).initialize()
  const idempotency = { ...PAYMENTS.idempotency, leaseSeconds: CLAIMED_FOR }
  const server = await startServer({ ...PAYMENTS, dataSource, definitions: [new PaymentRules()], idempotency })
  const close = async () => {
    await server.close()
    await dataSource.destroy()
  }
  return { ...server, close }
}

const pay = (url: string, key: string) =>
  clientOf(url)
    .post('/payments')
    .send(newResource('payments'))
    .set({ 'idempotency-key': `"${key}"` })

/** Lets the time of claims pass. */
async function ageClaims(): Promise<void> {
  const keys = database.dataSource.getRepository(IdempotencyKey)
  for (const { key, endsAt } of await keys.findBy({ answer: IsNull() }))
    await keys.update({ key }, { endsAt: String(Number(endsAt) - CLAIMED_FOR * 1000) })
}

const unanswered = () => database.dataSource.getRepository(IdempotencyKey).countBy({ answer: IsNull() })
const payments = () => database.dataSource.getRepository(Payment).count()

it(`one of ${PROCESSES} processes creates a resource for one key`, async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const answers = await Promise.all(servers.map((server) => pay(server, `round ${round}`)))
    const created = answers.filter(({ status }) => status === 201)
    expect(new Set(created.map(({ text }) => text)).size).toBe(1)
    for (const { status, text } of answers) {
      if (status !== 201) expect([status, text]).toEqual([409, expect.stringContaining('idempotency.in-progress')])
    }
    const again = await Promise.all(servers.map((server) => pay(server, `round ${round}`)))
    expect(again.map(({ status, text }) => [status, text])).toEqual(servers.map(() => [201, created[0]?.text]))
    expect(await payments()).toBe(round + 1)
  }
}, 60_000)

it('a key whose process was killed during the write is free after its time', async () => {
  const before = await payments()
  const lost = expect(pay(doomed.message, 'key')).rejects.toThrow()
  const [, other = ''] = servers
  while ((await unanswered()) === 0) await wait(20)
  doomed.process.kill('SIGKILL')
  await lost
  expect((await pay(other, 'key')).status).toBe(409)
  expect(await payments()).toBe(before)
  await ageClaims()
  expect((await pay(other, 'key')).status).toBe(201)
  expect(await payments()).toBe(before + 1)
}, 60_000)
