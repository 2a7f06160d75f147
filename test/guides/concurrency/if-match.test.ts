import { ConfigurationError, createJsonApi, JsonApiError, Resource, ResourceDefinition, ToMany, ToOne } from 'stemma'
import type { Response } from 'supertest'
import { DeleteDateColumn, Entity, JoinTable, ManyToMany, ManyToOne, OneToMany, PrimaryGeneratedColumn } from 'typeorm'
import { startApi, type TestApi } from '../../support/api'
import { DATETIME } from '../../support/database'
import { newResource, resource, toMany, toOne } from '../../support/documents'
import { Human, type HumansApi, Man, startHumans, Woman } from '../../support/humans'
import { startServer } from '../../support/server'
import { Member, Tag, TEAMS, Team } from '../../support/writing-models'

// https://www.rfc-editor.org/rfc/rfc9110#section-13.1.1

/** Its members only count as deleted; nobody writes to it without saying which state is meant. */
@Resource('folders', { ifMatch: 'required' })
@Entity()
class Folder {
  @PrimaryGeneratedColumn() id!: number
  @ToMany() @OneToMany('Sheet', 'folder') sheets!: Sheet[]
  @ToMany() @ManyToMany('Sheet', 'copies') @JoinTable() copied!: Sheet[]
}

@Resource('sheets')
@Entity()
class Sheet {
  @PrimaryGeneratedColumn() id!: number
  @DeleteDateColumn(DATETIME) deletedAt!: Date | null
  @ToOne() @ManyToOne('Folder', 'sheets', { nullable: true }) folder!: Folder | null
  @ToMany() @ManyToMany('Folder', 'copied') copies!: Folder[]
}

/** Refuses everything. */
class Strict extends ResourceDefinition<Tag> {
  override readonly resource = Tag
  override beforeWrite(): never {
    throw new JsonApiError({ title: 'No.' })
  }
}

let api: TestApi
let [team, member] = ['', '']

beforeAll(async () => {
  api = await startApi([...TEAMS, Folder, Sheet], { definitions: [new Strict()] })
  await api.add(Tag, { id: 'a' })
  await api.add(Tag, { id: 'b' })
})
afterAll(() => api.close())
let count = 0
beforeEach(async () => {
  team = await api.add(Team, { name: `Team ${++count}` })
  member = await api.add(Member, { name: 'Ann', team: { id: Number(team) } })
})

const etagOf = async (path: string, from: Pick<TestApi, 'get'> = api) => (await from.get(path)).headers.etag ?? 'none'
const tokenOf = async (path: string, from: Pick<TestApi, 'get'> = api) => (await etagOf(path, from)).split('.')[0]
const brief = ({ status, body }: Response) =>
  status < 300 ? `${status}` : `${status} ${body.errors[0].code} ${body.errors[0].source?.header}`
const tags = (...ids: readonly string[]) => ids.map((id) => ({ type: 'tags', id }))

const attributes = (budget: number) => ({ type: 'teams', id: team, attributes: { budget } })
const REFUSED = '412 header.if-match If-Match'

/** Each write, and another one that makes its ETag an old one. */
const WRITES = [
  [
    'a change',
    'PATCH',
    () => `/teams/${team}`,
    () => attributes(1),
    () => api.patch(`/teams/${team}`).send({ data: attributes(2) }),
  ],
  [
    'a deletion',
    'DELETE',
    () => `/teams/${team}`,
    () => undefined,
    () => api.patch(`/teams/${team}`).send({ data: attributes(2) }),
  ],
  [
    'a change of a key in the row',
    'PATCH',
    () => `/teams/${team}/relationships/whole`,
    () => null,
    () => api.patch(`/teams/${team}/relationships/whole`).send(toOne('teams', team)),
  ],
  ...(['PATCH', 'POST', 'DELETE'] as const).map(
    (method) =>
      [
        `${method} of linkage elsewhere`,
        method,
        () => `/teams/${team}/relationships/tags`,
        () => tags('a'),
        () => api.post(`/teams/${team}/relationships/tags`).send({ data: tags('b') }),
      ] as const,
  ),
] as const

