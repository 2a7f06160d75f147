import { createJsonApi, JsonApiError, type Refusal, type ResourceWrite } from 'stemma'
import { BLOGS, Blog, startBlogs } from '../../support/blogs'
import { define } from '../../support/define'
import { createResource } from '../../support/documents'
import { operate } from '../../support/operate'
import { serve } from '../../support/server'
import { setUp } from '../../support/set-up'

let refusals: readonly Refusal[] = []
const reported: Error[] = []

const rules = define(Blog, {
  beforeWrite(_write: ResourceWrite<Blog>): void {
    const [only, ...others] = refusals
    if (only === undefined) return
    if (others.length === 0) throw new JsonApiError(only)
    throw new JsonApiError(refusals.map((each) => ({ status: 422, code: 'own', ...each })))
  },
})

const api = setUp(() => startBlogs({ definitions: [rules], report: (error) => void reported.push(error as Error) }))
beforeEach(() => {
  reported.length = 0
})

const post = () => createResource(api, 'blogs', { title: 'New' })
const signIn: Refusal = { status: 401, title: 'Sign in.', headers: { 'WWW-Authenticate': 'Bearer realm="blogs"' } }

it('sends the headers of an error, and does not show them in the document', async () => {
  refusals = [signIn]
  const { headers, body } = await post().expect(401)
  expect(headers['www-authenticate']).toBe('Bearer realm="blogs"')
  expect(body.errors).toEqual([{ status: '401', code: 'rule.refused', title: 'Sign in.' }])
  expect(reported).toEqual([])
})

it('sends those of several errors, of one name the first', async () => {
  const wait = (rate: string) => ({ status: 429, title: 'Too many.', headers: { 'x-rate': rate } })
  refusals = [wait('60'), signIn, wait('5')]
  const { headers } = await post().expect(400)
  expect([headers['x-rate'], headers['www-authenticate']]).toEqual(['60', 'Bearer realm="blogs"'])
})

it('sends Retry-After with 429', async () => {
  refusals = [{ status: 429, title: 'Too many.', headers: { 'Retry-After': '60' } }]
  expect((await post().expect(429)).headers['retry-after']).toBe('60')
})

it('sends a Retry-After of the rule in place of that of the library', async () => {
  refusals = [{ status: 503, title: 'Closed.' }]
  expect((await post().expect(503)).headers['retry-after']).toBe('1')
  refusals = [{ status: 503, title: 'Closed.', headers: { 'Retry-After': '3600' } }]
  expect((await post().expect(503)).headers['retry-after']).toBe('3600')
})

it('sends them for operations, with a pointer to the operation', async () => {
  refusals = [{ ...signIn, field: 'title' }]
  const add = { op: 'add', data: { type: 'blogs', attributes: { title: 'New' } } }
  const { headers, body } = await operate(api, add).expect(401)
  expect(headers['www-authenticate']).toBe('Bearer realm="blogs"')
  expect(body.errors[0].source).toEqual({ pointer: '/atomic:operations/0/data/attributes/title' })
})

it('sends those of the option context, through the listener of Node', async () => {
  const context = () => Promise.reject(new JsonApiError(signIn))
  const common = { dataSource: api.dataSource, resources: BLOGS, explorer: 'off', startUp: 'quiet' } as const
  const { listener } = createJsonApi({ ...common, context })
  const server = await serve(listener as Parameters<typeof serve>[0])
  try {
    const { headers } = await server.get('/blogs').expect(401)
    expect(headers['www-authenticate']).toBe('Bearer realm="blogs"')
  } finally {
    await server.close()
  }
})

describe('what no response can carry is a mistake of the application', () => {
  it.each<readonly [string, object, string]>([
    [
      'a status of success',
      { status: 204 },
      "The JsonApiError 'No.' has the status 204. Give it an integer from 400 to 599.",
    ],
    ['a status that does not exist', { status: 600 }, "The JsonApiError 'No.' has the status 600."],
    ['a status that is no number', { status: 'abc' }, "The JsonApiError 'No.' has the status 'abc'."],
    ['a status as text', { status: '422' }, "The JsonApiError 'No.' has the status '422'."],
    ['a fraction', { status: 422.5 }, "The JsonApiError 'No.' has the status 422.5."],
    [
      'an illegal name',
      { headers: { 'a b': 'c' } },
      "The JsonApiError 'No.' has a header 'a b', which is no name of HTTP.",
    ],
    [
      'an illegal value',
      { headers: { 'X-A': 'a\r\nb: c' } },
      "The JsonApiError 'No.' has a header 'X-A' with the value",
    ],
    [
      'a value that is no text',
      { headers: { 'Retry-After': 5 } },
      "The JsonApiError 'No.' has a header 'Retry-After' with the value 5.",
    ],
    [
      'a header of the library',
      { headers: { 'Content-Length': '5' } },
      "The JsonApiError 'No.' has the header 'Content-Length', which the library sets.",
    ],
  ])('%s', async (_what, refusal, message) => {
    for (const all of [[refusal], [{}, refusal]]) {
      refusals = all.map((each) => ({ title: 'No.', ...each }))
      const { body } = await api.unchanged(() => post().expect(500).start())
      expect(body.errors).toEqual([{ status: '500', code: 'server.error', title: 'The server failed.' }])
      const [error] = reported.splice(0)
      expect(error?.message).toContain(message)
      expect(error?.stack).toContain('beforeWrite')
    }
  })
})
