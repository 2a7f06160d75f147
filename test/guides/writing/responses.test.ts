import { type ResourceClass, ResourceDefinition, type ResourceWrite } from 'stemma'
import { startApi, type TestApi } from '../../support/api'
import { Boat, Draft, Harbour, Member, Page, Sailboat, Tag, TEAMS, Team, VESSELS } from '../../support/writing-models'

// What a write answers. https://jsonapi.org/format/1.1/#crud

let api: TestApi

/** Sends boats and their kin to the repair dock: what a rule changes besides. */
class BoatRules extends ResourceDefinition<Boat> {
  override readonly resource: ResourceClass = Boat

  override prepareWrite({ kind }: ResourceWrite<Boat>) {
    return kind === 'create' ? { oars: 4 } : undefined
  }

  override beforeWrite({ values }: ResourceWrite<Boat>) {
    return values.name === 'loud' ? { name: 'LOUD' } : undefined
  }

  override addToMany() {}
}

beforeAll(async () => {
  api = await startApi([...TEAMS, ...VESSELS], { definitions: [new BoatRules()] })
})
afterAll(() => api.close())

describe('POST of a resource', () => {
  it.each([
    ['/vessels', 'sailboats'],
    ['/boats', 'sailboats'],
    ['/sailboats', 'sailboats'],
    ['/vessels', 'tugs'],
  ])('at %s answers 201 with a %s, and where it is', async (path, type) => {
    const { status, headers, body } = await api.post(path).send({ data: { type, attributes: { name: 'New' } } })
    const { data, links, included } = body
    expect([status, data.type, included]).toEqual([201, type, undefined])
    expect(headers.location).toBe(`/${type}/${data.id}`)
    expect([data.links.self, links.self]).toEqual([headers.location, headers.location])
    expect((await api.get(data.links.self)).body.data).toEqual(data)
  })

  it('shows what was given by defaults, by rules and by the database', async () => {
    const { body } = await api.post('/boats').send({ data: { type: 'boats', attributes: { name: 'loud' } } })
    expect(body.data.attributes).toEqual({ name: 'LOUD', oars: 4 })
    const page = await api.post('/pages').send({ data: { type: 'pages', attributes: { title: 'One' } } })
    const { createdAt, updatedAt, version } = page.body.data.attributes
    expect([Date.parse(createdAt) > 0, updatedAt, version]).toEqual([true, createdAt, 1])
  })

  it('takes include and fields, of derived types as well', async () => {
    const harbour = await api.add(Harbour, { name: 'Hull' })
    const relationships = { harbour: { data: { type: 'harbours', id: harbour } } }
    const { status, body } = await api
      .post('/vessels?include=harbour,stops&fields[vessels]=name,harbour&fields[harbours]=name')
      .send({ data: { type: 'tugs', attributes: { name: 'Tom' }, relationships } })
    expect([status, body.data.attributes]).toEqual([201, { name: 'Tom', engines: 1 }])
    expect(Object.keys(body.data.relationships)).toEqual(['harbour'])
    expect(body.data.relationships.harbour.data).toEqual({ type: 'harbours', id: harbour })
    expect(body.included).toEqual([
      { type: 'harbours', id: harbour, attributes: { name: 'Hull' }, links: { self: `/harbours/${harbour}` } },
    ])
  })

  it('answers 201 also with a client id, and writes it as text that a URL can hold', async () => {
    const { status, headers, body } = await api.post('/tags').send({ data: { type: 'tags', id: 'a b/é' } })
    expect([status, body.data.id, body.data.attributes]).toEqual([201, 'a b/é', { label: 'plain' }])
    expect(headers.location).toBe('/tags/a%20b%2F%C3%A9')
    expect((await api.get(String(headers.location))).body.data.id).toBe('a b/é')
  })

  it.each([
    ['a taken id', 'tags', { id: 'a b/é' }, 409, 'resource.id-taken', '/data/id'],
    ['no id where one is required', 'tags', {}, 422, 'resource.id-value', '/data'],
    ['an id that URLs lose', 'tags', { id: '..' }, 422, 'resource.id-value', '/data/id'],
    ['an id of no length', 'tags', { id: '' }, 422, 'resource.id-value', '/data/id'],
    ['an id that is too long', 'tags', { id: 'x'.repeat(21) }, 422, 'resource.id-value', '/data/id'],
    ['an id that is no UUID', 'members', { id: '5' }, 422, 'resource.id-value', '/data/id'],
    ['an id where none is allowed', 'teams', { id: '5' }, 403, 'resource.client-id', '/data/id'],
  ])('with %s is refused', async (_what, type, named, status, code, pointer) => {
    const body = { data: { type, ...named, attributes: type === 'tags' ? {} : { name: 'New' } } }
    const answer = await api.unchanged(() => api.post(`/${type}`).send(body))
    expect(answer.status).toBe(status)
    expect(answer.body.errors).toMatchObject([{ code, source: { pointer } }])
  })

  it('holds a UUID in lower case, and gives one where the client has none', async () => {
    const id = '123E4567-E89B-42D3-A456-426614174000'
    const named = await api.post('/members').send({ data: { type: 'members', id, attributes: { name: 'Ann' } } })
    expect([named.status, named.body.data.id]).toEqual([201, id.toLowerCase()])
    await api
      .post('/members')
      .send({ data: { type: 'members', id, attributes: { name: 'Ann' } } })
      .expect(409)
    const unnamed = await api.post('/members').send({ data: { type: 'members', attributes: { name: 'Ann' } } })
    expect(unnamed.body.data.id).toMatch(/^[0-9a-f-]{36}$/)
  })

  it('may be without attributes where none is required', async () => {
    const { status, body } = await api.post('/harbours').send({ data: { type: 'harbours' } })
    expect([status, body.data.attributes]).toEqual([201, { name: 'Port' }])
  })
})

