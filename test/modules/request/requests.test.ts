import { startApi, type TestApi } from '../../support/api'
import { errorsOf, expectError, keysOf, outcomeOf, singleError } from '../../support/expectations'
import { KNIGHTS, Man, Sample, Woman } from './support/knights'

const SHAPE = '400 document.shape'

let api: TestApi
let man: string
let woman: string

beforeAll(async () => {
  api = await startApi(KNIGHTS)
})
afterAll(() => api.close())
beforeEach(async () => {
  man = await api.add(Man, { name: 'Bob' })
  woman = await api.add(Woman, { name: 'Eve' })
})

const identifier = (type: string, id: string) => ({ type, id })
const local = (type: string, lid = 'me') => ({ type, lid })
const linkage = (relationship: string, id = man) => `/humans/${id}/relationships/${relationship}`
const send = (method: string, path: string, body?: unknown) => api.unchanged(() => api.request(method, path).send(body))

async function membersOf(relationship: string, id = man): Promise<readonly string[]> {
  return [...keysOf((await api.get(linkage(relationship, id)).expect(200)).body.data)].sort()
}

/** Expects a single error, in the form of `errorsOf`, whose detail has these words. */
async function expectRefused([method, path, body]: [string, string, unknown?], summary: string, words = '') {
  const response = await send(method, path, body)
  expect(errorsOf(response)).toEqual([summary])
  expect(singleError(response).detail).toContain(words)
}

describe('query parameters', () => {
  it.each([
    ['GET', '/humans/1?page[size]=5', '400 query.not-allowed page[size]'],
    ['GET', '/humans/1/squire?nope=1', '400 query.unknown nope'],
    ['GET', '/humans/1/relationships/squire?nope=1', '400 query.unknown nope'],
    ['POST', '/humans?page[size]=1', '400 query.not-allowed page[size]'],
    ['PATCH', '/humans/1?page[size]=1', '400 query.not-allowed page[size]'],
    ['DELETE', '/humans/1?include=father', '400 query.not-allowed include'],
    ['PATCH', '/humans/1/relationships/children?include=father', '400 query.not-allowed include'],
    ['POST', '/humans/1/relationships/children?include=father', '400 query.not-allowed include'],
    ['DELETE', '/humans/1/relationships/children?include=father', '400 query.not-allowed include'],
  ])('are refused before the body by %s %s', async (method, path, summary) => {
    await expectRefused([method, path, method === 'GET' ? undefined : '{'], summary)
  })
})

it('ignores the body of a DELETE', async () => {
  await api.request('DELETE', `/humans/${man}`).send('{').expect(204)
})

it.each(['POST', 'PATCH'])('refuses an invalid document of a %s', async (method) => {
  const path = method === 'POST' ? '/humans' : '/humans/1'
  await expectRefused([method, path], '400 document.missing')
  await expectRefused([method, path, '{'], '400 document.syntax')
  expectError(await send(method, path, {}), 400, '', 'document.shape')
})

describe('a relationship that does not exist', () => {
  it.each([
    ['chidlren', "Expected a relationship of 'humans', found 'chidlren'. Did you mean 'children'?"],
    ['huband', "Did you mean 'husband'?"],
    ['name', "found 'name'."],
    ['hasOwnProperty', "found 'hasOwnProperty'."],
  ])('returns 404 for %s before other errors', async (name, words) => {
    const path = `/humans/1/relationships/${name}?nope=1`
    const requests: [string, string, string?][] = [
      ['GET', `/humans/1/${name}?nope=1`],
      ['GET', path],
    ]
    for (const method of ['PATCH', 'POST', 'DELETE']) requests.push([method, path, '{'])
    for (const request of requests) await expectRefused(request, '404 relationship.not-found', words)
  })
})

