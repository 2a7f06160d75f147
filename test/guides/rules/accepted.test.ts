import { getEntityManager, IdempotencyKey, type ResourceRecord, type ResourceWrite, respondAccepted } from 'stemma'
import { crawl } from 'stemma/testing'
import { CURSOR_PAGINATION_URI } from '../../../src/document/cursor-profile'
import { combineApi, define, startServerOn, type TestApi } from '../../support/api'
import { openDatabase } from '../../support/database'
import { createResource, newResource, resource, toMany, toOne } from '../../support/documents'
import { Member, Page, TEAMS, Team } from '../../support/writing-models'

// Writes of large teams are left to a job, which is a page. https://jsonapi.org/recommendations/#asynchronous-processing

let jobType: string
let calls: string[]
const teamRules = define(Team, {
  async beforeWrite(write: ResourceWrite<Team>) {
    if (!write.values.name.startsWith('large')) return
    const { id } = await getEntityManager(write).save(Page, { title: 'waiting' })
    calls.push(`accepted: ${write.kind}`)
    return respondAccepted({ type: jobType, id: String(id) })
  },
  afterWrite: ({ kind }) => void calls.push(`written: ${kind}`),
  afterCommit: ({ kind }) => void calls.push(`committed: ${kind}`),
})

/** The title of a job that is done is the id of a team. */
const jobRules = define(Page, {
  redirect: ({ instance: { title } }: ResourceRecord<Page>) =>
    title === 'waiting' ? undefined : { type: 'teams', id: title },
})

let api: TestApi
let reported: unknown[]

beforeEach(async () => {
  jobType = 'pages'
  calls = []
  reported = []
  const database = await openDatabase([...TEAMS, IdempotencyKey])
  const server = await startServerOn(database, {
    resources: TEAMS,
    definitions: [teamRules, jobRules],
    idempotency: { owner: () => 'everyone' },
    onError: (error) => reported.push(error),
  })
  api = combineApi(database, server)
})
afterEach(() => api.close())
const large = newResource('teams', { name: 'large' })
const jobs = () => api.dataSource.getRepository(Page)

it('does not affect other writes', async () => {
  await createResource(api, 'teams', { name: 'small' }).expect(201)
  expect([calls, await jobs().count()]).toEqual([['written: create', 'committed: create'], 0])
})

const MEMBER = '9f8e7d6c-5b4a-4321-8fed-cba987654321'
const members = toMany('members', MEMBER)

it.each<readonly [string, string, string, unknown]>([
  ['create', 'POST', '/teams?fields[teams]=name', large],
  ['update', 'PATCH', '/teams/1', resource('teams', '1', { name: 'large' })],
  ['delete', 'DELETE', '/teams/1', undefined],
  ['setRelationship', 'PATCH', '/teams/1/relationships/whole', toOne('teams', '1')],
  ['addToRelationship', 'POST', '/teams/1/relationships/members', members],
  ['removeFromRelationship', 'DELETE', '/teams/1/relationships/members', members],
])('answers a write of the kind %s with the job alone, and ignores Prefer', async (kind, method, path, body) => {
  await api.add(Team, { name: 'large before' })
  await api.add(Member, { id: MEMBER, name: 'Ann', ...(method === 'DELETE' && { team: 1 }) })
  const response = await api.unchanged(async () => {
    const sent = await api.request(method, path).send(body).set({ prefer: 'return=minimal' })
    expect(sent.body).toEqual((await api.get('/pages/1')).body)
    await jobs().clear()
    return sent
  })
  expect([response.status, response.headers['content-location']]).toEqual([202, '/pages/1'])
  for (const name of ['preference-applied', 'location', 'etag']) expect(response.headers[name]).toBeUndefined()
  expect(calls).toEqual([`accepted: ${kind}`, `committed: ${kind}`])
})

it('returns the same job for a request that is repeated with its idempotency key', async () => {
  const send = () => api.post('/teams').send(large).set({ 'idempotency-key': '"one"' })
  const [first, repeated] = [await send(), await send()]
  expect([repeated.status, repeated.text]).toEqual([202, first.text])
  expect(repeated.headers['content-location']).toBe('/pages/1')
  expect(await jobs().count()).toBe(1)
})

it.each(['nowhere', 'teams'])('returns 500 when the client cannot see the job: its type is %s', async (type) => {
  jobType = type
  expect((await api.unchanged(() => api.post('/teams').send(large))).status).toBe(500)
  expect(reported.map(String)).toEqual([
    `InvariantError: The beforeWrite hook accepted a write with '${type}' of id '1', which the client can't see.`,
  ])
})

it('redirects from a job that is done to the resource it created, whatever the parameters', async () => {
  await api.post('/teams').send(large)
  await api.get('/pages/1').expect(200)
  const team = await api.add(Team, { name: 'done' })
  await jobs().updateAll({ title: team })
  for (const path of ['/pages/1', '/pages/1?fields[pages]=title']) {
    const { status, headers, text } = await api.get(path)
    expect([status, headers.location, text]).toEqual([303, `/teams/${team}`, ''])
  }
  expect((await api.get('/pages')).body.data).toHaveLength(1)
  const { findings, urls } = await crawl(fetch, [`${api.url}/pages`], { profiles: [CURSOR_PAGINATION_URI] })
  expect(findings).toEqual([])
  expect(urls).toContain(`${api.url}/teams/${team}`)
})
