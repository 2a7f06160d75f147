import type { AddressInfo } from 'node:net'
import { shutdownServer } from 'stemma'
import { createApp } from './app'

/** Listens on `PORT`, by default 3000, until it receives a signal. */
async function main(): Promise<void> {
  const app = await createApp()
  const server = app.listen(Number(process.env.PORT ?? 3000))
  server.on('listening', () => {
    const { port } = server.address() as AddressInfo
    console.log(`Listening on http://localhost:${port}/publications`)
  })
  server.on('error', fail)
  for (const signal of ['SIGTERM', 'SIGINT']) process.once(signal, () => void shutdownServer(server))
}

function fail({ message }: Error): void {
  console.error(message)
  process.exitCode = 1
}

main().catch(fail)
