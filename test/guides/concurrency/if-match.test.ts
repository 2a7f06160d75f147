import { ConfigurationError, createJsonApi, JsonApiError, Resource, ToMany, ToOne } from 'stemma'
import { DeleteDateColumn, Entity, JoinTable, ManyToMany, ManyToOne, OneToMany, PrimaryGeneratedColumn } from 'typeorm'
import { ref, startApi, type TestApi, using } from '../../support/api'
import { DATETIME } from '../../support/database'
import { define } from '../../support/define'
import { createResource, newResource, resource, toMany, toOne } from '../../support/documents'
import { outcomeOf } from '../../support/expectations'
import { Human, Man, startHumans, Woman } from '../../support/humans'
import { startServer } from '../../support/server'
import { setUp } from '../../support/set-up'
import { Member, Tag, TEAMS, Team } from '../../support/writing-models'

// https://www.rfc-editor.org/rfc/rfc9110#section-13.1.1

@Resource('folders', { ifMatch: 'required' })
@Entity()
class Folder {
  @PrimaryGeneratedColumn() id!: number
  @ToMany() @OneToMany('Sheet', 'folder') sheets!: Sheet[]
  @ToMany() @ManyToMany('Sheet', 'copies') @JoinTable() copied!: Sheet[]
}

/** Deleted softly. */
@Resource('sheets')
@Entity()
class Sheet {
  @PrimaryGeneratedColumn() id!: number
  @DeleteDateColumn(DATETIME) deletedAt!: Date | null
  @ToOne() @ManyToOne('Folder', 'sheets', { nullable: true }) folder!: Folder | null
  @ToMany() @ManyToMany('Folder', 'copied') copies!: Folder[]
}

const refuseAll = define(Tag, {
  beforeWrite(): never {
    throw new JsonApiError({ title: 'No.' })
  },
})

let [team, member] = ['', '']
let count = 0

const api = setUp(() => startApi([...TEAMS, Folder, Sheet], { definitions: [refuseAll] }))
beforeAll(async () => {
  for (const id of ['a', 'b', 'x', 'y', 'x,y', '["x","y"]']) await api.add(Tag, { id })
})
beforeEach(async () => {
  team = await api.add(Team, { name: `Team ${++count}` })
  member = await addMember(team)
})

const addMember = (of?: string) => api.add(Member, { name: 'Ann', team: of === undefined ? null : ref(of) })
const etagOf = async (path: string, from: Pick<TestApi, 'get'> = api) => (await from.get(path)).headers.etag ?? 'none'
const tokenOf = async (path: string, from: Pick<TestApi, 'get'> = api) => (await etagOf(path, from)).split('.')[0]
const setBudget = (budget: number) => resource('teams', team, { budget })

const FAILED = '412 header.if-match If-Match'
const MISSING = '428 header.if-match-missing If-Match'

const TAGS = '/relationships/tags'
const rename = () => api.patch(`/teams/${team}`).send(setBudget(2))
const setWhole = () => api.patch(`/teams/${team}/relationships/whole`).send(toOne('teams', team))
const addTag = () => api.post(`/teams/${team}${TAGS}`).send(toMany('tags', 'b'))

/** Each write, and another write that makes its ETag outdated. */
const WRITES: readonly (readonly [string, string, string, () => unknown, () => Promise<{ status: number }>])[] = [
  ['an update', 'PATCH', '', () => setBudget(1), rename],
  ['a deletion', 'DELETE', '', () => undefined, rename],
  ['PATCH of a foreign key in the row', 'PATCH', '/relationships/whole', () => ({ data: null }), setWhole],
  ['PATCH of linkage in other rows', 'PATCH', TAGS, () => toMany('tags', 'a'), addTag],
  ['POST of linkage in other rows', 'POST', TAGS, () => toMany('tags', 'a'), addTag],
  ['DELETE of linkage in other rows', 'DELETE', TAGS, () => toMany('tags', 'a'), addTag],
]

