import { setTimeout as wait } from 'node:timers/promises'
import { type Answer, Client, headerOf, NoAnswer, type Sent } from '../shared/client'
import type { Random } from '../shared/random'
import type { Report } from '../shared/report'
import { ACCOUNTS, SEATS, TAGS, valuesOf } from './model'
import type { Change, WriteLog } from './write-log'

const JSON_API = 'application/vnd.api+json'
const ATOMIC = `${JSON_API};ext="https://jsonapi.org/ext/atomic"`
const BATCH = 25

interface Write {
  readonly what: string
  readonly sent: Sent
  readonly changes: readonly Change[]
  /** The number of rows or relationships of a write. */
  readonly size: number
}

interface Answered {
  readonly write: Write
  readonly answer: Answer
}

export interface Setting {
  readonly number: number
  readonly clients: number
  readonly random: Random
  readonly log: WriteLog
  readonly report: Report
  /** Writes the two accounts of a transfer in separate requests, to test that the exam notices. */
  readonly breaks: 'nothing' | 'transfers'
}

/**
 * A client that sends one write after the other and records the responses. Only it writes its documents, seats and people; all clients
 * write the accounts.
 */
export class StormClient {
  private readonly setting: Setting
  private connection: Client | undefined
  private made = 0
  private docs: readonly string[] = []
  /** Requests with an idempotency key. */
  private readonly unanswered: Write[] = []
  private readonly answered: Answered[] = []
  private isOver = false

  constructor(setting: Setting) {
    this.setting = setting
  }

  /** Writes until it is paused or gets no response. */
  async play(port: number): Promise<void> {
    this.isOver = false
    this.connection = new Client(port)
    try {
      await this.repeatUnanswered()
      while (!this.isOver) await this.step()
    } catch (error) {
      if (!(error instanceof NoAnswer)) throw error
    } finally {
      this.connection.close()
    }
  }

  pause(): void {
    this.isOver = true
  }

  /** Repeats a request with the same key. It must run once and get the first response. */
  private async repeatUnanswered(): Promise<void> {
    const { random, report } = this.setting
    while (this.unanswered.length > 0) {
      const [write] = this.unanswered as [Write]
      const isDone = write.changes.every(({ object, to }) => this.setting.log.stateOf(object) === to)
      const answer = await this.sendOrMarkUncertain(write)
      if (answer.status === 409 && answer.body.includes('idempotency.in-progress')) {
        report.countKind('keys in progress')
        await wait(1000 * Number(headerOf(answer, 'retry-after') ?? 1))
        continue
      }
      this.unanswered.shift()
      report.countKind('repeated without an answer')
      if (isDone && answer.status >= 300)
        this.fail(write, answer, 'It was done before the process ended, and repeated with its key it is rejected.')
      this.note(write, answer)
    }
    if (this.answered.length === 0 || !random.chance(50)) return
    const { write, answer } = random.pick(this.answered)
    const again = await this.send(write)
    report.countKind('repeated with an answer')
    if (again.status !== answer.status || again.body !== answer.body)
      this.fail(write, again, `The first response was ${answer.status} ${answer.body}.`)
  }

  private async step(): Promise<void> {
    const { random, breaks } = this.setting
    const roll = random.number(100)
    if (roll < 22) return this.perform(this.batch(), random.chance(40))
    if (roll < 45) return breaks === 'transfers' ? this.transferInParts() : this.transfer()
    if (roll < 58) return this.perform(this.event(), true)
    if (roll < 70) return this.perform(this.seat(), false)
    const doc = this.ownDoc()
    if (doc === undefined) return this.perform(this.batch(), false)
    if (roll < 82) return this.perform(this.update(doc), random.chance(20))
    if (roll < 95) return this.perform(this.tag(doc), false)
    return this.perform(this.remove(doc), false)
  }

  private async perform(write: Write, isKeyed: boolean): Promise<void> {
    const { number, random } = this.setting
    const key = `"${number}-${this.made++}-${random.number(1e9)}"`
    const keyed = isKeyed
      ? { ...write, sent: { ...write.sent, headers: { ...write.sent.headers, 'Idempotency-Key': key } } }
      : write
    if (isKeyed) this.unanswered.push(keyed)
    const answer = await this.sendOrMarkUncertain(keyed)
    if (isKeyed) this.unanswered.pop()
    this.note(keyed, answer)
    if (isKeyed && answer.status < 300) this.answered.push({ write: keyed, answer })
    if (this.answered.length > 50) this.answered.shift()
  }

