import 'reflect-metadata'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { createJsonApi, type ShutdownResult, shutdownServer } from 'stemma'
import { type ConnectionSettings, createDataSource } from '../../support/data-source'
import { EntryDefinition, LEDGER, RESOURCES } from './ledger'

// Serves the ledger, and sends SIGTERM to itself during the transaction of a write; a signal from outside could arrive too late. Sends its URL to the
// parent process, and at the end the result of the shutdown.

export interface LedgerProcessOptions {
  readonly connection: ConnectionSettings
  /** Milliseconds between the two rows of an entry. */
  readonly pause: number
  /** The timeout of the shutdown in milliseconds. */
  readonly within: number
  /** The shutdown begins between the two rows of this entry, counted from 1. */
  readonly endAt: number
}

export interface LedgerStart {
  readonly url: string
}

export interface LedgerShutdown extends ShutdownResult {
  /** The name of the entry that was being written when the shutdown began. */
  readonly inside: string
}

async function main([options = '']: readonly string[]): Promise<void> {
  const { connection, pause, within, endAt }: LedgerProcessOptions = JSON.parse(options)
  const dataSource = await createDataSource(connection, LEDGER).initialize()
  const definitions = [new EntryDefinition()]
  const onError = () => undefined
  const { listener } = createJsonApi({ dataSource, resources: RESOURCES, definitions, startupLog: false, onError })
  const server = createServer(listener as RequestListener).listen(0, '127.0.0.1')
  const sendToParent = (message: LedgerStart | LedgerShutdown) => process.send?.(message)
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
  server.once('listening', () => sendToParent({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }))
  process.once('SIGTERM', async () => {
    sendToParent({ ...(await shutdownServer(server, { timeout: within })), inside })
    await dataSource.destroy()
  })
}

void main(process.argv.slice(2))
