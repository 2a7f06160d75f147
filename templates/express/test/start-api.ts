import type { RequestListener } from 'node:http'
import { createApp } from '../src/app'
import { createTestDataSource } from './test-data-source'

export interface RunningApi {
  readonly server: RequestListener
  stop(): Promise<void>
}

/** Creates the application on an empty database. */
export async function startApi(): Promise<RunningApi> {
  const source = await createTestDataSource()
  await source.initialize()
  return { server: createApp(source), stop: () => source.destroy() }
}
