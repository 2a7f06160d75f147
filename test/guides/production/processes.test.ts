import { join } from 'node:path'
import { RANDOM_WRITE_ENTITIES, type Sender, testRandomWrites } from '../../properties/support/write-rounds'
import { DATABASE, openDatabase, type TestDatabase } from '../../support/database'
import { type ServerProcess, startProcess } from '../../support/processes'
import { clientOf } from '../../support/server'
import type { Opened } from './support/open-process'
import { Opinion } from './support/opinions'

// Several servers behind a load balancer that sends each request to the next one. They share only a database.

/** A file of SQLite has one writer, so a second process would not help. */
const onServers = DATABASE === 'sqlite' ? describe.skip : describe

const PROGRAM = join(__dirname, 'support', 'open-process.ts')
const PROCESSES = 4

jest.setTimeout(180_000)

onServers(`${PROCESSES} processes, each with one connection`, () => {
  let database: TestDatabase
  let processes: ServerProcess<Opened>[]
  let clients: ReturnType<typeof clientOf>[]

  beforeAll(async () => {
    database = await openDatabase([...RANDOM_WRITE_ENTITIES, Opinion])
    const place = JSON.stringify(database.connection)
    const started = Array.from({ length: PROCESSES }, () => startProcess<Opened>(PROGRAM, [place]))
    processes = await Promise.all(started)
    clients = processes.map(({ message }) => clientOf(message.url))
  })
  afterAll(async () => {
    for (const { process } of processes) process.kill()
    await database.close()
  })

  it('have the contents of the model after writes that are sent eight at a time, to one process after the other', async () => {
    const took = clients.map(() => 0)
    let next = 0
    const nextClient = () => {
      const place = next++ % PROCESSES
      took[place] = (took[place] ?? 0) + 1
      return clientAt(place)
    }
    const balancer: Sender = {
      post: (path) => nextClient().post(path),
      request: (...parameters) => nextClient().request(...parameters),
    }
    await testRandomWrites(balancer, database.dataSource, { size: 8, count: 160 })
    expect(Math.min(...took)).toBeGreaterThan(0)
  })

  const clientAt = (place: number) => clients[place] as ReturnType<typeof clientOf>

  /** Creates an opinion at one process, and reads its ETag at each. */
  async function etagsOf(mount: string): Promise<readonly [path: string, etags: readonly string[]]> {
    const data = { type: 'opinions', attributes: { text: 'Yes.', author: 'Ada' } }
    const made = await clientAt(0).post(`${mount}/opinions`).send({ data })
    const path = `${mount}/opinions/${made.body.data.id}`
    const answers = await Promise.all(clients.map((client) => client.get(path)))
    return [path, answers.map(({ headers }) => headers.etag ?? '')]
  }

  async function change(place: number, path: string, etag: string): Promise<number> {
    const data = { type: 'opinions', id: path.split('/').at(-1), attributes: { text: `No ${place}.` } }
    const { status } = await clientAt(place).patch(path).send({ data }).set({ 'if-match': etag })
    return status
  }

  it('accept the same ETag with one etagSecret, and one write for it', async () => {
    const [path, etags] = await etagsOf('/agreed')
    expect(new Set(etags).size).toBe(1)
    const statuses = await Promise.all(etags.map((etag, place) => change(place, path, etag)))
    expect(statuses.toSorted()).toEqual([204, 412, 412, 412])
  })

  it('accept only their own ETags without an etagSecret, and warn at start-up', async () => {
    const [path, etags] = await etagsOf('/forgetful')
    expect(new Set(etags).size).toBe(PROCESSES)
    const [first = '', second = ''] = etags
    expect(await change(0, path, second)).toBe(412)
    expect(await change(1, path, first)).toBe(412)
    expect(await change(0, path, first)).toBe(204)
    const warned = processes.map(
      ({ message }) => message.warnings.filter(({ kind }) => kind === 'missing-etag-secret').length,
    )
    expect(warned).toEqual(processes.map(() => 1))
  })
})
