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
    console.log(`Listening on http://localhost:${port}/api/publications`)
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

function fail({ message }: Error): void {
  console.error(message)
  process.exitCode = 1
}

main().catch(async (error: Error) => {
  fail(error)
  if (dataSource.isInitialized) await dataSource.destroy()
})
