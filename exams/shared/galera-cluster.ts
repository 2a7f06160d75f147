import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { DataSource, type DataSourceOptions } from 'typeorm'
import type { ConnectionSettings } from './databases'
import {
  type Account,
  accountOf,
  endWithThisProcess,
  findPort,
  killAll,
  makeFolder,
  requireProgram,
  run,
  sendSignal,
} from './programs'

// Starts MariaDB Galera clusters on the loopback interface, from the packages `mariadb-server` and `galera-4` of Debian.

/** Seconds without an answer after which the others exclude a node. On a busy machine a node may get no processor time for longer. */
export const PATIENCE = Number(process.env.GALERA_PATIENCE ?? 10)

const PROVIDER = '/usr/lib/galera/libgalera_smm.so'

/** A node of a cluster. */
export interface Node {
  readonly connection: ConnectionSettings
  /** Sends SIGKILL and waits until the process has ended. */
  kill(): Promise<void>
  /** Starts the node again and waits until it has joined the cluster. */
  rejoin(): Promise<void>
  /** Suspends and resumes the server, which looks like a network that fails. */
  freeze(): void
  thaw(): void
  /** True if the process has ended by itself. A node that has missed too many writes ends, and gets all data when it is started again. */
  hasEnded(): boolean
  /** Returns how the process has ended, if it has, and the end of its log. */
  describe(): string
}

export interface Cluster {
  readonly nodes: readonly [Node, Node, Node]
  close(): Promise<void>
}

/**
 * Starts a cluster of three nodes with a database `test`. `TEST_GALERA_URLS` names the nodes of a running one, with which a test starts at once while
 * you work on it. `isOwn`: the caller ends or suspends nodes.
 */
export async function startCluster({ isOwn = false } = {}): Promise<Cluster> {
  const urls = process.env.TEST_GALERA_URLS
  return urls === undefined || isOwn ? startNodes() : useNodes(urls.split(','))
}

function useNodes(urls: readonly string[]): Cluster {
  const refuse = () => {
    throw new Error('TEST_GALERA_URLS names nodes that this process has not started.')
  }
  const control = { kill: refuse, rejoin: refuse, freeze: refuse, thaw: refuse, hasEnded: refuse, describe: refuse }
  const nodes = urls.map((url) => ({ connection: { type: 'mariadb', url, connectTimeout: 60_000 }, ...control }))
  return { nodes: nodes as unknown as Cluster['nodes'], close: async () => undefined }
}

async function startNodes(): Promise<Cluster> {
  const account = accountOf('mysql')
  const folder = makeFolder(account)
  const processes = new Set<ChildProcess>()
  const close = async () => {
    await Promise.all([...processes].map((child) => killAll(child)))
    rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
  }
  try {
    const settings = await prepareNodes(folder, account)
    const [first, ...others] = settings.map((each) => createNode(each, { account, processes }))
    await first?.start(['--wsrep-new-cluster', `--init-file=${join(folder, 'init.sql')}`])
    for (const node of others) await node.start([])
    const nodes = [first, ...others] as unknown as Cluster['nodes']
    return { nodes, close }
  } catch (error) {
    await close()
    throw error
  }
}

interface NodeSettings {
  readonly folder: string
  readonly port: number
  readonly options: readonly string[]
}

async function prepareNodes(folder: string, account: Account): Promise<readonly NodeSettings[]> {
  const data = join(folder, 'installed')
  await run(requireProgram('mariadb-install-db'), ['--no-defaults', `--datadir=${data}`, '--skip-test-db'], account)
  writeFileSync(join(folder, 'init.sql'), INIT)
  const nodes: (NodeSettings & { readonly listening: number })[] = []
  for (const name of ['node1', 'node2', 'node3']) {
    const ports = await Promise.all([findPort(), findPort(), findPort(), findPort()])
    const [port, listening, transfer, increments] = ports
    const own = join(folder, name)
    cpSync(data, join(own, 'data'), { recursive: true })
    if (account.uid !== undefined) execFileSync('chown', ['-R', `${account.uid}:${account.gid}`, own])
    const provider = [
      `base_host=127.0.0.1;base_port=${listening};gmcast.listen_addr=tcp://127.0.0.1:${listening}`,
      `ist.recv_addr=127.0.0.1:${increments};gcache.size=16M;gcs.fc_limit=64`,
      `evs.suspect_timeout=PT${PATIENCE}S;evs.inactive_timeout=PT${3 * PATIENCE}S;repl.causal_read_timeout=PT${5 * PATIENCE}S`,
    ].join(';')
    const options = [
      ...['--no-defaults', `--datadir=${join(own, 'data')}`, `--socket=${join(own, 'socket')}`],
      ...[`--pid-file=${join(own, 'pid')}`, '--bind-address=127.0.0.1', `--port=${port}`, '--skip-name-resolve'],
      ...['--innodb-log-file-size=8M', '--innodb-buffer-pool-size=32M', '--connect-timeout=60'],
      // Commits survive the end of the process.
      ...['--innodb-flush-log-at-trx-commit=2', '--binlog-format=ROW', '--innodb-autoinc-lock-mode=2'],
      ...['--wsrep-on=ON', `--wsrep-provider=${PROVIDER}`, `--wsrep-provider-options=${provider}`],
      ...[`--wsrep-node-name=${name}`, `--wsrep-node-address=127.0.0.1:${listening}`, '--wsrep-sst-method=rsync'],
      ...[`--wsrep-sst-receive-address=127.0.0.1:${transfer}`, '--wsrep-slave-threads=2'],
    ]
    nodes.push({ folder: own, port, listening, options })
  }
  const addresses = nodes.map(({ listening }) => `127.0.0.1:${listening}`).join()
  const shared = [`--wsrep-cluster-address=gcomm://${addresses}`, `--wsrep-cluster-name=${basename(folder)}`]
  return nodes.map(({ options, ...rest }) => ({ ...rest, options: [...options, ...shared] }))
}

