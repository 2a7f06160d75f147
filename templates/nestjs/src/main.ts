import type { AddressInfo } from 'node:net'
import { shutdownServer } from 'stemma'
import { createApp } from './app'
import { dataSource } from './data-source'
import { assertEnvironment } from './environment'

/** Listens on `PORT`, by default 3000, until the process receives a signal. */
async function main(): Promise<void> {
  assertEnvironment()
  await dataSource.initialize()
  const app = await createApp(dataSource)
  const stop = async () => {
    await shutdownServer(app.getHttpServer())
    await app.close()
    await dataSource.destroy()
  }
  for (const signal of ['SIGTERM', 'SIGINT']) process.once(signal, () => void stop())
  await app.listen(Number(process.env.PORT ?? 3000))
  const { port } = app.getHttpServer().address() as AddressInfo
  const url = `http://localhost:${port}/api`
  console.log(`Listening on ${url}/publications`)
  if (process.env.NODE_ENV !== 'production') console.log(`Open ${url} in a browser for the explorer.`)
}

main().catch(async ({ message, code }: NodeJS.ErrnoException) => {
  // If a host has several addresses, and all of them refuse the connection, the error has no message.
  console.error(message || `${code}: the database of src/connection.ts can't be reached. Is it running?`)
  process.exitCode = 1
  if (dataSource.isInitialized) await dataSource.destroy()
})
