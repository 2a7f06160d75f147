import type { ChildProcess } from 'node:child_process'
import { openSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { DataSource, type DataSourceOptions } from 'typeorm'
import type { ConnectionSettings } from './databases'
import { Gateway } from './gateway'
import {
  type Account,
  accountOf,
  findPort,
  killAll,
  makeFolder,
  requireProgram,
  run,
  signalAll,
  startServerProgram,
} from './programs'

// Starts a primary of PostgreSQL and a standby that follows it, on the loopback interface.

/** When the primary confirms a commit. `asynchronous`: when it has written it itself. `synchronous`: when the standby has written it too. */
export type Replication = 'asynchronous' | 'synchronous'

/** A server of a pair. */
export interface PostgresServer {
  readonly port: number
  readonly connection: ConnectionSettings
  query(text: string): Promise<readonly Readonly<Record<string, unknown>>[]>
  /** Suspends and resumes all processes of the server, which looks like a network that fails. */
  freeze(): void
  thaw(): void
  /** Ends all processes of the server at once. */
  kill(): Promise<void>
}

/** A primary and its standby. Applications connect to addresses that stay the same, and that lead to the servers of the moment. */
export class PostgresPair {
  readonly replication: Replication
  /** The address of the primary. It stands for a virtual address or a proxy that follows the primary. */
  readonly primaryGateway: Gateway
  /** The address of the standby, or of the primary while there is no standby. */
  readonly replicaGateway: Gateway
  /** The address from which the standby gets the changes of the primary. */
  private readonly changesGateway: Gateway
  primary: PostgresServer
  /** `undefined` between a failover and the start of the next standby. */
  standby: PostgresServer | undefined
  private readonly servers: PairServers

  private constructor(replication: Replication, servers: PairServers, gateways: Gateways) {
    this.replication = replication
    this.servers = servers
    this.primary = servers.first
    this.primaryGateway = gateways.primary
    this.replicaGateway = gateways.replica
    this.changesGateway = gateways.changes
  }

  static async start(replication: Replication): Promise<PostgresPair> {
    const account = accountOf('postgres')
    const folder = makeFolder(account)
    const settings = { folder, account }
    const [first, second] = [await createServer('first', settings), await createServer('second', settings)]
    const [primary, replica, changes] = await Promise.all([1, 2, 3].map(() => Gateway.open(first.port)))
    const gateways = { primary, replica, changes } as Gateways
    const pair = new PostgresPair(replication, { first, second, folder }, gateways)
    try {
      await first.initialize()
      await first.start()
      await pair.addStandby()
    } catch (error) {
      await pair.close()
      throw error
    }
    return pair
  }

  /** Reads go to the standby, writes to the primary. */
  get connection(): ConnectionSettings {
    const url = ({ port }: Gateway) => urlOf(port)
    return {
      type: 'postgres',
      replication: { master: { url: url(this.primaryGateway) }, slaves: [{ url: url(this.replicaGateway) }] },
    }
  }

  /** Makes the standby the primary. The old primary must have been killed or suspended; it is killed afterwards. */
  async failOver(): Promise<void> {
    const [old, next] = [this.primary, this.standby]
    if (next === undefined) throw new Error('There is no standby.')
    // Without a standby of its own, the new primary waits for none.
    await next.query("alter system set synchronous_standby_names = ''")
    await next.query('select pg_reload_conf()')
    await next.query('select pg_promote(true, 60)')
    this.primary = next
    this.standby = undefined
    this.primaryGateway.leadTo(next.port)
    this.changesGateway.leadTo(next.port)
    await old.kill()
  }

  /** Creates a standby from the server that is not the primary, and waits until it follows the primary. */
  async addStandby(): Promise<void> {
    const { first, second } = this.servers
    const [primary, standby] = this.primary === first ? [first, second] : [second, first]
    await standby.copyFrom(this.changesGateway.port)
    await standby.start()
    const isSynchronous = this.replication === 'synchronous'
    await primary.query(`alter system set synchronous_standby_names = '${isSynchronous ? '*' : ''}'`)
    await primary.query('select pg_reload_conf()')
    const state = isSynchronous ? 'sync' : 'async'
    const isFollowing = `select 1 from pg_stat_replication where state = 'streaming' and sync_state = '${state}'`
    await waitUntil(async () => (await primary.query(isFollowing)).length === 1)
    this.standby = standby
    this.replicaGateway.leadTo(standby.port)
  }

  /** Cuts the standby off from the primary. */
  separate(): void {
    this.changesGateway.cut()
  }

  /** Lets the standby follow the primary again. */
  reunite(): void {
    this.changesGateway.restore()
  }

  /** Waits until the standby shows everything that the primary has committed. */
  async settle(): Promise<void> {
    const { standby } = this
    if (standby === undefined) return
    const [position] = await this.primary.query('select pg_current_wal_lsn() as lsn')
    const isApplied = `select pg_last_wal_replay_lsn() >= '${position?.lsn}' as applied`
    await waitUntil(async () => (await standby.query(isApplied))[0]?.applied === true)
  }

  async close(): Promise<void> {
    for (const gateway of [this.primaryGateway, this.replicaGateway, this.changesGateway]) gateway.close()
    for (const server of [this.servers.first, this.servers.second]) await server.kill()
    rmSync(this.servers.folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
  }
}

interface Gateways {
  readonly primary: Gateway
  readonly replica: Gateway
  readonly changes: Gateway
}

interface PairServers {
  readonly first: StartableServer
  readonly second: StartableServer
  readonly folder: string
}

interface StartableServer extends PostgresServer {
  initialize(): Promise<void>
  /** Replaces the files of the server by those of the server at this port. */
  copyFrom(port: number): Promise<void>
  start(): Promise<void>
}

interface ServerSettings {
  readonly folder: string
  readonly account: Account
}

async function createServer(name: string, { folder, account }: ServerSettings): Promise<StartableServer> {
  const port = await findPort()
  const [data, log] = [join(folder, name), join(folder, `${name}.log`)]
  const connection = { type: 'postgres', url: urlOf(port), poolSize: 1 }
  const options = [
    // Writes do not wait for the disk, since the machine does not crash.
    'fsync=off',
    'listen_addresses=127.0.0.1',
    `unix_socket_directories=${folder}`,
    'shared_buffers=32MB',
    'jit=off',
    // A suspended standby stays connected.
    'wal_sender_timeout=0',
    'wal_receiver_timeout=0',
    'wal_retrieve_retry_interval=100ms',
  ]
  let running: ChildProcess | undefined
  const signal = (sent: 'SIGSTOP' | 'SIGCONT') => {
    if (running?.pid !== undefined) signalAll(running.pid, sent)
  }
  return {
    port,
    connection,
    query: (text) => queryOnce(connection, text),
    initialize: () =>
      run(
        requireProgram('initdb'),
        ['-D', data, '-U', 'app', '-A', 'trust', '-E', 'UTF8', '--wal-segsize=1', '--no-sync'],
        account,
      ),
    async copyFrom(source) {
      rmSync(data, { recursive: true, force: true })
      const from = `host=127.0.0.1 port=${source} user=app`
      const flags = ['--write-recovery-conf', '--wal-method=stream', '--checkpoint=fast', '--no-sync']
      await run(requireProgram('pg_basebackup'), [`--pgdata=${data}`, `--dbname=${from}`, ...flags], account)
    },
    async start() {
      const output = openSync(log, 'a')
      const words = ['-D', data, '-p', `${port}`, ...options.flatMap((option) => ['-c', option])]
      running = startServerProgram('postgres', words, account, output)
      await waitUntil(() => queryOnce(connection, 'select 1').then(Boolean, () => false)).catch(() => {
        throw new Error(`PostgreSQL has not started:\n${readFileSync(log, 'utf8').slice(-4000)}`)
      })
    },
    freeze: () => signal('SIGSTOP'),
    thaw: () => signal('SIGCONT'),
    async kill() {
      if (running !== undefined) await killAll(running)
      running = undefined
    },
  }
}

async function queryOnce({ type, ...settings }: ConnectionSettings, text: string) {
  const operator = new DataSource({ type, ...settings } as unknown as DataSourceOptions)
  await operator.initialize()
  try {
    return await operator.query(text)
  } finally {
    await operator.destroy()
  }
}

async function waitUntil(isReached: () => Promise<boolean>): Promise<void> {
  const end = performance.now() + 60_000
  while (!(await isReached())) {
    if (performance.now() > end) throw new Error('The servers have not reached the expected state in a minute.')
    await wait(50)
  }
}

function urlOf(port: number): string {
  return `postgres://app@127.0.0.1:${port}/postgres`
}
