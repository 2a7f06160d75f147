import { Attribute, equals, not, type ResourceDefinition } from 'stemma'
import { Column, PrimaryGeneratedColumn, UpdateDateColumn, VersionColumn } from 'typeorm'
import { define, setUp, startApi, useApi } from '../../support/api'
import { DATABASE } from '../../support/database'
import { createResource, newResource, resource, toMany, toOne, updateResource } from '../../support/documents'
import { errorsOf, outcomeOf } from '../../support/expectations'
import { operate } from '../../support/operate'
import { StoredResource } from '../../support/resource-decorators'
import { startServer } from '../../support/server'
import { Boat, Harbour, Member, Page, Sailboat, Tag, TEAMS, Team, VESSELS } from '../../support/writing-models'

// https://jsonapi.org/format/1.1/#crud, https://www.rfc-editor.org/rfc/rfc7240#section-4.2

const boatRules = define(Boat, {
  prepareWrite: ({ kind }) => (kind === 'create' ? { oars: 4 } : undefined),
  beforeWrite: ({ values }) => (values.name === 'loud' ? { name: 'LOUD' } : undefined),
})

type TeamHooks = Partial<Pick<ResourceDefinition<Team>, 'prepareWrite' | 'beforeWrite' | 'setToMany'>>
let hooks: TeamHooks = {}
beforeEach(() => {
  hooks = {}
})
const teamRules = define(Team, {
  prepareWrite: (...given) => hooks.prepareWrite?.(...given),
  beforeWrite: (...given) => hooks.beforeWrite?.(...given),
  setToMany: (...given) => hooks.setToMany?.(...given),
  meta: ({ instance }) => ({ letters: instance.name.length }),
})

const BASE = 'https://example.org'
const api = setUp(() => startApi([...TEAMS, ...VESSELS], { definitions: [boatRules] }))
/** The same rows with rules of teams, and with links and meta of the application. */
const ruled = setUp(() =>
  startServer({
    ...{ dataSource: api.dataSource, resources: TEAMS, definitions: [teamRules] },
    ...{ links: { base: BASE }, meta: ({ method }) => ({ method }) },
  }),
)
let count = 0
let ann: string
beforeAll(async () => {
  for (const name of ['Red', 'Blue']) await api.add(Team, { name, budget: 5 })
  await api.add(Page, { title: 'One' })
  await api.add(Tag, { id: 'a' })
  ann = await api.add(Member, { name: 'Ann' })
})

const createTeam = (query: string, relationships: object = {}) =>
  ruled.post(`/teams${query}`).send(newResource('teams', { name: `Team ${++count}` }, relationships))

it('returns the resource if the database may change an attribute with the row', async () => {
  const INSTANT = DATABASE === 'sqlite' ? 'datetime' : 'timestamp'
  class Trace {
    @Column({ type: 'int', default: 0 }) place: number
    @UpdateDateColumn() seenAt: Date
    @VersionColumn() count: number
  }
  @StoredResource('marks')
  class Mark {
    @PrimaryGeneratedColumn() id: number
    @Attribute() @Column({ type: 'int', default: 0 }) value: number
    @Attribute() @Column({ type: INSTANT, default: () => 'CURRENT_TIMESTAMP', onUpdate: 'CURRENT_TIMESTAMP' }) at: Date
  }
  @StoredResource('steps', { clientGeneratedIds: 'allowed' })
  class Step {
    @PrimaryGeneratedColumn() id: number
    @Attribute() @Column({ type: 'int', default: 0 }) value: number
    @Attribute() @Column(() => Trace) trace: Trace
  }
  await useApi(startApi([Mark, Step]), async (server) => {
    await Promise.all([server.add(Mark), server.add(Step)])
    for (const type of ['marks', 'steps']) await updateResource(server, type, '1', { value: 1 }).expect(200)
    const place = { trace: { place: 5 } }
    const { trace } = (await createResource(server, 'steps', place).expect(201)).body.data.attributes
    const updated = (await updateResource(server, 'steps', '2', place).expect(200)).body.data.attributes.trace
    expect([trace, updated]).toMatchObject([1, 2].map((version) => ({ place: 5, count: version })))
    expect(updated.seenAt > trace.seenAt).toBe(true)
    const whole = resource('steps', '9', { value: 1, ...place })
    await server.post('/steps').set('Prefer', 'return=minimal').send(whole).expect(201)
    const maintained = { seenAt: '2001-01-01T00:00:00Z', count: 9 }
    const { status, body } = await updateResource(server, 'steps', '2', { trace: { place: 5, ...maintained } })
    const expected = Object.keys(maintained).map((name) => ({
      source: { pointer: `/data/attributes/trace/${name}` },
      detail: `Expected no value for 'trace.${name}', which the server maintains.`,
    }))
    expect([status, body.errors]).toMatchObject([422, expected])
  })
})

