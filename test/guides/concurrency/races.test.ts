import type { Response } from 'supertest'
import { addAll, define, ref, setUp, startApi } from '../../support/api'
import { toMany, toOne } from '../../support/documents'
import { createPause } from '../../support/overlapping-writes'
import { startServer } from '../../support/server'
import { Draft, Member, Note, Page, Tag, TEAMS, Team } from '../../support/writing-models'

// No update is lost when clients write the same resources at the same time.

jest.setTimeout(30_000)
const api = setUp(() => startApi(TEAMS, { maxRetries: 20 }))
let team: string
let count = 0
beforeEach(async () => {
  team = await api.add(Team, { name: `Team ${++count}`, budget: 0 })
})

const each = <Value>(size: number, make: (index: number) => Value): Value[] =>
  Array.from({ length: size }, (_, index) => make(index))
const getEtag = ({ headers }: Response) => headers.etag ?? 'none'
const write = (method: string, path: string, data: unknown, ifMatch: string) =>
  api
    .request(method, path)
    .send(data === undefined ? undefined : { data })
    .set({ 'if-match': ifMatch })
const statusesOf = (responses: readonly Response[]) => responses.map(({ status }) => status).sort()

/** Reads, writes a change of that, and repeats both after a 412, or another status. */
async function change(path: string, toData: (read: Response['body']) => unknown, repeated = [412]): Promise<void> {
  for (;;) {
    const read = await api.get(path)
    const { status } = await write('PATCH', path, toData(read.body), getEtag(read))
    if (!repeated.includes(status)) return expect([200, 204]).toContain(status)
  }
}

const STATES: readonly (readonly [what: string, toRequest: () => [path: string, data: unknown]])[] = [
  ['attributes', () => [`/teams/${team}`, { type: 'teams', id: team, attributes: { budget: 7 } }]],
  ['a key in the row', () => [`/teams/${team}/relationships/whole`, { type: 'teams', id: team }]],
  ['pairs', () => [`/teams/${team}/relationships/partners`, [{ type: 'teams', id: team }]]],
  ['keys elsewhere', () => [`/teams/${team}/relationships/parts`, [{ type: 'teams', id: team }]]],
]

it.each(STATES)('one of ten writes with the same ETag of %s succeeds', async (_what, toRequest) => {
  const [path, data] = toRequest()
  const etag = getEtag(await api.get(path))
  const responses = await Promise.all(each(10, () => write('PATCH', path, data, etag)))
  expect(statusesOf(responses)).toEqual([204, ...each(9, () => 412)])
}) // anchor: W/S-01

it.each([
  ['made of a hash', Team, 'teams', 'budget', (id: string) => `/teams/${id}`],
  ['made of a version', Page, 'pages', 'title', (id: string) => `/pages/${id}`],
] as const)('keeps every increment with ETags %s', async (_what, entity, type, name, toPath) => {
  const id = await api.add(entity, { [name]: 0, ...(type === 'teams' && { name: `Team ${++count}` }) })
  const add = ({ data }: Response['body']) => {
    const sum = Number(data.attributes[name]) + 1
    return { type, id, attributes: { [name]: type === 'teams' ? sum : String(sum) } }
  }
  await Promise.all(each(12, () => change(toPath(id), add)))
  expect(Number((await api.get(toPath(id))).body.data.attributes[name])).toBe(12)
})

it.each<[what: string, relationship: string, add: (id: string) => Promise<string>, path: string, isToMany: boolean]>([
  ['keys', 'members', (id) => api.add(Member, { name: 'Ann', team: ref(id) }), '/members/:id/team', false],
  ['pairs', 'tags', (id) => addTag(id), '/tags/:id/teams', true],
])(
  'keeps linkage of %s unchanged from the check of If-Match to the end of the write',
  async (_what, relationship, add, ownPath, isToMany) => {
    const { begun: isChecked, pause } = createPause(api.dataSource)
    // Between the check of `If-Match` and the statements.
    const setToMany = () => pause().then(() => undefined)
    const definitions = [define(Team, { setToMany })]
    const slow = await startServer({ dataSource: api.dataSource, resources: TEAMS, definitions })
    const [leaving, staying] = [await add(team), await add(team)]
    const path = `/teams/${team}/relationships/${relationship}`
    const read = await api.get(path)
    const replaced = slow
      .patch(path)
      .send({ data: read.body.data })
      .set({ 'if-match': getEtag(read) })
      .start()
    await isChecked
    const ownEnd = ownPath.replace(/:id.(\w+)$/, `${encodeURIComponent(leaving)}/relationships/$1`)
    const self = { type: 'teams', id: team }
    const left = isToMany ? api.delete(ownEnd).send({ data: [self] }) : api.patch(ownEnd).send({ data: null })
    expect(statusesOf(await Promise.all([replaced, left]))).toEqual([204, 204])
    expect(sortedIds((await api.get(path)).body)).toEqual([staying])
    await slow.close()
  },
)

async function addTag(team: string): Promise<string> {
  const id = await api.add(Tag, { id: `tag ${++count}` })
  await api.post(`/teams/${team}/relationships/tags`).send(toMany('tags', id))
  return id
}

