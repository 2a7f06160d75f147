import type { AddressInfo } from 'node:net'
import { shutdownServer } from 'stemma'
import { createApp } from './app'
import { dataSource } from './data-source'
import { assertEnvironment } from './environment'

/** Listens on `PORT`, by default 3000, until the process receives a signal. */
async function main(): Promise<void> {
  assertEnvironment()
  await dataSource.initialize()
  const server = createApp(dataSource).listen(Number(process.env.PORT ?? 3000))
  server.on('listening', () => {
    const { port } = server.address() as AddressInfo
    const url = `http://localhost:${port}/api`
    console.log(`Listening on ${url}/publications`)
    if (process.env.NODE_ENV !== 'production') console.log(`Open ${url} in a browser for the explorer.`)
  })
  const stop = async () => {
    await shutdownServer(server)
    await dataSource.destroy()
  }
  server.on('error', (error) => {
    fail(error)
    void stop()
  })
  for (const signal of ['SIGTERM', 'SIGINT']) process.once(signal, () => void stop())
}

function fail({ message, code }: NodeJS.ErrnoException): void {
  // If a host has several addresses, and all of them refuse the connection, the error has no message.
  console.error(message || `${code}: the database of src/connection.ts can't be reached. Is it running?`)
  process.exitCode = 1
}

main().catch(async (error: Error) => {
  fail(error)
  if (dataSource.isInitialized) await dataSource.destroy()
})
