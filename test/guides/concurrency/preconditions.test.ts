import { JsonApiError } from 'stemma'
import { define, ref, setUp, startApi, type TestApi, useApi } from '../../support/api'
import { createResource, newResource, resource, toMany, toOne, updateResource } from '../../support/documents'
import { outcomeOf } from '../../support/expectations'
import { ACCEPT } from '../../support/follow-pages'
import { Human, Man, startHumans, Woman } from '../../support/humans'
import { operateWith } from '../../support/operate'
import { startServer } from '../../support/server'
import { Member, Page, Tag, TEAMS, Team } from '../../support/writing-models'

// https://www.rfc-editor.org/rfc/rfc9110#section-13.1

const refuseAll = define(Tag, {
  beforeWrite(): never {
    throw new JsonApiError({ title: 'No.' })
  },
})

let [team, member] = ['', '']
let count = 0
const api = setUp(() => startApi(TEAMS, { definitions: [refuseAll], fieldFilters: true }))
beforeAll(async () => {
  for (const id of ['a', 'b', 'x', 'y', 'x,y', '["x","y"]']) await api.add(Tag, { id })
})
beforeEach(async () => {
  team = await api.add(Team, { name: `Team ${++count}` })
  member = await addMember(team)
})

const addMember = (of?: string, name = 'Ann') => api.add(Member, { name, team: of === undefined ? null : ref(of) })
const getEtag = async (path: string, from: Pick<TestApi, 'get'> = api) => (await from.get(path)).headers.etag ?? 'none'
const tokenOf = async (path: string, from: Pick<TestApi, 'get'> = api) => (await getEtag(path, from)).split('.')[0]
const setBudget = (budget: number) => resource('teams', team, { budget })
const FAILED = '412 precondition.failed If-Match'
const NONE_FAILED = '412 header.if-none-match If-None-Match'
const MISSING = '428 precondition.missing If-Match'
const TAGS = '/relationships/tags'
const rename = () => api.patch(`/teams/${team}`).send(setBudget(2))
const setWhole = () => api.patch(`/teams/${team}/relationships/whole`).send(toOne('teams', team))
const setTags = (...ids: readonly string[]) =>
  api
    .patch(`/teams/${team}${TAGS}`)
    .send(toMany('tags', ...ids))
    .expect(204)
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
  const sendWith = (headers: Record<string, string>) => api.request(method, pathOf()).send(body()).set(headers)
  const send = (ifMatch: string) => sendWith({ 'if-match': ifMatch })

  it.each([
    ['the current ETag', (etag: string) => etag],
    ['*', () => '*'],
    ['a list', (etag: string) => `"x", W/"y", ${etag}`],
    ['the ETag with the suffix of a proxy', (etag: string) => etag.replace(/"$/, '-gzip"')],
  ])('is done with %s', async (_header, header) => send(header(await getEtag(pathOf()))).expect(204))

  it.each([
    ['a weak ETag', (etag: string) => `W/${etag}`],
    ['another ETag', () => '"x"'],
    ['an ETag without its last quote', (etag: string) => etag.slice(0, -1)],
    ['nothing', () => ''],
  ])('returns 412 with %s', async (_header, header) => {
    const etag = await getEtag(pathOf())
    expect(outcomeOf(await api.unchanged(() => send(header(etag))))).toBe(FAILED)
  })

  it('returns 412 with an outdated ETag', async () => {
    const etag = await getEtag(pathOf())
    expect((await change()).status).toBe(204)
    expect(outcomeOf(await api.unchanged(() => send(etag)))).toBe(FAILED)
  })

  it('returns 412 when If-None-Match names the state, weak or with other bytes', async () => {
    const etag = await getEtag(pathOf())
    for (const header of [etag, `W/${etag}`, `"other", "${etag.slice(1).split('.')[0]}.bytes"`, '*', ' * '])
      expect(outcomeOf(await api.unchanged(() => sendWith({ 'if-none-match': header })))).toBe(NONE_FAILED)
  })

  it('is done when If-None-Match names other states', async () => {
    await sendWith({ 'if-none-match': '"v99.bytes", W/"other"' }).expect(204)
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
    const etag = await getEtag('/tags/a')
    await api.delete('/tags/a').set('if-match', etag).expect(422)
  })
})

