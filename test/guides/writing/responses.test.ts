import { ResourceDefinition, type StoredRecord } from 'stemma'
import { startApi, type TestApi, using } from '../../support/api'
import { outcomeOf } from '../../support/expectations'
import { Member, Tag, TEAMS, Team } from '../../support/writing-models'

const ANN = '11111111-1111-4111-8111-111111111111'
const BASE = 'https://example.org'

/** What the rules of teams return in a test. */
let hooks: Partial<Pick<ResourceDefinition<Team>, 'prepareWrite' | 'beforeWrite' | 'setToMany'>> = {}

class TeamRules extends ResourceDefinition<Team> {
  override readonly resource = Team

  override prepareWrite(...given: Parameters<ResourceDefinition<Team>['prepareWrite']>) {
    return hooks.prepareWrite?.(...given)
  }

  override beforeWrite(...given: Parameters<ResourceDefinition<Team>['beforeWrite']>) {
    return hooks.beforeWrite?.(...given)
  }

  override setToMany(...given: Parameters<ResourceDefinition<Team>['setToMany']>) {
    return hooks.setToMany?.(...given)
  }

  override meta({ instance }: StoredRecord<Team>) {
    return { letters: instance.name.length }
  }
}

let api: TestApi
beforeAll(async () => {
  const definitions = [new TeamRules()]
  api = await startApi(TEAMS, { definitions, links: { base: BASE }, meta: ({ method }) => ({ method }) })
  for (const name of ['Red', 'Blue']) await api.add(Team, { name })
  await api.add(Member, { id: ANN, name: 'Ann' })
  await api.add(Tag, { id: 'old' })
})
afterAll(() => api.close())
beforeEach(() => {
  hooks = {}
})

const LEAD = { data: { type: 'members', id: ANN } }
const TAGS = { data: [{ type: 'tags', id: 'old' }] }

let count = 0
const create = (query: string, relationships: object = {}) =>
  api.post(`/teams${query}`).send({ data: { type: 'teams', attributes: { name: `Team ${++count}` }, relationships } })
const update = (query: string, members: object) =>
  api.patch(`/teams/2${query}`).send({ data: { type: 'teams', id: '2', ...members } })

describe('the response to POST', () => {
  it.each([
    ['/tags?include=teams', 'plain', '/tags/plain'],
    ['/tags/', 'slash', '/tags/slash'],
    ['/tags', 'a b', '/tags/a%20b'],
  ])('has the URL of the resource in Location and links.self: %s', async (path, id, location) => {
    const { headers, body } = await api.post(path).send({ data: { type: 'tags', id } })
    const self = `${BASE}${location}`
    expect([headers.location, body.data.links.self]).toEqual([self, self])
    expect(body.links.self.split('?')[0]).toBe(self)
  }) // anchor: W/E-02, W/E-03

  it('has links of relationships and of included resources', async () => {
    const { data, included } = (await create('?include=lead', { lead: LEAD, tags: TAGS })).body
    const self = `${BASE}/teams/${data.id}`
    const links = { self: `${self}/relationships/lead`, related: `${self}/lead` }
    expect(data.relationships.lead).toEqual({ links, ...LEAD })
    expect(data.relationships.tags).not.toHaveProperty('data')
    expect(included[0].links).toEqual({ self: `${BASE}/members/${ANN}` })
  }) // anchor: W/E-01, W/E-08, W/Q-04

  it.each([
    ['?fields[teams]=name', ['attributes']],
    ['?fields[teams]=', []],
    ['?fields[teams]=lead', ['relationships']],
  ])('has only the members with fields of %s', async (query, members) => {
    const { data } = (await create(query)).body
    expect(Object.keys(data).filter((name) => ['attributes', 'relationships'].includes(name))).toEqual(members)
  }) // anchor: W/Q-03

  it('has the meta of the application and of the definition, and no total', async () => {
    const { meta, data } = (await create('')).body
    expect([meta, data.meta]).toEqual([{ method: 'POST' }, { letters: data.attributes.name.length }])
  }) // anchor: W/E-10, W/Q-06
})

describe('the response to PATCH', () => {
  it('applies include and fields', async () => {
    const query = '?include=lead,tags&fields[teams]=name,lead,tags&fields[members]=name'
    const { data, included, meta } = (await update(query, { relationships: { lead: LEAD, tags: TAGS } })).body
    expect(Object.keys(data.attributes)).toEqual(['name'])
    expect(data.relationships).toMatchObject({ lead: LEAD, tags: TAGS })
    expect(included).toMatchObject([{ id: ANN, attributes: { name: 'Ann' } }, { id: 'old' }])
    expect(Object.keys(included[0])).not.toContain('relationships')
    expect(meta).toEqual({ method: 'PATCH' })
  }) // anchor: W/Q-01, W/Q-06

  it.each([
    ['200 when a rule changes a value that was sent', { budget: 1 }, { budget: 2 }, 200],
    ['204 when a rule returns the value that was sent', { budget: 1 }, { budget: 1 }, 204],
    ['200 when a rule changes another value', { name: 'Green' }, { budget: 3 }, 200],
    ['204 when a rule returns the stored value', { name: 'Green' }, { budget: 3 }, 204],
  ])('is %s', async (_title, attributes, returned, status) => {
    hooks.beforeWrite = () => returned
    const { body } = await update('', { attributes }).expect(status)
    if (status === 200) expect(body.data).toEqual((await api.get('/teams/2')).body.data)
  }) // anchor: W/G-02, W/G-03

  it('is 200 when prepareWrite changes a value', async () => {
    hooks.prepareWrite = () => ({ budget: 77 })
    const { body } = await update('', { attributes: { name: 'Grey' } }).expect(200)
    expect(body.data.attributes.budget).toBe(77)
  }) // anchor: W/G-05

  it('is 200 when a rule changes a relationship', async () => {
    await update('', { relationships: { tags: TAGS } }).expect(204)
    hooks.setToMany = () => []
    await update('', { relationships: { tags: TAGS } }).expect(200)
  }) // anchor: W/G-04
})

it('POST is refused with a query parameter that the application does not allow', async () => {
  await using(startApi(TEAMS, { parameters: ['fields'] }), async (server) => {
    const sending = () => server.post('/tags?include=teams').send({ data: { type: 'tags', id: 'new' } })
    expect(outcomeOf(await server.unchanged(sending))).toBe('400 query.not-allowed include')
  })
}) // anchor: W/A-14
