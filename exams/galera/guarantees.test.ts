import { ClusterLock } from 'stemma'
import { type Cluster, startCluster } from '../shared/galera-cluster'
import { RESOURCES } from './support/models'
import { type NodeApis, openNodeApis, type Sent } from './support/node-apis'

// The guarantees of docs/guide/concurrency.md, with requests that reach different nodes of a cluster at the same time.

jest.setTimeout(600_000)
const ROUNDS = Number(process.env.GALERA_ROUNDS ?? 8)
const NODES = [0, 1, 2]
let cluster: Cluster
let apis: NodeApis
let count = 0

beforeAll(async () => {
  cluster = await startCluster()
  apis = await openNodeApis(cluster, { resources: RESOURCES, tables: [ClusterLock], createsTables: true })
  await apis.settle()
})
afterAll(async () => {
  await apis?.close()
  await cluster?.close()
})

/** Creates a resource and waits until all nodes have it. */
async function add(type: string, attributes: object = {}, id?: string, relationships?: object): Promise<string> {
  const { status, body } = await apis.send(0, 'POST', `/${type}`, { data: { type, id, attributes, relationships } })
  expect([status, body.errors]).toEqual([201, undefined])
  await apis.settle()
  return body.data.id
}

type Request = readonly [method: string, path: string, sent?: Sent]

/** Sends one request to each of these nodes at the same time, and returns the statuses. */
function atOnce(nodes: readonly number[], toRequest: (node: number) => Request): Promise<number[]> {
  return Promise.all(nodes.map(async (node) => (await apis.send(node, ...toRequest(node))).status))
}

const etagOf = async (path: string) => (await apis.send(0, 'GET', path)).etag
const ref = (type: string, id: string) => ({ type, id })

/** Repeats a check with new resources. */
async function inRounds(check: () => Promise<void>) {
  for (let round = 0; round < ROUNDS; round += 1) {
    count += 1
    await check()
  }
}

it.each(['tags', 'residents'])('one of two replacements of %s with the same ETag succeeds', async (relationship) => {
  const tags = [await add('tags', {}, `a ${relationship}`), await add('tags', {}, `b ${relationship}`)]
  await inRounds(async () => {
    const shelf = await add('shelves', { name: `shelf ${count}` })
    const path = `/shelves/${shelf}/relationships/${relationship}`
    const headers = { 'if-match': await etagOf(path) }
    const statuses = await atOnce([0, 1], (node) => ['PATCH', path, { data: [ref('tags', tags[node] ?? '')], headers }])
    expect(statuses.toSorted()).toEqual([204, 412])
    await apis.settle()
    const { body } = await apis.send(2, 'GET', path)
    expect(body.data).toEqual([ref('tags', tags[statuses.indexOf(204)] ?? '')])
  })
})

it('one of two changes of a resource in joined tables with the same ETag succeeds', async () => {
  const id = await add('registeredLetters', { text: 'a', receipt: 'a' })
  const path = `/registeredLetters/${id}`
  await inRounds(async () => {
    await apis.settle()
    const headers = { 'if-match': await etagOf(path) }
    const statuses = await atOnce([0, 1], (node) => {
      const attributes = node === 0 ? { text: `${count}` } : { receipt: `${count}` }
      return ['PATCH', path, { data: { type: 'registeredLetters', id, attributes }, headers }]
    })
    expect(statuses.toSorted()).toEqual([204, 412])
  })
})

it('a link to a row that is deleted at another node does not stay', async () => {
  const visit = await add('visits')
  await inRounds(async () => {
    const place = await add('harbours', { name: 'Rye' }, `rye${count}`)
    const [linked, deleted] = await atOnce([0, 1], (node) =>
      node === 0
        ? ['PATCH', `/visits/${visit}/relationships/place`, { data: ref('harbours', place) }]
        : ['DELETE', `/harbours/${place}`],
    )
    expect([204, 404]).toContain(linked)
    expect(deleted).toBe(204)
    const dangling = 'select id from visits where placeId is not null and placeId not in (select id from harbours)'
    expect(await apis.rows(dangling)).toEqual([])
  })
})

it('an id is used in one table of a hierarchy', async () => {
  await inRounds(async () => {
    const statuses = await atOnce([0, 1], (node) => {
      const type = node === 0 ? 'harbours' : 'islands'
      return ['POST', `/${type}`, { data: { type, id: `place ${count}`, attributes: { name: 'a' } } }]
    })
    expect(statuses.toSorted()).toEqual([201, 409])
  })
})

