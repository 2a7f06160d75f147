import { setTimeout as wait } from 'node:timers/promises'
import { compareWithDatabase, NO_DIFFERENCES, startTraffic } from '../../test/faults/support/ledger'
import { PostgresPair, type PostgresServer } from '../shared/postgres-pair'
import { create, openPairApi, openPairApis, type PairApis } from './support/pair-apis'

// The guarantees of docs/guide/clusters.md for a primary of PostgreSQL with a synchronous standby.

let pair: PostgresPair
let apis: PairApis

beforeAll(async () => {
  pair = await PostgresPair.start('synchronous')
  apis = await openPairApis(pair)
})
afterAll(async () => {
  await apis?.close()
  await pair?.close()
})
beforeEach(async () => {
  if (pair.standby === undefined) await pair.addStandby()
  await apis.clear()
})

const UNKNOWN = '503 write.outcome-unknown'
const UNAVAILABLE = '503 server.unavailable'

it.each([
  ['is killed', (primary: PostgresServer) => primary.kill()],
  ['is suspended', (primary: PostgresServer) => Promise.resolve(primary.freeze())],
])('keeps every confirmed write if the primary %s and the standby takes over', async (_what, end) => {
  const traffic = startTraffic(apis.both)
  await traffic.waitForWrites(40)
  await end(pair.primary)
  await traffic.waitForResponse(/503/)
  await pair.failOver()
  await traffic.waitForWrites(40)
  expect(await compareWithDatabase(apis.dataSource, await traffic.stop())).toEqual(NO_DIFFERENCES)
})

describe('a commit that the standby has not received', () => {
  it.each(['entries', 'lines'] as const)('is not confirmed when the request times out: %s', async (type) => {
    const name = `not received, ${type}`
    pair.separate()
    const outcome = await create(apis.both, type, name)
    await pair.primary.kill()
    pair.reunite()
    await pair.failOver()
    expect([outcome, (await apis.storedNames()).includes(name)]).toEqual([UNKNOWN, false])
  })

  it.each(['entries', 'lines'] as const)('is not confirmed when its wait is cancelled: %s', async (type) => {
    pair.separate()
    try {
      const creating = create(apis.both, type, `cancelled, ${type}`)
      const cancel = `select pg_cancel_backend(pid) from pg_stat_activity where wait_event = 'SyncRep'`
      while ((await pair.primary.query(cancel)).length === 0) await wait(20)
      expect(await creating).toBe(UNKNOWN)
    } finally {
      pair.reunite()
    }
    expect(await create(apis.both, type, `afterwards, ${type}`)).toBe('201')
  })
})

it('writes again when the address of the primary has led to the standby for a while', async () => {
  const [primary, standby] = [pair.primary.port, pair.standby?.port ?? 0]
  const { server, close } = await openPairApi(pair.connection, { poolSize: 1 })
  const write = async () => [await create(server, 'entries', 'a'), await create(server, 'lines', 'b')]
  pair.primaryGateway.leadTo(standby)
  const outcomes = [await write()]
  pair.primaryGateway.leadNewConnectionsTo(primary)
  outcomes.push(await write())
  await close()
  expect(outcomes).toEqual([
    [UNAVAILABLE, UNAVAILABLE],
    ['201', '201'],
  ])
})
