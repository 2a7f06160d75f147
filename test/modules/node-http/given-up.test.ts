import { setTimeout as wait } from 'node:timers/promises'
import { Attribute, JsonApiError, Resource, ResourceDefinition, type ResourceWrite } from 'stemma'
import type { Response } from 'supertest'
import { Column, type DataSource, Entity, PrimaryGeneratedColumn } from 'typeorm'
import { DATABASE, openDatabase, openFile, type TestDatabase } from '../../support/database'
import { type TimeLimits, watchTimeLimits } from '../../support/pass-time'
import { servePoolOfOne } from '../../support/serve-through'
import type { TestServer } from '../../support/server'

// limits.duration passes at a moment at which no rule and no statement is waited for: before a connection is there, and while a transaction ends.

@Resource('jobs')
@Entity()
class Job {
  @PrimaryGeneratedColumn() id: number
  @Attribute() @Column({ type: 'varchar', length: 40 }) name: string
}

/** Whose rules were asked. */
let asked: string[]

class Rules extends ResourceDefinition<Job> {
  readonly resource = Job

  override async beforeWrite({ values: { name } }: ResourceWrite<Job>) {
    asked.push(name)
    return undefined
  }

  override afterCommit({ values: { name } }: ResourceWrite<Job>): Promise<void> | undefined {
    // Not every promise is one of Node.js.
    // biome-ignore lint/suspicious/noThenProperty: on purpose
    if (name === 'told') return { then: () => limits.passAll() } as unknown as Promise<void>
    return undefined
  }
}

const DURATION = 1500
let limits: TimeLimits
let database: TestDatabase
beforeAll(async () => {
  limits = watchTimeLimits(DURATION)
  database = await (DATABASE === 'sqlite' ? openFile([Job]) : openDatabase([Job]))
})
afterAll(async () => {
  limits.close()
  await database.close()
})
beforeEach(async () => {
  asked = []
  await database.dataSource.getRepository(Job).clear()
})

const job = (name: string) => ({ data: { type: 'jobs', attributes: { name } } })
const names = async () => (await database.dataSource.getRepository(Job).find()).map(({ name }) => name).sort()
const brief = ({ status, body }: Response) => (status < 300 ? `${status}` : `${status} ${body.errors[0].code}`)
const refuse = () => {
  throw new JsonApiError({ title: 'No.', status: 403 })
}
const TOO_LONG = '503 server.timeout'

type Work = (server: TestServer, dataSource: DataSource, reported: readonly unknown[]) => Promise<void>

function serving(work: Work): Promise<void> {
  const options = { resources: [Job], definitions: [new Rules()], limits: { duration: DURATION } }
  return servePoolOfOne(database, [Job], options, (server, reported, own) => work(server, own, reported))
}

// SQLite has no pool of connections to wait for.
const onServers = DATABASE === 'sqlite' ? describe.skip : describe

onServers('a request that times out while it waits for a connection', () => {
  const connectionOf = async (dataSource: DataSource) =>
    (await dataSource.query(`select ${DATABASE === 'postgres' ? 'pg_backend_pid()' : 'connection_id()'} as id`))[0].id

  it('uses no connection that becomes free later', async () => {
    await serving(async (server, dataSource) => {
      // The OpenAPI document, against which answers are held, takes long the first time.
      await server.get('/jobs')
      const connection = await connectionOf(dataSource)
      const told: string[] = []
      const holder = dataSource.createQueryRunner()
      await holder.connect()
      const answers = Promise.all([server.post('/jobs').send(job('late')), server.get('/jobs'), server.get('/jobs/1')])
      while (limits.running < 3) await wait(5)
      await wait(50)
      limits.passAll()
      expect((await answers).map(brief)).toEqual([TOO_LONG, TOO_LONG, TOO_LONG])
      const { logger } = dataSource
      dataSource.logger = Object.assign(Object.create(logger), { logQuery: (text: string) => told.push(text) })
      await holder.release()
      expect(await connectionOf(dataSource)).toEqual(connection)
      expect([told.filter((text) => text.includes('job')), asked, await names()]).toEqual([[], [], []])
    })
  })
})

describe('a subscriber that never returns', () => {
  it.each<[string, { answered: string; kept: string[]; told: string[] }]>([
    ['beforeTransactionStart', { answered: TOO_LONG, kept: ['last', 'next'], told: ['was given up'] }],
    ['afterTransactionStart', { answered: TOO_LONG, kept: ['last', 'next'], told: ['was given up'] }],
    ['beforeTransactionCommit', { answered: TOO_LONG, kept: ['last', 'next'], told: ['was given up'] }],
    [
      'afterTransactionCommit',
      { answered: '201', kept: ['last', 'next', 'stuck'], told: ['has not returned in time'] },
    ],
    ['beforeTransactionRollback', { answered: '403 rule.refused', kept: ['last', 'next'], told: [] }],
    ['afterTransactionRollback', { answered: '403 rule.refused', kept: ['last', 'next'], told: [] }],
  ])('in %s lets the write time out, and the next one succeeds', async (hook, { answered, kept, told }) => {
    await serving(async (server, dataSource, reported) => {
      let letGo: () => void = () => undefined
      let isStuck = true
      const stuck = new Promise<void>((resolve) => {
        letGo = resolve
      })
      const isUndone = hook.endsWith('Rollback')
      const waitStuck = async () => {
        if (!isUndone) limits.passAll()
        await stuck
      }
      dataSource.subscribers.push({ [hook]: async () => (isStuck ? waitStuck() : undefined) })
      dataSource.subscribers.push({ beforeTransactionCommit: () => (isUndone && isStuck ? refuse() : undefined) })
      expect(brief(await server.post('/jobs').send(job('stuck')))).toBe(answered)
      isStuck = false
      expect(brief(await server.post('/jobs').send(job('next')))).toBe('201')
      letGo()
      await wait(20)
      expect(brief(await server.post('/jobs').send(job('last')))).toBe('201')
      expect([await names(), reported.map(String)]).toEqual([kept, told.map((each) => expect.stringContaining(each))])
    })
  })
})

it('does not wait for a custom thenable of a rule after the commit and a timeout', async () => {
  await serving(async (server) => {
    expect(brief(await server.post('/jobs').send(job('told')))).toBe('201')
    expect(await names()).toEqual(['told'])
  })
})
