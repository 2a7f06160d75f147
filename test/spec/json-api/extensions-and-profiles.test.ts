import type { Response } from 'supertest'
import { expectError } from '../../support/expectations'
import { EXTENSION, operate } from '../../support/operate'
import { setUp } from '../../support/set-up'

import { ACCEPT, PROFILE } from '../../support/walk'
import { newArticle, startArticles } from '../support/articles'
import { membersNamed, namesOf, resourcesOf } from '../support/parts'

// https://jsonapi.org/format/1.1/#extension-rules, https://jsonapi.org/format/1.1/#profile-rules

const AUDIT = 'https://example.com/ext/audit'
const EXTENDED = { accept: `application/vnd.api+json;ext="${AUDIT}"` }

const api = setUp(() => startArticles({ extensions: [{ uri: AUDIT }] }))

/** One of each kind of endpoint. */
const PATHS = [
  ...['/articles?page[size]=2&sort=-title&include=author', '/articles/1?include=author,comments,tags'],
  ...['/articles/2/author', '/articles/1/comments', '/articles/1/relationships/comments?include=comments'],
  ...['/articles/999', '/articles?include=nope'],
]

it.each(PATHS)('EX-1 an applied extension leaves the document as it is: %s', async (path) => {
  const [plain, extended] = [await api.get(path), await api.get(path).set(EXTENDED)]
  expect(extended.body.jsonapi.ext).toEqual([AUDIT])
  expect(extended.status).toBe(plain.status)
  expect(extended.body).toEqual({
    ...plain.body,
    jsonapi: extended.body.jsonapi,
    links: { ...plain.body.links, self: extended.body.links.self },
  })
})

describe('members of an extension', () => {
  const names = async (answer: Promise<Response>) => allNames((await answer).body).filter((name) => name.includes(':'))

  it('EX-2, EX-3, EX-4, DS-17, MN-10 start with its namespace', async () => {
    const { body, headers } = await operate(api, { op: 'add', ...newArticle({ title: 'Ash' }) })
    expect(headers['content-type']).toBe(`application/vnd.api+json;ext="${EXTENSION}"`)
    expect(body['atomic:results']).toHaveLength(1)
    expect(allNames(body).filter((name) => name.includes(':'))).toEqual(['atomic:results'])
  })

  it.each([...PATHS, '/operations'])('EX-6 are left out where it is not applied: %s', async (path) => {
    expect(await names(api.get(path))).toEqual([])
    expect(await names(api.get(path).set(ACCEPT))).toEqual([])
  })

  it('EX-6 are left out of errors', async () => {
    expect(await names(operate(api, { op: 'remove', ref: { type: 'articles', id: '999' } }))).toEqual([])
  })
})

const UNKNOWN = ['foo:bar=1', 'atomic:nope=1', 'atomic:operations=1', 'ATOMIC:nope=1']
it.each(UNKNOWN)('EX-5 returns 400 for a parameter of an unknown extension: %s', async (parameter) => {
  const name = parameter.split('=')[0]
  expectError(await api.get(`/articles?${parameter}`), 400, name)
  const post = () => api.post(`/articles?${parameter}`).send(newArticle({ title: 'Ash' }))
  expectError(await api.unchanged(post), 400, name)
})

it.each(PATHS)('PR-3 an applied profile adds no members outside meta: %s', async (path) => {
  const { body } = await api.get(path).set(ACCEPT)
  const known = ['data', 'errors', 'included', 'jsonapi', 'links', 'meta']
  expect(Object.keys(body).filter((name) => !known.includes(name))).toEqual([])
  const members = ['attributes', 'id', 'links', 'meta', 'relationships', 'type']
  expect(namesOf(resourcesOf(body)).filter((name) => !members.includes(name))).toEqual([])
  for (const links of membersNamed('links', body)) {
    const pages = ['describedby', 'first', 'last', 'next', 'prev', 'related', 'self']
    expect(Object.keys(links as object).filter((name) => !pages.includes(name))).toEqual([])
  }
})

it.each(PATHS)('PR-5 an applied profile keeps the data: %s', async (path) => {
  const [plain, profiled] = [await api.get(path), await api.get(path).set(ACCEPT)]
  expect(profiled.status).toBe(plain.status)
  const { data, included, errors } = plain.body
  expect(withoutMeta(profiled.body)).toMatchObject(withoutMeta({ data, included, errors }))
})

it('PR-5 a profile adds to meta and links', async () => {
  const { body } = await api.get('/articles').set(ACCEPT)
  expect(body.jsonapi.profile).toEqual([PROFILE])
  expect(body.data[0].meta.page.cursor).toEqual(expect.any(String))
})

it('CP-21 linkage has links to the previous and next page', async () => {
  for (const id of [1, 2, 3]) {
    const { relationships } = (await api.get(`/articles/${id}?include=comments`).set(ACCEPT)).body.data
    expect(Object.keys(relationships.comments.links)).toEqual(expect.arrayContaining(['prev', 'next']))
  }
})

function withoutMeta(document: object): object {
  return JSON.parse(JSON.stringify(document), (name, value) => (name === 'meta' ? undefined : value))
}

/** The names of all members of a document. */
function allNames(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null) return []
  return [...(Array.isArray(value) ? [] : Object.keys(value)), ...Object.values(value).flatMap(allNames)]
}
