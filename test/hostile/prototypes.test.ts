import type { Response } from 'supertest'
import { refs, type TestApi } from '../support/api'
import { Article, Blog, startBlogs, Tag } from '../support/blogs'
import { errorsOf, expectError } from '../support/expectations'
import { ATOMIC } from '../support/operate'
import { sendRaw } from '../support/raw-http'
import { encoded } from './support/tricks'

// Names of Object.prototype are ordinary names everywhere and pollute no prototype.

const NAMES = [
  ...['__proto__', 'constructor', 'prototype', 'toString', 'valueOf', 'hasOwnProperty', 'toJSON', 'then', 'length'],
  ...['__defineGetter__', '__lookupSetter__', 'isPrototypeOf', 'name', 'caller', 'arguments'],
]

let api: TestApi
const before = snapshot()

beforeAll(async () => {
  api = await startBlogs({ clientIds: 'allowed' })
  await api.add(Blog, { title: 'A' })
  await api.add(Tag, { id: 'a' })
  await api.add(Article, { title: 'A', tags: refs('a') })
})
afterAll(() => api.close())
afterEach(() => expect(snapshot()).toEqual(before))

/** All members of built-in prototypes. */
function snapshot(): readonly string[] {
  return [Object, Array, Function, String, Number, Map, Set, Promise, Error, RegExp].flatMap(({ prototype, name }) =>
    Reflect.ownKeys(prototype).map((key) => `${name} ${String(key)}`),
  )
}

describe.each(NAMES)('%s', (name) => {
  const member = JSON.stringify(name)
  const evil = '{"isAdmin":true,"polluted":1}'

  const article = (rest: string, attributes = '"title":"A"') =>
    `{"data":{"type":"articles","attributes":{${attributes}}${rest}`

  it.each([
    ['a document', `${article('}')},${member}:${evil}}`],
    ['a resource', `${article('')},${member}:${evil}}}`],
    ['attributes', `${article('}}', `"title":"A",${member}:${evil}`)}`],
    ['relationships', article(`,"relationships":{${member}:${evil}}}}`)],
    ['a relationship', article(`,"relationships":{"blog":{"data":null,${member}:${evil}}}}}`)],
    ['an identifier', article(`,"relationships":{"blog":{"data":{"type":"blogs","id":"1",${member}:${evil}}}}}}`)],
    ['meta', `${article('}')},"meta":{${member}:${evil}}}`],
    ['a body', `{${member}:${evil}}`],
  ])('in %s is an ordinary member', async (_what, rawBody) => {
    const codesOf = (response: Response) => errorsOf(response).map((error) => error.split(' ').slice(0, 2))
    const response = await api.post('/articles').send(rawBody)
    const other = await api.post('/articles').send(rawBody.replace(member, '"another"'))
    expect([response.status, codesOf(response)]).toEqual([other.status, codesOf(other)])
  })

  it('in a JSON attribute is stored', async () => {
    const rawBody = `{"data":{"type":"articles","attributes":{"title":"A","extra":{${member}:${evil},"a":[{${member}:null}]}}}}`
    const { status, text, body } = await api.post('/articles').send(rawBody)
    expect([status, text]).toEqual([201, expect.stringContaining(`{${member}:${evil},"a":[{${member}:null}]}`)])
    const read = await api.get(`/articles/${body.data.id}`)
    expect(read.text).toContain(`"extra":{${member}:${evil},"a":[{${member}:null}]}`)
    expect(Reflect.get({}, 'isAdmin')).toBe(undefined)
  })

  it('is no known type, id, relationship, parameter or field', async () => {
    const gets = [
      ...[`/${name}`, `/${name}/1`, `/articles/${name}`, `/articles/1/${name}`, `/articles/1/relationships/${name}`],
      ...[
        `/articles?${name}=1`,
        `/articles?${name}[a]=1`,
        `/articles?filter[${name}]=has(tags)`,
        `/articles?sort=${name}`,
      ],
      ...[`/articles?include=${name}`, `/articles?include=tags.${name}`, `/articles?fields[${name}]=title`],
      ...[`/articles?fields[articles]=${name}`, `/articles?page[${name}]=1`, `/articles?filter=${name}(title,'a')`],
      ...[
        `/articles?filter=equals(${name},'a')`,
        `/articles?filter=equals(blog.${name},'a')`,
        `/articles?filter=has(${name})`,
      ],
      ...[`/articles?filter=isType(,${name})`, `/articles?sort=blog.${name}`, `/articles?page[size]=2,${name}:1`],
      ...[`/articles?filter=equals(status,'${name}')`],
    ]
    for (const path of gets) {
      const { status, body } = await sendRaw(api.url, { method: 'GET', path: path.replaceAll(name, encoded(name)) })
      expect({ path, isRefused: [400, 404].includes(status), hasErrors: body.errors?.length > 0 }).toEqual({
        path,
        isRefused: true,
        hasErrors: true,
      })
    }
    const bodies = (word: string): readonly object[] => [
      { data: { type: word } },
      { data: { type: 'articles', attributes: { title: 'A', status: word } } },
      { data: { type: 'articles', relationships: { blog: { data: { type: word, id: '1' } } } } },
    ]
    for (const [place, body] of bodies(name).entries()) {
      const [answer, other] = [
        await api.post('/articles').send(body),
        await api.post('/articles').send(bodies('another')[place]),
      ]
      expect(answer.status).toBeGreaterThanOrEqual(400)
      expect(answer.status).toBe(other.status)
      expect(answer.body.errors[0].code).toBe(other.body.errors[0].code)
    }
  })

  it('is an unknown operation and an ordinary local id', async () => {
    const operate = (operation: object) =>
      api
        .post('/operations')
        .send({ 'atomic:operations': [operation] })
        .set({ 'content-type': ATOMIC, accept: ATOMIC })
    const data = { type: 'blogs', attributes: { title: 'A' } }
    await operate({ op: name, data }).expect(400)
    expect((await operate({ op: 'remove', ref: { type: name, id: '1' } })).status).toBeGreaterThanOrEqual(400)
    await operate({ op: 'remove', ref: { type: 'blogs', lid: name } }).expect(400)
    await operate({ op: 'update', ref: { type: 'articles', id: '1', relationship: name }, data: null }).expect(404)
    await operate({ op: 'add', data: { ...data, lid: name } }).expect(200)
  })

  it('is an unknown Content-Encoding', async () => {
    const body = { data: { type: 'blogs', attributes: { title: 'A' } } }
    const response = await api.post('/blogs').send(body).set({ 'content-encoding': name })
    expectError(response, 415, 'Content-Encoding', 'header.content-encoding')
  })

  it('is an ordinary id', async () => {
    const { status, body } = await api.post('/tags').send({ data: { type: 'tags', id: name } })
    expect([status, body.data.id]).toEqual([201, name])
    const relationships = { tags: { data: [{ type: 'tags', id: name }] } }
    const linked = await api
      .post('/articles')
      .send({ data: { type: 'articles', attributes: { title: name }, relationships } })
    const read = await api.get(`/articles/${linked.body.data.id}?include=tags`)
    expect(read.body.included).toMatchObject([{ type: 'tags', id: name }])
  })
})
