import type { Server } from 'node:http'
import { createApp } from '../src/app'
import { createTestDataSource } from './test-data-source'

export interface RunningApi {
  readonly server: Server
  stop(): Promise<void>
}

/** Creates the application on an empty database. */
export async function startApi(): Promise<RunningApi> {
  const source = await createTestDataSource()
  await source.initialize()
  const app = await createApp(source)
  await app.init()
  const stop = async () => {
    await app.close()
    await source.destroy()
  }
  return { server: app.getHttpServer(), stop }
}
