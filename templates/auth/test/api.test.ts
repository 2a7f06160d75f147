import request from 'supertest'
import { createToken } from '../src/authentication'
import { assertEnvironment } from '../src/environment'
import { type RunningApi, startApi } from './start-api'

let api: RunningApi
beforeAll(async () => {
  process.env.TOKEN_SECRET = 'a secret of the tests'
  process.env.ETAG_SECRET = 'another secret of the tests'
  api = await startApi()
})
afterAll(() => api.stop())

const asEditor = () => createToken({ name: 'ada', roles: ['editor'] })

function post(path: string, data: object, token?: string) {
  const sent = request(api.server).post(`/api${path}`).type('application/vnd.api+json')
  if (token !== undefined) sent.auth(token, { type: 'bearer' })
  return sent.send(JSON.stringify({ data }))
}

it.each(['', 'short'])('does not start with the secret %j', (secret) => {
  const former = process.env.TOKEN_SECRET
  process.env.TOKEN_SECRET = secret
  expect(assertEnvironment).toThrow('TOKEN_SECRET')
  expect(asEditor).toThrow('TOKEN_SECRET')
  process.env.TOKEN_SECRET = former
})

describe('publications', () => {
  it('returns books and magazines without a token', async () => {
    await post('/books', { type: 'books', attributes: { title: 'Oaks', pages: 120 } }, asEditor()).expect(201)
    await post('/magazines', { type: 'magazines', attributes: { title: 'Trees', issue: 7 } }, asEditor()).expect(201)
    const { body } = await request(api.server).get('/api/publications?sort=title').expect(200)
    expect(body.data).toMatchObject([
      { type: 'books', attributes: { title: 'Oaks', pages: 120 } },
      { type: 'magazines', attributes: { title: 'Trees', issue: 7 } },
    ])
  })

  it.each(['/books', '/publications'])('rejects a book without pages at %s', async (path) => {
    const book = { type: 'books', attributes: { title: 'Void', pages: 0 } }
    const { body } = await post(path, book, asEditor()).expect(422)
    expect(body.errors).toMatchObject([{ source: { pointer: '/data/attributes/pages' } }])
  })
})

describe('a write', () => {
  const samples: readonly [string, object][] = [
    ['/authors', { type: 'authors', attributes: { name: 'Ada' } }],
    ['/books', { type: 'books', attributes: { title: 'Elms', pages: 90 } }],
    ['/publications', { type: 'magazines', attributes: { title: 'Leaves', issue: 1 } }],
  ]

  it.each(samples)('at %s needs the token of an editor', async (path, data) => {
    const { headers } = await post(path, data).expect(401)
    expect(headers['www-authenticate']).toBe('Bearer')
    await post(path, data, createToken({ name: 'ben', roles: [] })).expect(403)
    await post(path, data, asEditor()).expect(201)
  })

  it('is refused with a token that was changed, or has expired', async () => {
    const [path, data] = ['/authors', { type: 'authors', attributes: { name: 'Eve' } }]
    const [, signature] = createToken({ name: 'ben', roles: [] }).split('.')
    const [content] = asEditor().split('.')
    await post(path, data, `${content}.${signature}`).expect(401)
    await post(path, data, createToken({ name: 'ada', roles: ['editor'] }, Date.now() - 1)).expect(401)
  })
})
