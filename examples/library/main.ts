import type { AddressInfo } from 'node:net'
import { shutdownServer } from 'stemma'
import { createApp } from './app'
import { dataSource } from './data-source'
import { seed } from './seed'
import { settings } from './settings'

async function main(): Promise<void> {
  await dataSource.initialize()
  if (!settings.isProduction) await seed(dataSource)
  let isEnding = false
  const server = createApp(dataSource, () => isEnding).listen(settings.port)
  // Longer than a proxy keeps its connections, so that the proxy closes them first.
  server.keepAliveTimeout = 75_000
  server.on('listening', () => {
    const { port } = server.address() as AddressInfo
    console.log(`The library listens on http://localhost:${port}. examples/library/README.md has requests to try.`)
  })
  server.on('error', fail)
  for (const signal of ['SIGTERM', 'SIGINT'])
    process.once(signal, async () => {
      isEnding = true
      await shutdownServer(server, { timeout: 20_000 })
      await dataSource.destroy()
    })
}

function fail({ message }: Error): void {
  console.error(message)
  process.exit(1)
}

main().catch(fail)
