import { ResourceDefinition, type StoredRecord } from 'stemma'
import type { TestApi } from '../../support/api'
import { outcomeOf } from '../../support/expectations'
import { Team } from '../../support/writing-models'
import { ANN, many, one, startOffice } from './support/office'

// What `include` and `fields` make of the answer to a write, its links, and its meta.

class TeamMeta extends ResourceDefinition<Team> {
  override readonly resource = Team
  override meta({ instance }: StoredRecord<Team>) {
    return { letters: instance.name.length }
  }
}

const BASE = 'https://example.org'
let api: TestApi
beforeAll(async () => {
  api = await startOffice({
    definitions: [new TeamMeta()],
    links: { base: BASE },
    meta: ({ method }) => ({ method }),
  })
})
afterAll(() => api.close())

let count = 0
const create = (query: string, relationships: object = {}) =>
  api.post(`/teams${query}`).send({ data: { type: 'teams', attributes: { name: `Team ${++count}` }, relationships } })
const update = (query: string, members: object = {}) =>
  api.patch(`/teams/2${query}`).send({ data: { type: 'teams', id: '2', ...members } })

it.each([
  ['Q-01: include is for the answer to a POST', create],
  ['Q-01: and to a PATCH', update],
])('%s', async (_rule, write) => {
  const relationships = { lead: one('members', ANN), tags: many('tags', 'old') }
  const query = '?include=lead,tags&fields[teams]=name,lead,tags&fields[members]=name'
  const { data, included } = (
    write === create ? await create(query, relationships) : await update(query, { relationships })
  ).body
  expect(Object.keys(data.attributes)).toEqual(['name'])
  expect(data.relationships).toMatchObject(relationships)
  expect(included).toMatchObject([{ id: ANN, attributes: { name: 'Ann' } }, { id: 'old' }])
  expect(Object.keys(included[0])).not.toContain('relationships')
})

it('Q-02: overruled: a fieldset asks for the resource, so it is answered', async () => {
  const { status, body } = await update('?fields[teams]=budget', { attributes: { name: 'Q-02' } })
  expect([status, body.data.attributes]).toEqual([200, { budget: null }])
})

it.each([
  ['Q-03: without relationships in the fieldset there are none', '?fields[teams]=name', ['attributes']],
  ['Q-03: without fields there is neither', '?fields[teams]=', []],
  ['Q-03: without attributes there are none', '?fields[teams]=lead', ['relationships']],
])('%s', async (_rule, query, members) => {
  const { data } = (await create(query)).body
  expect(Object.keys(data).filter((name) => ['attributes', 'relationships'].includes(name))).toEqual(members)
})

it.each([
  ['Q-04: links are those of reading', '?include=lead'],
  ['Q-04: of relationships and of what is included too', '?include=lead&fields[teams]=lead'],
])('%s', async (_rule, query) => {
  const { data, included } = (await create(query, { lead: one('members', ANN) })).body
  const self = `${BASE}/teams/${data.id}`
  expect(data.links).toEqual({ self })
  expect(data.relationships.lead.links).toEqual({ self: `${self}/relationships/lead`, related: `${self}/lead` })
  expect(included[0].links).toEqual({ self: `${BASE}/members/${ANN}` })
})

it.each([
  ['Q-05: a query parameter that is not known', '?nothing=1', '400 query.unknown nothing'],
  ['Q-05: one that means nothing here', '?sort=name', '400 query.not-allowed sort'],
  ['Q-05: an include of nothing', '?include=nothing', '400 query.include include'],
  ['Q-05: a blank include', '?include=%20', '400 query.include include'],
])('%s is refused before anything is written', async (_rule, query, expected) => {
  for (const sending of [() => create(query), () => update(query)]) {
    expect(outcomeOf(await api.unchanged(sending))).toBe(expected)
  }
})

it('Q-06: has the meta of the application and that of rules', async () => {
  for (const [{ body }, method] of [
    [await create(''), 'POST'],
    [await update('?include='), 'PATCH'],
  ] as const) {
    expect(body.meta).toEqual({ method })
    expect(body.data.meta).toEqual({ letters: body.data.attributes.name.length })
  }
})