describe('relationships of different kinds with the same name', () => {
  it('have their own query parameters', async () => {
    await expectRefused(['GET', `/humans/${man}/squire?sort=name`], '400 query.not-allowed sort')
    await api.get(`/humans/${woman}/squire?sort=name`).expect(200)
  })

  it('have their own documents', async () => {
    const [men, women] = [identifier('men', man), identifier('women', woman)]
    await expectRefused(['POST', linkage('squire'), { data: [women] }], '403 relationship.to-one')
    await api
      .post(linkage('squire', woman))
      .send({ data: [women] })
      .expect(204)
    await api.patch(linkage('squire')).send({ data: men }).expect(204)
    await expectRefused(['PATCH', linkage('squire', woman), { data: men }], `${SHAPE} /data`)
    expect([await membersOf('squire'), await membersOf('squire', woman)]).toEqual([[`men ${man}`], [`women ${woman}`]])
  })

  it('report the error of the first when the body fits none', async () => {
    await expectRefused(['PATCH', linkage('squire', woman), { data: { id: '2' } }], `${SHAPE} /data`)
    await expectRefused(['POST', linkage('squire', woman), { data: {} }], '403 relationship.to-one')
  })
})

describe('the document of a relationship', () => {
  it.each(['POST', 'DELETE'])('is refused by %s of a to-one relationship', async (method) => {
    const detail = "Expected a to-many relationship, found 'father' of 'humans'. Replace it with PATCH."
    await expectRefused([method, linkage('father'), '{'], '403 relationship.to-one', detail)
  })

  it.each<[method: string, relationship: string, body: unknown, summary: string]>([
    ['PATCH', 'children', {}, SHAPE],
    ['PATCH', 'children', { data: null }, `${SHAPE} /data`],
    ['PATCH', 'bestFriend', { data: [] }, `${SHAPE} /data`],
    ['PATCH', 'bestFriend', { data: {} }, `${SHAPE} /data`],
    ['POST', 'children', {}, SHAPE],
    ['POST', 'children', { data: { type: 'humans', id: '2' } }, `${SHAPE} /data`],
    ['DELETE', 'children', { data: null }, `${SHAPE} /data`],
    ['DELETE', 'children', undefined, '400 document.missing'],
    ['POST', 'children', { data: [{ type: 'men', id: 1 }] }, `${SHAPE} /data/0/id`],
    ['POST', 'children', { data: [identifier('samples', '1')] }, '409 document.type-conflict /data/0/type'],
    ['PATCH', 'children', { data: [identifier('x', '1')] }, '422 document.type-unknown /data/0/type'],
    ['POST', 'children', { data: [local('men')] }, '400 document.lid-unknown /data/0'],
  ])('is refused for %s of %s: %j', async (method, relationship, body, summary) => {
    const response = await send(method, linkage(relationship), body)
    expect(new Set(errorsOf(response))).toEqual(new Set([summary]))
    if (summary === SHAPE) expect(response.body.errors).toMatchObject([{ source: { pointer: '' } }])
  })

  it('may have abstract types and duplicates', async () => {
    const data = [identifier('humans', woman), identifier('women', woman), identifier('humans', man)]
    for (const method of ['PATCH', 'POST']) {
      await api.request(method, linkage('children')).send({ data }).expect(204)
      expect(await membersOf('children')).toEqual([`men ${man}`, `women ${woman}`])
    }
    await api
      .delete(linkage('children'))
      .send({ data: data.slice(0, 2) })
      .expect(204)
    expect(await membersOf('children')).toEqual([`men ${man}`])
    await api.patch(linkage('wife')).send({ data: data[0] }).expect(204)
    expect(await membersOf('wife')).toEqual([`women ${woman}`])
  })

  it('can empty a relationship, or change nothing', async () => {
    await api
      .patch(linkage('bestFriend'))
      .send({ data: identifier('humans', woman) })
      .expect(204)
    expect(await membersOf('bestFriend')).toEqual([`women ${woman}`])
    await api.patch(linkage('bestFriend')).send({ data: null }).expect(204)
    expect(await membersOf('bestFriend')).toEqual([])
    for (const method of ['POST', 'DELETE', 'PATCH'])
      expect(outcomeOf(await send(method, linkage('children'), { data: [] }))).toBe('204')
  })

  it('refuses a local id', async () => {
    const words = "Expected an 'id', found the local id 'me' of 'humans'."
    await expectRefused(
      ['POST', linkage('children'), { data: [local('humans')] }],
      '400 document.lid-unknown /data/0',
      words,
    )
  })

  it('refuses to empty a required relationship', async () => {
    const id = await api.add(Sample, { text: 'x', owner: { id: man } })
    const path = `/samples/${id}/relationships/owner`
    const words = "'owner', which can't be empty"
    await expectRefused(['PATCH', path, { data: null }], '422 relationship.required /data', words)
  })
})

