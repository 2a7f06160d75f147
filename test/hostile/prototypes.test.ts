import { refs, setUp } from '../support/api'
import { Article, Blog, startBlogs, Tag } from '../support/blogs'
import { createResource } from '../support/documents'
import { errorsOf, expectError } from '../support/expectations'
import { operate } from '../support/operate'
import { getRaw } from '../support/raw-http'
import { encoded } from './support/payloads'

// Names of Object.prototype are ordinary names everywhere and pollute no prototype.

const NAMES = [
  ...['__proto__', 'constructor', 'prototype', 'toString', 'valueOf', 'hasOwnProperty', 'toJSON', 'then', 'length'],
  ...['__defineGetter__', '__lookupSetter__', 'isPrototypeOf', 'name', 'caller', 'arguments'],
]

const api = setUp(() => startBlogs({ clientGeneratedIds: 'allowed' }))
const before = snapshot()

beforeAll(async () => {
  await api.add(Blog, { title: 'A' })
  await api.add(Tag, { id: 'a' })
  await api.add(Article, { title: 'A', tags: refs('a') })
})
afterEach(() => expect(snapshot()).toEqual(before))

function snapshot(): readonly string[] {
  return [Object, Array, Function, String, Number, Map, Set, Promise, Error, RegExp].flatMap(({ prototype, name }) =>
    Reflect.ownKeys(prototype).map((key) => `${name} ${String(key)}`),
  )
}

type Outcome = readonly [status: number, codes: readonly string[][]]

/** The outcomes of bodies with an ordinary name, by place: they are the same whatever name they are compared with. */
const ordinary = new Map<string, Outcome>()

async function outcomeOfPost(body: unknown): Promise<Outcome> {
  const response = await api.post('/articles').send(body)
  return [response.status, errorsOf(response).map((error) => error.split(' ').slice(0, 2))]
}

async function ordinaryOutcome(place: string, body: unknown): Promise<Outcome> {
  const outcome = ordinary.get(place) ?? (await outcomeOfPost(body))
  ordinary.set(place, outcome)
  return outcome
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
  ])('in %s is an ordinary member', async (place, rawBody) => {
    const expected = await ordinaryOutcome(place, rawBody.replace(member, '"another"'))
    expect(await outcomeOfPost(rawBody)).toEqual(expected)
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
      ...[`/articles?${name}=1`, `/articles?${name}[a]=1`, `/articles?filter[${name}]=has(tags)`],
      ...[`/articles?sort=${name}`, `/articles?filter=has(${name})`, `/articles?filter=equals(${name},'a')`],
      ...[`/articles?include=${name}`, `/articles?include=tags.${name}`, `/articles?fields[${name}]=title`],
      ...[`/articles?fields[articles]=${name}`, `/articles?page[${name}]=1`, `/articles?filter=${name}(title,'a')`],
      ...[`/articles?filter=isType(,${name})`, `/articles?sort=blog.${name}`, `/articles?page[size]=2,${name}:1`],
      ...[`/articles?filter=equals(status,'${name}')`, `/articles?filter=equals(blog.${name},'a')`],
    ]
    const found = await Promise.all(
      gets.map(async (path) => {
        const { status, body } = await getRaw(api.url, path.replaceAll(name, encoded(name)))
        return [path, [400, 404].includes(status), body.errors?.length > 0]
      }),
    )
    expect(found).toEqual(gets.map((path) => [path, true, true]))
    const bodies = (word: string): readonly object[] => [
      { data: { type: word } },
      { data: { type: 'articles', attributes: { title: 'A', status: word } } },
      { data: { type: 'articles', relationships: { blog: { data: { type: word, id: '1' } } } } },
    ]
    for (const [place, body] of bodies(name).entries()) {
      const expected = await ordinaryOutcome(`body ${place}`, bodies('another')[place])
      expect(expected[0]).toBeGreaterThanOrEqual(400)
      expect(await outcomeOfPost(body)).toEqual(expected)
    }
  })

  it('is an unknown operation and an ordinary local id', async () => {
    const data = { type: 'blogs', attributes: { title: 'A' } }
    await operate(api, { op: name, data }).expect(400)
    await operate(api, { op: 'remove', ref: { type: name, id: '1' } }).expect(422)
    await operate(api, { op: 'remove', ref: { type: 'blogs', lid: name } }).expect(400)
    await operate(api, { op: 'update', ref: { type: 'articles', id: '1', relationship: name }, data: null }).expect(404)
    await operate(api, { op: 'add', data: { ...data, lid: name } }).expect(200)
  })

  it('is an unknown Content-Encoding', async () => {
    const body = { data: { type: 'blogs', attributes: { title: 'A' } } }
    const response = await api.post('/blogs').send(body).set({ 'content-encoding': name })
    expectError(response, 415, 'Content-Encoding', 'header.content-encoding')
  })

  it('is an ordinary id', async () => {
    const { status, body } = await createResource(api, 'tags', {}, {}, name)
    expect([status, body.data.id]).toEqual([201, name])
    const relationships = { tags: { data: [{ type: 'tags', id: name }] } }
    const linked = await createResource(api, 'articles', { title: name }, relationships)
    const read = await api.get(`/articles/${linked.body.data.id}?include=tags`)
    expect(read.body.included).toMatchObject([{ type: 'tags', id: name }])
  })
})