describe('PATCH of a resource', () => {
  const patch = (type: string, id: string, attributes: object, query = '') =>
    api.patch(`/${type}/${id}${query}`).send({ data: { type, id, attributes } })

  it('answers 204 when nothing but what was asked for has changed, and keeps what was not sent', async () => {
    const id = await api.add(Team, { name: 'Red', budget: 5 })
    const { status, text } = await patch('teams', id, { name: 'Dark red' })
    expect([status, text]).toEqual([204, ''])
    expect((await api.get(`/teams/${id}`)).body.data.attributes).toEqual({ name: 'Dark red', budget: 5 })
    await patch('teams', id, { budget: null }).expect(204)
    expect((await api.get(`/teams/${id}`)).body.data.attributes).toEqual({ name: 'Dark red', budget: null })
  })

  it.each(['?include=members', '?fields[teams]=name', '?include=', '?fields[members]=name'])(
    'answers 200 with the resource for %s',
    async (query) => {
      const id = await api.add(Team, { name: `Blue ${query.length}` })
      const { status, body } = await patch('teams', id, { budget: 7 }, query)
      expect([status, body.data.id]).toEqual([200, id])
      expect((await api.get(`/teams/${id}${query}`)).body).toEqual(body)
    },
  )

  it('answers 200 with the resource when its version and its date have changed with it', async () => {
    const id = await api.add(Page, { title: 'One' })
    await api.dataSource.getRepository(Page).update(id, { updatedAt: new Date(0) })
    const { status, body } = await patch('pages', id, { title: 'Two' })
    expect([status, body.data.attributes.title, body.data.attributes.version]).toEqual([200, 'Two', 3])
    expect(Date.parse(body.data.attributes.updatedAt)).toBeGreaterThan(0)
    expect((await api.get(`/pages/${id}`)).body).toEqual(body)
  })

  it('answers 200 with the resource, as it is stored, when a rule has changed something', async () => {
    const id = await api.add(Sailboat, { name: 'Sea' })
    const body = { data: { type: 'boats', id, attributes: { name: 'loud' } } }
    const { status, body: document } = await api.patch(`/vessels/${id}`).send(body)
    expect([status, document.data.type, document.data.links.self]).toEqual([200, 'sailboats', `/sailboats/${id}`])
    expect(document.data.attributes).toMatchObject({ name: 'LOUD', masts: null })
  })

  it('refuses what the server maintains', async () => {
    const id = await api.add(Page, { title: 'One' })
    const attributes = { createdAt: '2020-01-01T00:00:00Z', updatedAt: null, version: 9 }
    const { status, body } = await api.unchanged(() => patch('pages', id, attributes))
    expect(status).toBe(422)
    expect(body.errors).toMatchObject(
      Object.keys(attributes).map((name) => ({
        code: 'attribute.read-only',
        source: { pointer: `/data/attributes/${name}` },
      })),
    )
  })
})

describe('DELETE of a resource', () => {
  it('answers 204, then 404 to everybody', async () => {
    const id = await api.add(Boat, { name: 'Old' })
    const first = await api.delete(`/vessels/${id}`)
    expect([first.status, first.text]).toEqual([204, ''])
    for (const sending of [
      () => api.delete(`/vessels/${id}`),
      () => api.delete(`/boats/${id}`),
      () => api.get(`/boats/${id}`),
      () => api.patch(`/boats/${id}`).send({ data: { type: 'boats', id } }),
    ]) {
      await sending().expect(404)
    }
  })

  it('needs no body, and ignores one', async () => {
    const id = await api.add(Boat, { name: 'Old' })
    await api.delete(`/boats/${id}`).send({ data: 5 }).expect(204)
  })

  it('marks the row where rows only count as deleted; it is gone for everybody all the same', async () => {
    const id = await api.add(Draft, { title: 'One' })
    const page = await api.add(Page, { title: 'Of it', draft: { id } })
    await api.delete(`/drafts/${id}`).expect(204)
    const [row] = await api.dataSource.getRepository(Draft).find({ withDeleted: true })
    expect([String(row?.id), row?.deletedAt instanceof Date]).toEqual([id, true])
    const link = { data: { type: 'drafts', id } }
    const answers = [
      await api.get(`/drafts/${id}`),
      await api.delete(`/drafts/${id}`),
      await api.patch(`/drafts/${id}`).send({ data: { type: 'drafts', id, attributes: { title: 'Two' } } }),
      await api.patch(`/pages/${page}/relationships/draft`).send(link),
      await api.post(`/drafts/${id}/relationships/pages`).send({ data: [] }),
    ]
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404])
    expect((await api.get(`/pages/${page}/relationships/draft`)).body.data).toBeNull()
  })
})

