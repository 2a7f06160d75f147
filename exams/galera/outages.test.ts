import { setTimeout as wait } from 'node:timers/promises'
import { ClusterLock } from 'stemma'
import { type Cluster, startCluster } from '../shared/galera-cluster'
import { Counter } from './support/models'
import { type NodeApis, openNodeApis } from './support/node-apis'

// A cluster without the table of locks, and a node without a majority.

jest.setTimeout(600_000)
let cluster: Cluster
let apis: NodeApis
const reported: unknown[] = []

beforeAll(async () => {
  cluster = await startCluster({ isOwn: true })
  const onError = (error: unknown) => reported.push(error)
  apis = await openNodeApis({ nodes: cluster.nodes }, { resources: [Counter], createsTables: true, onError })
})
afterAll(async () => {
  await apis?.close()
  await cluster?.close()
})

const write = () => apis.send(0, 'POST', '/counters', { data: { type: 'counters', attributes: { count: 1 } } })

it('reports once that ClusterLock is missing, and writes nevertheless', async () => {
  expect([(await write()).status, (await write()).status]).toEqual([201, 201])
  expect(reported.map(String)).toEqual([expect.stringContaining(ClusterLock.name)])
})

it('answers 503 at a node without a majority, and recovers', async () => {
  const [, ...others] = cluster.nodes
  for (const node of others) node.freeze()
  const codes = new Set<string | undefined>()
  // Until it notices, writes wait for the other nodes.
  while (!codes.has('server.unavailable')) codes.add((await write()).body.errors[0]?.code)
  for (const code of codes) expect(['server.unavailable', 'server.timeout', 'write.outcome-unknown']).toContain(code)
  expect((await apis.send(0, 'GET', '/counters')).status).toBe(503)
  for (const node of others) node.thaw()
  while ((await write()).status !== 201) await wait(200)
})
