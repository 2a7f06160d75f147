import {
  type ConnectionSettings,
  createDatabase,
  type Database,
  type DatabaseName,
  type Layout,
  MARIADB_OPTIONS,
} from '../shared/databases'
import { type Node, startCluster } from '../shared/galera-cluster'
import { PostgresPair } from '../shared/postgres-pair'
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

interface DatabaseServers extends Pick<Deployment, 'sites'>, Partial<Pick<Deployment, 'pair'>> {
  readonly remove: () => Promise<void>
}

type DeploymentOptions = Pick<StormOptions, 'topology' | 'processes' | 'database' | 'layout'>

/** The processes of the API and their database. */
export class Deployment {
  readonly database: DatabaseName
  readonly layout: Layout
  readonly sites: readonly Site[]
  /** The primary and the standby, if there are any. */
  readonly pair: PostgresPair | undefined
  private readonly servers = new Servers()
  private readonly remove: () => Promise<void>
  /** Resolves when a standby follows the new primary. */
  private following: Promise<void> | undefined

  constructor({ database, layout }: DeploymentOptions, { sites, remove, pair }: DatabaseServers) {
    this.database = database
    this.layout = layout
    this.sites = sites
    this.remove = remove
    this.pair = pair
  }

  get nodes(): readonly Node[] {
    return this.sites.flatMap(({ node }) => node ?? [])
  }

  /** The sites whose database server is running. */
  get ready(): readonly Site[] {
    return this.sites.filter(({ rejoined }) => rejoined === undefined)
  }

  /** True if no database server is missing. */
  get isWhole(): boolean {
    return this.ready.length === this.sites.length && this.following === undefined
  }

  get processes(): readonly ServerProcess[] {
    return this.ready.flatMap(({ process }) => process ?? [])
  }

  /**
   * The connections to each database server that is running. Of a pair, to the primary itself: its gateways end connections when the next standby
   * is ready.
   */
  get connections(): readonly ConnectionSettings[] {
    if (this.pair !== undefined) return [{ ...this.pair.primary.connection, ...NAMES_OF_PAIR }]
    return [...new Set(this.ready.map(({ connection }) => connection))]
  }

  /** Starts the processes that have ended. */
  async startProcesses(): Promise<void> {
    const isCluster = this.nodes.length > 0
    const timeout = this.pair === undefined ? undefined : TIMEOUT_OF_PAIR
    for (const site of this.ready)
      site.process ??= await this.servers.start({
        connection: site.connection,
        layout: this.layout,
        isCluster,
        timeout,
      })
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

  /** Makes the standby the primary, and starts a new standby, while clients write. */
  async failOver(): Promise<void> {
    await this.pair?.failOver()
    this.following = this.pair?.addStandby().then(() => {
      this.following = undefined
    })
    // `waitForServers` reports a standby that can't follow.
    this.following?.catch(() => undefined)
  }

  /** Resolves when the killed nodes have joined the cluster again, and a standby follows the primary. */
  async waitForServers(): Promise<void> {
    await Promise.all([...this.sites.map(({ rejoined }) => rejoined), this.following])
  }

  async close(): Promise<void> {
    this.servers.close()
    await this.killProcesses(this.sites)
    await Promise.allSettled([...this.sites.map(({ rejoined }) => rejoined), this.following])
    await this.remove()
  }
}

export async function deploy(options: DeploymentOptions): Promise<Deployment> {
  if (options.topology === 'cluster') {
    const cluster = await startCluster({ isOwn: true })
    const sites = cluster.nodes.map((node) => ({ node, connection: { ...node.connection, ...MARIADB_OPTIONS } }))
    return new Deployment(options, { sites, remove: () => cluster.close() })
  }
  const pair = options.topology === 'failover' ? await PostgresPair.start('synchronous') : undefined
  const { connection, remove } = pair === undefined ? await createDatabase(options.database, 'file') : databaseOf(pair)
  const sites = Array.from({ length: options.processes }, () => ({ connection }))
  return new Deployment(options, { sites, remove, pair })
}

/** The name of the schema starts the names of connections. */
const NAMES_OF_PAIR = { schema: 'public', applicationName: 'public' }

function databaseOf(pair: PostgresPair): Pick<Database, 'connection' | 'remove'> {
  const connection = { ...pair.connection, ...NAMES_OF_PAIR }
  return { connection, remove: () => pair.close() }
}

/** Shorter than the time for which a standby is cut off, so that requests time out while they wait for it. */
const TIMEOUT_OF_PAIR = 2000
