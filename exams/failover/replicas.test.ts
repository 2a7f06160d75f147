import { setTimeout as wait } from 'node:timers/promises'
import { defineFunction, type JsonApiOptions } from 'stemma'
import { statusAndCode } from '../../test/faults/support/ledger'
import { PostgresPair } from '../shared/postgres-pair'
import { create, openPairApi, type PairApi } from './support/pair-apis'

// What reads at a standby show, and the ways to read one's own writes (docs/guide/clusters.md).

let pair: PostgresPair
let api: PairApi

beforeAll(async () => {
  pair = await PostgresPair.start('synchronous')
  api = await openPairApi(pair.connection)
  await api.dataSource.synchronize()
  await pair.settle()
})
afterAll(async () => {
  await api?.close()
  await pair?.close()
})

const standby = (text: string) => pair.standby?.query(text)
/** The standby receives changes, and does not show them. */
const pause = () => standby('select pg_wal_replay_pause()')
const resume = () => standby('select pg_wal_replay_resume()')
afterEach(resume)

const namesAt = async ({ server }: Pick<PairApi, 'server'>, headers: Readonly<Record<string, string>> = {}) => {
  const { body } = await server.request('GET', '/entries?sort=id&page[size]=100', { headers })
  return body.data.map(({ attributes }: { attributes: { name: string } }) => attributes.name)
}

it('shows the previous state, until the standby has applied the write', async () => {
  await pause()
  expect(await create(api.server, 'entries', 'confirmed')).toBe('201')
  expect(await namesAt(api)).not.toContain('confirmed')
  await resume()
  await pair.settle()
  expect(await namesAt(api)).toContain('confirmed')
})

it('refuses a write that is based on a previous state', async () => {
  await create(api.server, 'entries', 'old')
  await pair.settle()
  await pause()
  const found = await api.server.get("/entries?filter=equals(name,'old')")
  const { id } = found.body.data[0]
  const path = `/entries/${id}`
  const { etag } = (await api.server.get(path)).headers
  const update = (name: string) =>
    api.server.request('PATCH', path, {
      body: { data: { type: 'entries', id, attributes: { name } } },
      headers: { 'if-match': String(etag) },
    })
  expect((await update('new')).status).toBe(204)
  expect((await api.server.get(path)).body.data.attributes.name).toBe('old')
  expect((await update('newer')).status).toBe(412)
})

it('shows confirmed writes at once with synchronous_commit = remote_apply', async () => {
  const applied = await openPairApi(pair.connection, { extra: { options: '-c synchronous_commit=remote_apply' } })
  await pause()
  const order: string[] = []
  const creating = create(applied.server, 'entries', 'applied').then((outcome) => order.push(outcome))
  await wait(300)
  order.push('resumed')
  await resume()
  await creating
  expect(order).toEqual(['resumed', '201'])
  expect(await namesAt(applied)).toContain('applied')
  for (let count = 0; count < 30; count += 1) {
    expect(await create(applied.server, 'entries', `applied ${count}`)).toBe('201')
    expect(await namesAt(applied)).toContain(`applied ${count}`)
  }
  await applied.close()
})

it('reads from the primary with the default mode master', async () => {
  const { replication } = pair.connection as { readonly replication?: object }
  const primary = await openPairApi(pair.connection, { replication: { ...replication, defaultMode: 'master' } })
  await pause()
  expect(await create(primary.server, 'entries', 'default mode')).toBe('201')
  expect(await namesAt(primary)).toContain('default mode')
  await primary.close()
})

describe('readFromMaster', () => {
  const OPTIONS: Partial<JsonApiOptions> = {
    context: (request) => ({ isFresh: request.get('cache-control') === 'no-cache' }),
    readFromMaster: (context) => (context as { readonly isFresh: boolean }).isFresh,
    page: { size: null, maxSize: null },
  }
  const FRESH = { 'cache-control': 'no-cache' }
  let chosen: PairApi
  beforeAll(async () => {
    chosen = await openPairApi(pair.connection, {}, OPTIONS)
  })
  afterAll(() => chosen?.close())

  it('sends the reads of a request to the primary', async () => {
    await pause()
    expect(await create(chosen.server, 'entries', 'selected')).toBe('201')
    expect(await namesAt(chosen)).not.toContain('selected')
    expect(await namesAt(chosen, FRESH)).toContain('selected')
  })

  it('sends a list that is streamed to the primary', async () => {
    await pair.primary.query("insert into line (name) select 'of many' from generate_series(1, 6000)")
    await pair.settle()
    await pause()
    expect(await create(chosen.server, 'lines', 'the last of many')).toBe('201')
    const count = async (headers: Readonly<Record<string, string>>) =>
      (await chosen.server.request('GET', "/lines?filter=contains(name,'of many')", { headers })).body.data.length
    expect([await count({}), await count(FRESH)]).toEqual([6000, 6001])
  })
})

it('returns server.unavailable for a read that the standby cancels because of a change of the primary', async () => {
  const slowly = defineFunction({
    name: 'slowly',
    argumentTypes: ['string'],
    returnType: 'string',
    toSql: (sql, [text]) => sql`(select ${text ?? ''} from pg_sleep(20))`,
  })
  const slow = await openPairApi(pair.connection, {}, { functions: [slowly], limits: { timeout: null } })
  await create(slow.server, 'lines', 'locked')
  await pair.settle()
  await standby('alter system set max_standby_streaming_delay = 0')
  await standby('select pg_reload_conf()')
  const reading = statusAndCode(slow.server.get("/lines?filter=equals(slowly(name),'a')"))
  while ((await standby("select 1 from pg_stat_activity where wait_event = 'PgSleep'"))?.length === 0) await wait(20)
  await pair.primary.query('alter table line add column further int')
  expect(await reading).toBe('503 server.unavailable')
  await slow.close()
})
