import { setTimeout as wait } from 'node:timers/promises'
import { entityManagerOf, JsonApiError, ResourceDefinition, type ResourceWrite } from 'stemma'
import { DATABASE, openDatabase, openFile, type TestDatabase } from '../../support/database'
import { newResource, resource, toMany, toOne } from '../../support/documents'
import { startHumans } from '../../support/humans'
import { startServer, type TestServer } from '../../support/server'
import { Member, Page, Tag, TEAMS, Team } from '../../support/writing-models'

// Requests that come at the same time: each is kept as a whole, or not at all. On SQLite all share one connection.

// Only a wrong result is to fail these, and not a machine that is busy.
jest.setTimeout(120_000)

/** Writes before and after, slowly, and throws for teams of some names. */
class Nervous extends ResourceDefinition<Team> {
  override readonly resource = Team

  /** Lets other requests run in between. */
  override async prepareWrite() {
    await wait(Math.random() * 3)
  }

  override async beforeWrite(write: ResourceWrite<Team>) {
    await entityManagerOf(write).insert(Page, { title: `before ${write.values.name}` })
    await wait(Math.random() * 3)
    if (write.values.name.startsWith('refused')) throw new JsonApiError({ title: 'No.', field: 'name' })
  }

  override async afterWrite(write: ResourceWrite<Team>) {
    await entityManagerOf(write).insert(Page, { title: `after ${write.values.name}` })
    await wait(Math.random() * 3)
    if (write.values.name.startsWith('failed')) throw new TypeError('Failed.')
  }
}

const DATABASES: readonly (readonly [string, () => Promise<TestDatabase>])[] = [
  ['a database', () => openDatabase(TEAMS)],
  ...(DATABASE === 'sqlite' ? [['a file of SQLite', () => openFile(TEAMS)] as const] : []),
]

const each = <Value>(size: number, make: (index: number) => Value): Value[] =>
  Array.from({ length: size }, (_, index) => make(index))

