import { startApi } from '../../support/api'
import { newResource, resource, toMany } from '../../support/documents'
import { outcomeOf } from '../../support/expectations'
import { operateWith } from '../../support/operate'
import type { TestServer } from '../../support/server'
import { setUp } from '../../support/set-up'
import { Page, Tag, TEAMS, Team } from '../../support/writing-models'

// https://www.rfc-editor.org/rfc/rfc9110#section-13.1.2

const api = setUp(() => startApi(TEAMS))
let [page, team] = ['', '']
let count = 0
beforeEach(async () => {
  page = await api.add(Page, { title: 'One' })
  team = await api.add(Team, { name: `Team ${++count}` })
})
beforeAll(() => api.add(Tag, { id: 'red' }))

const REFUSED = '412 header.if-none-match If-None-Match'
const etagOf = async (path: string, from: Pick<TestServer, 'get'> = api) => String((await from.get(path)).headers.etag)

const WRITES = {
  'a PATCH of a versioned resource': () => ({
    path: `/pages/${page}`,
    send: () => api.patch(`/pages/${page}`).send(resource('pages', page, { title: 'Two' })),
  }),
  'a PATCH of another resource': () => ({
    path: `/teams/${team}`,
    send: () => api.patch(`/teams/${team}`).send(resource('teams', team, { budget: 3 })),
  }),
  'a DELETE': () => ({ path: `/teams/${team}`, send: () => api.delete(`/teams/${team}`) }),
  'a POST to a relationship': () => ({
    path: `/teams/${team}/relationships/tags`,
    send: () => api.post(`/teams/${team}/relationships/tags`).send(toMany('tags', 'red')),
  }),
}

describe.each(Object.entries(WRITES))('%s', (_name, write) => {
  it('is 412 where the state is among those that the header names, weak or with other bytes', async () => {
    const { path, send } = write()
    const etag = await etagOf(path)
    const token = etag.slice(1).split('.')[0]
    for (const header of [etag, `W/${etag}`, `"other", "${token}.bytes"`, '*', ' * ']) {
      const response = await api.unchanged(() => send().set('if-none-match', header).start())
      expect(outcomeOf(response)).toBe(REFUSED)
    }
  })

  it('is done where it is in another state, or the header names none', async () => {
    const { send } = write()
    const { status } = await send().set('if-none-match', '"v99.bytes", W/"other"')
    expect(status).toBeLessThan(300)
  })

  it('is 404 where there is nothing to write', async () => {
    const { path } = write()
    const missing = path.replace(/\d+/, '99999')
    expect((await api.delete(missing.split('/relationships')[0] as string).set('if-none-match', '*')).status).toBe(404)
  })
})

it('compares If-Match first', async () => {
  const { path, send } = WRITES['a PATCH of a versioned resource']()
  const etag = await etagOf(path)
  const both = await api.unchanged(() => send().set({ 'if-match': '"v9"', 'if-none-match': etag }).start())
  expect(outcomeOf(both)).toBe('412 header.if-match If-Match')
  const second = await api.unchanged(() => send().set({ 'if-match': etag, 'if-none-match': etag }).start())
  expect(outcomeOf(second)).toBe(REFUSED)
})

it('refuses a POST to a collection with *, since the collection is there', async () => {
  const post = () => api.post('/teams').send(newResource('teams', { name: `Team ${++count}` }))
  expect(outcomeOf(await api.unchanged(() => post().set('if-none-match', '*').start()))).toBe(REFUSED)
  await post().set('if-none-match', '"v1"').expect(201)
})

it('lets operations through, which are nothing that could match', async () => {
  const name = `Team ${++count}`
  await operateWith(api, { 'if-none-match': '*' }, { op: 'add', ...newResource('teams', { name }) }).expect(200)
})
