import request from 'supertest'
import { type RunningApi, startApi } from './start-api'

let api: RunningApi
beforeAll(async () => {
  api = await startApi()
})
afterAll(() => api.stop())

function post(path: string, data: object) {
  return request(api.server).post(`/api${path}`).type('application/vnd.api+json').send(JSON.stringify({ data }))
}

describe('publications', () => {
  it('returns books and magazines', async () => {
    await post('/books', { type: 'books', attributes: { title: 'Oaks', pages: 120 } }).expect(201)
    await post('/magazines', { type: 'magazines', attributes: { title: 'Trees', issue: 7 } }).expect(201)
    const { body } = await request(api.server).get('/api/publications?sort=title').expect(200)
    expect(body.data).toMatchObject([
      { type: 'books', attributes: { title: 'Oaks', pages: 120 } },
      { type: 'magazines', attributes: { title: 'Trees', issue: 7 } },
    ])
  })

  it.each(['/books', '/publications'])('rejects a book without pages at %s', async (path) => {
    const { body } = await post(path, { type: 'books', attributes: { title: 'Void', pages: 0 } }).expect(422)
    expect(body.errors).toMatchObject([{ source: { pointer: '/data/attributes/pages' } }])
  })
})
