import { setTimeout as wait } from 'node:timers/promises'
import { getEntityManager, JsonApiError, type ResourceWrite } from 'stemma'
import type { Response } from 'supertest'
import type { EntityTarget, ObjectLiteral } from 'typeorm'
import { combineApi, define, startApi, startServerOn, type TestApi, useApi } from '../../support/api'
import { DATABASE, openDatabase, openFile, type TestDatabase } from '../../support/database'
import { createResource, toMany, updateResource } from '../../support/documents'
import { outcomeWithRetry } from '../../support/expectations'
import type { TestServer } from '../../support/server'
import { until } from '../../support/until'
import { Member, Page, Tag, TEAMS, Team } from '../../support/writing-models'

// Requests at the same time: each is kept as a whole, or not at all. On SQLite all share one connection.

// Must not fail because the machine is busy.
jest.setTimeout(120_000)

/** Writes before and after, slowly, and throws for teams of some names. */
const teamRules = define(Team, {
  prepareWrite: () => wait(Math.random() * 3, undefined),
  async beforeWrite(write: ResourceWrite<Team>) {
    await getEntityManager(write).insert(Page, { title: `before ${write.values.name}` })
    await wait(Math.random() * 3)
    if (write.values.name.startsWith('refused')) throw new JsonApiError({ title: 'No.', field: 'name' })
  },
  async afterWrite(write: ResourceWrite<Team>) {
    await getEntityManager(write).insert(Page, { title: `after ${write.values.name}` })
    await wait(Math.random() * 3)
    if (write.values.name.startsWith('failed')) throw new TypeError('Failed.')
  },
})

const DATABASES: readonly (readonly [string, () => Promise<TestDatabase>])[] = [
  ['a database', () => openDatabase(TEAMS)],
  ...(DATABASE === 'sqlite' ? [['a file of SQLite', () => openFile(TEAMS)] as const] : []),
]

const each = <Value>(size: number, make: (index: number) => Value): Value[] =>
  Array.from({ length: size }, (_, index) => make(index))
const statusesOf = (responses: readonly Response[]) => responses.map(({ status }) => status)
let api: TestApi

async function insert(entity: EntityTarget<ObjectLiteral>, rows: readonly object[]): Promise<readonly string[]> {
  const { identifiers } = await api.dataSource.getRepository(entity).insert([...rows])
  return identifiers.map(({ id }) => String(id))
}

describe.each(DATABASES)('in %s', (_name, open) => {
  let reported: unknown[]

  beforeEach(async () => {
    reported = []
    const database = await open()
    const options = { definitions: [teamRules], onError: (error: unknown) => reported.push(error) }
    api = combineApi(database, await startServerOn(database, { resources: TEAMS, ...options }))
  })
  afterEach(() => api.close())
  const names = () => api.valuesOf(Team, 'name')
  const titles = () => api.valuesOf(Page, 'title')
  const create = (name: string) => createResource(api, 'teams', { name })

  it('stores exactly the successful ones of forty new resources, with the rows of their rules', async () => {
    const kinds = ['good', 'refused', 'good', 'failed']
    const sent = each(40, (index) => `${kinds[index % 4]} ${index}`)
    const responses = await Promise.all(sent.map(create))
    expect(statusesOf(responses)).toEqual(each(40, (index) => [201, 422, 201, 500][index % 4]))
    const good = sent.filter((name) => name.startsWith('good'))
    expect(await names()).toEqual([...good].sort())
    expect(await titles()).toEqual(good.flatMap((name) => [`before ${name}`, `after ${name}`]).sort())
    expect(reported.length).toBe(10)
  })

  it('stores one of many resources with the same unique value', async () => {
    const responses = await Promise.all(each(12, () => create('one')))
    expect(statusesOf(responses).sort()).toEqual([201, ...each(11, () => 409)])
    expect([await names(), await titles()]).toEqual([['one'], ['after one', 'before one']])
  })

  it('gives mixed reads and writes the results of running them one after the other', async () => {
    const rows = (size: number, name: string) => each(size, (index) => ({ name: `${name} ${index}` }))
    const teams = await insert(Team, rows(6, 'team'))
    const doomed = await insert(Member, rows(6, 'doomed'))
    const members = await insert(Member, rows(12, 'member'))
    const nameOf = (index: number) => (index % 2 === 0 ? `renamed ${index}` : `refused ${index}`)
    const rename = (type: string, id: string, name: string) => updateResource(api, type, id, { name })
    const responses = await Promise.all([
      ...teams.map((id, index) => rename('teams', id, nameOf(index))),
      ...doomed.map((id) => api.delete(`/members/${id}`)),
      ...each(12, () => api.get('/teams?include=members')),
      ...members.map((id, index) => rename('members', id, `changed ${index}`)),
    ])
    expect(statusesOf(responses)).toEqual([
      ...each(6, (index) => (index % 2 === 0 ? 204 : 422)),
      ...each(6, () => 204),
      ...each(12, () => 200),
      ...each(12, () => 204),
    ])
    expect(await names()).toEqual(each(6, (index) => (index % 2 === 0 ? nameOf(index) : `team ${index}`)).sort())
    expect(await api.dataSource.getRepository(Member).count()).toBe(12)
    // No read returned a name that was rolled back.
    const read = responses.slice(12, 24).flatMap(({ body }) => body.data)
    expect(read.filter(({ attributes }) => attributes.name.startsWith('refused'))).toEqual([])
  })

  it('adds each member of a relationship once', async () => {
    const [id = ''] = await insert(Team, [{ name: 'all' }])
    const tags = each(20, (index) => ({ id: `tag ${index}` }))
    await insert(Tag, tags)
    const responses = await Promise.all([
      ...each(20, (index) => {
        const sent = toMany('tags', `tag ${index}`, `tag ${(index + 7) % 20}`)
        return api.post(`/teams/${id}/relationships/tags`).send(sent)
      }),
      ...each(20, (index) => api.post(`/tags/tag ${index}/relationships/teams`).send(toMany('teams', id))),
    ])
    expect(new Set(statusesOf(responses))).toEqual(new Set([204]))
    const { body } = await api.get(`/teams/${id}/relationships/tags?page[size]=100`)
    expect([body.data.length, body.meta.total]).toEqual([20, 20])
  })

  it('deletes a row once, and returns 404 to the other requests', async () => {
    const [id] = await insert(Member, [{ name: 'Ann' }])
    const responses = await Promise.all(each(10, () => api.delete(`/members/${id}`)))
    expect(statusesOf(responses).sort()).toEqual([204, ...each(9, () => 404)])
  })
})

