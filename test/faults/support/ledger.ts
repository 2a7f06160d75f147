import { setTimeout as wait } from 'node:timers/promises'
import { Attribute, getEntityManager, Resource, ResourceDefinition, type ResourceWrite } from 'stemma'
import type { Response } from 'supertest'
import { Column, type DataSource, Entity, PrimaryGeneratedColumn } from 'typeorm'
import type { TestServer } from '../../support/server'

// Writes of which each is two rows, or none, and a book of what clients were told about them.

@Resource('entries')
@Entity()
export class Entry {
  @PrimaryGeneratedColumn() id: number
  @Attribute() @Column({ type: 'varchar', length: 80 }) name: string
  @Attribute() @Column({ type: 'int', default: 0 }) amount: number
}

/** The other half of an entry; clients can't see it. */
@Entity()
export class Half {
  @PrimaryGeneratedColumn() id: number
  @Column({ type: 'varchar', length: 80 }) name: string
}

/** No rule has a say in it: a write is one statement, where the database has such. */
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
  /** Between the two rows. */
  static between: (write: ResourceWrite<Entry>) => Promise<unknown> = async () => undefined

  override async afterWrite(write: ResourceWrite<Entry>) {
    if (write.kind !== 'create') return
    await EntryDefinition.between(write)
    await getEntityManager(write).insert(Half, { name: write.values.name })
  }
}

/** What became of the requests. */
export interface Book {
  /** How many answers there were of each kind: `201`, `503 server.timeout`. */
  readonly answers: Map<string, number>
  readonly acknowledged: string[]
  readonly refused: string[]
  readonly uncertain: string[]
}

export interface Traffic extends Book {
  /** So many writes more were acknowledged. */
  succeed(count: number): Promise<void>
  /** An answer of this kind was seen. */
  see(kind: RegExp): Promise<void>
  stop(): Promise<Book>
}

/** Clients that write and read, one request after the other, until they are told to stop. */
export function startTraffic(server: Pick<TestServer, 'get' | 'post'>, clients = 6): Traffic {
  const book: Book = { answers: new Map(), acknowledged: [], refused: [], uncertain: [] }
  let isOver = false
  const note = (kind: string) => book.answers.set(kind, (book.answers.get(kind) ?? 0) + 1)
  const play = async (client: number) => {
    for (let count = 0; !isOver; count += 1) {
      const type = (client + count) % 2 === 0 ? 'entries' : 'lines'
      const name = `${type} ${client}.${count}.${names++}`
      const kind = await kindOf(server.post(`/${type}`).send({ data: { type, attributes: { name } } }))
      note(kind)
      listFor(kind, book).push(name)
      note(await kindOf(server.get('/entries?page[size]=1')))
      if (kind !== '201') await wait(5)
    }
  }
  const playing = Promise.all(Array.from({ length: clients }, (_, client) => play(client)))
  return Object.assign(book, {
    async succeed(count: number) {
      const from = book.acknowledged.length
      while (book.acknowledged.length < from + count) await wait(10)
    },
    async see(kind: RegExp) {
      while (![...book.answers.keys()].some((each) => kind.test(each))) await wait(10)
    },
    async stop() {
      isOver = true
      await playing
      return book
    },
  })
}

let names = 0

function listFor(kind: string, { acknowledged, refused, uncertain }: Book): string[] {
  if (kind === '201') return acknowledged
  return kind === '503 write.outcome-unknown' ? uncertain : refused
}

export async function kindOf(answering: PromiseLike<Response>): Promise<string> {
  try {
    const { status, body, headers } = await answering
    if (status < 300) return `${status}`
    const isToBeTriedAgain = headers['retry-after'] !== undefined
    return `${status} ${body.errors[0].code}${isToBeTriedAgain ? '' : ', for good'}`
  } catch (error) {
    return `no answer: ${String((error as Error).message)}`
  }
}

/** What the database holds, held against what clients were told; a line of it is printed. */
export async function compare(dataSource: DataSource, { acknowledged, refused, uncertain, answers }: Book) {
  const namesOf = async (table: new () => { name: string }) =>
    (await dataSource.getRepository(table).find()).map(({ name }) => name)
  const [entries, halves, lines] = await Promise.all([namesOf(Entry), namesOf(Half), namesOf(Line)])
  const there = new Set([...entries, ...lines])
  const found = {
    unexpected: [...answers.keys()].filter((kind) => !EXPECTED.test(kind)),
    lost: acknowledged.filter((name) => !there.has(name)),
    keptThoughRefused: refused.filter((name) => there.has(name)),
    halfWritten: [
      ...entries.filter((name) => !halves.includes(name)),
      ...halves.filter((name) => !entries.includes(name)),
    ],
    unheardOf: [...there].filter((name) => ![...acknowledged, ...uncertain].includes(name)),
  }
  const told = [...answers].sort().map(([kind, count]) => `${count} × ${kind}`)
  const counts = Object.entries(found).map(([kind, { length }]) => `${kind} ${length}`)
  const kept = uncertain.filter((name) => there.has(name)).length
  const title = expect.getState().currentTestName ?? ''
  process.stdout.write(`${title}\n  ${told.join(', ')}; of the uncertain ${kept} kept; ${counts.join(', ')}\n`)
  return found
}

export const NOTHING_WRONG = { unexpected: [], lost: [], keptThoughRefused: [], halfWritten: [], unheardOf: [] }

/** Answers that a fault may bring: nothing that a client would have to take for a mistake. */
const EXPECTED = /^(20[01]|503 (server\.(unavailable|timeout)|write\.(serialization-failure|outcome-unknown)))$/
