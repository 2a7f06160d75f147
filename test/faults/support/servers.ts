import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { DataSource, type DataSourceOptions } from 'typeorm'
import {
  type Account,
  accountOf,
  findPort,
  findProgram,
  makeFolder,
  requireProgram,
  run,
  signalAll,
  startServerProgram,
} from '../../../exams/shared/programs'
import type { ConnectionSettings } from '../../support/data-source'

/** A database server that a test starts and may break. */
export interface TestDatabaseServer {
  readonly connection: ConnectionSettings
  /** Stops the server without cleanup, as a power cut does. */
  crash(): Promise<void>
  start(): Promise<void>
  /** Suspends all processes of the server. */
  freeze(): void
  thaw(): void
  endConnections(dataSource: DataSource): Promise<void>
  close(): Promise<void>
}

export type ServerName = 'PostgreSQL' | 'MariaDB'

const PROGRAMS: Readonly<Record<ServerName, readonly string[]>> = {
  PostgreSQL: ['initdb', 'postgres'],
  MariaDB: ['mariadb-install-db', 'mariadbd'],
}

/** Returns the programs of a server that are not installed. */
export function missingPrograms(name: ServerName): readonly string[] {
  return PROGRAMS[name].filter((program) => findProgram(program) === undefined)
}

/** Starts a database server with a new data folder in `parent`. */
export async function startDatabaseServer(name: ServerName, parent?: string): Promise<TestDatabaseServer> {
  const server = await (name === 'PostgreSQL' ? preparePostgres(parent) : prepareMariadb(parent))
  await server.start()
  return server
}

async function preparePostgres(parent?: string): Promise<TestDatabaseServer> {
  const account = accountOf('postgres')
  const folder = makeFolder(account, parent)
  const data = join(folder, 'data')
  const port = await findPort()
  await run(requireProgram('initdb'), ['-D', data, '-U', 'app', '-A', 'trust', '-E', 'UTF8', '--no-sync'], account)
  // Writes do not wait for the disk, since the machine does not crash.
  const address = ['listen_addresses=127.0.0.1', `unix_socket_directories=${folder}`]
  const given = ['fsync=off', 'deadlock_timeout=50ms', ...address]
  const words = ['-D', data, '-p', `${port}`, ...given.flatMap((setting) => ['-c', setting])]
  return serverOf({
    folder,
    account,
    command: ['postgres', words],
    connection: { type: 'postgres', url: `postgres://app@127.0.0.1:${port}/postgres` },
    // `immediate`: https://www.postgresql.org/docs/current/server-shutdown.html
    crashSignal: 'SIGQUIT',
    endOtherConnections: `select pg_terminate_backend(pid) from pg_stat_activity
      where pid <> pg_backend_pid() and backend_type = 'client backend'`,
  })
}

async function prepareMariadb(parent?: string): Promise<TestDatabaseServer> {
  const account = accountOf('mysql')
  const folder = makeFolder(account, parent)
  const data = join(folder, 'data')
  const port = await findPort()
  await run(requireProgram('mariadb-install-db'), ['--no-defaults', `--datadir=${data}`, '--skip-test-db'], account)
  const init = join(folder, 'init.sql')
  writeFileSync(init, INIT)
  const words = [
    ...['--no-defaults', `--datadir=${data}`, `--socket=${join(folder, 'socket')}`],
    ...[`--pid-file=${join(folder, 'pid')}`, '--bind-address=127.0.0.1', `--port=${port}`, '--skip-name-resolve'],
    `--init-file=${init}`,
    '--innodb-log-file-size=8M',
  ]
  return serverOf({
    folder,
    account,
    command: ['mariadbd', words],
    connection: { type: 'mariadb', url: `mysql://app@127.0.0.1:${port}/test` },
    crashSignal: 'SIGKILL',
    endOtherConnections: 'kill user app',
  })
}

const INIT = [
  'create database if not exists test;',
  "create user if not exists 'app'@'%';",
  "grant all on test.* to 'app'@'%';",
  "create user if not exists 'operator'@'%';",
  "grant all on *.* to 'operator'@'%';",
  '',
].join('\n')

interface ServerFiles {
  readonly folder: string
  readonly account: Account
  readonly command: readonly [program: string, programArguments: readonly string[]]
  readonly connection: ConnectionSettings
  readonly crashSignal: NodeJS.Signals
  readonly endOtherConnections: string
}

function serverOf({
  folder,
  account,
  command,
  connection,
  crashSignal,
  endOtherConnections,
}: ServerFiles): TestDatabaseServer {
  let running: ChildProcess | undefined
  const stop = async (signal: NodeJS.Signals) => {
    if (running === undefined) return
    const ended = once(running, 'exit')
    running.kill(signal)
    await ended
    running = undefined
  }
  const send = (signal: 'SIGSTOP' | 'SIGCONT') => {
    if (running?.pid !== undefined) signalAll(running.pid, signal)
  }
  return {
    connection: connection,
    async start() {
      running = startServerProgram(command[0], command[1], account)
      await waitUntilReady(connection)
    },
    crash: () => stop(crashSignal),
    freeze: () => send('SIGSTOP'),
    thaw: () => send('SIGCONT'),
    endConnections: () => withOperator(connection, (operator) => operator.query(endOtherConnections)),
    async close() {
      await stop('SIGKILL')
      await wait(100)
      rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
    },
  }
}

/** Runs `work` with a user that may end the connections of other users. */
export async function withOperator<Value>(
  connection: ConnectionSettings,
  work: (operator: DataSource) => Promise<Value>,
): Promise<Value> {
  const url = String(connection.url).replace('//app@', connection.type === 'mariadb' ? '//operator@' : '//app@')
  const operator = await new DataSource({
    ...connection,
    url,
    poolSize: 1,
  } as unknown as DataSourceOptions).initialize()
  try {
    return await work(operator)
  } finally {
    await operator.destroy()
  }
}

async function waitUntilReady(connection: ConnectionSettings): Promise<void> {
  for (let tries = 0; ; tries += 1) {
    try {
      return void (await withOperator(connection, (operator) => operator.query('select 1')))
    } catch (error) {
      if (tries === 150) throw error
      await wait(100)
    }
  }
}
