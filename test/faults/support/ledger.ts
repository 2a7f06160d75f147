import { setTimeout as wait } from 'node:timers/promises'
import { Attribute, getEntityManager, Resource, ResourceDefinition, type ResourceWrite } from 'stemma'
import type { Response } from 'supertest'
import { Column, type DataSource, Entity, PrimaryGeneratedColumn } from 'typeorm'
import type { TestServer } from '../../support/server'

// Writes of two rows each, and a log of the responses that clients got.

@Resource('entries')
@Entity()
export class Entry {
  @PrimaryGeneratedColumn() id: number
  @Attribute() @Column({ type: 'varchar', length: 80 }) name: string
  @Attribute() @Column({ type: 'int', default: 0 }) amount: number
}

/** The second row of each entry, which is not part of the API. */
@Entity()
export class Half {
  @PrimaryGeneratedColumn() id: number
  @Column({ type: 'varchar', length: 80 }) name: string
}

/** A resource without hooks, so that a write can be one statement. */
@Resource('lines')
@Entity()
export class Line {
  @PrimaryGeneratedColumn() id: number
  @Attribute() @Column({ type: 'varchar', length: 80 }) name: string
}

export const LEDGER = [Entry, Half, Line]
export const RESOURCES = [Entry, Line]

export class EntryDefinition extends ResourceDefinition<Entry> {
  readonly resource = Entry
  /** Runs between the two rows. */
  static between: (write: ResourceWrite<Entry>) => Promise<unknown> = async () => undefined

  override async afterWrite(write: ResourceWrite<Entry>) {
    if (write.kind !== 'create') return
    await EntryDefinition.between(write)
    await getEntityManager(write).insert(Half, { name: write.values.name })
  }
}

export interface TrafficLog {
  /** The number of responses by status and error code: `201`, `503 server.timeout`. */
  readonly answers: Map<string, number>
  readonly acknowledged: string[]
  readonly refused: string[]
  readonly uncertain: string[]
}

export interface Traffic extends TrafficLog {
  /** Waits until `count` more writes are acknowledged. */
  waitForWrites(count: number): Promise<void>
  /** Waits for a response whose status and code match. */
  waitForResponse(kind: RegExp): Promise<void>
  stop(): Promise<TrafficLog>
}

/** Starts clients that write and read sequentially until `stop` is called. */
export function startTraffic(server: Pick<TestServer, 'get' | 'post'>, clients = 6): Traffic {
  const log: TrafficLog = { answers: new Map(), acknowledged: [], refused: [], uncertain: [] }
  let isOver = false
  const note = (kind: string) => log.answers.set(kind, (log.answers.get(kind) ?? 0) + 1)
  const play = async (client: number) => {
    for (let count = 0; !isOver; count += 1) {
      const type = (client + count) % 2 === 0 ? 'entries' : 'lines'
      const name = `${type} ${client}.${count}.${names++}`
      const kind = await statusAndCode(server.post(`/${type}`).send({ data: { type, attributes: { name } } }))
      note(kind)
      listFor(kind, log).push(name)
      note(await statusAndCode(server.get('/entries?page[size]=1')))
      if (kind !== '201') await wait(5)
    }
  }
  const playing = Promise.all(Array.from({ length: clients }, (_, client) => play(client)))
  return Object.assign(log, {
    async waitForWrites(count: number) {
      const from = log.acknowledged.length
      // Without a limit, here and below: a server may need more than ten seconds until it works again.
      while (log.acknowledged.length < from + count) await wait(10)
    },
    async waitForResponse(kind: RegExp) {
      while (![...log.answers.keys()].some((each) => kind.test(each))) await wait(10)
    },
    async stop() {
      isOver = true
      await playing
      return log
    },
  })
}

let names = 0

function listFor(kind: string, { acknowledged, refused, uncertain }: TrafficLog): string[] {
  if (kind === '201') return acknowledged
  return kind === '503 write.outcome-unknown' ? uncertain : refused
}

/** Returns the status and error code of a response: `201`, `503 server.timeout`. */
export async function statusAndCode(answering: PromiseLike<Response>): Promise<string> {
  try {
    const { status, body, headers } = await answering
    if (status < 300) return `${status}`
    const { code } = body.errors[0]
    const isAsExpected = (headers['retry-after'] === undefined) === (code === 'write.outcome-unknown')
    return `${status} ${code}${isAsExpected ? '' : `, Retry-After: ${headers['retry-after']}`}`
  } catch (error) {
    return `no answer: ${String((error as Error).message)}`
  }
}

/** Compares the rows with the responses that clients got, and prints the counts. */
export async function compareWithDatabase(
  dataSource: DataSource,
  { acknowledged, refused, uncertain, answers }: TrafficLog,
) {
  const namesOf = async (table: new () => { name: string }) =>
    (await dataSource.getRepository(table).find()).map(({ name }) => name)
  const [entries, halves, lines] = await Promise.all([namesOf(Entry), namesOf(Half), namesOf(Line)])
  const there = new Set([...entries, ...lines])
  const found = {
    unexpected: [...answers.keys()].filter((kind) => !EXPECTED.test(kind)),
    lost: acknowledged.filter((name) => !there.has(name)),
    storedThoughRejected: refused.filter((name) => there.has(name)),
    partiallyWritten: [
      ...entries.filter((name) => !halves.includes(name)),
      ...halves.filter((name) => !entries.includes(name)),
    ],
    unacknowledged: [...there].filter((name) => ![...acknowledged, ...uncertain].includes(name)),
  }
  const outcomes = [...answers].sort().map(([kind, count]) => `${count} × ${kind}`)
  const counts = Object.entries(found).map(([kind, { length }]) => `${kind} ${length}`)
  const kept = uncertain.filter((name) => there.has(name)).length
  const title = expect.getState().currentTestName ?? ''
  process.stdout.write(`${title}\n  ${outcomes.join(', ')}; ${kept} uncertain writes stored; ${counts.join(', ')}\n`)
  return found
}

export const NO_DIFFERENCES = {
  unexpected: [],
  lost: [],
  storedThoughRejected: [],
  partiallyWritten: [],
  unacknowledged: [],
}

/** The outcomes that a failing server may cause: success or a temporary error. */
const EXPECTED = /^(20[01]|503 (server\.(unavailable|timeout)|write\.(serialization-failure|outcome-unknown)))$/
