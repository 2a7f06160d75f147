import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Express } from 'express'
import { shutdownServer } from 'stemma'
import type { DataSource } from 'typeorm'

export interface Example {
  /** The command that starts the example: `npm start`. */
  readonly command: string
  /** The default port. `PORT` overrides it. */
  readonly port: number
  readonly createDataSource: (url?: string) => DataSource
  /** Fills an empty database. */
  readonly seed: (dataSource: DataSource) => Promise<'filled' | 'kept'>
  readonly createApp: (dataSource: DataSource) => Express
  /** The text that is printed when the server listens. */
  readonly greeting: (url: string) => string
}

/** Runs an example until it receives a signal. Keeps the rows of an earlier run, unless it runs with `--fresh`: `npm start -- --fresh`. */
export function start(example: Example): void {
  run(example).catch((error: Error) => fail(error.message))
}

async function run({
  command,
  port: defaultPort,
  createDataSource,
  seed,
  createApp,
  greeting,
}: Example): Promise<void> {
  const port = Number(process.env.PORT || defaultPort)
  const dataSource = await createDataSource(process.env.DATABASE_URL || undefined).initialize()
  if (process.argv.includes('--fresh')) await recreateTables(dataSource)
  const outcome = await seed(dataSource)
  const server = createApp(dataSource).listen(port)
  server.on('listening', () => {
    console.log(greeting(`http://localhost:${(server.address() as AddressInfo).port}`))
    if (outcome === 'kept')
      console.log(`The database has the rows of an earlier run. To start with new rows: ${command} -- --fresh\n`)
  })
  server.on('error', (error) => fail(explain(error, port, command)))
  for (const signal of ['SIGTERM', 'SIGINT']) process.once(signal, () => void close(server, dataSource))
}

/** Drops the tables of the example, and creates them again. Leaves other tables unchanged. */
async function recreateTables(dataSource: DataSource): Promise<void> {
  const queryRunner = dataSource.createQueryRunner()
  const tables = await queryRunner.getTables([...new Set(dataSource.entityMetadatas.map(({ tablePath }) => tablePath))])
  for (const table of tables) await queryRunner.dropForeignKeys(table, [...table.foreignKeys])
  for (const table of tables) await queryRunner.dropTable(table)
  await queryRunner.release()
  await dataSource.synchronize()
}

function explain(error: NodeJS.ErrnoException, port: number, command: string): string {
  return error.code === 'EADDRINUSE'
    ? `Port ${port} is taken. Choose another one: PORT=${port + 1} ${command}`
    : error.message
}

/** Completes requests in progress, then closes the database connections. A second signal ends the process immediately. */
async function close(server: Server, dataSource: DataSource): Promise<void> {
  await shutdownServer(server, { timeout: 10_000 })
  await dataSource.destroy()
}

function fail(message: string): void {
  console.error(message)
  process.exit(1)
}
