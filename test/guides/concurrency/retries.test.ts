import { setTimeout as wait } from 'node:timers/promises'
import { entityManagerOf, ResourceDefinition, type ResourceWrite } from 'stemma'
import type { Response } from 'supertest'
import { startApi, type TestApi, using } from '../../support/api'
import { DATABASE } from '../../support/database'
import { deferred } from '../../support/deferred'
import { updateResource } from '../../support/documents'
import type { TestServer } from '../../support/server'
import { Page, TEAMS, Team } from '../../support/writing-models'

/** The hooks that ran, in order. */
let log: string[] = []

/** Updates another team as soon as the first runs of both writes are here, so that they deadlock. */
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

const rename = (api: TestServer, id: string, name: string) => updateResource(api, 'teams', id, { name })
const outcomeOf = ({ status, body, headers }: Response) =>
  status < 300 ? `${status}` : `${status} ${body.errors[0].code}, retry after ${headers['retry-after']}`
const CONFLICT = '503 write.conflict, retry after 1'

// On SQLite writes run one after the other, and never wait for each other.
const onServers = DATABASE === 'sqlite' ? describe.skip : describe

onServers('two writes that wait for each other', () => {
  let api: TestApi
  let one: string
  let other: string

  async function renameBoth(options: { readonly maximumRetries?: number } = {}): Promise<readonly string[]> {
    api = await startApi(TEAMS, { definitions: [new Entangled()], ...options })
    one = await api.add(Team, { name: 'one' })
    other = await api.add(Team, { name: 'other' })
    log = []
    Entangled.others = new Map([
      [one, Number(other)],
      [other, Number(one)],
    ])
    return (await Promise.all([rename(api, one, 'ONE'), rename(api, other, 'OTHER')])).map(outcomeOf)
  }
  afterEach(() => api.close())

  it('both succeed: the hooks of one run again, except afterCommit', async () => {
    expect(await renameBoth()).toEqual(['204', '204'])
    expect(log.filter((line) => line.startsWith('before')).length).toBe(3)
    const committed = log.filter((line) => line.startsWith('committed'))
    expect(committed.sort()).toEqual([`committed ${one}`, `committed ${other}`])
    const titles = (await api.dataSource.getRepository(Page).find()).map(({ title }) => title)
    expect(titles.sort()).toEqual([`after ${one}`, `after ${other}`])
  })

  it('one returns 503 with maximumRetries: 0', async () => {
    expect([...(await renameBoth({ maximumRetries: 0 }))].sort()).toEqual(['204', CONFLICT])
    expect(log.length).toBe(3)
  })
})

onServers('a deadlock that a rule catches', () => {
  it('runs the write again as a whole', async () => {
    const { promise: metBoth, resolve: meet } = deferred()
    let calls = 0
    class Careless extends ResourceDefinition<Team> {
      override readonly resource = Team
      override async afterWrite(write: ResourceWrite<Team>) {
        const manager = entityManagerOf(write)
        const [own, other] = write.id === '1' ? [1, 2] : [2, 1]
        await manager.update(Page, { id: own }, { title: 'seen' })
        calls += 1
        if (calls >= 2) meet()
        await metBoth
        await manager.update(Page, { id: other }, { title: 'seen' }).catch(() => undefined)
        await manager.insert(Page, { title: `of ${write.id}` })
      }
    }
    await using(startApi(TEAMS, { definitions: [new Careless()] }), async (api) => {
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
})

it('a conflict in a statement of a hook runs the write again, up to maximumRetries', async () => {
  let runs = 0
  class Unlucky extends ResourceDefinition<Team> {
    override readonly resource = Team
    override async afterWrite() {
      runs += 1
      if (runs < 3) throw Object.assign(new Error('could not serialize access'), { code: '40001' })
    }
  }
  await using(startApi(TEAMS, { definitions: [new Unlucky()], maximumRetries: 2 }), async (api) => {
    const team = await api.add(Team, { name: 'one' })
    await rename(api, team, 'two').expect(204)
    runs = -3
    expect(outcomeOf(await api.unchanged(() => rename(api, team, 'three')))).toBe(CONFLICT)
  })
})
