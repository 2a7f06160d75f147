import { entityManagerOf, ResourceDefinition, type ResourceWrite } from 'stemma'
import { startApi, type TestApi } from '../../support/api'
import { DATABASE } from '../../support/database'
import { deferred } from '../../support/deferred'
import { updateResource } from '../../support/documents'
import { Page, TEAMS, Team } from '../../support/writing-models'

// Rules that catch the error of their own statement. The database may have given up the whole transaction.

let rule: (write: ResourceWrite<Team>) => Promise<unknown>
let api: TestApi
let reported: unknown[] = []

class Careless extends ResourceDefinition<Team> {
  override readonly resource = Team

  override async afterWrite(write: ResourceWrite<Team>) {
    await rule(write)
  }
}

beforeAll(async () => {
  api = await startApi(TEAMS, { definitions: [new Careless()], report: (error) => reported.push(error) })
})
beforeEach(() => {
  reported = []
})
afterAll(() => api.close())

const rename = (id: string, name: string) => updateResource(api, 'teams', id, { name })
const nameOf = async (id: string) => (await api.dataSource.getRepository(Team).findOneByOrFail({ id: Number(id) })).name
const BROKEN = 'select * from nowhere_at_all'

it('returns 500 when the database has given up the transaction after a caught error', async () => {
  rule = (write) =>
    entityManagerOf(write)
      .query(BROKEN)
      .catch(() => undefined)
  const id = await api.add(Team, { name: 'red' })
  const { status } = await rename(id, 'blue')
  // PostgreSQL gives up the transaction; the others undo the statement alone.
  const isGivenUp = DATABASE === 'postgres'
  expect([status, await nameOf(id)]).toEqual(isGivenUp ? [500, 'red'] : [204, 'blue'])
  expect(reported.map(String)).toEqual(isGivenUp ? [expect.stringContaining('nowhere_at_all')] : [])
})

it('keeps the write when a nested transaction fails and its error is caught', async () => {
  rule = (write) =>
    entityManagerOf(write)
      .transaction((manager) => manager.query(BROKEN))
      .catch(() => undefined)
  const id = await api.add(Team, { name: 'green' })
  expect([(await rename(id, 'yellow')).status, await nameOf(id)]).toEqual([204, 'yellow'])
})

it('runs a write again as a whole when its deadlock was caught', async () => {
  // SQLite has one writer at a time, so no deadlocks.
  if (DATABASE === 'sqlite') return
  const pages = [await api.add(Page, { title: 'one' }), await api.add(Page, { title: 'two' })]
  const teams = [await api.add(Team, { name: 'first' }), await api.add(Team, { name: 'second' })]
  const meet = barrier(2)
  rule = async (write) => {
    const manager = entityManagerOf(write)
    const [own, other] = write.id === teams[0] ? pages : pages.toReversed()
    await manager.update(Page, { id: Number(own) }, { title: 'seen' })
    await meet()
    await manager.update(Page, { id: Number(other) }, { title: 'seen' }).catch(() => undefined)
    await manager.insert(Page, { title: `of ${write.id}` })
  }
  const responses = await Promise.all(teams.map((id, index) => rename(id, `renamed ${index}`)))
  expect(responses.map(({ status }) => status)).toEqual([204, 204])
  for (const [index, id] of teams.entries()) {
    expect(await nameOf(id)).toBe(`renamed ${index}`)
    expect(await api.dataSource.getRepository(Page).countBy({ title: `of ${id}` })).toBe(1)
  }
})

/** Waits until it was called that often; later calls do not wait. */
function barrier(size: number): () => Promise<void> {
  const { promise, resolve } = deferred()
  let calls = 0
  return () => {
    calls += 1
    if (calls >= size) resolve()
    return promise
  }
}
