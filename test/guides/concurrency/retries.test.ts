import { setTimeout as wait } from 'node:timers/promises'
import { entityManagerOf, ResourceDefinition, type ResourceWrite } from 'stemma'
import type { Response } from 'supertest'
import type { DataSource } from 'typeorm'
import { startApi, type TestApi } from '../../support/api'
import { createDataSource } from '../../support/data-source'
import { DATABASE, openFile, type TestDatabase } from '../../support/database'
import { newResource, resource } from '../../support/documents'
import { startServer, type TestServer } from '../../support/server'
import { Page, TEAMS, Team } from '../../support/writing-models'

// What the database gives up for the sake of another write runs again.

/** What has run, in its order. */
let log: string[] = []

/** Writes to another team, once everybody who comes for the first time is there. */
class Entangled extends ResourceDefinition<Team> {
  override readonly resource = Team
  static others = new Map<string, number>()
  private static waiting = 0

  override async beforeWrite(write: ResourceWrite<Team>) {
    const isFirst = !log.includes(`before ${write.id}`)
    log.push(`before ${write.id}`)
    const other = Entangled.others.get(write.id)
    if (other === undefined) return
    if (isFirst) Entangled.waiting += 1
    while (isFirst && Entangled.waiting % 2 === 1) await wait(5)
    await entityManagerOf(write).update(Team, other, { budget: 9 })
  }

  override async afterWrite(write: ResourceWrite<Team>) {
    await entityManagerOf(write).insert(Page, { title: `after ${write.id}` })
  }

  override async afterCommit(write: ResourceWrite<Team>) {
    log.push(`committed ${write.id}`)
  }
}

const rename = (api: TestServer, id: string, name: string) =>
  api.patch(`/teams/${id}`).send(resource('teams', id, { name }))
const brief = ({ status, body, headers }: Response) =>
  status < 300 ? `${status}` : `${status} ${body.errors[0].code}, retry after ${headers['retry-after']}`

// On SQLite writes run one after the other, and never wait for each other.
const onServers = DATABASE === 'sqlite' ? describe.skip : describe

onServers('two writes that wait for each other', () => {
  let api: TestApi
  let one: string
  let other: string

  async function start(maximumRetries?: number): Promise<void> {
    const options = maximumRetries === undefined ? {} : { maximumRetries }
    api = await startApi(TEAMS, { definitions: [new Entangled()], ...options })
    one = await api.add(Team, { name: 'one' })
    other = await api.add(Team, { name: 'other' })
    log = []
    Entangled.others = new Map([
      [one, Number(other)],
      [other, Number(one)],
    ])
  }
  afterEach(() => api.close())

  const both = () => Promise.all([rename(api, one, 'ONE'), rename(api, other, 'OTHER')])

  it('both succeed: the rules of one run again, but for afterCommit', async () => {
    await start()
    expect((await both()).map(brief)).toEqual(['204', '204'])
    expect(log.filter((line) => line.startsWith('before')).length).toBe(3)
    expect(log.filter((line) => line.startsWith('committed')).sort()).toEqual([
      `committed ${one}`,
      `committed ${other}`,
    ])
    const titles = (await api.dataSource.getRepository(Page).find()).map(({ title }) => title)
    expect(titles.sort()).toEqual([`after ${one}`, `after ${other}`])
  })

  it('one is refused where nothing may run again', async () => {
    await start(0)
    const refused = '503 write.conflict, retry after 1'
    expect((await both()).map(brief).sort()).toEqual(['204', refused])
    expect(log.length).toBe(3)
  })
})

it('a conflict that a rule meets is one as well', async () => {
  let runs = 0
  class Unlucky extends ResourceDefinition<Team> {
    override readonly resource = Team
    override async afterWrite() {
      runs += 1
      if (runs < 3) throw Object.assign(new Error('could not serialize access'), { code: '40001' })
    }
  }
  const api = await startApi(TEAMS, { definitions: [new Unlucky()], maximumRetries: 2 })
  const team = await api.add(Team, { name: 'one' })
  expect(brief(await rename(api, team, 'two'))).toBe('204')
  runs = -3
  expect(brief(await api.unchanged(() => rename(api, team, 'three')))).toBe('503 write.conflict, retry after 1')
  await api.close()
})

// Only SQLite can be locked by another program as a whole.
const onSqlite = DATABASE === 'sqlite' ? describe : describe.skip

onSqlite('a file that another program writes to', () => {
  let database: TestDatabase
  let there: DataSource

  beforeAll(async () => {
    database = await openFile(TEAMS, { timeout: 1, busyTimeout: 1 })
    there = await createDataSource(database.place, TEAMS).initialize()
  })
  afterAll(async () => {
    await there.destroy()
    await database.close()
  })

  it.each([
    ['in time', 100, '201'],
    ['too late', 0, '503 write.conflict, retry after 1'],
  ])('is free %s', async (_when, maximumRetries, expected) => {
    const api = await startServer({ dataSource: database.dataSource, resources: TEAMS, maximumRetries })
    await there.query('BEGIN IMMEDIATE')
    const sent = api
      .post('/teams')
      .send(newResource('teams', { name: `Team ${maximumRetries}` }))
      .start()
    // Who does not try again is answered while it is locked.
    await (maximumRetries === 0 ? sent : wait(60))
    await there.query('ROLLBACK')
    expect(brief(await sent)).toBe(expected)
    await api.close()
  })
})