describe('POST of a resource', () => {
  it('returns the values of rules and of the database', async () => {
    const { body } = await createResource(api, 'boats', { name: 'loud' })
    expect(body.data.attributes).toEqual({ name: 'LOUD', oars: 4 })
    const page = await createResource(api, 'pages', { title: 'One' })
    const { createdAt, updatedAt, version } = page.body.data.attributes
    expect([Date.parse(createdAt) > 0, updatedAt, version]).toEqual([true, createdAt, 1])
  })

  it('supports include and fields, of derived types as well', async () => {
    const id = await api.add(Harbour, { name: 'Hull' })
    const { body } = await api
      .post('/vessels?include=harbour,stops&fields[vessels]=name,harbour&fields[harbours]=name')
      .send(newResource('tugs', { name: 'Tom' }, { harbour: toOne('harbours', id) }))
      .expect(201)
    expect(body.data.attributes).toEqual({ name: 'Tom', engines: 1 })
    expect(Object.keys(body.data.relationships)).toEqual(['harbour'])
    expect(body.data.relationships.harbour.data).toEqual({ type: 'harbours', id })
    expect(body.included).toEqual([
      { type: 'harbours', id, attributes: { name: 'Hull' }, links: { self: `/harbours/${id}` } },
    ])
  }) // anchor: W/Q-03

  it.each([
    ['/tags?include=teams', 'plain', '/tags/plain'],
    ['/tags/', 'slash', '/tags/slash'],
    ['/tags', 'a b', '/tags/a%20b'],
  ])('has the URL of the resource in Location and links.self: %s', async (path, id, location) => {
    const { headers, body } = await ruled.post(path).send(resource('tags', id))
    const self = `${BASE}${location}`
    expect([headers.location, body.data.links.self]).toEqual([self, self])
    expect(body.links.self.split('?')[0]).toBe(self)
  }) // anchor: W/E-02, W/E-03

  it('has links of relationships and of included resources', async () => {
    const lead = toOne('members', ann)
    const { data, included } = (await createTeam('?include=lead', { lead, tags: toMany('tags', 'a') })).body
    const self = `${BASE}/teams/${data.id}`
    const links = { self: `${self}/relationships/lead`, related: `${self}/lead` }
    expect(data.relationships.lead).toEqual({ links, ...lead })
    expect(data.relationships.tags).not.toHaveProperty('data')
    expect(included[0].links).toEqual({ self: `${BASE}/members/${ann}` })
  }) // anchor: W/E-01, W/E-08, W/Q-04

  it('has the meta of the application and of the definition, and no total', async () => {
    const { meta, data } = (await createTeam('')).body
    expect([meta, data.meta]).toEqual([{ method: 'POST' }, { letters: data.attributes.name.length }])
  }) // anchor: W/E-10, W/Q-06

  it('is refused with a query parameter that the application does not allow', async () => {
    await useApi(startApi(TEAMS, { parameters: ['fields'] }), async (server) => {
      const sending = () => server.post('/tags?include=teams').send(resource('tags', 'new'))
      expect(outcomeOf(await server.unchanged(sending))).toBe('400 query.not-allowed include')
    })
  }) // anchor: W/A-14
})

