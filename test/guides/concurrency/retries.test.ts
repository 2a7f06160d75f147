import { setTimeout as wait } from 'node:timers/promises'
import { entityManagerOf, type ResourceWrite } from 'stemma'
import type { Response } from 'supertest'
import { startApi, type TestApi, using } from '../../support/api'
import { DATABASE } from '../../support/database'
import { deferred } from '../../support/deferred'
import { define } from '../../support/define'
import { updateResource } from '../../support/documents'
import type { TestServer } from '../../support/server'
import { Page, TEAMS, Team } from '../../support/writing-models'

/** The hooks that ran, in order. */
let log: string[] = []
let waiting = 0

/** Updates another team as soon as the first runs of both writes are here, so that they deadlock. */
const entangled = define(Team, {
  async beforeWrite(write: ResourceWrite<Team>) {
    const isFirst = !log.includes(`before ${write.id}`)
    log.push(`before ${write.id}`)
    if (isFirst) waiting += 1
    while (isFirst && waiting % 2 === 1) await wait(5)
    await entityManagerOf(write).update(Team, write.id === '1' ? 2 : 1, { budget: 9 })
  },
  async afterWrite(write: ResourceWrite<Team>) {
    await entityManagerOf(write).insert(Page, { title: `after ${write.id}` })
  },
  afterCommit: (write) => void log.push(`committed ${write.id}`),
})

const rename = (api: TestServer, id: string, name: string) => updateResource(api, 'teams', id, { name })
const outcomeOf = ({ status, body, headers }: Response) =>
  status < 300 ? `${status}` : `${status} ${body.errors[0].code}, retry after ${headers['retry-after']}`
const CONFLICT = '503 write.conflict, retry after 1'

// Skipped on SQLite: its writes run one after the other and never conflict.
const onServers = DATABASE === 'sqlite' ? describe.skip : describe

onServers('two writes that wait for each other', () => {
  let api: TestApi

  async function renameBoth(options: { readonly maximumRetries?: number } = {}): Promise<readonly string[]> {
    api = await startApi(TEAMS, { definitions: [entangled], ...options })
    for (const name of ['one', 'other']) await api.add(Team, { name })
    log = []
    return (await Promise.all([rename(api, '1', 'ONE'), rename(api, '2', 'OTHER')])).map(outcomeOf)
  }
  afterEach(() => api.close())

  it('both succeed: the hooks of one run again, except afterCommit', async () => {
    expect(await renameBoth()).toEqual(['204', '204'])
    expect(log.filter((line) => line.startsWith('before')).length).toBe(3)
    const committed = log.filter((line) => line.startsWith('committed'))
    expect(committed.sort()).toEqual(['committed 1', 'committed 2'])
    const titles = (await api.dataSource.getRepository(Page).find()).map(({ title }) => title)
    expect(titles.sort()).toEqual(['after 1', 'after 2'])
  })

  it('one returns 503 with maximumRetries: 0', async () => {
    expect([...(await renameBoth({ maximumRetries: 0 }))].sort()).toEqual(['204', CONFLICT])
    expect(log.length).toBe(3)
  })
})

// Skipped on SQLite: no write waits for the lock of another one there.
const itOnServers = DATABASE === 'sqlite' ? it.skip : it

itOnServers('a deadlock that a rule catches runs the write again as a whole', async () => {
  const { promise: metBoth, resolve: meet } = deferred()
  let calls = 0
  const careless = define(Team, {
    async afterWrite(write: ResourceWrite<Team>) {
      const manager = entityManagerOf(write)
      const [own, other] = write.id === '1' ? [1, 2] : [2, 1]
      await manager.update(Page, { id: own }, { title: 'seen' })
      calls += 1
      if (calls >= 2) meet()
      await metBoth
      await manager.update(Page, { id: other }, { title: 'seen' }).catch(() => undefined)
      await manager.insert(Page, { title: `of ${write.id}` })
    },
  })
  await using(startApi(TEAMS, { definitions: [careless] }), async (api) => {
    for (const name of ['one', 'two']) {
      await api.add(Page, { title: name })
      await api.add(Team, { name })
    }
    const renamed = ['1', '2'].map((id) => rename(api, id, `renamed ${id}`))
    expect((await Promise.all(renamed)).map(outcomeOf)).toEqual(['204', '204'])
    const names = (await api.dataSource.getRepository(Team).find()).map(({ name }) => name)
    expect(names.sort()).toEqual(['renamed 1', 'renamed 2'])
    const titles = (await api.dataSource.getRepository(Page).find()).map(({ title }) => title)
    expect(titles.sort()).toEqual(['of 1', 'of 2', 'seen', 'seen'])
  })
})

it('a conflict in a statement of a hook runs the write again, up to maximumRetries', async () => {
  let runs = 0
  const unlucky = define(Team, {
    async afterWrite() {
      runs += 1
      if (runs < 3) throw Object.assign(new Error('could not serialize access'), { code: '40001' })
    },
  })
  await using(startApi(TEAMS, { definitions: [unlucky], maximumRetries: 2 }), async (api) => {
    const team = await api.add(Team, { name: 'one' })
    await rename(api, team, 'two').expect(204)
    runs = -3
    expect(outcomeOf(await api.unchanged(() => rename(api, team, 'three')))).toBe(CONFLICT)
  })
})