describe('a write at a relationship endpoint', () => {
  it.each([
    ['PATCH', 'lead', null],
    ['PATCH', 'members', []],
    ['POST', 'members', []],
    ['DELETE', 'members', []],
    ['PATCH', 'tags', []],
    ['POST', 'tags', []],
    ['DELETE', 'tags', []],
  ])('%s of %s answers 204 without a body', async (method, name, data) => {
    const id = await api.add(Team, { name: `${method} ${name}` })
    const { status, text } = await api.request(method, `/teams/${id}/relationships/${name}`).send({ data })
    expect([status, text]).toEqual([204, ''])
  })

  it.each(['POST', 'DELETE'])('%s is refused on a to-one relationship, whatever is sent', async (method) => {
    const id = await api.add(Team, { name: `To one ${method}` })
    const member = await api.add(Member, { name: 'Ann' })
    for (const data of [null, [], { type: 'members', id: member }, [{ type: 'members', id: member }], 5]) {
      const sending = () => api.request(method, `/teams/${id}/relationships/lead`).send({ data })
      const { status, body } = await api.unchanged(sending)
      expect([status, body.errors[0].code]).toEqual([403, 'relationship.to-one'])
    }
  })

  it('changes the version and the date of the left-hand resource', async () => {
    const id = await api.add(Page, { title: 'One' })
    const draft = await api.add(Draft, { title: 'One' })
    await api
      .patch(`/pages/${id}/relationships/draft`)
      .send({ data: { type: 'drafts', id: draft } })
      .expect(204)
    expect((await api.get(`/pages/${id}`)).body.data.attributes.version).toBe(2)
  })
})

describe('a resource that is linked from the other side', () => {
  const versionOf = async (id: string) => (await api.get(`/pages/${id}`)).body.data.attributes.version
  const body = (...ids: readonly string[]) => ({ data: ids.map((id) => ({ type: 'pages', id })) })

  it('changes its version when its own link has changed, and only then', async () => {
    const [draft, other] = [await api.add(Draft, { title: 'One' }), await api.add(Draft, { title: 'Two' })]
    const [one, two] = [await api.add(Page, { title: 'One' }), await api.add(Page, { title: 'Two' })]
    const versions = async () => [await versionOf(one), await versionOf(two)]
    await api.post(`/drafts/${draft}/relationships/pages`).send(body(one))
    expect(await versions()).toEqual([2, 1])
    await api.post(`/drafts/${draft}/relationships/pages`).send(body(one, two))
    expect(await versions()).toEqual([2, 2])
    await api.patch(`/drafts/${other}/relationships/pages`).send(body(two))
    expect(await versions()).toEqual([2, 3])
    await api.patch(`/drafts/${draft}/relationships/pages`).send(body())
    expect(await versions()).toEqual([3, 3])
    await api.delete(`/drafts/${other}/relationships/pages`).send(body(one, two))
    expect(await versions()).toEqual([3, 4])
  })
})

describe('HEAD', () => {
  it('answers as GET does, after every write', async () => {
    const id = await api.add(Tag, { id: 'head' })
    for (const path of [`/tags/${id}`, '/tags', `/tags/${id}/relationships/teams`, `/tags/${id}/teams`]) {
      const [head, get] = [await api.request('HEAD', path), await api.get(path)]
      expect([head.status, head.text]).toEqual([200, ''])
      expect(head.headers['content-length']).toBe(get.headers['content-length'])
    }
  })
})

describe('links and Location', () => {
  it('begin with the path that the API is mounted under', async () => {
    const mounted = await startApi(VESSELS, { mountPath: '/a/b' })
    const body = { data: { type: 'tugs', attributes: { name: 'Tom' } } }
    const { status, headers, body: document } = await mounted.post('/a/b/vessels').send(body)
    expect([status, headers.location]).toEqual([201, `/a/b/tugs/${document.data.id}`])
    expect(document.data.links.self).toBe(headers.location)
    expect(document.data.relationships.harbour.links.self).toBe(`${document.data.links.self}/relationships/harbour`)
    await mounted.close()
  })
})