it('a resource has one partner in a one-to-one relationship', async () => {
  const guides = [await add('guides'), await add('guides'), await add('guides')]
  await inRounds(async () => {
    const place = await add('islands', { name: 'Skye' }, `skye ${count}`)
    const statuses = await atOnce(NODES, (node) => {
      return ['PATCH', `/guides/${guides[node]}/relationships/place`, { data: ref('islands', place) }]
    })
    expect(statuses).toEqual([204, 204, 204])
    expect(await apis.rows(`select id from guides where placeId = '${place}'`)).toHaveLength(1)
  })
})

it('a value is unique', async () => {
  await inRounds(async () => {
    const data = { type: 'shelves', attributes: { name: `unique ${count}` } }
    expect((await atOnce(NODES, () => ['POST', '/shelves', { data }])).toSorted()).toEqual([201, 409, 409])
  })
})

it('a request with an idempotency key runs once', async () => {
  await inRounds(async () => {
    const data = { type: 'counters', attributes: { count: -count } }
    const headers = { 'idempotency-key': `"key ${count}"` }
    const statuses = await atOnce(NODES, () => ['POST', '/counters', { data, headers }])
    expect(statuses).toContain(201)
    for (const status of statuses) expect([201, 409]).toContain(status)
    expect(await apis.rows(`select id from counters where count = ${-count}`)).toHaveLength(1)
  })
})

it.each([
  ['a version', 'counters', {}],
  ['a hash', 'shelves', { name: 'counted' }],
])('keeps every increment with ETags made of %s', async (_what, type, attributes) => {
  const id = await add(type, { count: 0, ...attributes })
  const increment = async (node: number): Promise<void> => {
    for (;;) {
      const { body, etag } = await apis.send(node, 'GET', `/${type}/${id}`)
      const data = { type, id, attributes: { count: Number(body.data.attributes.count) + 1 } }
      const { status } = await apis.send(node, 'PATCH', `/${type}/${id}`, { data, headers: { 'if-match': etag } })
      if (status === 204) return
      expect(status).toBe(412)
    }
  }
  const repeat = async (node: number) => {
    for (let round = 0; round < ROUNDS; round += 1) await increment(node)
  }
  await Promise.all(NODES.map(repeat))
  expect(await apis.rows(`select count from ${type} where id = ${id}`)).toEqual([{ count: 3 * ROUNDS }])
})

it('keeps all members that are added at once', async () => {
  const shelf = await add('shelves', { name: 'full' })
  const tags: string[] = []
  for (let index = 0; index < 3 * ROUNDS; index += 1) tags.push(await add('tags', {}, `member ${index}`))
  const adding = tags.map(async (id, index) => {
    const data = [ref('tags', id)]
    return (await apis.send(index % 3, 'POST', `/shelves/${shelf}/relationships/tags`, { data })).status
  })
  expect(new Set(await Promise.all(adding))).toEqual(new Set([204]))
  expect(await apis.rows(`select * from shelf_tags where shelvesId = ${shelf}`)).toHaveLength(tags.length)
})

describe('with wsrep_sync_wait', () => {
  beforeAll(async () => {
    await apis.runAtAll('set global wsrep_sync_wait = 1')
    await apis.close()
    // Connections get the global value when they are opened.
    apis = await openNodeApis(cluster, { resources: RESOURCES, tables: [ClusterLock], createsTables: false })
  })
  afterAll(() => apis.runAtAll('set global wsrep_sync_wait = 0'))

  it('a node shows what another node has confirmed', async () => {
    await inRounds(async () => {
      const data = { type: 'counters', attributes: { count } }
      const { body } = await apis.send(0, 'POST', '/counters', { data })
      expect((await apis.send(1, 'GET', `/counters/${body.data.id}`)).status).toBe(200)
    })
  })

  it.each(['left', 'joined'])(
    'an ETag of a page is outdated once another node confirms that a member has %s',
    async (how) => {
      const shelf = await add('shelves', { name: how })
      const path = `/shelves/${shelf}/relationships/residents`
      const [before, after] = how === 'left' ? [ref('shelves', shelf), null] : [null, ref('shelves', shelf)]
      await inRounds(async () => {
        const tag = await add('tags', {}, `${how}${count}`, { home: { data: before } })
        const headers = { 'if-match': await etagOf(path) }
        expect((await apis.send(0, 'PATCH', `/tags/${tag}/relationships/home`, { data: after })).status).toBe(204)
        expect((await apis.send(1, 'PATCH', path, { data: [], headers })).status).toBe(412)
      })
    },
  )
})
