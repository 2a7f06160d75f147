import type { TestApi } from '../../support/api'
import { keysOf, outcomeOf, resourceKeys } from '../../support/expectations'
import { ANN, BOB, many, NOBODY, one, startOffice } from './support/office'

// POST of a resource.

let api: TestApi
beforeAll(async () => {
  api = await startOffice()
})
afterAll(() => api.close())

const team = (name: string, relationships: object = {}) => ({
  data: { type: 'teams', attributes: { name }, relationships },
})

it('E-01: answers 201 with all that is stored, and where', async () => {
  const { status, headers, body } = await api.post('/teams').send(team('E-01'))
  const { id, attributes, relationships, links } = body.data
  expect([status, headers.location, links.self]).toEqual([201, `/teams/${id}`, `/teams/${id}`])
  expect(attributes).toEqual({ name: 'E-01', budget: null })
  expect(relationships.lead).toEqual({
    links: { self: `/teams/${id}/relationships/lead`, related: `/teams/${id}/lead` },
  })
})

it.each([
  ['E-02: Location has no query string', '/tags?include=teams', 'plain', '/tags/plain'],
  ['E-02: and no slash of the URL', '/tags/', 'slash', '/tags/slash'],
  ['E-02: an id is written as URLs need it', '/tags', 'a b', '/tags/a%20b'],
])('%s', async (_rule, path, id, location) => {
  const { headers } = await api.post(path).send({ data: { type: 'tags', id } })
  expect(headers.location).toBe(location)
})

it('E-02: Location is absolute where links are', async () => {
  const absolute = await startOffice({ links: { base: 'https://example.org' } })
  const { headers } = await absolute.post('/tags').send({ data: { type: 'tags', id: 'x' } })
  expect(headers.location).toBe('https://example.org/tags/x')
  await absolute.close()
})

it('E-03: overruled: links.self is where the document can be read again; there are no pages', async () => {
  const { headers, body } = await api.post('/teams').send(team('E-03'))
  expect(body.links).toEqual({ self: headers.location })
})

it('E-04: overruled: a client id is answered with a document too', async () => {
  const { status, headers, body } = await api.post('/tags').send({
    data: { type: 'tags', id: 'E-04', attributes: { label: 'x' } },
  })
  expect([status, headers.location, body.data.id]).toEqual([201, '/tags/E-04', 'E-04'])
})

it('E-05: may be without fields', async () => {
  await api
    .post('/members')
    .send({
      data: { type: 'members', attributes: { name: 'x' }, relationships: {} },
    })
    .expect(201)
  await api
    .post('/tags')
    .send({ data: { type: 'tags', id: 'E-05' } })
    .expect(201)
})

it('E-06: links to resources of all kinds of relationship at once', async () => {
  const relationships = {
    ...{ lead: one('members', BOB), whole: one('teams', '1') },
    ...{ members: many('members', ANN), tags: many('tags', 'old', 'new') },
  }
  const answer = await api.post('/teams?include=lead,whole,members,tags').send(team('E-06', relationships)).expect(201)
  const included = [`members ${ANN}`, `members ${BOB}`, 'tags new', 'tags old', 'teams 1']
  expect(keysOf(answer.body.included).toSorted()).toEqual(included)
})

it('E-07: a member that is named twice is one', async () => {
  const { body } = await api.post('/teams').send(team('E-07', { tags: many('tags', 'old', 'old') }))
  expect(resourceKeys(await api.get(`/teams/${body.data.id}/relationships/tags`))).toEqual(['tags old'])
})

it('E-08: linkage is shown of what is included', async () => {
  const relationships = { tags: many('tags', 'old'), lead: one('members', ANN) }
  const { body } = await api.post('/teams?include=tags').send(team('E-08', relationships))
  expect(body.data.relationships.tags.data).toEqual([{ type: 'tags', id: 'old' }])
  expect(body.data.relationships.lead).not.toHaveProperty('data')
  expect(body.included).toMatchObject([{ type: 'tags', id: 'old' }])
})

it.each([
  [
    'E-09: a missing member',
    { members: many('members', ANN, NOBODY) },
    '404 related.not-found /data/relationships/members/data/1',
  ],
  ['E-09: a taken value', { members: many('members', ANN) }, '409 constraint.unique /data/attributes/name'],
])('%s leaves everything as it was', async (_rule, relationships, expected) => {
  expect(outcomeOf(await api.unchanged(() => api.post('/teams').send(team('Red', relationships))))).toBe(expected)
})

it('E-10: nothing is counted', async () => {
  expect((await api.post('/teams').send(team('E-10'))).body).not.toHaveProperty('meta')
})
