import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Express } from 'express'
import type { DataSource } from 'typeorm'

export interface Example {
  /** What starts it: `npm start`. */
  readonly command: string
  /** Where it listens unless `PORT` says otherwise. */
  readonly port: number
  readonly createDataSource: (url?: string) => DataSource
  readonly seed: (dataSource: DataSource) => Promise<void>
  readonly createApp: (dataSource: DataSource) => Express
  /** What is said once it listens. */
  readonly greeting: (url: string) => string
}

/** Runs an example until it is told to end. */
export function start(example: Example): void {
  run(example).catch((error: Error) => fail(error.message))
}

async function run({ command, port: usual, createDataSource, seed, createApp, greeting }: Example): Promise<void> {
  const port = Number(process.env.PORT || usual)
  const dataSource = await createDataSource(process.env.DATABASE_URL || undefined).initialize()
  await seed(dataSource)
  const server = createApp(dataSource).listen(port)
  server.on('listening', () => console.log(greeting(`http://localhost:${(server.address() as AddressInfo).port}`)))
  server.on('error', (error) => fail(explain(error, port, command)))
  for (const signal of ['SIGTERM', 'SIGINT']) process.once(signal, () => close(server, dataSource))
}

function explain(error: NodeJS.ErrnoException, port: number, command: string): string {
  return error.code === 'EADDRINUSE'
    ? `Port ${port} is taken. Choose another one: PORT=${port + 1} ${command}`
    : error.message
}

/** Requests that are under way get their answers; then the connections to the database end. */
function close(server: Server, dataSource: DataSource): void {
  server.close(() => void dataSource.destroy())
}

function fail(message: string): void {
  console.error(message)
  process.exit(1)
}
