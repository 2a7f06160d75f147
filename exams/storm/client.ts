import { setTimeout as wait } from 'node:timers/promises'
import { Client, ConnectionLostError, type HttpRequest, type HttpResponse, headerOf } from '../shared/client'
import type { Random } from '../shared/random'
import type { Report } from '../shared/report'
import { ACCOUNTS, SEATS, TAGS, valuesOf } from './model'
import type { Change, WriteLog } from './write-log'

const JSON_API_MEDIA_TYPE = 'application/vnd.api+json'
const ATOMIC = `${JSON_API_MEDIA_TYPE};ext="https://jsonapi.org/ext/atomic"`
const BATCH_SIZE = 25

interface Write {
  readonly kind: string
  readonly request: HttpRequest
  readonly changes: readonly Change[]
  /** The number of rows or relationships of a write. */
  readonly size: number
}

interface CompletedWrite {
  readonly write: Write
  readonly response: HttpResponse
}

export type Sabotage = 'none' | 'transfers' | 'updates'

export interface ClientOptions {
  readonly number: number
  readonly clients: number
  readonly random: Random
  readonly log: WriteLog
  readonly report: Report
  /** Defects that the storm must detect: transfers that are written in separate requests, updates that are confirmed and not written. */
  readonly sabotage: Sabotage
}

/**
 * A client that sends one write after the other and records the responses. Only it writes its documents, seats and people; all clients
 * write the accounts.
 */
export class StormClient {
  private readonly options: ClientOptions
  private port: number | undefined
  private connection: Client | undefined
  /** The process at which to repeat requests with a key. */
  private otherPort: number | undefined
  private createdCount = 0
  private docs: readonly string[] = []
  /** Requests with an idempotency key. */
  private readonly pendingWrites: Write[] = []
  private readonly completedWrites: CompletedWrite[] = []
  private isPaused = false

  constructor(options: ClientOptions) {
    this.options = options
  }

  /** Sends writes until `pause` is called, or a response is missing. */
  async run(port: number): Promise<void> {
    this.isPaused = false
    await this.connect(port, async () => {
      await this.repeatWrites()
      while (!this.isPaused) await this.step()
    })
    const { otherPort } = this
    if (otherPort !== undefined) await this.connect(otherPort, () => this.repeatWrites())
    this.otherPort = undefined
  }

  private async connect(port: number, sendWrites: () => Promise<void>): Promise<void> {
    this.port = port
    this.connection = new Client(port)
    try {
      await sendWrites()
    } catch (error) {
      if (!(error instanceof ConnectionLostError)) throw error
    } finally {
      this.connection.close()
    }
  }

  pause(): void {
    this.isPaused = true
  }

  /** Repeats a request with a key at another process if the process at `port` has not answered yet. */
  giveUp(port: number, otherPort: number): void {
    if (this.port !== port || this.pendingWrites.length === 0) return
    this.otherPort = otherPort
    this.connection?.close()
    this.options.report.countKind('repeated while a process was frozen')
  }

  /** Repeats a request with the same key. It must run once and get the first response. */
  private async repeatWrites(): Promise<void> {
    const { random, report } = this.options
    while (this.pendingWrites.length > 0) {
      const [write] = this.pendingWrites as [Write]
      const isDone = write.changes.every(({ object, to }) => this.options.log.stateOf(object) === to)
      const response = await this.sendOrMarkUncertain(write)
      if (response.status === 409 && response.body.includes('idempotency.in-progress')) {
        report.countKind('keys in progress')
        await wait(1000 * Number(headerOf(response, 'retry-after') ?? 1))
        continue
      }
      if (response.status === 503) {
        if (this.isPaused) return
        continue
      }
      this.pendingWrites.shift()
      report.countKind('repeated without a response')
      if (isDone && response.status >= 300)
        this.addDifference(
          write,
          response,
          'The write was executed before the process ended, but its repetition with the same key was rejected.',
        )
      this.recordResponse(write, response)
    }
    if (this.completedWrites.length === 0 || !random.chance(50)) return
    const { write, response } = random.pick(this.completedWrites)
    const repeated = await this.send(write)
    report.countKind('repeated after a response')
    const isUnavailable = repeated.status === 503 && EXPECTED.test(`503 ${repeated.body}`)
    if (!isUnavailable && (repeated.status !== response.status || repeated.body !== response.body))
      this.addDifference(write, repeated, `The first response was ${response.status} ${response.body}.`)
  }

