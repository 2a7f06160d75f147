import type { ChildProcess } from 'node:child_process'
import { on, once } from 'node:events'
import { join } from 'node:path'
import type { DataSource } from 'typeorm'
import { createTables } from '../support/create-tables'
import { createDataSource } from '../support/data-source'
import { startProcess } from '../support/processes'
import { clientOf } from '../support/server'
import {
  compareWithDatabase,
  LEDGER,
  NO_DIFFERENCES,
  startTraffic,
  type Traffic,
  type TrafficLog,
} from './support/ledger'
import type { LedgerProcessOptions, LedgerShutdown, LedgerStart } from './support/ledger-process'
import { missingPrograms, type ServerName, startDatabaseServer, type TestDatabaseServer } from './support/servers'

// Sends SIGTERM to a process during transactions. The process shuts down as docs/guide/production.md describes.

const PROGRAM = join(__dirname, 'support', 'ledger-process.ts')

/** The errors of clients whose server has ended. */
const GONE = /^no answer: (ECONN(REFUSED|RESET)|(read|write) (ECONNRESET|EPIPE)|socket hang up)/

describe.each<ServerName>(['PostgreSQL', 'MariaDB'])('SIGTERM during writes on %s', (name) => {
  const missing = missingPrograms(name)
  // Skipped if the server is not installed; `npm run verify -- faults` requires it.
  if (missing.length > 0) return void it.skip(`is not installed: there is no ${missing.join(', no ')}`, () => undefined)

  let own: TestDatabaseServer
  let dataSource: DataSource
  beforeAll(async () => {
    own = await startDatabaseServer(name)
    dataSource = await createDataSource(own.connection, LEDGER).initialize()
    await createTables(dataSource)
  })
  afterAll(async () => {
    await dataSource?.destroy()
    await own?.close()
  })

  let child: ChildProcess | undefined
  let traffic: Traffic | undefined
  afterEach(async () => {
    child?.kill('SIGKILL')
    await traffic?.stop()
  })

  /** Starts a process that shuts down while six clients write. It has to exit with 0. */
  async function shutDown(
    times: Pick<LedgerProcessOptions, 'pause' | 'within'>,
  ): Promise<LedgerShutdown & { readonly log: TrafficLog }> {
    const options: LedgerProcessOptions = { connection: own.connection, endAt: 10, ...times }
    const started = await startProcess<LedgerStart>(PROGRAM, [JSON.stringify(options)])
    child = started.process
    traffic = startTraffic(clientOf(started.message.url))
    const [result, exited] = await Promise.all([lastMessageOf(child), once(child, 'exit')])
    expect(exited).toEqual([0, null])
    return { ...result, log: await traffic.stop() }
  }

  async function lastMessageOf(process: ChildProcess): Promise<LedgerShutdown> {
    for await (const [message] of on(process, 'message', { close: ['disconnect'] })) return message
    throw new Error('The process ended without a message.')
  }

  it('answers all writes in progress, and stores exactly the acknowledged ones', async () => {
    const { completed, aborted, inside, log } = await shutDown({ pause: 300, within: 20_000 })
    expect([completed > 0, aborted]).toEqual([true, 0])
    expect(log.acknowledged).toContain(inside)
    const { unexpected, ...found } = await compareWithDatabase(dataSource, log)
    expect({ unexpected: [], ...found }).toEqual(NO_DIFFERENCES)
    for (const kind of unexpected) expect(kind).toMatch(GONE)
  })

  it('aborts writes after the timeout, and neither loses acknowledged writes nor stores parts', async () => {
    for (const table of LEDGER) await dataSource.getRepository<object>(table).clear()
    const { aborted, inside, log } = await shutDown({ pause: 1000, within: 100 })
    expect(aborted).toBeGreaterThan(0)
    expect(log.acknowledged).not.toContain(inside)
    const { lost, partiallyWritten } = await compareWithDatabase(dataSource, log)
    expect({ lost, partiallyWritten }).toEqual({ lost: [], partiallyWritten: [] })
  })
})