describe.each(WRITES)('%s', (_what, method, path, data, change) => {
  const send = (ifMatch: string) =>
    api
      .request(method, path())
      .send(data() === undefined ? undefined : { data: data() })
      .set({ 'if-match': ifMatch })

  it('is done in the state that is meant', async () => {
    expect(brief(await send(await etagOf(path())))).toBe('204')
  })

  it.each([
    ['anything', () => '*'],
    ['a list', (etag: string) => `"x", W/"y", ${etag}`],
    ['what a proxy has made of it', (etag: string) => etag.replace(/"$/, '-gzip"')],
  ])('is done with %s', async (_what, header) => {
    expect(brief(await send(header(await etagOf(path()))))).toBe('204')
  })

  it.each([
    ['a weak one', (etag: string) => `W/${etag}`],
    ['another one', () => '"x"'],
    ['a broken one', (etag: string) => etag.slice(0, -1)],
    ['nothing', () => ''],
  ])('is refused with %s', async (_what, header) => {
    const etag = await etagOf(path())
    expect(brief(await api.unchanged(() => send(header(etag))))).toBe(REFUSED)
  })

  it('is refused in another state', async () => {
    const etag = await etagOf(path())
    expect(await brief(await change())).toBe('204')
    expect(brief(await api.unchanged(() => send(etag)))).toBe(REFUSED)
  })
})

describe('the order of refusals', () => {
  const headers = { 'if-match': '"x"' }

  it.each([
    ['what is malformed first', 'PATCH', '/tags/a', { data: 1 }, '400 document.shape undefined'],
    ['then what is not there', 'DELETE', '/teams/999', undefined, '404 resource.not-found undefined'],
    [
      'right-hand resources too',
      'PATCH',
      '/tags/a/relationships/teams',
      toMany('teams', '999'),
      '404 related.not-found undefined',
    ],
    ['then the state', 'DELETE', '/tags/a', undefined, REFUSED],
  ])('%s', async (_what, method, path, body, expected) => {
    expect(brief(await api.request(method, path).send(body).set(headers))).toBe(expected)
  })

  it('then the rules', async () => {
    const etag = await etagOf('/tags/a')
    await api.delete('/tags/a').set({ 'if-match': etag }).expect(422)
  })

  it('what is created has no state yet', async () => {
    const body = newResource('pages', { title: 'New' })
    expect(brief(await api.post('/pages').send(body).set(headers))).toBe(REFUSED)
  })
})

describe('the ETag of a relationship is another one when', () => {
  const add = (path: string, type: string, id: string) => api.post(path).send(toMany(type, id))

  it.each([
    [
      'a member joins',
      'members',
      async () => add(`/teams/${team}/relationships/members`, 'members', await newMember()),
    ],
    [
      'a member goes by itself',
      'members',
      () => api.patch(`/members/${member}/relationships/team`).send({ data: null }),
    ],
    ['a member is deleted', 'members', () => api.delete(`/members/${member}`)],
    ['the other end is linked', 'partners', () => add(`/teams/${team}/relationships/partnerOf`, 'teams', team)],
  ])('%s', async (_what, relationship, write) => {
    const path = `/teams/${team}/relationships/${relationship}`
    const before = await tokenOf(path)
    expect((await write()).status).toBe(204)
    expect(await tokenOf(path)).not.toBe(before)
  })

  it.each(['sheets', 'copied'])('one of its %s only counts as deleted', async (relationship) => {
    const folder = await api.add(Folder)
    const sheet = await api.add(Sheet)
    const path = `/folders/${folder}/relationships/${relationship}`
    const body = toMany('sheets', sheet)
    await api
      .post(path)
      .send(body)
      .set({ 'if-match': await etagOf(path) })
    const before = await tokenOf(path)
    await api.delete(`/sheets/${sheet}`)
    expect(await tokenOf(path)).not.toBe(before)
    expect(brief(await api.post(path).send({ data: [] }))).toBe('428 header.if-match-missing If-Match')
  })

  it('one member comes in the place of two, whatever their ids are', async () => {
    for (const id of ['x', 'y', 'x,y', '["x","y"]']) await api.add(Tag, { id })
    const path = `/teams/${team}/relationships/tags`
    const states: string[] = []
    for (const ids of [['x', 'y'], ['x,y'], ['["x","y"]']]) {
      await api
        .patch(path)
        .send({ data: tags(...ids) })
        .expect(204)
      states.push(await etagOf(path))
    }
    expect(new Set(states.map((etag) => etag.split('.')[0])).size).toBe(3)
    const old = { body: { data: tags('a') }, headers: { 'if-match': states[0] ?? '' } }
    expect(brief(await api.unchanged(() => api.request('PATCH', path, old)))).toBe(REFUSED)
  })

  it('members beyond the page change', async () => {
    for (let each = 0; each < 3; each++) await newMember(team)
    const path = `/teams/${team}/relationships/members?page[size]=1&sort=id`
    const before = await tokenOf(path)
    expect(await tokenOf(path.replace('[size]=1', '[number]=2'))).toBe(before)
    await newMember(team)
    expect(await tokenOf(path)).not.toBe(before)
  })

  const newMember = (of?: string) =>
    api.add(Member, { name: 'Eve', ...(of !== undefined && { team: { id: Number(of) } }) })
})

it('costs the GET of linkage elsewhere a statement, and no other; none where there are no ETags', async () => {
  const off = await startServer({ dataSource: api.dataSource, resources: TEAMS, etags: 'off' })
  const countOf = async (path: string, from: Pick<TestApi, 'get'>) =>
    (await api.statementsOf(() => from.get(path))).length
  const paths = ['', '/members', '/lead', '/relationships/lead', '/relationships/members', '/relationships/tags']
  const more: number[] = []
  for (const path of paths) {
    more.push((await countOf(`/teams/${team}${path}`, api)) - (await countOf(`/teams/${team}${path}`, off)))
  }
  expect(more).toEqual([0, 0, 0, 0, 1, 1])
  await off.close()
})

describe('a resource of a hierarchy', () => {
  let humans: HumansApi
  let adam: string

  beforeAll(async () => {
    humans = await startHumans()
    adam = await humans.addMan({ name: 'Adam' })
    const eve = await humans.addWoman({ name: 'Eve', maidenName: 'E' })
    await humans.link(adam, 'wife', eve)
  })
  afterAll(() => humans.close())

  it('has one token, whatever the URL and the parameters', async () => {
    const paths = ['/men/1', '/humans/1', '/men/1?fields[men]=', '/humans/1?include=wife,children&fields[humans]=name']
    const tokens = await Promise.all([...paths, '/humans/1/relationships/wife'].map((path) => tokenOf(path, humans)))
    expect(tokens[0]).toMatch(/^"[\w-]{16}$/)
    expect(new Set(tokens).size).toBe(1)
  })

  it('is written through one with the ETag of the other', async () => {
    const write = (ifMatch: string, name: string) =>
      humans
        .patch('/humans/1')
        .send(resource('men', '1', { name }))
        .set({ 'if-match': ifMatch })
    const etag = await etagOf('/men/1?fields[men]=hasBeard', humans)
    expect(brief(await write(etag, 'Abel'))).toBe('204')
    expect(brief(await write(etag, 'Cain'))).toBe(REFUSED)
  })

  it('is answered with the ETag that a GET has', async () => {
    const created = await humans.post('/humans').send(newResource('men', { name: 'Seth' }))
    expect(created.headers.etag).toBe(await etagOf(created.headers.location ?? '', humans))
    const { id } = created.body.data
    const path = `/humans/${id}?include=wife`
    const changed = await humans.patch(path).send(resource('men', id, { name: 'Enos' }))
    expect(changed.headers.etag).toBe(await etagOf(path, humans))
  })
})

describe('what is hidden', () => {
  class Secretive extends ResourceDefinition<Man> {
    override readonly resource = Man
    override fields() {
      return new Set(['name'])
    }
  }

  it('can not be guessed: a token is made with a key', async () => {
    const { dataSource, ...own } = await startHumans({ etagKey: 'one secret of many letters' })
    await own.addMan({ name: 'Adam' })
    const start = (etagKey: string | undefined, definitions: readonly ResourceDefinition[] = []) =>
      startServer({
        dataSource,
        resources: [Human, Man, Woman],
        definitions,
        ...(etagKey !== undefined && { etagKey }),
      })
    const servers = await Promise.all([
      start('one secret of many letters'),
      start('another secret of letters'),
      start(undefined),
      start(undefined),
      start(undefined, [new Secretive()]),
    ])
    const tokens = await Promise.all([own, ...servers].map((server) => tokenOf('/men/1', server)))
    const [first, same, another, open, alsoOpen, hiding] = tokens
    expect([same, alsoOpen]).toEqual([first, open])
    expect(new Set([first, another, open, hiding]).size).toBe(4)
    for (const server of servers) await server.close()
    await own.close()
  })
})

describe('ifMatch', () => {
  it("is 'required': without it 428", async () => {
    const strict = await startHumans({ ifMatch: 'required' })
    const adam = await strict.addMan({ name: 'Adam' })
    const missing = '428 header.if-match-missing If-Match'
    expect(brief(await strict.delete('/men/99'))).toBe('404 resource.not-found undefined')
    expect(brief(await strict.delete(`/men/${adam}`))).toBe(missing)
    expect(brief(await strict.patch(`/men/${adam}/relationships/wife`).send({ data: null }))).toBe(missing)
    expect(brief(await strict.delete(`/men/${adam}`).set({ 'if-match': '*' }))).toBe('204')
    await strict.close()
  })

  it.each([
    [{ ifMatch: 'always' }, "its ifMatch is 'always'. Give 'optional' or 'required'."],
    [{ ifMatch: 'required', etags: 'off' }, "its ifMatch is 'required', but its etags are 'off'"],
    [{ maximumRetries: -1 }, 'its maximumRetries are -1. Give a whole number; 0 for none.'],
    [{ etagKey: 'short' }, 'its etagKey is no text of at least 16 characters.'],
  ])('createJsonApi refuses %j', (options, mistake) => {
    const start = () => createJsonApi({ dataSource: api.dataSource, resources: TEAMS, ...(options as object) })
    expect(start).toThrow(ConfigurationError)
    expect(start).toThrow(`createJsonApi: ${mistake}`)
  })
})