  private async step(): Promise<void> {
    const { random, sabotage } = this.options
    const roll = random.number(100)
    if (roll < 22) return this.execute(this.createBatch(), random.chance(40))
    if (roll < 45) return sabotage === 'transfers' ? this.transferInParts() : this.transfer()
    if (roll < 58) return this.execute(this.createEvent(), true)
    if (roll < 70) return this.execute(this.createSeatChange(), false)
    const doc = this.ownDoc()
    if (doc === undefined) return this.execute(this.createBatch(), false)
    if (roll < 82)
      return sabotage === 'updates' ? this.pretendUpdate(doc) : this.execute(this.createUpdate(doc), random.chance(20))
    if (roll < 95) return this.execute(this.createTagChange(doc), false)
    return this.execute(this.createDeletion(doc), false)
  }

  private async execute(write: Write, isKeyed: boolean): Promise<void> {
    const { number, random } = this.options
    const key = `"${number}-${this.createdCount++}-${random.number(1e9)}"`
    const keyedWrite = isKeyed
      ? { ...write, request: { ...write.request, headers: { ...write.request.headers, 'Idempotency-Key': key } } }
      : write
    if (isKeyed) this.pendingWrites.push(keyedWrite)
    const response = await this.sendOrMarkUncertain(keyedWrite)
    if (isKeyed) this.pendingWrites.pop()
    this.recordResponse(keyedWrite, response)
    if (isKeyed && response.status < 300) this.completedWrites.push({ write: keyedWrite, response })
    if (this.completedWrites.length > 50) this.completedWrites.shift()
  }

  /** Records an unknown outcome and ends the run, because the next write of the client may be to the same resource. */
  private async sendOrMarkUncertain(write: Write): Promise<HttpResponse> {
    const { report, log } = this.options
    try {
      const response = await this.send(write)
      if (!response.body.includes('write.outcome-unknown')) return response
      report.countKind(`${write.kind} 503, outcome unknown`)
      throw new ConnectionLostError('The outcome is unknown.')
    } catch (error) {
      report.countKind('without a response')
      log.addUncertain({ kind: printRequest(write.request), changes: write.changes })
      throw error
    }
  }

  private recordResponse(write: Write, response: HttpResponse): void {
    const { log, report } = this.options
    report.countKind(`${write.kind} ${response.status}`)
    if (response.status < 300) {
      report.countCases(write.size)
      log.confirm(write.changes)
      return
    }
    log.reject(write.changes)
    if (!EXPECTED.test(`${response.status} ${response.body}`))
      this.addDifference(write, response, 'The response is unexpected.')
  }

  private addDifference(write: Write, { status, body }: HttpResponse, problem: string): void {
    this.options.report.addDifference({
      position: this.options.report.cases,
      request: printRequest(write.request),
      problems: [problem, `Response: ${status} ${body}`],
    })
  }

  private async send({ request }: Write): Promise<HttpResponse> {
    if (this.connection === undefined) throw new Error('The client has no connection.')
    const response = await this.connection.send(request)
    // Without its database, a process answers at once.
    if (response.status === 503) await wait(100)
    return response
  }

  // Writes

  /** Creates documents of all types, with tags, in one request. */
  private createBatch(): Write {
    const { random } = this.options
    const added = Array.from({ length: BATCH_SIZE }, () => {
      const type = random.pick(['memos', 'letters', 'notices'])
      return { type, id: this.newId(), number: random.number(1e6), tags: this.randomTags() }
    })
    const operations = added.map(({ type, id, number, tags }) => ({
      op: 'add',
      data: { type, id, attributes: valuesOf(type, number), relationships: { tags: { data: tags.map(identifyTag) } } },
    }))
    const changes = added.map(({ type, id, number, tags }) => ({
      object: `docs ${id}`,
      to: docState(type, number, tags),
    }))
    this.docs = [...this.docs, ...changes.map(({ object }) => object)].slice(-300)
    return { kind: 'batches', request: createOperationsRequest(operations), changes, size: added.length }
  }

