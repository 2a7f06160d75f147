import {
  type ConnectionSettings,
  createDatabase,
  type DatabaseName,
  type Layout,
  MARIADB_OPTIONS,
} from '../shared/databases'
import { type Node, startCluster } from '../shared/galera-cluster'
import type { StormOptions } from './options'
import { type ServerProcess, Servers } from './processes'

/** A process of the API, and its database server. */
export interface Site {
  readonly connection: ConnectionSettings
  /** If the server is a node of a cluster. */
  readonly node?: Node
  process?: ServerProcess | undefined
  /** Resolves when a killed node has joined the cluster again. */
  rejoined?: Promise<void> | undefined
}

type DeploymentOptions = Pick<StormOptions, 'topology' | 'processes' | 'database' | 'layout'>

/** The processes of the API and their database. */
export class Deployment {
  readonly database: DatabaseName
  readonly layout: Layout
  readonly sites: readonly Site[]
  private readonly servers = new Servers()
  private readonly remove: () => Promise<void>

  constructor({ database, layout }: DeploymentOptions, sites: readonly Site[], remove: () => Promise<void>) {
    this.database = database
    this.layout = layout
    this.sites = sites
    this.remove = remove
  }

  get nodes(): readonly Node[] {
    return this.sites.flatMap(({ node }) => node ?? [])
  }

  /** The sites whose database server is running. */
  get ready(): readonly Site[] {
    return this.sites.filter(({ rejoined }) => rejoined === undefined)
  }

  get processes(): readonly ServerProcess[] {
    return this.ready.flatMap(({ process }) => process ?? [])
  }

  /** The connections to each database server that is running. */
  get connections(): readonly ConnectionSettings[] {
    return [...new Set(this.ready.map(({ connection }) => connection))]
  }

  /** Starts the processes that have ended. */
  async startProcesses(): Promise<void> {
    const isCluster = this.nodes.length > 0
    for (const site of this.ready)
      site.process ??= await this.servers.start({ connection: site.connection, layout: this.layout, isCluster })
  }

  async killProcesses(sites: readonly Site[]): Promise<void> {
    await Promise.all(sites.map(({ process }) => process?.kill()))
    for (const site of sites) site.process = undefined
  }

  /** Removes processes that have ended by themselves, and returns their number. */
  removeCrashed(): number {
    const crashed = this.sites.filter(({ process }) => process?.hasEnded())
    for (const site of crashed) site.process = undefined
    return crashed.length
  }

  /** Resolves when the killed nodes have joined the cluster again. */
  async waitForNodes(): Promise<void> {
    await Promise.all(this.sites.map(({ rejoined }) => rejoined))
  }

  async close(): Promise<void> {
    this.servers.close()
    await this.killProcesses(this.sites)
    await Promise.allSettled(this.sites.map(({ rejoined }) => rejoined))
    await this.remove()
  }
}

export async function deploy(options: DeploymentOptions): Promise<Deployment> {
  if (options.topology === 'cluster') {
    const cluster = await startCluster({ isOwn: true })
    const sites = cluster.nodes.map((node) => ({ node, connection: { ...node.connection, ...MARIADB_OPTIONS } }))
    return new Deployment(options, sites, () => cluster.close())
  }
  const { connection, remove } = await createDatabase(options.database, 'file')
  return new Deployment(
    options,
    Array.from({ length: options.processes }, () => ({ connection })),
    remove,
  )
}
