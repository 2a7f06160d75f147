import { setTimeout as wait } from 'node:timers/promises'
import { ClusterLock } from 'stemma'
import type { DataSource } from 'typeorm'
import { type ConnectionSettings, MARIADB_OPTIONS, openDataSource } from '../shared/databases'
import { type Cluster, type Node, startCluster } from '../shared/galera-cluster'
import { createRandom, type Random, seedOf } from '../shared/random'
import { createReport, type Report } from '../shared/report'
import type { StormClient } from './client'
import { DatabaseInspector } from './database-inspector'
import { type ServerProcess, Servers } from './processes'
import { compareWithLog, createClients, insertInitialRows, LAYOUT, type StormOptions, waitUntil } from './run'
import { WriteLog } from './write-log'

// The storm on a Galera cluster: each node has a process of the API, and both are killed.

/** A node of the database with its process. */
interface Site {
  readonly node: Node
  readonly connection: ConnectionSettings
  server: ServerProcess | undefined
  /** Resolves when a killed node has joined the cluster again. */
  rejoined: Promise<void> | undefined
}

interface ClusterStorm {
  readonly sites: readonly Site[]
  readonly clients: readonly StormClient[]
  readonly servers: Servers
  readonly random: Random
  readonly report: Report
  readonly log: WriteLog
}

/** Of ten kills, this number kill a node of the database, the others a process. */
const NODE_KILLS = 3
/** After this number of kills, the whole database is checked at all nodes. */
const FULL_CHECK_INTERVAL = 10

export async function runClusterStorm(options: Omit<StormOptions, 'databases'>): Promise<Report> {
  const report = createReport('galera', options)
  const cluster = await startCluster({ isOwn: true })
  const servers = new Servers()
  const sites = sitesOf(cluster)
  try {
    const kills = await storm(options, { sites, servers, report })
    options.print(`galera: ${report.cases} writes, ${kills} kills`)
  } finally {
    servers.close()
    await Promise.allSettled(sites.map(({ server, rejoined }) => Promise.all([server?.kill(), rejoined])))
    await cluster.close()
  }
  return report
}

function sitesOf({ nodes }: Cluster): readonly Site[] {
  return nodes.map((node) => ({
    node,
    connection: { ...node.connection, ...MARIADB_OPTIONS },
    server: undefined,
    rejoined: undefined,
  }))
}

async function storm(
  { count, kills, seed, sabotage = 'none' }: Omit<StormOptions, 'databases'>,
  { sites, servers, report }: Pick<ClusterStorm, 'sites' | 'servers' | 'report'>,
): Promise<number> {
  const log = new WriteLog()
  const [first] = sites
  if (first === undefined) throw new Error('The cluster has no nodes.')
  await insertInitialRows({ name: 'mariadb', connection: first.connection }, log, [ClusterLock])
  const clients = createClients({ seed, log, report, sabotage })
  const random = createRandom(seedOf(seed, 0))
  const cluster: ClusterStorm = { sites, clients, servers, random, report, log }
  let killed = 0
  while (report.cases < count || killed < kills) {
    await runUntilKill(report.cases + random.number(2 * Math.ceil(count / kills)), cluster)
    killed += 1
    const isLast = report.cases >= count && killed >= kills
    if (isLast) await Promise.all(sites.map(({ rejoined }) => rejoined))
    await check(isLast || killed % FULL_CHECK_INTERVAL === 0 ? 'all' : 'changed', cluster)
  }
  return killed
}

/** Lets the clients write until this number of writes, then kills a node or a process. */
async function runUntilKill(targetCases: number, cluster: ClusterStorm): Promise<void> {
  const { sites, clients, servers, random, report } = cluster
  const ready = sites.filter(({ rejoined }) => rejoined === undefined)
  for (const site of ready) {
    site.server ??= await servers.start({ connection: site.connection, layout: LAYOUT, isCluster: true })
  }
  const ports = ready.flatMap(({ server }) => server?.port ?? [])
  const clientRuns = clients.map((client) => client.run(random.pick(ports)))
  await Promise.race([waitUntil(() => report.cases >= targetCases), ...clientRuns])
  await wait(random.number(30))
  const site = random.pick(ready)
  // Two of three nodes are a majority, one is not.
  const killsNode = ready.length === sites.length && random.number(10) < NODE_KILLS
  for (const client of clients) client.pause()
  if (killsNode) await killNode(site, cluster)
  else {
    await site.server?.kill()
    site.server = undefined
    report.countKind('kills of a process')
  }
  await Promise.all(clientRuns)
}

/** Kills a node. Its process stays: it must recover when the node is back. */
async function killNode(site: Site, { report }: ClusterStorm): Promise<void> {
  await site.node.kill()
  report.countKind('kills of a node')
  site.rejoined = site.node.rejoin().then(() => {
    site.rejoined = undefined
    report.countKind('nodes that joined again')
  })
  // A node that can't join fails the exam when it ends.
  site.rejoined.catch(() => undefined)
}

/** Checks one node after a wait for all nodes, or all nodes. */
async function check(extent: 'all' | 'changed', { sites, report, log }: ClusterStorm): Promise<void> {
  const ready = sites.filter(({ rejoined }) => rejoined === undefined)
  const dataSources = await Promise.all(ready.map(({ connection }) => openCausally(connection)))
  try {
    const inspectors = dataSources.map((dataSource) => new DatabaseInspector(dataSource, 'mariadb'))
    for (const inspector of inspectors) await inspector.waitForEndOf([])
    for (const dataSource of dataSources) await dataSource.query('select 1')
    const [first, ...others] = inspectors
    if (first === undefined) throw new Error('No node is running.')
    await compareWithLog(first, { report, log, extent, name: 'galera' })
    if (extent === 'all')
      for (const other of others) await compareWithLog(other, { report, log, extent, name: 'galera' })
  } finally {
    await Promise.all(dataSources.map((dataSource) => dataSource.destroy()))
  }
}

/** Opens one connection that sees everything that any node has committed. */
async function openCausally(connection: ConnectionSettings): Promise<DataSource> {
  const single = { ...connection, poolSize: 1 }
  const dataSource = await openDataSource({ connection: single }, [], { layout: 'single', synchronize: false })
  await dataSource.query('set session wsrep_sync_wait = 1')
  return dataSource
}