  /** If the process is killed meanwhile, the outcome is unknown. */
  private async sendOrMarkUncertain(write: Write): Promise<Answer> {
    try {
      return await this.send(write)
    } catch (error) {
      this.setting.report.countKind('without an answer')
      this.setting.log.addUncertain({ what: show(write.sent), changes: write.changes })
      throw error
    }
  }

  private note(write: Write, answer: Answer): void {
    const { log, report } = this.setting
    report.countKind(`${write.what} ${answer.status}`)
    if (answer.status < 300) {
      report.countCases(write.size)
      log.confirm(write.changes)
      return
    }
    if (answer.body.includes('write.outcome-unknown'))
      log.addUncertain({ what: show(write.sent), changes: write.changes })
    else log.reject(write.changes)
    if (!EXPECTED.test(`${answer.status} ${answer.body}`)) this.fail(write, answer, 'This response is not expected.')
  }

  private fail(write: Write, { status, body }: Answer, problem: string): void {
    this.setting.report.addDifference({
      position: this.setting.report.cases,
      request: show(write.sent),
      problems: [problem, `Response: ${status} ${body}`],
    })
  }

  private send({ sent }: Write): Promise<Answer> {
    if (this.connection === undefined) throw new Error('The client has no connection.')
    return this.connection.send(sent)
  }

  // What it writes

  /** Creates documents of all types, with tags, in one request. */
  private batch(): Write {
    const { random } = this.setting
    const added = Array.from({ length: BATCH }, () => {
      const type = random.pick(['memos', 'letters', 'notices'])
      return { type, id: this.newId(), number: random.number(1e6), tags: this.someTags() }
    })
    const operations = added.map(({ type, id, number, tags }) => ({
      op: 'add',
      data: { type, id, attributes: valuesOf(type, number), relationships: { tags: { data: tags.map(nameTag) } } },
    }))
    const changes = added.map(({ type, id, number, tags }) => ({
      object: `docs ${id}`,
      to: docState(type, number, tags),
    }))
    this.docs = [...this.docs, ...changes.map(({ object }) => object)].slice(-300)
    return { what: 'batches', sent: atomic(operations), changes, size: added.length }
  }

  private update(doc: string): Write {
    const { type, tags } = this.readDoc(doc)
    const number = this.setting.random.number(1e6)
    const id = idIn(doc)
    const sent = plain('PATCH', `/docs/${id}`, { type, id, attributes: valuesOf(type, number) })
    return { what: 'updates', sent, changes: [{ object: doc, to: docState(type, number, tags) }], size: 1 }
  }

  private tag(doc: string): Write {
    const { random } = this.setting
    const { type, number, tags } = this.readDoc(doc)
    const named = this.someTags()
    const method = random.pick(['PATCH', 'POST', 'DELETE'])
    const next =
      { PATCH: named, POST: [...tags, ...named], DELETE: tags.filter((each) => !named.includes(each)) }[method] ?? []
    const sent = plain(method, `/${type}/${idIn(doc)}/relationships/tags`, named.map(nameTag))
    return { what: 'relationships', sent, changes: [{ object: doc, to: docState(type, number, next) }], size: 1 }
  }

  private remove(doc: string): Write {
    return {
      what: 'deletions',
      sent: { method: 'DELETE', url: `/docs/${idIn(doc)}` },
      changes: [{ object: doc, to: undefined }],
      size: 1,
    }
  }

  /** Writes either end. The previous holder of the seat and the previous seat of the person lose their link. */
  private seat(): Write {
    const { random, log } = this.setting
    const mine = Array.from({ length: SEATS }, (_, place) => String(1 + this.setting.number * SEATS + place))
    const [seat, person] = [random.pick(mine), random.chance(15) ? null : random.pick(mine)]
    const former = mine.filter((each) => each !== seat && person !== null && log.stateOf(`seats ${each}`) === person)
    const changes = [
      ...former.map((each) => ({ object: `seats ${each}`, to: 'none' })),
      { object: `seats ${seat}`, to: person ?? 'none' },
    ]
    const sent =
      person !== null && random.chance(50)
        ? plain('PATCH', `/people/${person}/relationships/seat`, { type: 'seats', id: seat })
        : plain('PATCH', `/seats/${seat}/relationships/holder`, person === null ? null : { type: 'people', id: person })
    return { what: 'one-to-ones', sent, changes, size: 1 }
  }