describe('linkage', () => {
  it.each<[relationship: string, data: object, summary: string, words: string]>([
    ['wife', identifier('womem', '1'), '422 document.type-unknown /data/type', "Did you mean 'women'?"],
    ['wife', identifier('', '1'), '422 document.type-unknown /data/type', "a resource type, found ''."],
    ['wife', identifier('men', '1'), '409 document.type-conflict /data/type', "'women', or a type above or below it"],
    ['children', [identifier('samples', '1')], '409 document.type-conflict /data/0/type', "found 'samples'"],
  ])('is refused for %s in %j', async (relationship, data, summary, words) => {
    await expectRefused(['PATCH', linkage(relationship), { data }], summary, words)
    const created = { type: 'men', relationships: { [relationship]: { data } } }
    const nested = summary.replace('/data', `/data/relationships/${relationship}/data`)
    await expectRefused(['POST', '/men', { data: created }], nested, words)
  })

  it.each<[relationship: string, data: object, place: string]>([
    ['wife', identifier('humans', '1'), '/data/type'],
    ['children', [identifier('women', '1'), identifier('humans', '1')], '/data/1/type'],
  ])('of an abstract type is refused in a resource object: %s', async (relationship, data, place) => {
    const created = { type: 'men', relationships: { [relationship]: { data } } }
    const summary = `422 document.type-abstract /data/relationships/${relationship}${place}`
    await expectRefused(['POST', '/men', { data: created }], summary)
  })

  it('accepts types below the target and concrete types above it', async () => {
    const knight = identifier('knights', '77000')
    await api.post('/knights').send({ data: knight }).expect(201)
    const relationships = {
      father: { data: identifier('men', '77000') },
      champion: { data: identifier('men', '77000') },
      wife: { data: identifier('women', woman) },
      children: { data: [knight, identifier('men', man), identifier('women', woman), knight] },
    }
    const { body } = await api
      .post('/men')
      .send({ data: { type: 'men', relationships } })
      .expect(201)
    const members = async (name: string) => membersOf(name, body.data.id)
    expect(await members('champion')).toEqual(['knights 77000'])
    expect(await members('father')).toEqual(['knights 77000'])
    expect(await members('children')).toEqual(['knights 77000', `men ${man}`, `women ${woman}`].sort())
  })
})

describe('a local id in linkage', () => {
  it('names the created resource by its type or a base', async () => {
    const data = [local('queens'), identifier('men', man), local('women')]
    const queen = { type: 'queens', lid: 'me', relationships: { children: { data } } }
    const { body } = await api.post('/queens').send({ data: queen }).expect(201)
    expect(await membersOf('children', body.data.id)).toEqual([`men ${man}`, `queens ${body.data.id}`])
  })

  it.each<[type: string, lid: string | undefined, data: object]>([
    ['queens', 'me', local('queens', 'ghost')],
    ['queens', 'me', local('men')],
    ['women', 'me', local('queens')],
    ['queens', undefined, local('queens')],
  ])('of another resource is refused: %s %s, %j', async (type, lid, data) => {
    const created = { type, lid, relationships: { children: { data: [data] } } }
    const place = '/data/relationships/children/data/0'
    await expectRefused(['POST', '/women', { data: created }], `400 document.lid-unknown ${place}`)
  })

  it('of a type outside the relationship is refused', async () => {
    const data = { ...local('men'), relationships: { champion: { data: local('men') } } }
    const place = '/data/relationships/champion/data'
    await expectRefused(['POST', '/men', { data }], `400 document.lid-unknown ${place}`)
  })
})
