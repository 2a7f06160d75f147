import 'reflect-metadata'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { createJsonApi, type ShutdownResult, shutdownServer } from 'stemma'
import { createDataSource, type Place } from '../../support/data-source'
import { EntryDefinition, LEDGER, RESOURCES } from './ledger'

// A process that serves the ledger, and sends SIGTERM to itself while a write is inside its transaction. A signal from outside could arrive too
// late. Prints its URL, and at the end the result of the shutdown.

export interface LedgerProcess {
  readonly place: Place
  /** Milliseconds between the two rows of an entry. */
  readonly pause: number
  /** Milliseconds that its end may take. */
  readonly within: number
  /** Which entry it is, counted from 1, between whose rows its end begins. */
  readonly endAt: number
}

export interface Listening {
  readonly url: string
}

export interface Ended extends ShutdownResult {
  /** The name of the entry between whose rows that was. */
  readonly inside: string
}

async function main([asked = '']: readonly string[]): Promise<void> {
  const { place, pause, within, endAt }: LedgerProcess = JSON.parse(asked)
  const dataSource = await createDataSource(place, LEDGER).initialize()
  const definitions = [new EntryDefinition()]
  const onError = () => undefined
  const { listener } = createJsonApi({ dataSource, resources: RESOURCES, definitions, startupLog: false, onError })
  const server = createServer(listener as RequestListener).listen(0, '127.0.0.1')
  const tell = (told: Listening | Ended) => process.send?.(told)
  let entries = 0
  let inside = ''
  EntryDefinition.between = async ({ values: { name } }) => {
    entries += 1
    if (entries === endAt) {
      inside = name
      const begun = once(process, 'SIGTERM')
      process.kill(process.pid, 'SIGTERM')
      await begun
    }
    await wait(pause)
  }
  server.once('listening', () => tell({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }))
  process.once('SIGTERM', async () => {
    tell({ ...(await shutdownServer(server, { timeout: within })), inside })
    await dataSource.destroy()
  })
}

void main(process.argv.slice(2))
