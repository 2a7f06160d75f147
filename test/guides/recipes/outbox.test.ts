import { getEntityManager, type ResourceWrite, withTransaction } from 'stemma'
import type { DataSource } from 'typeorm'
import { define, setUp, startApi, type TestApi } from '../../support/api'
import { createResource, updateResource } from '../../support/documents'
import { Page, TEAMS, Team } from '../../support/writing-models'

// Events are stored in the transaction of a write of a team, and sent after its commit. Each is the title of a page.

let sent: string[] = []
let isDown = false

/** Sends the stored events, oldest first, and deletes each. */
async function relay(dataSource: DataSource): Promise<void> {
  const stored = await withTransaction(dataSource, (manager) => manager.find(Page, { order: { id: 'ASC' } }))
  for (const { id, title } of stored) {
    if (isDown) throw new Error('The broker is down.')
    sent.push(title)
    await withTransaction(dataSource, (manager) => manager.delete(Page, id))
  }
}

const teamDefinition = define(Team, {
  async afterWrite(write: ResourceWrite<Team>): Promise<void> {
    await getEntityManager(write).insert(Page, { title: `${write.kind} ${write.id}` })
  },
  afterCommit: () => relay(api.dataSource),
})

const reported: unknown[] = []
const api: TestApi = setUp(() =>
  startApi(TEAMS, { definitions: [teamDefinition], onError: (error) => reported.push(error) }),
)
beforeAll(async () => {
  for (const name of ['One', 'Two']) await api.add(Team, { name })
})

beforeEach(() => {
  sent = []
  reported.length = 0
})

const stored = async () => (await api.dataSource.getRepository(Page).find()).map(({ title }) => title)
const create = (name: string) => createResource(api, 'teams', { name })

it('keeps events while the broker is down', async () => {
  isDown = true
  await updateResource(api, 'teams', '1', { name: 'Newer' }).expect(204)
  expect([sent, reported, await stored()]).toEqual([[], [new Error('The broker is down.')], ['update 1']])
  isDown = false
  await api.delete('/teams/2').expect(204)
  expect([sent, await stored()]).toEqual([['update 1', 'delete 2'], []])
})

it('sends an event for each of several concurrent writes', async () => {
  const responses = await Promise.all(Array.from({ length: 8 }, (_, index) => create(`Team ${index}`)))
  const events = responses.map(({ body }) => `create ${body.data.id}`)
  expect([new Set(sent), await stored()]).toEqual([new Set(events), []])
}) // anchor: W/V-07