describe.each(DATABASES)('in %s', (_name, open) => {
  let database: TestDatabase
  let api: TestServer
  let reported: unknown[]

  beforeEach(async () => {
    reported = []
    database = await open()
    api = await startServer({
      dataSource: database.dataSource,
      resources: TEAMS,
      definitions: [new Nervous()],
      report: (error) => reported.push(error),
    })
  })
  afterEach(async () => {
    await api.close()
    await database.close()
  })

  const names = async () => (await database.dataSource.getRepository(Team).find()).map(({ name }) => name).sort()
  const titles = async () => (await database.dataSource.getRepository(Page).find()).map(({ title }) => title).sort()

  it('of forty teams created at once exactly the good ones are stored, with what their rules wrote', async () => {
    const kinds = ['good', 'refused', 'good', 'failed']
    const sent = each(40, (index) => `${kinds[index % 4]} ${index}`)
    const answers = await Promise.all(sent.map((name) => api.post('/teams').send(newResource('teams', { name }))))
    expect(answers.map(({ status }) => status)).toEqual(
      sent.map((name) => (name.startsWith('good') ? 201 : name.startsWith('refused') ? 422 : 500)),
    )
    const good = sent.filter((name) => name.startsWith('good'))
    expect(await names()).toEqual([...good].sort())
    expect(await titles()).toEqual(good.flatMap((name) => [`before ${name}`, `after ${name}`]).sort())
    expect(reported.length).toBe(10)
  })

  it('of many teams of one name exactly one is stored', async () => {
    const body = newResource('teams', { name: 'one' })
    const answers = await Promise.all(each(12, () => api.post('/teams').send(body)))
    const statuses = answers.map(({ status }) => status).sort()
    expect(statuses).toEqual([201, ...each(11, () => 409)])
    expect([await names(), await titles()]).toEqual([['one'], ['after one', 'before one']])
  })

  it('of many clients with one id exactly one gets it', async () => {
    const body = toOne('tags', 'mine')
    const answers = await Promise.all(each(12, () => api.post('/tags').send(body)))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...each(11, () => 409)])
  })

  it('writes of every kind, with reads between them, end as if each had run alone', async () => {
    const insert = async (entity: typeof Team | typeof Member, size: number, name: string) => {
      const values = each(size, (index) => ({ name: `${name} ${index}` }))
      const builder = database.dataSource.createQueryBuilder().insert().into(entity).values(values)
      return (await builder.execute()).identifiers.map(({ id }) => String(id))
    }
    const ids = await insert(Team, 6, 'team')
    const doomed = await insert(Member, 6, 'doomed')
    const members = await insert(Member, 12, 'member')
    const update = (id: string, name: string) => api.patch(`/teams/${id}`).send(resource('teams', id, { name }))

    const answers = await Promise.all([
      ...ids.map((id, index) => update(id, index % 2 === 0 ? `renamed ${index}` : `refused ${index}`)),
      ...doomed.map((id) => api.delete(`/members/${id}`)),
      ...each(12, () => api.get('/teams?include=members')),
      ...members.map((id, index) =>
        api.patch(`/members/${id}`).send(resource('members', id, { name: `changed ${index}` })),
      ),
    ])
    expect(answers.map(({ status }) => status)).toEqual([
      ...each(6, (index) => (index % 2 === 0 ? 204 : 422)),
      ...each(6, () => 204),
      ...each(12, () => 200),
      ...each(12, () => 204),
    ])
    expect(await names()).toEqual(each(6, (index) => (index % 2 === 0 ? `renamed ${index}` : `team ${index}`)).sort())
    expect(await database.dataSource.getRepository(Member).count()).toBe(12)
    // No reader saw a name that was taken back.
    const seen = answers.slice(12, 24).flatMap(({ body }) => body.data)
    expect(seen.filter(({ attributes }) => attributes.name.startsWith('refused'))).toEqual([])
  })

  it('members added to one relationship at once are all there, once', async () => {
    const { identifiers } = await database.dataSource.getRepository(Team).insert({ name: 'all' })
    const id = String(identifiers[0]?.id)
    await database.dataSource.getRepository(Tag).insert(each(20, (index) => ({ id: `tag ${index}` })))
    const answers = await Promise.all([
      ...each(20, (index) => {
        const data = [index, (index + 7) % 20].map((tag) => ({ type: 'tags', id: `tag ${tag}` }))
        return api.post(`/teams/${id}/relationships/tags`).send({ data })
      }),
      ...each(20, (index) => api.post(`/tags/tag ${index}/relationships/teams`).send(toMany('teams', id))),
    ])
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([204]))
    const { body } = await api.get(`/teams/${id}/relationships/tags?page[size]=100`)
    expect([body.data.length, body.meta.total]).toEqual([20, 20])
  })

  it('one deletes a row, and the others learn that it is not there', async () => {
    const { identifiers } = await database.dataSource.getRepository(Member).insert({ name: 'Ann' })
    const answers = await Promise.all(each(10, () => api.delete(`/members/${identifiers[0]?.id}`)))
    expect(answers.map(({ status }) => status).sort()).toEqual([204, ...each(9, () => 404)])
  })
})

it('of forty men created at once the bearded half is refused, through base and derived endpoint', async () => {
  const humans = await startHumans()
  const answers = await Promise.all(
    each(40, (index) => {
      const attributes = { name: `Man ${index}`, hasBeard: index % 2 === 1 }
      return humans.post(index % 4 < 2 ? '/humans' : '/men').send(newResource('men', attributes))
    }),
  )
  expect(answers.map(({ status }) => status)).toEqual(each(40, (index) => (index % 2 === 1 ? 422 : 201)))
  const { body } = await humans.get('/men?page[size]=100')
  expect(body.data.length).toBe(20)
  expect(body.data.filter((man: { attributes: { hasBeard: boolean } }) => man.attributes.hasBeard)).toEqual([])
  await humans.close()
})

