import type { ChildProcess } from 'node:child_process'
import { on, once } from 'node:events'
import { join } from 'node:path'
import type { DataSource } from 'typeorm'
import { createDataSource } from '../support/data-source'
import { makeTables } from '../support/make-tables'
import { startProcess } from '../support/processes'
import { clientOf } from '../support/server'
import { type Book, compare, LEDGER, NOTHING_WRONG, startTraffic, type Traffic } from './support/ledger'
import type { Ended, LedgerProcess, Listening } from './support/ledger-process'
import { missingFor, type OwnServer, type ServerName, startOwnServer } from './support/servers'

// A process that has to end while writes are in their transactions. It does what docs/guide/production.md says.

const PROGRAM = join(__dirname, 'support', 'ledger-process.ts')

/** What clients see of a server that is not there any more. */
const GONE = /^no answer: (ECONN(REFUSED|RESET)|(read|write) (ECONNRESET|EPIPE)|socket hang up)/

describe.each<ServerName>(['PostgreSQL', 'MariaDB'])('at SIGTERM a process on %s', (name) => {
  const missing = missingFor(name)
  // Where a server is not installed there is none whose clients are told to end; `npm run verify -- faults` requires it.
  if (missing.length > 0) return void it.skip(`is not installed: there is no ${missing.join(', no ')}`, () => undefined)

  let own: OwnServer
  let dataSource: DataSource
  beforeAll(async () => {
    own = await startOwnServer(name)
    dataSource = await createDataSource(own.place, LEDGER).initialize()
    await makeTables(dataSource)
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

  /** A process that ends while six clients write. It has to end by itself, and well. */
  async function endOne(times: Pick<LedgerProcess, 'pause' | 'within'>): Promise<Ended & { readonly book: Book }> {
    const asked: LedgerProcess = { place: own.place, endAt: 10, ...times }
    const started = await startProcess<Listening>(PROGRAM, [JSON.stringify(asked)])
    child = started.process
    traffic = startTraffic(clientOf(started.told.url))
    const [told, ended] = await Promise.all([toldAtTheEnd(child), once(child, 'exit')])
    expect(ended).toEqual([0, null])
    return { ...told, book: await traffic.stop() }
  }

  async function toldAtTheEnd(process: ChildProcess): Promise<Ended> {
    for await (const [told] of on(process, 'message', { close: ['disconnect'] })) return told
    throw new Error('It ended without a word.')
  }

  it('answers every write that is under way: all that was answered is there, and nothing else', async () => {
    const { completed, aborted, inside, book } = await endOne({ pause: 300, within: 20_000 })
    expect([completed > 0, aborted]).toEqual([true, 0])
    expect(book.acknowledged).toContain(inside)
    const { unexpected, ...found } = await compare(dataSource, book)
    expect({ unexpected: [], ...found }).toEqual(NOTHING_WRONG)
    for (const kind of unexpected) expect(kind).toMatch(GONE)
  })

  it('cuts off what takes too long: nothing that was answered is lost, and nothing is half written', async () => {
    for (const table of LEDGER) await dataSource.getRepository<object>(table).clear()
    const { aborted, inside, book } = await endOne({ pause: 1000, within: 100 })
    expect(aborted).toBeGreaterThan(0)
    expect(book.acknowledged).not.toContain(inside)
    const { lost, halfWritten } = await compare(dataSource, book)
    expect({ lost, halfWritten }).toEqual({ lost: [], halfWritten: [] })
  })
})
