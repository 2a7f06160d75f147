import { entityManagerOf, ResourceDefinition, type ResourceWrite } from 'stemma'
import { startApi, type TestApi } from '../support/api'
import { DATABASE } from '../support/database'
import { Page, TEAMS, Team } from '../support/writing-models'

// Rules that catch the error of a statement of their own and go on. The database may have given up the whole transaction by then.

let rule: (write: ResourceWrite<Team>) => Promise<unknown>
let api: TestApi
let reported: unknown[]

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

const rename = (id: string, name: string) =>
  api.patch(`/teams/${id}`).send({ data: { type: 'teams', id, attributes: { name } } })
const nameOf = async (id: string) => (await api.dataSource.getRepository(Team).findOneByOrFail({ id: Number(id) })).name

it('a statement that fails and is overlooked fails the write where the database has given it up', async () => {
  rule = (write) =>
    entityManagerOf(write)
      .query('select * from nowhere_at_all')
      .catch(() => undefined)
  const id = await api.add(Team, { name: 'red' })
  const { status } = await rename(id, 'blue')
  // PostgreSQL goes on with nothing after an error; the others undo the statement alone.
  const isGivenUp = DATABASE === 'postgres'
  expect([status, await nameOf(id)]).toEqual(isGivenUp ? [500, 'red'] : [204, 'blue'])
  expect(reported.map(String)).toEqual(isGivenUp ? [expect.stringContaining('nowhere_at_all')] : [])
})

it('a statement that fails in a part of its own is undone with it, and the write is kept', async () => {
  rule = (write) =>
    entityManagerOf(write)
      .transaction((manager) => manager.query('select * from nowhere_at_all'))
      .catch(() => undefined)
  const id = await api.add(Team, { name: 'green' })
  expect([(await rename(id, 'yellow')).status, await nameOf(id)]).toEqual([204, 'yellow'])
})

it('a deadlock that is overlooked leaves no half of a write', async () => {
  // On SQLite one writes at a time: there are none.
  if (DATABASE === 'sqlite') return
  const pages = [await api.add(Page, { title: 'one' }), await api.add(Page, { title: 'two' })]
  const teams = [await api.add(Team, { name: 'first' }), await api.add(Team, { name: 'second' })]
  const meet = meetingOf(2)
  rule = async (write) => {
    const manager = entityManagerOf(write)
    const [own, other] = write.id === teams[0] ? pages : pages.toReversed()
    await manager.update(Page, { id: Number(own) }, { title: 'seen' })
    await meet()
    await manager.update(Page, { id: Number(other) }, { title: 'seen' }).catch(() => undefined)
    await manager.insert(Page, { title: `of ${write.id}` })
  }
  const answers = await Promise.all(teams.map((id, index) => rename(id, `renamed ${index}`)))
  // The one that was given up runs again, whole.
  expect(answers.map(({ status }) => status)).toEqual([204, 204])
  for (const [index, id] of teams.entries()) {
    expect(await nameOf(id)).toBe(`renamed ${index}`)
    expect(await api.dataSource.getRepository(Page).countBy({ title: `of ${id}` })).toBe(1)
  }
})

/** Who comes waits until so many have come; later ones do not wait. */
function meetingOf(size: number): () => Promise<void> {
  let come = 0
  let open: () => void
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return () => {
    come += 1
    if (come >= size) open()
    return opened
  }
}