it('replaces pairs while the other end adds and removes itself', async () => {
  const tags = await addAll(9, (index) => api.add(Tag, { id: `tag ${count} ${index}` }))
  const [own = [], joining = [], leaving = []] = [tags.slice(0, 3), tags.slice(3, 6), tags.slice(6)]
  const path = `/teams/${team}/relationships/tags`
  const self = toMany('teams', team)
  await api.post(path).send(toMany('tags', ...leaving))
  const other = (id: string) => `/tags/${encodeURIComponent(id)}/relationships/teams`
  const responses = Promise.all([
    ...joining.map((id) => api.post(other(id)).send(self)),
    ...leaving.map((id) => api.delete(other(id)).send(self)),
  ])
  await Promise.all(own.map((id) => change(path, ({ data }) => [...data, { type: 'tags', id }])))
  expect(statusesOf(await responses)).toEqual(each(6, () => 204))
  const { body } = await api.get(path)
  expect(sortedIds(body)).toEqual([...own, ...joining].sort())
})

it('replaces members while members join, leave and are deleted', async () => {
  const toTeam = { team: ref(team) }
  const own = await addAll(3, () => api.add(Member, { name: 'own' }))
  const joining = await addAll(3, () => api.add(Member, { name: 'joins' }))
  const leaving = await addAll(3, () => api.add(Member, { name: 'leaves', ...toTeam }))
  const deleted = await addAll(2, () => api.add(Member, { name: 'deleted', ...toTeam }))
  const path = `/teams/${team}/relationships/members`
  const ofMember = (id: string, data: unknown) => api.patch(`/members/${id}/relationships/team`).send({ data })
  const responses = Promise.all([
    ...joining.map((id) => ofMember(id, { type: 'teams', id: team })),
    ...leaving.map((id) => ofMember(id, null)),
    ...deleted.map((id) => api.delete(`/members/${id}`)),
  ])
  // A member may be deleted between the read and the write.
  const add = (id: string) => change(path, ({ data }) => [...data, { type: 'members', id }], [404, 412])
  await Promise.all(own.map(add))
  expect(statusesOf(await responses)).toEqual(each(8, () => 204))
  expect(sortedIds((await api.get(path)).body)).toEqual([...own, ...joining].sort())
})

const sortedIds = (document: Response['body']): string[] => document.data.map(({ id }: { id: string }) => id).sort()

it('either changes or deletes a resource with the same ETag', async () => {
  for (let round = 0; round < 10; round++) {
    const id = await api.add(Team, { name: `Team ${++count}` })
    const etag = getEtag(await api.get(`/teams/${id}`))
    const [changed, deleted] = await Promise.all([
      write('PATCH', `/teams/${id}`, { type: 'teams', id, attributes: { budget: 1 } }, etag),
      write('DELETE', `/teams/${id}`, undefined, etag),
    ])
    expect(['204 412', '404 204']).toContain(`${changed.status} ${deleted.status}`)
    await api.get(`/teams/${id}`).expect(changed.status === 204 ? 200 : 404)
  }
})

it('links a resource before its deletion, or returns 404', async () => {
  for (let round = 0; round < 10; round++) {
    const [id, member] = [await api.add(Team, { name: `Team ${++count}` }), await api.add(Member, { name: 'Ann' })]
    const [linked, deleted] = await Promise.all([
      api.patch(`/members/${member}/relationships/team`).send(toOne('teams', id)),
      api.delete(`/teams/${id}`),
    ])
    expect(['204 204', '404 204']).toContain(`${linked.status} ${deleted.status}`)
    expect((await api.get(`/members/${member}/relationships/team`)).body.data).toBe(null)
  }
})

/** A server that waits for another request between the statements and the end of a write to one type. */
async function startSlow(entity: typeof Note | typeof Page) {
  const { begun: isWritten, pause } = createPause(api.dataSource)
  const definitions = [define<object>(entity, { afterWrite: pause })]
  const server = await startServer({ dataSource: api.dataSource, resources: TEAMS, definitions })
  return { server, isWritten }
}

it('does not delete a removed member that another write has moved', async () => {
  const { server, isWritten } = await startSlow(Note)
  const other = await api.add(Team, { name: `Other ${count}` })
  const note = await api.add(Note, { team: ref(team) })
  const moved = server.patch(`/notes/${note}/relationships/team`).send(toOne('teams', other)).start()
  await isWritten
  const emptied = server.patch(`/teams/${team}/relationships/notes`).send({ data: [] }).start()
  const responses = await Promise.all([moved, emptied])
  await server.close()
  expect(statusesOf(responses)).toEqual([204, 204])
  expect((await api.get(`/notes/${note}/relationships/team`)).body.data).toEqual({ type: 'teams', id: other })
})

it('counts two versions for a member that two writes move away and back', async () => {
  const { server, isWritten } = await startSlow(Page)
  const [here, there] = [await api.add(Draft, { title: 'here' }), await api.add(Draft, { title: 'there' })]
  const page = await api.add(Page, { title: 'one', draft: ref(here) })
  const away = server.patch(`/pages/${page}/relationships/draft`).send(toOne('drafts', there)).start()
  await isWritten
  const back = server.patch(`/drafts/${here}/relationships/pages`).send(toMany('pages', page)).start()
  const responses = await Promise.all([away, back])
  await server.close()
  expect(statusesOf(responses)).toEqual([204, 204])
  const { data } = (await api.get(`/pages/${page}?include=draft`)).body
  expect([data.relationships.draft.data.id, data.attributes.version]).toEqual([here, 3])
})
