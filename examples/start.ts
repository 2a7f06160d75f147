import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Express } from 'express'
import { shutdownServer } from 'stemma'
import type { DataSource } from 'typeorm'

export interface Example {
  /** What starts it: `npm start`. */
  readonly command: string
  /** Where it listens unless `PORT` says otherwise. */
  readonly port: number
  readonly createDataSource: (url?: string) => DataSource
  /** Fills an empty database. */
  readonly seed: (dataSource: DataSource) => Promise<'filled' | 'kept'>
  readonly createApp: (dataSource: DataSource) => Express
  /** What is said once it listens. */
  readonly greeting: (url: string) => string
}

/**
 * Runs an example until it is told to end. In a database that it has filled before, it goes on with what is there; with `--fresh` it
 * begins anew: `npm start -- --fresh`.
 */
export function start(example: Example): void {
  run(example).catch((error: Error) => fail(error.message))
}

async function run({ command, port: usual, createDataSource, seed, createApp, greeting }: Example): Promise<void> {
  const port = Number(process.env.PORT || usual)
  const dataSource = await createDataSource(process.env.DATABASE_URL || undefined).initialize()
  if (process.argv.includes('--fresh')) await removeTables(dataSource)
  const found = await seed(dataSource)
  const server = createApp(dataSource).listen(port)
  server.on('listening', () => {
    console.log(greeting(`http://localhost:${(server.address() as AddressInfo).port}`))
    if (found === 'kept')
      console.log(`What an earlier run has left is still there. To begin anew: ${command} -- --fresh\n`)
  })
  server.on('error', (error) => fail(explain(error, port, command)))
  for (const signal of ['SIGTERM', 'SIGINT']) process.once(signal, () => void close(server, dataSource))
}

/** Those of the example only, whatever else is in the database; and makes them again, empty. */
async function removeTables(dataSource: DataSource): Promise<void> {
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

/** Requests that are under way get their answers; then the connections to the database end. A second signal ends it at once. */
async function close(server: Server, dataSource: DataSource): Promise<void> {
  await shutdownServer(server, { timeout: 10_000 })
  await dataSource.destroy()
}

function fail(message: string): void {
  console.error(message)
  process.exit(1)
}
