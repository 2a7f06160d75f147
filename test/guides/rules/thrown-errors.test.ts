import express from 'express'
import { createJsonApi, JsonApiError, type JsonApiErrorInit, type ResourceDefinition } from 'stemma'
import { define, setUp, useApi } from '../../support/api'
import { Article, BLOGS, Blog, startBlogs } from '../../support/blogs'
import { createResource, newResource } from '../../support/documents'
import { operate } from '../../support/operate'
import { serve } from '../../support/server'

/** A client needs a scope to read articles. */
const articleRules = define<Article, string | undefined>(Article, {
  filter(scope: string | undefined): undefined {
    if (scope !== 'articles') throw new JsonApiError({ status: 401, title: 'It needs the scope articles.' })
  },
})

/** What `beforeWrite` of blogs does. */
let write: () => void = () => {}
const blogRules = define(Blog, { beforeWrite: () => write() })

function refuse(refusals: JsonApiErrorInit | readonly JsonApiErrorInit[]): void {
  write = () => {
    if (!Array.isArray(refusals)) throw new JsonApiError(refusals as JsonApiErrorInit)
    throw new JsonApiError(refusals.map((each) => ({ status: 422, code: 'own', ...each })))
  }
}

const SERVER_ERROR = { status: '500', code: 'server.error', title: 'The server failed.' }
const reported: Error[] = []
const api = setUp(() =>
  startBlogs({
    definitions: [articleRules, blogRules] as ResourceDefinition[],
    context: (request) => request.get('x-scope'),
    onError: (error) => void reported.push(error as Error),
  }),
)
beforeAll(() => api.add(Blog, { title: 'Trees' }))
beforeEach(() => {
  reported.length = 0
  write = () => {}
})

const post = () => createResource(api, 'blogs', { title: 'New' })

it.each([
  ['its own status', '418', 418, 'R/N-01'],
  ['its own status, from a rule', '403', 403, 'R/N-04'],
  ['the status of all', '412 412', 412, 'R/N-03'],
  ['400 for several of 4xx', '412 401 417', 400, 'R/N-03'],
  ['500 if one is of 5xx', '412 503', 500, 'R/N-03'],
])('a JsonApiError is returned with %s, and is not reported', async (_what, statuses, status) => {
  const problems = statuses.split(' ').map((each) => ({ status: each, code: `own.${each}`, title: `Own ${each}.` }))
  refuse(problems.map((each) => ({ ...each, status: Number(each.status) })))
  expect((await post().expect(status)).body.errors).toEqual(problems)
  expect(reported).toEqual([])
})

it('a JsonApiError from a route of the application gets the same status and headers', async () => {
  const signIn = { status: 401, code: 'own', title: 'Sign in.', headers: { 'WWW-Authenticate': 'Bearer' } }
  const other = { status: 403, code: 'own', title: 'No.', headers: { 'www-authenticate': 'Basic', 'X-Own': 'a' } }
  const app = express().set('env', 'test')
  app.get('/one', () => Promise.reject(new JsonApiError(signIn)))
  app.get('/several', () => Promise.reject(new JsonApiError([signIn, other])))
  await useApi(serve(app), async (server) => {
    const one = await server.get('/one').unchecked()
    expect([one.status, one.headers['www-authenticate']]).toEqual([401, 'Bearer'])
    const { status, headers } = await server.get('/several').unchecked()
    expect([status, headers['www-authenticate'], headers['x-own']]).toEqual([400, 'Bearer', 'a'])
  })
})

it('a JsonApiError of a filter rule is returned wherever the type is read', async () => {
  for (const path of ['/articles', '/blogs/1/articles', '/blogs/1?include=articles', '/comments?sort=article.title']) {
    const { body } = await api.get(path).expect(401)
    expect(body.errors).toMatchObject([{ title: 'It needs the scope articles.' }])
    await api.get(path).set({ 'x-scope': 'articles' }).expect(200)
  }
  expect(reported).toEqual([])
})