it('links members that are deleted at the same time by one foreign key each, or not at all', async () => {
  // Conflicts are more frequent here than the default expects.
  api = await startApi(TEAMS, { maxRetries: 20 })
  const named = () => each(10, (index) => ({ name: `Name ${index}` }))
  const [teams, members] = [await insert(Team, named()), await insert(Member, named())]
  const responses = await Promise.all([
    ...teams.map((team) => api.patch(`/teams/${team}/relationships/members`).send(toMany('members', ...members))),
    ...members.slice(5).map((member) => api.delete(`/members/${member}`)),
    ...teams.slice(5).map((team) => api.delete(`/teams/${team}`)),
  ])
  expect(statusesOf(responses).filter((status) => ![204, 404, 409].includes(status))).toEqual([])
  // Each request replaced all members, so the remaining ones are in the team of the last request.
  const rows = await api.dataSource.getRepository(Member).find({ relations: { team: true } })
  expect(new Set(rows.map(({ team }) => team?.id)).size).toBe(1)
  await api.close()
})

/** The hooks of entangled writes that ran, in order. */
let log: string[] = []
let waiting = 0
let isCaught = false

/** Updates another team as soon as the first runs of both writes are here, so that they deadlock. */
const entangled = define(Team, {
  async beforeWrite(write: ResourceWrite<Team>) {
    const isFirst = !log.includes(`before ${write.id}`)
    log.push(`before ${write.id}`)
    if (isFirst) waiting += 1
    if (isFirst) await until('both writes have begun', () => waiting % 2 === 0)
    const updating = getEntityManager(write).update(Team, write.id === '1' ? 2 : 1, { budget: 9 })
    await updating.catch((error: unknown) => isCaught || Promise.reject(error))
  },
  async afterWrite(write: ResourceWrite<Team>) {
    await getEntityManager(write).insert(Page, { title: `after ${write.id}` })
  },
  afterCommit: (write) => void log.push(`committed ${write.id}`),
})

const rename = (api: TestServer, id: string, name: string) => updateResource(api, 'teams', id, { name })
const CONFLICT = '503 write.serialization-failure, retry after 1'

// Skipped on SQLite: its writes run one after the other and never conflict.
const onServers = DATABASE === 'sqlite' ? describe.skip : describe

onServers('two writes that wait for each other', () => {
  async function renameBoth(options: { readonly maxRetries?: number } = {}): Promise<readonly string[]> {
    api = await startApi(TEAMS, { definitions: [entangled], ...options })
    for (const name of ['one', 'other']) await api.add(Team, { name })
    log = []
    return (await Promise.all([rename(api, '1', 'ONE'), rename(api, '2', 'OTHER')])).map(outcomeWithRetry)
  }
  afterEach(() => api.close())

  it.each([
    ['reported to the rule', false],
    ['caught by the rule', true],
  ])(
    'both succeed: all hooks of one run again, except afterCommit, where the deadlock is %s',
    async (_what, caught) => {
      isCaught = caught
      expect(await renameBoth()).toEqual(['204', '204'])
      // On a busy server, the second run may take its lock before the other write does, which is one more deadlock.
      expect(log.filter((line) => line.startsWith('before')).length).toBeGreaterThanOrEqual(3)
      const committed = log.filter((line) => line.startsWith('committed'))
      expect(committed.sort()).toEqual(['committed 1', 'committed 2'])
      expect(await api.valuesOf(Team, 'name')).toEqual(['ONE', 'OTHER'])
      expect(await api.valuesOf(Page, 'title')).toEqual(['after 1', 'after 2'])
    },
  )

  it('one returns 503 with maxRetries: 0', async () => {
    isCaught = false
    expect([...(await renameBoth({ maxRetries: 0 }))].sort()).toEqual(['204', CONFLICT])
    expect(log.length).toBe(3)
  })
})

it('a conflict in a statement of a hook runs the write again, up to maxRetries', async () => {
  let runs = 0
  const unlucky = define(Team, {
    async afterWrite() {
      runs += 1
      if (runs < 3) throw Object.assign(new Error('could not serialize access'), { code: '40001' })
    },
  })
  await useApi(startApi(TEAMS, { definitions: [unlucky], maxRetries: 2 }), async (unluckyApi) => {
    const team = await unluckyApi.add(Team, { name: 'one' })
    await rename(unluckyApi, team, 'two').expect(204)
    runs = -3
    expect(outcomeWithRetry(await unluckyApi.unchanged(() => rename(unluckyApi, team, 'three')))).toBe(CONFLICT)
  })
})