describe('If-None-Match', () => {
  it('is compared after If-Match, and after the resource was found', async () => {
    const page = await api.add(Page, { title: 'One' })
    const etag = await getEtag(`/pages/${page}`)
    const send = (ifMatch: string) =>
      updateResource(api, 'pages', page, { title: 'Two' }).set({ 'if-match': ifMatch, 'if-none-match': etag })
    expect(outcomeOf(await api.unchanged(() => send('"v9"')))).toBe(FAILED)
    expect(outcomeOf(await api.unchanged(() => send(etag)))).toBe(NONE_FAILED)
    await api.delete('/pages/99999').set('if-none-match', '*').expect(404)
  })

  it.each(['/teams', '/operations'])('refuses a POST to %s with *, since its URL exists', async (path) => {
    const removal = { op: 'remove', ref: { type: 'teams', id: team } }
    const creation = () => createResource(api, 'teams', { name: `Team ${++count}` })
    const post = (headers: Record<string, string>) =>
      path === '/teams' ? creation().set(headers) : operateWith(api, headers, removal)
    const failed = await api.unchanged(() => post({ 'if-match': '*', 'if-none-match': ' *' }))
    expect(outcomeOf(failed)).toBe(NONE_FAILED)
    expect(outcomeOf(await api.unchanged(() => post({ 'if-match': '"v1"', 'if-none-match': '*' })))).toBe(FAILED)
    expect((await post({ 'if-match': '*', 'if-none-match': '"v1"' })).status).toBeLessThan(300)
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

  it('changes when one member replaces two, whatever characters their ids have', async () => {
    const path = `/teams/${team}/relationships/tags`
    const etags: string[] = []
    for (const ids of [['x', 'y'], ['x,y'], ['["x","y"]']]) {
      await setTags(...ids)
      etags.push(await getEtag(path))
    }
    expect(new Set(etags.map((etag) => etag.split('.')[0])).size).toBe(3)
    const outdated = { 'if-match': etags[0] ?? '' }
    const response = await api.unchanged(() => api.patch(path).send(toMany('tags', 'a')).set(outdated))
    expect(outcomeOf(response)).toBe(FAILED)
  })

  it('costs no statement', async () => {
    const off = await startServer({ dataSource: api.dataSource, resources: TEAMS, etags: false })
    const paths = ['', '/members', '/lead', '/relationships/lead', '/relationships/members', '/relationships/tags']
    const added: number[] = []
    for (const path of paths) {
      const countOf = async (from: Pick<TestApi, 'get'>) =>
        (await api.statementsOf(() => from.get(`/teams/${team}${path}`).start())).length
      added.push((await countOf(api)) - (await countOf(off)))
    }
    expect(added).toEqual([0, 0, 0, 0, 0, 0])
    await off.close()
  })
})

describe('the ETag of a page of a relationship', () => {
  const MEMBERS = () => `/teams/${team}/relationships/members`
  const POST = async (etag: string, id?: string) => {
    const added = toMany('members', id ?? (await addMember()))
    return outcomeOf(await api.post(MEMBERS()).send(added).set('if-match', etag))
  }
  beforeEach(async () => {
    for (let each = 0; each < 5; each++) await addMember(team, 'Bob')
  })

  const PAGES: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
    ['', {}],
    ['?page[size]=2', {}],
    ['?page[size]=2&page[number]=2', {}],
    ['?page[size]=2&sort=-name,id', {}],
    ["?filter=equals(name,'Ann')&page[size]=3", {}],
    ["?filter=equals(name,'Ann')&filter=equals(name,'Bob')", {}],
    ['?filter[name]=Bob&filter[name]=Cleo', {}],
    ['?include=members.team.tags&fields[members]=name&page[size]=2,team.tags:1', {}],
    ["?include=members.team.tags&filter[team.tags]=equals(id,'a')", {}],
    ['?page[size]=2', ACCEPT],
    ['?page[size]=2&sort=name', ACCEPT],
  ]

  it.each(PAGES)('holds for a write while the page is as it was: %s %j', async (parameters, headers) => {
    const { headers: found, body } = await api.get(`${MEMBERS()}${parameters}`).set(headers).expect(200)
    const etag = found.etag ?? 'none'
    const [first] = body.data
    expect(await POST(`"x", ${etag}, "y"`, first.id)).toBe('204')
    await api.patch(`/members/${first.id}/relationships/team`).send({ data: null }).expect(204)
    const removing = () => api.delete(MEMBERS()).send(toMany('members', first.id)).set('if-match', etag)
    expect(outcomeOf(await api.unchanged(removing))).toBe(FAILED)
  })

  it('holds when only other pages have changed, and not when the last page has', async () => {
    const path = `/teams/${team}/relationships/parts`
    const addPart = () => api.add(Team, { name: `Part ${++count}`, whole: ref(team) })
    for (let each = 0; each < 5; each++) await addPart()
    const [first, last, all] = await Promise.all(
      ['?page[size]=3', '?page[size]=3&page[number]=2', ''].map((page) => getEtag(`${path}${page}`)),
    )
    await addPart()
    const add = async (etag = 'none') => outcomeOf(await api.post(path).send(toMany('teams')).set({ 'if-match': etag }))
    expect([await add(last), await add(all), await add(first)]).toEqual([FAILED, FAILED, '204'])
  })

  it('the ETag of linkage does not match the linkage of another resource', async () => {
    const etag = await getEtag(MEMBERS())
    const other = await api.add(Team, { name: 'Other' })
    const path = `/teams/${other}/relationships/members`
    const response = await api.unchanged(() => api.post(path).send(toMany('members')).set({ 'if-match': etag }))
    expect(outcomeOf(response)).toBe(FAILED)
  })

  it.each([
    ['a page that is none', '?page[size]=0'],
    ['a filter that is none', '?filter=nothing(name)'],
    ['an unknown kind of pages', 'letters?'],
    ['a cursor that is none', '?page[after]=x'],
  ])('does not hold when a client has made up %s', async (_what, page) => {
    const hash = (await tokenOf(MEMBERS()))?.slice(1)
    expect(await POST(`"${hash}~${Buffer.from(page).toString('base64url')}.x"`)).toBe(FAILED)
  })

  it('names five pages at most in one header', async () => {
    const etags = await Promise.all([1, 2, 3, 4, 5, 6].map((size) => getEtag(`${MEMBERS()}?page[size]=${size}`)))
    expect(await POST(['"a~YQ"', '"a~Yg"', '"a~Yw"', '"a~ZA"', '"a~ZQ"', ...etags].join())).toBe(FAILED)
    expect(await POST(etags.join())).toBe('204')
  })

  it('has no state where the parameters are long', async () => {
    const filter = `any(name,${Array.from({ length: 200 }, (_, index) => `'name ${index}'`).join()})`
    expect(await getEtag(`${MEMBERS()}?filter=${filter}`)).toMatch(/^"[^.~]*"$/)
  })

  it('holds for pairs until the page has lost a member', async () => {
    const path = `/teams/${team}/relationships/tags?page[size]=1`
    await setTags('a', 'b', 'x')
    const etag = await getEtag(path)
    const remove = (id: string) =>
      api.delete(`/teams/${team}/relationships/tags`).send(toMany('tags', id)).set({ 'if-match': etag })
    await remove('x').expect(204)
    await remove('a').expect(204)
    expect(outcomeOf(await remove('b'))).toBe(FAILED)
  })

  it('is read with as many rows as the page has, however many members there are', async () => {
    await api.dataSource
      .getRepository(Member)
      .insert(Array.from({ length: 400 }, () => ({ name: 'Many', team: { id: Number(team) } })))
    const path = `${MEMBERS()}?page[size]=2`
    const [etag, statements] = [await getEtag(path), await api.statementsOf(() => api.get(path).start())]
    expect(statements.filter((text) => /md5|json_group|group_concat|string_agg|bit_xor/i.test(text))).toEqual([])
    const checking = await api.statementsOf(() =>
      api.post(MEMBERS()).send({ data: [] }).set({ 'if-match': etag }).start(),
    )
    const unchecked = await api.statementsOf(() => api.post(MEMBERS()).send({ data: [] }).start())
    expect(checking.length - unchecked.length).toBeLessThanOrEqual(2)
    expect(checking.filter((text) => text.includes('limit')).length).toBe(1)
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
    const etag = await getEtag('/men/1?fields[men]=hasBeard', humans)
    const write = (name: string) =>
      humans
        .patch('/humans/1')
        .send(resource('men', '1', { name }))
        .set('if-match', etag)
    expect([outcomeOf(await write('Abel')), outcomeOf(await write('Cain'))]).toEqual(['204', FAILED])
  })

  it('is the same in the response of a write and of a GET', async () => {
    const created = await createResource(humans, 'men', { name: 'Seth' })
    expect(created.headers.etag).toBe(await getEtag(created.headers.location ?? '', humans))
    const { id } = created.body.data
    const changed = await humans.patch(`/humans/${id}?include=wife`).send(resource('men', id, { name: 'Enos' }))
    expect(changed.headers.etag).toBe(await getEtag(`/humans/${id}?include=wife`, humans))
  }) // anchor: W/A-10

  it('depends on etagSecret, and on a key of the process when a rule hides fields', async () => {
    const [one, other] = [{ etagSecret: 'one secret of many letters' }, { etagSecret: 'another secret of letters' }]
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
    await useApi(startHumans({ ifMatch: 'required' }), async (strict) => {
      const path = `/men/${await strict.addMan({ name: 'Adam' })}`
      expect(outcomeOf(await strict.delete('/men/99'))).toBe('404 resource.not-found')
      expect(outcomeOf(await strict.delete(path))).toBe(MISSING)
      expect(outcomeOf(await strict.patch(`${path}/relationships/wife`).send({ data: null }))).toBe(MISSING)
      await strict.delete(path).set({ 'if-match': '*' }).expect(204)
    })
  })
})