describe('headers of a JsonApiError', () => {
  const REALM = 'Bearer realm="blogs"'
  const signIn: JsonApiErrorInit = { status: 401, title: 'Sign in.', headers: { 'WWW-Authenticate': REALM } }
  const later = (status: number, seconds: string) => ({ status, title: 'Later.', headers: { 'Retry-After': seconds } })

  it('are sent, and not shown in the document', async () => {
    refuse(signIn)
    const { headers, body } = await post().expect(401)
    expect(headers['www-authenticate']).toBe(REALM)
    expect(body.errors).toEqual([{ status: '401', code: 'rule.rejected', title: 'Sign in.' }])
    expect(reported).toEqual([])
  })

  it('are those of several errors, the first of each name', async () => {
    const wait = (rate: string) => ({ status: 429, title: 'Too many.', headers: { 'x-rate': rate } })
    refuse([wait('60'), signIn, wait('5')])
    const { headers } = await post().expect(400)
    expect([headers['x-rate'], headers['www-authenticate']]).toEqual(['60', REALM])
  })

  it.each([
    ['with 429', later(429, '60'), '60'],
    ['in place of that of the library with 503', later(503, '3600'), '3600'],
    ['of the library with 503', { status: 503, title: 'Closed.' }, '1'],
  ])('may contain Retry-After: %s', async (_what, refusal, expected) => {
    refuse(refusal)
    expect((await post().expect(refusal.status)).headers['retry-after']).toBe(expected)
  })

  it('are sent for operations, with a pointer to the operation', async () => {
    refuse({ ...signIn, field: 'title' })
    const { headers, body } = await operate(api, { op: 'add', ...newResource('blogs', { title: 'New' }) }).expect(401)
    expect(headers['www-authenticate']).toBe(REALM)
    expect(body.errors[0].source).toEqual({ pointer: '/atomic:operations/0/data/attributes/title' })
  })

  it('may come from the option context, and are sent through the listener of Node', async () => {
    const context = () => Promise.reject(new JsonApiError(signIn))
    const common = { dataSource: api.dataSource, resources: BLOGS, explorer: false, startupLog: false } as const
    const { listener } = createJsonApi({ ...common, context })
    await useApi(serve(listener as Parameters<typeof serve>[0]), async (server) => {
      const { headers } = await server.get('/blogs').expect(401)
      expect(headers['www-authenticate']).toBe(REALM)
    })
  })
})

it.each<readonly [what: string, refusal: object, message: string]>([
  ['a status of success', { status: 204 }, 'the status 204. Give it an integer from 400 to 599.'],
  ['a status that does not exist', { status: 600 }, 'the status 600.'],
  ['a status that is no number', { status: 'abc' }, "the status 'abc'."],
  ['a status as text', { status: '422' }, "the status '422'."],
  ['a fraction', { status: 422.5 }, 'the status 422.5.'],
  ['an illegal name', { headers: { 'a b': 'c' } }, "a header 'a b', which is not a valid header name."],
  ['an illegal value', { headers: { 'X-A': 'a\r\nb: c' } }, "a header 'X-A' with the value"],
  ['a value that is no text', { headers: { 'Retry-After': 5 } }, "a header 'Retry-After' with the value 5."],
  [
    'a header of the library',
    { headers: { 'Content-Length': '5' } },
    "the header 'Content-Length', which the library sets.",
  ],
])('a JsonApiError with %s is a mistake of the application', async (_what, refusal, message) => {
  const title = 'No.'
  for (const all of [{ title, ...refusal }, [{ title }, { title, ...refusal }]]) {
    refuse(all)
    const { body } = await api.unchanged(() => post().expect(500).start())
    expect(body.errors).toEqual([SERVER_ERROR])
    const [error] = reported.splice(0)
    expect(error?.message).toContain(`The JsonApiError 'No.' has ${message}`)
    expect(error?.stack).toContain('beforeWrite')
  }
})