  private createUpdate(doc: string): Write {
    const { type, tags } = this.readDoc(doc)
    const number = this.options.random.number(1e6)
    const id = idIn(doc)
    const request = createRequest('PATCH', `/docs/${id}`, { type, id, attributes: valuesOf(type, number) })
    return { kind: 'updates', request, changes: [{ object: doc, to: docState(type, number, tags) }], size: 1 }
  }

  /** Records a confirmed update that is not sent. */
  private pretendUpdate(doc: string): void {
    const { changes, size } = this.createUpdate(doc)
    this.options.report.countCases(size)
    this.options.log.confirm(changes)
  }

  private createTagChange(doc: string): Write {
    const { random } = this.options
    const { type, number, tags } = this.readDoc(doc)
    const changedTags = this.randomTags()
    const method = random.pick(['PATCH', 'POST', 'DELETE'])
    const next =
      {
        PATCH: changedTags,
        POST: [...tags, ...changedTags],
        DELETE: tags.filter((each) => !changedTags.includes(each)),
      }[method] ?? []
    const request = createRequest(method, `/${type}/${idIn(doc)}/relationships/tags`, changedTags.map(identifyTag))
    return { kind: 'relationships', request, changes: [{ object: doc, to: docState(type, number, next) }], size: 1 }
  }

  private createDeletion(doc: string): Write {
    return {
      kind: 'deletions',
      request: { method: 'DELETE', url: `/docs/${idIn(doc)}` },
      changes: [{ object: doc, to: undefined }],
      size: 1,
    }
  }

  /** Writes either end. The previous holder of the seat and the previous seat of the person lose their link. */
  private createSeatChange(): Write {
    const { random, log } = this.options
    const ownIds = Array.from({ length: SEATS }, (_, index) => String(1 + this.options.number * SEATS + index))
    const [seat, person] = [random.pick(ownIds), random.chance(15) ? null : random.pick(ownIds)]
    const previousSeats = ownIds.filter(
      (each) => each !== seat && person !== null && log.stateOf(`seats ${each}`) === person,
    )
    const changes = [
      ...previousSeats.map((each) => ({ object: `seats ${each}`, to: 'none' })),
      { object: `seats ${seat}`, to: person ?? 'none' },
    ]
    const request =
      person !== null && random.chance(50)
        ? createRequest('PATCH', `/people/${person}/relationships/seat`, { type: 'seats', id: seat })
        : createRequest(
            'PATCH',
            `/seats/${seat}/relationships/holder`,
            person === null ? null : { type: 'people', id: person },
          )
    return { kind: 'one-to-ones', request, changes, size: 1 }
  }

  /** The database generates the id, so a repeated execution would create two rows. */
  private createEvent(): Write {
    const token = `${this.options.number}-${this.createdCount++}`
    const request: HttpRequest = { ...createRequest('POST', '/events', { type: 'events', attributes: { token } }) }
    return { kind: 'events', request, changes: [{ object: `events ${token}`, to: '1' }], size: 1 }
  }

  /** Transfers an amount between accounts and records it, if both still have the version that was read. */
  private async transfer(): Promise<void> {
    const plan = await this.planTransfer()
    if (plan === undefined) return
    const { operations, changes } = plan
    await this.execute(
      { kind: 'transfers', request: createOperationsRequest(operations), changes, size: operations.length },
      this.options.random.chance(40),
    )
  }

  private async transferInParts(): Promise<void> {
    const plan = await this.planTransfer()
    if (plan === undefined) return
    const { operations, changes } = plan
    for (const operation of operations)
      await this.execute(
        {
          kind: 'transfers',
          request: createOperationsRequest([operation]),
          changes: operation.op === 'add' ? changes : [],
          size: 1,
        },
        false,
      )
  }