describe('rows that go, or are taken, while others are linked to them', () => {
  let database: TestDatabase
  let api: TestServer
  let teams: readonly string[]
  let members: readonly string[]
  let tags: readonly string[]

  beforeAll(async () => {
    database = await openDatabase(TEAMS)
    // So many at once are more than the default is made for.
    api = await startServer({ dataSource: database.dataSource, resources: TEAMS, maximumRetries: 20 })
  })
  afterAll(async () => {
    await api.close()
    await database.close()
  })

  beforeEach(async () => {
    const { dataSource } = database
    const unique = Math.random().toString(36).slice(2, 8)
    const ids = (made: { identifiers: { id?: unknown }[] }) => made.identifiers.map(({ id }) => String(id))
    teams = ids(await dataSource.getRepository(Team).insert(each(10, (index) => ({ name: `${unique} ${index}` }))))
    members = ids(await dataSource.getRepository(Member).insert(each(10, () => ({ name: 'Ann' }))))
    tags = ids(await dataSource.getRepository(Tag).insert(each(10, (index) => ({ id: `${unique} ${index}` }))))
  })

  const identifier = (type: string, id = '') => toOne(type, id)
  const identifiers = (type: string, ids: readonly string[]) => ({ data: ids.map((id) => ({ type, id })) })

  /** Each is answered as one of the orders would be: done, not there, or in the way. */
  async function expectOneOf(statuses: readonly number[], sent: readonly Promise<{ status: number }>[]): Promise<void> {
    const answers = await Promise.all(sent)
    expect(answers.map(({ status }) => status).filter((status) => !statuses.includes(status))).toEqual([])
  }

  it('are linked or missing, in a table of pairs', async () => {
    await expectOneOf(
      [204, 404, 409],
      [
        ...teams.map((team) => api.post(`/teams/${team}/relationships/tags`).send(identifiers('tags', tags))),
        ...tags.map((tag) => api.delete(`/tags/${encodeURIComponent(tag)}`)),
      ],
    )
    // Whatever remains of the tags is in the teams that are left, and in each of them once.
    const kept = await database.dataSource.getRepository(Tag).find({ relations: { teams: true } })
    for (const tag of kept) expect(new Set(tag.teams.map(({ id }) => id)).size).toBe(tag.teams.length)
  })

  it('are linked or missing, by their own keys', async () => {
    await expectOneOf(
      [204, 404, 409],
      [
        ...teams.map((team) => api.patch(`/teams/${team}/relationships/members`).send(identifiers('members', members))),
        ...members.slice(5).map((member) => api.delete(`/members/${member}`)),
        ...teams.slice(5).map((team) => api.delete(`/teams/${team}`)),
      ],
    )
    // Whole sets were put in place, one after the other: whoever is left is in the team that was last.
    const rows = await database.dataSource.getRepository(Member).find({ relations: { team: true } })
    const own = rows.filter(({ id }) => members.includes(id))
    expect(new Set(own.map(({ team }) => team?.id)).size).toBe(1)
  })

  it('are linked to one at most, where there is room for one', async () => {
    await expectOneOf(
      [204, 409],
      [
        ...teams.flatMap((team, index) => [
          api.patch(`/teams/${team}/relationships/lead`).send(identifier('members', members[index])),
          api.patch(`/teams/${team}/relationships/lead`).send(identifier('members', members[(index + 1) % 10])),
          api
            .patch(`/members/${members[index]}/relationships/leads`)
            .send(identifier('teams', teams[(index + 3) % 10])),
        ]),
      ],
    )
    const rows = await database.dataSource.getRepository(Team).find({ relations: { lead: true } })
    const leads = rows.flatMap(({ lead }) => lead?.id ?? [])
    expect(new Set(leads).size).toBe(leads.length)
  })
})