describe('PATCH of a resource', () => {
  const patch = (type: string, id: string, attributes: object, query = '') =>
    api.patch(`/${type}/${id}${query}`).send(resource(type, id, attributes))

  it.each(['?include=members', '?fields[teams]=name', '?include=', '?fields[members]=name'])(
    'returns 200 with the resource for %s',
    async (query) => {
      const { body } = await patch('teams', '1', { budget: 7 }, query).expect(200)
      expect(body.data.id).toBe('1')
      expect((await api.get(`/teams/1${query}`)).body).toEqual(body)
    },
  ) // anchor: W/Q-01

  it('returns 200 with the resource, of its stored type, when a rule changes it', async () => {
    const id = await api.add(Sailboat, { name: 'Sea' })
    const { body } = await api.patch(`/vessels/${id}`).send(resource('boats', id, { name: 'loud' }))
    expect([body.data.type, body.data.links.self]).toEqual(['sailboats', `/sailboats/${id}`])
    expect(body.data.attributes).toMatchObject({ name: 'LOUD', masts: null })
  }) // anchor: W/HP-10

  const update = (members: object) => ruled.patch('/teams/2').send({ data: { type: 'teams', id: '2', ...members } })

  it.each([
    ['200 when a rule changes a value that was sent', 'beforeWrite', { budget: 1 }, { budget: 2 }, 200],
    ['204 when a rule returns the value that was sent', 'beforeWrite', { budget: 1 }, { budget: 1 }, 204],
    ['200 when a rule changes another value', 'beforeWrite', { name: 'Green' }, { budget: 3 }, 200],
    ['204 when a rule returns the stored value', 'beforeWrite', { name: 'Green' }, { budget: 3 }, 204],
    ['200 when prepareWrite changes a value', 'prepareWrite', { name: 'Grey' }, { budget: 77 }, 200],
  ] as const)('returns %s', async (_title, hook, attributes, returned, status) => {
    hooks[hook] = () => returned
    const { body } = await update({ attributes }).expect(status)
    if (status === 200) expect(body.data).toEqual((await ruled.get('/teams/2')).body.data)
    expect((await ruled.get('/teams/2')).body.data.attributes).toMatchObject(returned)
  }) // anchor: W/G-02, W/G-03, W/G-05

  it('returns 200 when a rule changes a relationship', async () => {
    const relationships = { tags: toMany('tags', 'a') }
    await update({ relationships }).expect(204)
    hooks.setToMany = () => []
    await update({ relationships }).expect(200)
  }) // anchor: W/G-04

  it('returns 422 for dates and versions that the server sets, as POST does', async () => {
    const attributes = { createdAt: '2020-01-01T00:00:00Z', updatedAt: null, version: 9 }
    const expected = Object.keys(attributes).map((name) => `422 attribute.read-only /data/attributes/${name}`)
    const requests = [
      () => patch('pages', '1', attributes),
      () => createResource(api, 'pages', { title: 'x', ...attributes }),
    ]
    for (const request of requests) expect(errorsOf(await api.unchanged(request))).toEqual(expected)
  })
})

const FULL = 'return=representation'
const MINIMAL = 'return=minimal'

describe('Prefer', () => {
  const tag = toMany('tags', 'a')
  const WRITES: Readonly<Record<string, () => readonly [method: string, path: string, body: unknown]>> = {
    'a change': () => ['PATCH', '/teams/1', resource('teams', '1', { budget: ++count })],
    'a change with fields': () => ['PATCH', '/teams/1?fields[teams]=name', toOne('teams', '1')],
    'a change that changes more': () => ['PATCH', '/pages/1', resource('pages', '1', { title: 'T' })],
    'a new resource': () => ['POST', '/teams', newResource('teams', { name: `Team ${++count}` })],
    'a new one as sent': () => ['POST', '/tags', resource('tags', `t${++count}`, { label: 'x' })],
    'a new one with a default': () => ['POST', '/tags', toOne('tags', `t${++count}`)],
    'a set linkage': () => ['PATCH', '/teams/1/relationships/tags', tag],
    'an added member': () => ['POST', '/teams/1/relationships/tags', tag],
    'a removed member': () => ['DELETE', '/teams/1/relationships/tags', tag],
    'a deletion': () => ['DELETE', `/tags/t${++count}`, undefined],
  }

  async function write(what: string, prefer?: string): Promise<string> {
    const [method, path, body] = WRITES[what]?.() ?? ['', '', undefined]
    if (method === 'DELETE' && body === undefined) await api.add(Tag, { id: path.slice('/tags/'.length) })
    const sending = api.request(method, path).send(body)
    const { status, headers } = await (prefer === undefined ? sending : sending.set({ prefer }))
    return [status, headers['preference-applied']].filter(Boolean).join(' ')
  }

  it.each([
    ['a change', '204', `200 ${FULL}`, `204 ${MINIMAL}`],
    ['a change with fields', '200', `200 ${FULL}`, `204 ${MINIMAL}`],
    ['a change that changes more', '200', `200 ${FULL}`, '200'],
    ['a new resource', '201', `201 ${FULL}`, '201'],
    ['a new one as sent', '201', `201 ${FULL}`, `204 ${MINIMAL}`],
    ['a new one with a default', '201', `201 ${FULL}`, '201'],
    ['a set linkage', '204', `200 ${FULL}`, `204 ${MINIMAL}`],
    ['an added member', '204', `200 ${FULL}`, `204 ${MINIMAL}`],
    ['a removed member', '204', `200 ${FULL}`, `204 ${MINIMAL}`],
    ['a deletion', '204', '204', `204 ${MINIMAL}`],
  ])(
    'makes %s return %s without it, %s for a representation, and %s for a minimal response',
    async (what, ...expected) => {
      expect([await write(what), await write(what, FULL), await write(what, MINIMAL)]).toEqual(expected)
    },
  )

  it.each([
    ['in small and large letters', 'RETURN=representation', `200 ${FULL}`],
    ['in quotes', 'return="representation"', `200 ${FULL}`],
    ['among others, with parameters', 'wait=10, a="b,return=minimal", return = representation; x=1', `200 ${FULL}`],
    ['the first of two', 'return=representation, return=minimal', `200 ${FULL}`],
    ['an unknown value', 'return=everything', '204'],
    ['another preference', 'respond-async', '204'],
  ])('is read when it is %s', async (_what, prefer, expected) => expect(await write('a change', prefer)).toBe(expected))

  it('return=representation returns the document and ETag of a GET', async () => {
    const changed = await updateResource(api, 'teams', '1', { budget: ++count }).set({ prefer: FULL })
    const read = await api.get('/teams/1')
    expect([changed.text, changed.headers.etag]).toEqual([read.text, read.headers.etag])
  })
})

