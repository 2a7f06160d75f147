import { type ResourceClass, ResourceDefinition, type ResourceWrite } from 'stemma'
import { startApi } from '../../support/api'
import { createResource, newResource, resource, toMany, toOne, updateResource } from '../../support/documents'
import { errorsOf } from '../../support/expectations'
import { setUp } from '../../support/set-up'
import { Boat, Harbour, Page, Sailboat, Tag, TEAMS, Team, VESSELS } from '../../support/writing-models'

// https://jsonapi.org/format/1.1/#crud, https://www.rfc-editor.org/rfc/rfc7240#section-4.2

const api = setUp(() => startApi([...TEAMS, ...VESSELS], { definitions: [new BoatRules()] }))
let count = 0

class BoatRules extends ResourceDefinition<Boat> {
  override readonly resource: ResourceClass = Boat

  override prepareWrite({ kind }: ResourceWrite<Boat>) {
    return kind === 'create' ? { oars: 4 } : undefined
  }

  override beforeWrite({ values }: ResourceWrite<Boat>) {
    return values.name === 'loud' ? { name: 'LOUD' } : undefined
  }
}

beforeAll(async () => {
  await api.add(Team, { name: 'Red', budget: 5 })
  await api.add(Page, { title: 'One' })
  await api.add(Tag, { id: 'a' })
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
  })
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
  )

  it('returns 200 with the resource when its version and date change', async () => {
    const id = await api.add(Page, { title: 'One' })
    await api.dataSource.getRepository(Page).update(id, { updatedAt: new Date(0) })
    const { body } = await patch('pages', id, { title: 'Two' }).expect(200)
    expect(body.data.attributes).toMatchObject({ title: 'Two', version: 3 })
    expect(Date.parse(body.data.attributes.updatedAt)).toBeGreaterThan(0)
    expect((await api.get(`/pages/${id}`)).body).toEqual(body)
  })

  it('returns 200 with the resource, of its stored type, when a rule changes it', async () => {
    const id = await api.add(Sailboat, { name: 'Sea' })
    const { body } = await api
      .patch(`/vessels/${id}`)
      .send(resource('boats', id, { name: 'loud' }))
      .expect(200)
    expect([body.data.type, body.data.links.self]).toEqual(['sailboats', `/sailboats/${id}`])
    expect(body.data.attributes).toMatchObject({ name: 'LOUD', masts: null })
  }) // anchor: W/HP-10

  it('and POST return 422 for dates and versions that the server sets', async () => {
    const attributes = { createdAt: '2020-01-01T00:00:00Z', updatedAt: null, version: 9 }
    const expected = Object.keys(attributes).map((name) => `422 attribute.read-only /data/attributes/${name}`)
    const requests = [
      () => patch('pages', '1', attributes),
      () => createResource(api, 'pages', { title: 'x', ...attributes }),
    ]
    for (const request of requests) expect(errorsOf(await api.unchanged(request))).toEqual(expected)
  })
})

it('DELETE of a resource ignores a body', async () => {
  const id = await api.add(Boat, { name: 'Old' })
  await api.delete(`/vessels/${id}`).send({ data: 5 }).expect(204)
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
  ])('is read when it is %s', async (_what, prefer, expected) => {
    expect(await write('a change', prefer)).toBe(expected)
  })

  it('return=representation returns the document and ETag of a GET', async () => {
    const changed = await updateResource(api, 'teams', '1', { budget: ++count }).set({ prefer: FULL })
    const read = await api.get('/teams/1')
    expect([changed.text, changed.headers.etag]).toEqual([read.text, read.headers.etag])
  })
})