  /** `undefined`: an account can't be read. */
  private async planTransfer() {
    const { random } = this.options
    const [from = '1', to = '2'] = random.sample(
      Array.from({ length: ACCOUNTS }, (_, index) => String(index + 1)),
      2,
    )
    const amount = 1 + random.number(20)
    const id = this.newId()
    const updateAccount = async (accountId: string, change: number) => {
      const request = { method: 'GET', url: `/accounts/${accountId}` }
      const read: Write = { kind: 'reads', request, changes: [], size: 0 }
      const response = await this.send(read)
      this.recordResponse(read, response)
      if (response.status !== 200) return undefined
      const { data } = JSON.parse(response.body) as { data: { attributes: { balance: number } } }
      const [version = ''] = (headerOf(response, 'etag') ?? '').slice(1).split('.')
      return {
        op: 'update',
        data: { type: 'accounts', id: accountId, attributes: { balance: data.attributes.balance + change } },
        meta: { version },
      }
    }
    const [spending, receiving] = [await updateAccount(from, -amount), await updateAccount(to, amount)]
    if (spending === undefined || receiving === undefined) return undefined
    const linkageTo = (accountId: string) => ({ data: { type: 'accounts', id: accountId } })
    const entry = {
      op: 'add',
      data: {
        type: 'entries',
        id,
        attributes: { amount },
        relationships: { from: linkageTo(from), to: linkageTo(to) },
      },
    }
    const operations = [spending, entry, receiving]
    return { operations, changes: [{ object: `entries ${id}`, to: `${from} ${to} ${amount}` }] }
  }

  // State

  private newId(): string {
    const { number, clients } = this.options
    return String(1000 + number + clients * this.createdCount++)
  }

  /** Returns a random document of the latest ones, if it still exists. */
  private ownDoc(): string | undefined {
    const doc = this.docs.length === 0 ? undefined : this.options.random.pick(this.docs)
    return doc !== undefined && this.options.log.stateOf(doc) !== undefined ? doc : undefined
  }

  private readDoc(doc: string): { type: string; number: number; tags: readonly string[] } {
    const [type = '', number = '', tags = ''] = (this.options.log.stateOf(doc) ?? '').split(' ')
    return { type, number: Number(number), tags: tags === '' ? [] : tags.split(',') }
  }

  private randomTags(): readonly string[] {
    const { random } = this.options
    return random.sample(
      Array.from({ length: TAGS }, (_, index) => String(index + 1)),
      random.number(5),
    )
  }
}

/**
 * Errors that concurrent writers may get. The lease of an idempotency key may end while a write waits for nodes of a cluster; the write is rolled back
 * then.
 */
const EXPECTED = new RegExp(
  [
    '^412 .*operation\\.precondition-failed',
    '^409 .*idempotency\\.in-progress',
    '^503 .*(write\\.serialization-failure|server\\.unavailable|server\\.timeout)',
  ].join('|'),
  's',
)

/** `memos 7 1,2`: the type, the number in all columns, the tags. */
export function docState(type: string, number: number, tags: readonly string[]): string {
  const sorted = [...new Set(tags)].toSorted((one, other) => Number(one) - Number(other))
  return `${type} ${number} ${sorted.join()}`
}

function idIn(object: string): string {
  return object.split(' ')[1] ?? ''
}

function identifyTag(id: string): { type: string; id: string } {
  return { type: 'tags', id }
}

function createOperationsRequest(operations: readonly object[]): HttpRequest {
  const headers = { 'Content-Type': ATOMIC, Accept: ATOMIC }
  return { method: 'POST', url: '/operations', headers, body: JSON.stringify({ 'atomic:operations': operations }) }
}

function createRequest(method: string, url: string, data: unknown): HttpRequest {
  return { method, url, headers: { 'Content-Type': JSON_API_MEDIA_TYPE }, body: JSON.stringify({ data }) }
}

function printRequest({ method, url, headers = {}, body = '' }: HttpRequest): string {
  return `${method} ${url} ${JSON.stringify(headers)} ${body}`
}