describe.each(WRITES)('%s', (_what, method, path, body, change) => {
  const pathOf = () => `/teams/${team}${path}`
  const send = (ifMatch: string) => api.request(method, pathOf()).send(body()).set({ 'if-match': ifMatch })

  it.each([
    ['the current ETag', (etag: string) => etag],
    ['*', () => '*'],
    ['a list', (etag: string) => `"x", W/"y", ${etag}`],
    ['the ETag with the suffix of a proxy', (etag: string) => etag.replace(/"$/, '-gzip"')],
  ])('is done with %s', async (_header, header) => {
    await send(header(await etagOf(pathOf()))).expect(204)
  })

  it.each([
    ['a weak ETag', (etag: string) => `W/${etag}`],
    ['another ETag', () => '"x"'],
    ['an ETag without its last quote', (etag: string) => etag.slice(0, -1)],
    ['nothing', () => ''],
  ])('returns 412 with %s', async (_header, header) => {
    const etag = await etagOf(pathOf())
    expect(outcomeOf(await api.unchanged(() => send(header(etag))))).toBe(FAILED)
  })

  it('returns 412 with an outdated ETag', async () => {
    const etag = await etagOf(pathOf())
    expect((await change()).status).toBe(204)
    expect(outcomeOf(await api.unchanged(() => send(etag)))).toBe(FAILED)
  })
})

describe('If-Match', () => {
  const headers = { 'if-match': '"x"' }
  const LINKS = '/tags/a/relationships/teams'

  it.each([
    ['after a malformed body', 'PATCH', '/tags/a', { data: 1 }, '400 document.shape /data'],
    ['after a missing resource', 'DELETE', '/teams/999', undefined, '404 resource.not-found'],
    ['after a missing related resource', 'PATCH', LINKS, toMany('teams', '999'), '404 related.not-found /data/0'],
    ['before the rules', 'DELETE', '/tags/a', undefined, FAILED],
    ['for a new resource, which has no ETag', 'POST', '/pages', newResource('pages', { title: 'New' }), FAILED],
  ])('is checked %s', async (_when, method, path, body, expected) => {
    expect(outcomeOf(await api.request(method, path).send(body).set(headers))).toBe(expected)
  })

  it('does not skip the rules when it matches', async () => {
    await api
      .delete('/tags/a')
      .set({ 'if-match': await etagOf('/tags/a') })
      .expect(422)
  })
})

describe('the ETag of a relationship', () => {
  it.each([
    ['a member is added', 'members', async () => add('members', 'members', await addMember())],
    ['a member leaves', 'members', () => api.patch(`/members/${member}/relationships/team`).send({ data: null })],
    ['a member is deleted', 'members', () => api.delete(`/members/${member}`)],
    ['the other end is linked', 'partners', () => add('partnerOf', 'teams', team)],
  ])('changes when %s', async (_what, relationship, write) => {
    const path = `/teams/${team}/relationships/${relationship}`
    const before = await tokenOf(path)
    expect((await write()).status).toBe(204)
    expect(await tokenOf(path)).not.toBe(before)
  })

  const add = (relationship: string, type: string, id: string) =>
    api.post(`/teams/${team}/relationships/${relationship}`).send(toMany(type, id))

  it.each(['sheets', 'copied'])('changes when one of %s is deleted softly', async (relationship) => {
    const path = `/folders/${await api.add(Folder)}/relationships/${relationship}`
    const sheet = await api.add(Sheet)
    const etag = await etagOf(path)
    await api.post(path).send(toMany('sheets', sheet)).set({ 'if-match': etag }).expect(204)
    const before = await tokenOf(path)
    await api.delete(`/sheets/${sheet}`)
    expect(await tokenOf(path)).not.toBe(before)
    expect(outcomeOf(await api.post(path).send({ data: [] }))).toBe(MISSING)
  })

  it('changes when one member replaces two, whatever characters their ids have', async () => {
    const path = `/teams/${team}/relationships/tags`
    const etags: string[] = []
    for (const ids of [['x', 'y'], ['x,y'], ['["x","y"]']]) {
      await api
        .patch(path)
        .send(toMany('tags', ...ids))
        .expect(204)
      etags.push(await etagOf(path))
    }
    expect(new Set(etags.map((etag) => etag.split('.')[0])).size).toBe(3)
    const outdated = { 'if-match': etags[0] ?? '' }
    const response = await api.unchanged(() => api.patch(path).send(toMany('tags', 'a')).set(outdated))
    expect(outcomeOf(response)).toBe(FAILED)
  })

  it('is the same on every page, and changes with members of other pages', async () => {
    for (let each = 0; each < 3; each++) await addMember(team)
    const path = `/teams/${team}/relationships/members?page[size]=1&sort=id`
    const before = await tokenOf(path)
    expect(await tokenOf(path.replace('[size]=1', '[number]=2'))).toBe(before)
    await addMember(team)
    expect(await tokenOf(path)).not.toBe(before)
  })

  it('costs one statement for linkage in other rows only, and none without ETags', async () => {
    const off = await startServer({ dataSource: api.dataSource, resources: TEAMS, etags: 'off' })
    const paths = ['', '/members', '/lead', '/relationships/lead', '/relationships/members', '/relationships/tags']
    const added: number[] = []
    for (const path of paths) {
      const countOf = async (from: Pick<TestApi, 'get'>) =>
        (await api.statementsOf(() => from.get(`/teams/${team}${path}`).start())).length
      added.push((await countOf(api)) - (await countOf(off)))
    }
    expect(added).toEqual([0, 0, 0, 0, 1, 1])
    await off.close()
  })
})

describe('the ETag of a resource in a hierarchy', () => {
  const humans = setUp(startHumans)
  beforeAll(async () => {
    const adam = await humans.addMan({ name: 'Adam' })
    await humans.link(adam, 'wife', await humans.addWoman({ name: 'Eve', maidenName: 'E' }))
  })

  it('has one token for all URLs and parameters', async () => {
    const paths = ['/men/1', '/humans/1', '/men/1?fields[men]=', '/humans/1?include=wife,children&fields[humans]=name']
    const tokens = await Promise.all([...paths, '/humans/1/relationships/wife'].map((path) => tokenOf(path, humans)))
    expect(tokens[0]).toMatch(/^"[\w-]{16}$/)
    expect(new Set(tokens).size).toBe(1)
  })

  it('of one endpoint is accepted at another', async () => {
    const etag = await etagOf('/men/1?fields[men]=hasBeard', humans)
    const write = (name: string) =>
      humans
        .patch('/humans/1')
        .send(resource('men', '1', { name }))
        .set({ 'if-match': etag })
    expect([outcomeOf(await write('Abel')), outcomeOf(await write('Cain'))]).toEqual(['204', FAILED])
  })

  it('is the same in the response of a write and of a GET', async () => {
    const created = await createResource(humans, 'men', { name: 'Seth' })
    expect(created.headers.etag).toBe(await etagOf(created.headers.location ?? '', humans))
    const { id } = created.body.data
    const changed = await humans.patch(`/humans/${id}?include=wife`).send(resource('men', id, { name: 'Enos' }))
    expect(changed.headers.etag).toBe(await etagOf(`/humans/${id}?include=wife`, humans))
  }) // anchor: W/A-10

  it('depends on etagKey, and on a key of the process when a rule hides fields', async () => {
    const [one, other] = [{ etagKey: 'one secret of many letters' }, { etagKey: 'another secret of letters' }]
    const hiding = { definitions: [define(Man, { fields: () => new Set(['name']) })] }
    const { dataSource } = humans
    const tokens: unknown[] = []
    for (const options of [one, one, other, {}, {}, hiding]) {
      const server = await startServer({ dataSource, resources: [Human, Man, Woman], ...options })
      tokens.push(await tokenOf('/men/1', server))
      await server.close()
    }
    const [first, same, another, open, alsoOpen, hidden] = tokens
    expect([same, alsoOpen]).toEqual([first, open])
    expect(new Set([first, another, open, hidden]).size).toBe(4)
  })
})

describe('the option ifMatch', () => {
  it("returns 428 for writes without the header when it is 'required'", async () => {
    await using(startHumans({ ifMatch: 'required' }), async (strict) => {
      const path = `/men/${await strict.addMan({ name: 'Adam' })}`
      expect(outcomeOf(await strict.delete('/men/99'))).toBe('404 resource.not-found')
      expect(outcomeOf(await strict.delete(path))).toBe(MISSING)
      expect(outcomeOf(await strict.patch(`${path}/relationships/wife`).send({ data: null }))).toBe(MISSING)
      await strict.delete(path).set({ 'if-match': '*' }).expect(204)
    })
  })

  it.each([
    [{ ifMatch: 'always' }, "its ifMatch is 'always'. Give 'optional' or 'required'."],
    [{ ifMatch: 'required', etags: 'off' }, "its ifMatch is 'required', but its etags are 'off'"],
    [{ maximumRetries: -1 }, 'its maximumRetries are -1. Give a whole number; 0 for none.'],
    [{ etagKey: 'short' }, 'its etagKey is no text of at least 16 characters.'],
  ])('is checked at start-up with the options beside it: %j', (options, mistake) => {
    const start = () => createJsonApi({ dataSource: api.dataSource, resources: TEAMS, ...(options as object) })
    expect(start).toThrow(ConfigurationError)
    expect(start).toThrow(`createJsonApi: ${mistake}`)
  })
})