const INIT = [
  'create database if not exists test character set utf8mb4 collate utf8mb4_bin;',
  "create user if not exists 'app'@'%';",
  "grant all on *.* to 'app'@'%';",
  '',
].join('\n')

interface StartableNode extends Node {
  start(options: readonly string[]): Promise<void>
}

interface Processes {
  readonly account: Account
  readonly processes: Set<ChildProcess>
}

function createNode({ folder, port, options }: NodeSettings, { account, processes }: Processes): StartableNode {
  const connection = { type: 'mariadb', url: `mysql://app@127.0.0.1:${port}/test`, connectTimeout: 60_000 }
  let running: ChildProcess | undefined
  const start = async (added: readonly string[]) => {
    const log = openSync(join(folder, 'log'), 'a')
    const child = spawn(requireProgram('mariadbd'), [...options, ...added], {
      ...account,
      cwd: '/',
      stdio: ['ignore', log, log],
    })
    running = child
    processes.add(endWithThisProcess(child))
    child.once('exit', () => processes.delete(child))
    await waitUntilSynced(connection, child, join(folder, 'log'))
  }
  const signal = (name: NodeJS.Signals) => {
    if (running?.pid !== undefined) sendSignal(running.pid, name)
  }
  return {
    connection,
    start,
    async kill() {
      if (running !== undefined) await killAll(running)
    },
    async rejoin() {
      await start([`--wsrep-start-position=${await recoverPosition(options, account)}`])
    },
    freeze: () => signal('SIGSTOP'),
    thaw: () => signal('SIGCONT'),
    hasEnded: () => running !== undefined && hasExited(running),
    describe() {
      const state = running?.exitCode ?? running?.signalCode ?? 'running'
      return `${connection.url}, ${state}:\n${readFileSync(join(folder, 'log'), 'utf8').slice(-4000)}`
    },
  }
}

/** Returns the last transaction that a killed node has stored, so that it gets only the later ones from the others. */
async function recoverPosition(options: readonly string[], account: Account): Promise<string> {
  const child = spawn(requireProgram('mariadbd'), [...options, '--wsrep-recover'], {
    ...account,
    cwd: '/',
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let output = ''
  child.stderr?.on('data', (piece) => {
    output += piece
  })
  await once(child, 'close')
  const [, position] = /Recovered position: (\S+)/.exec(output) ?? []
  if (position === undefined) throw new Error(`mariadbd --wsrep-recover printed no position: ${output}`)
  return position
}

function hasExited({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null
}

async function waitUntilSynced(connection: ConnectionSettings, child: ChildProcess, log: string): Promise<void> {
  for (let tries = 0; ; tries += 1) {
    if ((await statusOf(connection)).isSynced) return
    if (tries === TRIES || hasExited(child))
      throw new Error(`A node has not joined the cluster:\n${readFileSync(log, 'utf8').slice(-4000)}`)
    await wait(200)
  }
}

/** Waits until each node sees all nodes in the cluster. Returns the nodes that have ended, or have not joined it in time. */
export async function waitUntilComplete(nodes: readonly Node[]): Promise<readonly Node[]> {
  for (let tries = 1; ; tries += 1) {
    const statuses = await Promise.all(nodes.map(({ connection }) => statusOf(connection)))
    if (statuses.every(({ isSynced, size }) => isSynced && size === nodes.length)) return []
    const ended = nodes.filter((node) => node.hasEnded())
    if (ended.length > 0) return ended
    const missing = nodes.filter((_, index) => !statuses[index]?.isSynced)
    if (tries >= TRIES && missing.length > 0) return missing
    if (tries === 2 * TRIES) throw new Error('The nodes do not agree on the members of the cluster.')
    await wait(200)
  }
}

/** Returns the number of nodes that this node sees. */
export async function sizeOfClusterAt({ connection }: Node): Promise<number> {
  return (await statusOf(connection)).size
}

/** Five times a second. */
const TRIES = 60 * PATIENCE

interface Status {
  readonly isSynced: boolean
  readonly size: number
}

async function statusOf(connection: ConnectionSettings): Promise<Status> {
  const operator = new DataSource({ ...connection, poolSize: 1 } as unknown as DataSourceOptions)
  try {
    await operator.initialize()
    const rows = await operator.query("show global status like 'wsrep_%'")
    const variable = (name: string) =>
      rows.find((row: Readonly<Record<string, string>>) => row.Variable_name === name)?.Value
    return {
      isSynced: variable('wsrep_local_state_comment') === 'Synced',
      size: Number(variable('wsrep_cluster_size')),
    }
  } catch {
    return { isSynced: false, size: 0 }
  } finally {
    if (operator.isInitialized) await operator.destroy()
  }
}