describe("updates: 'document'", () => {
  const renamed = define(Boat, { filter: () => not(equals('name', 'sunk')) })
  const answering = setUp(() =>
    startServer({
      dataSource: api.dataSource,
      resources: [...TEAMS, ...VESSELS],
      definitions: [renamed],
      updates: 'document',
      operations: {},
    }),
  )
  const patch = (type: string, id: string, attributes: object) =>
    answering.patch(`/${type}/${id}`).send(resource(type, id, attributes))

  it('returns 200 with the document and ETag of a GET where nothing else was changed', async () => {
    const { text, headers } = await patch('teams', '1', { budget: ++count }).expect(200)
    const read = await answering.get('/teams/1')
    expect([text, headers.etag]).toEqual([read.text, read.headers.etag])
    expect(JSON.parse(text).data.attributes.budget).toBe(count)
    await patch('teams', '1', {}).expect(200)
  })

  it('returns 204 for return=minimal, and 200 where more was changed', async () => {
    const { headers } = await patch('teams', '1', { budget: ++count }).set({ prefer: MINIMAL }).expect(204)
    expect(headers['preference-applied']).toBe(MINIMAL)
    const page = await patch('pages', '1', { title: 'New' }).set({ prefer: MINIMAL }).expect(200)
    expect(page.headers['preference-applied']).toBeUndefined()
  })

  it('returns 200 with meta alone when the client can no longer see the resource', async () => {
    const sink = async (prefer?: string) => {
      const request = patch('sailboats', await api.add(Sailboat, { name: 'Sea' }), { name: 'sunk' })
      const { status, headers, body } = await (prefer === undefined ? request : request.set({ prefer }))
      return [status, headers['preference-applied'], 'data' in body, body.meta]
    }
    expect(await sink()).toEqual([200, undefined, false, {}])
    expect(await sink(FULL)).toEqual([200, undefined, false, {}])
    expect(await sink(MINIMAL)).toEqual([204, MINIMAL, false, undefined])
    const id = await api.add(Sailboat, { name: 'Sea' })
    const { etag } = (await answering.get(`/sailboats/${id}`)).headers
    const meta = { version: etag?.slice(1).split('.')[0] }
    await operate(answering, { op: 'update', ...resource('sailboats', id, { name: 'sunk' }), meta }).expect(204)
  })

  it('leaves relationship endpoints and deletions as they are', async () => {
    await answering.patch('/teams/1/relationships/tags').send(toMany('tags', 'a')).expect(204)
    const id = await api.add(Team, { name: `Team ${++count}` })
    await answering.delete(`/teams/${id}`).expect(204)
  })
})