  /** The database generates the id, so a repeated execution would create two rows. */
  private event(): Write {
    const token = `${this.setting.number}-${this.made++}`
    const sent: Sent = { ...plain('POST', '/events', { type: 'events', attributes: { token } }) }
    return { what: 'events', sent, changes: [{ object: `events ${token}`, to: '1' }], size: 1 }
  }

  /** Transfers an amount between accounts and records it, if both still have the version that was read. */
  private async transfer(): Promise<void> {
    const { operations, changes } = await this.planTransfer()
    await this.perform(
      { what: 'transfers', sent: atomic(operations), changes, size: operations.length },
      this.setting.random.chance(40),
    )
  }

  private async transferInParts(): Promise<void> {
    const { operations, changes } = await this.planTransfer()
    for (const operation of operations)
      await this.perform(
        { what: 'transfers', sent: atomic([operation]), changes: operation.op === 'add' ? changes : [], size: 1 },
        false,
      )
  }

  private async planTransfer() {
    const { random } = this.setting
    const [from = '1', to = '2'] = random.some(
      Array.from({ length: ACCOUNTS }, (_, place) => String(place + 1)),
      2,
    )
    const amount = 1 + random.number(20)
    const id = this.newId()
    const account = async (which: string, change: number) => {
      const answer = await this.send({
        what: 'read',
        sent: { method: 'GET', url: `/accounts/${which}` },
        changes: [],
        size: 0,
      })
      const { data } = JSON.parse(answer.body) as { data: { attributes: { balance: number } } }
      const [version = ''] = (headerOf(answer, 'etag') ?? '').slice(1).split('.')
      return {
        op: 'update',
        data: { type: 'accounts', id: which, attributes: { balance: data.attributes.balance + change } },
        meta: { version },
      }
    }
    const name = (which: string) => ({ data: { type: 'accounts', id: which } })
    const entry = {
      op: 'add',
      data: { type: 'entries', id, attributes: { amount }, relationships: { from: name(from), to: name(to) } },
    }
    const operations = [await account(from, -amount), entry, await account(to, amount)]
    return { operations, changes: [{ object: `entries ${id}`, to: `${from} ${to} ${amount}` }] }
  }

  // What it knows

  private newId(): string {
    const { number, clients } = this.setting
    return String(1000 + number + clients * this.made++)
  }

  /** One of its latest documents, if any exists. */
  private ownDoc(): string | undefined {
    const doc = this.docs.length === 0 ? undefined : this.setting.random.pick(this.docs)
    return doc !== undefined && this.setting.log.stateOf(doc) !== undefined ? doc : undefined
  }

  private readDoc(doc: string): { type: string; number: number; tags: readonly string[] } {
    const [type = '', number = '', tags = ''] = (this.setting.log.stateOf(doc) ?? '').split(' ')
    return { type, number: Number(number), tags: tags === '' ? [] : tags.split(',') }
  }

  private someTags(): readonly string[] {
    const { random } = this.setting
    return random.some(
      Array.from({ length: TAGS }, (_, place) => String(place + 1)),
      random.number(5),
    )
  }
}

/** Errors that concurrent writers may get. */
const EXPECTED =
  /^(412 .*operation\.precondition-failed|503 .*write\.serialization-failure|503 .*server\.(unavailable|timeout))/s

/** `memos 7 1,2`: the type, the number in all columns, the tags. */
export function docState(type: string, number: number, tags: readonly string[]): string {
  const sorted = [...new Set(tags)].toSorted((one, other) => Number(one) - Number(other))
  return `${type} ${number} ${sorted.join()}`
}

function idIn(object: string): string {
  return object.split(' ')[1] ?? ''
}

function nameTag(id: string): { type: string; id: string } {
  return { type: 'tags', id }
}

function atomic(operations: readonly object[]): Sent {
  const headers = { 'Content-Type': ATOMIC, Accept: ATOMIC }
  return { method: 'POST', url: '/operations', headers, body: JSON.stringify({ 'atomic:operations': operations }) }
}

function plain(method: string, url: string, data: unknown): Sent {
  return { method, url, headers: { 'Content-Type': JSON_API }, body: JSON.stringify({ data }) }
}

function show({ method, url, headers = {}, body = '' }: Sent): string {
  return `${method} ${url} ${JSON.stringify(headers)} ${body}`
}
