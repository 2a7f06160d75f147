import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { compareWithDatabase, NO_DIFFERENCES, startTraffic } from '../../test/faults/support/ledger'
import type { PostgresServer } from '../shared/postgres-pair'
import { create, openPairApi, startForTests } from './support/pair-apis'

// The guarantees of docs/guide/clusters.md for a primary of PostgreSQL with a synchronous standby.

const started = startForTests('synchronous')

const UNKNOWN = '503 write.outcome-unknown'
const UNAVAILABLE = '503 server.unavailable'

it.each([
  ['is killed', (primary: PostgresServer) => primary.kill()],
  ['is suspended', (primary: PostgresServer) => Promise.resolve(primary.freeze())],
])('keeps every confirmed write if the primary %s and the standby takes over', async (_what, end) => {
  const traffic = startTraffic(started.apis.both)
  await traffic.waitForWrites(40)
  await end(started.pair.primary)
  await traffic.waitForResponse(/503/)
  await started.pair.failOver()
  await traffic.waitForWrites(40)
  expect(await compareWithDatabase(started.apis.dataSource, await traffic.stop())).toEqual(NO_DIFFERENCES)
})

describe('a commit that the standby has not received', () => {
  it.each(['entries', 'lines'] as const)('is not confirmed when the request times out: %s', async (type) => {
    const name = `not received, ${type}`
    started.pair.separate()
    const outcome = await create(started.apis.both, type, name)
    await started.pair.primary.kill()
    started.pair.reunite()
    await started.pair.failOver()
    expect([outcome, (await started.apis.storedNames()).includes(name)]).toEqual([UNKNOWN, false])
  })

  it.each(['entries', 'lines'] as const)('is not confirmed when its wait is cancelled: %s', async (type) => {
    started.pair.separate()
    try {
      const creating = create(started.apis.both, type, `cancelled, ${type}`)
      const cancel = `select pg_cancel_backend(pid) from pg_stat_activity where wait_event = 'SyncRep'`
      while ((await started.pair.primary.query(cancel)).length === 0) await wait(20)
      expect(await creating).toBe(UNKNOWN)
    } finally {
      started.pair.reunite()
    }
    expect(await create(started.apis.both, type, `afterwards, ${type}`)).toBe('201')
  })
})

it('writes again when the address of the primary has led to the standby for a while', async () => {
  const [primary, standby] = [started.pair.primary.port, started.pair.standby?.port ?? 0]
  const { server, close } = await openPairApi(started.pair.connection, { poolSize: 1 })
  const write = async () => [await create(server, 'entries', 'a'), await create(server, 'lines', 'b')]
  started.pair.primaryGateway.leadTo(standby)
  const outcomes = [await write()]
  started.pair.primaryGateway.leadNewConnectionsTo(primary)
  outcomes.push(await write())
  await close()
  expect(outcomes).toEqual([
    [UNAVAILABLE, UNAVAILABLE],
    ['201', '201'],
  ])
})

it('keeps running if a server ends a connection at once', async () => {
  const { server, close } = await openPairApi(started.pair.connection, { poolSize: 1 })
  const ending = await openEndingServer()
  started.pair.primaryGateway.leadTo(ending.port)
  const outcome = await create(server, 'entries', 'ended at once')
  started.pair.primaryGateway.leadTo(started.pair.primary.port)
  const afterwards = await create(server, 'entries', 'afterwards')
  await ending.close()
  await close()
  expect([outcome, afterwards]).toEqual([UNAVAILABLE, '201'])
})

/** Starts a server that accepts a connection and ends it with the same packet, as a server does that is shut down. */
async function openEndingServer(): Promise<{ readonly port: number; close(): Promise<unknown> }> {
  const message = (type: string, body: string) => {
    const length = Buffer.alloc(4)
    length.writeInt32BE(4 + body.length)
    return Buffer.concat([Buffer.from(type), length, Buffer.from(body)])
  }
  const [authenticated, ready] = [message('R', '\0\0\0\0'), message('Z', 'I')]
  const end = message('E', 'SFATAL\0C57P01\0Mterminating connection due to administrator command\0\0')
  const server = createServer((socket) => {
    socket.on('error', () => undefined)
    socket.once('data', () => socket.end(Buffer.concat([authenticated, ready, end])))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return { port: (server.address() as AddressInfo).port, close: () => once(server.close(), 'close') }
}
