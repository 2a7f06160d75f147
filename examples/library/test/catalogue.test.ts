import { ADA, changeOf, documentOf, LENA } from './samples'
import { type RunningApi, type Send, startApi } from './start-api'

let api: RunningApi
let ada: Send
let lena: Send
beforeAll(async () => {
  api = await startApi()
  ada = api.as(ADA)
  lena = api.as(LENA)
})
afterAll(() => api.stop())

describe('the catalogue', () => {
  it.each([
    ['/items', ['books', 'books', 'magazines', 'audiobooks', 'films', 'films']],
    ['/printed', ['books', 'books', 'magazines']],
    ['/recordings', ['audiobooks', 'films', 'films']],
    ["/items?filter=isType(,recordings,lessThan(minutes,'150'))", ['films']],
    ["/items?filter=has(authors,equals(name,'Jane Austen'))", ['books', 'audiobooks']],
  ])('shows the types of %s', async (path, types) => {
    const { body } = await ada('get', path)
    expect(body.data.map(({ type }: { type: string }) => type)).toEqual(types)
  })

  const film = documentOf('films', { title: 'Arrival', year: 2016, minutes: 116 })

  it.each(['/items', '/recordings', '/films'])('lets only librarians add a film at %s', async (path) => {
    expect((await ada('post', path, film)).status).toBe(403)
    expect((await lena('post', path, film)).status).toBe(201)
  })

  it.each([
    ['patch', '/books/1', changeOf('books', '1', { title: 'Mine' })],
    ['patch', '/items/1', changeOf('books', '1', { title: 'Mine' })],
    ['delete', '/items/1', undefined],
    ['post', '/books/1/relationships/authors', { data: [{ type: 'authors', id: '2' }] }],
    ['post', '/authors/2/relationships/items', { data: [{ type: 'books', id: '1' }] }],
    ['patch', '/copies/1/relationships/branch', { data: { type: 'branches', id: '2' } }],
  ] as const)('refuses %s %s by a member', async (method, path, document) => {
    expect((await ada(method, path, document)).status).toBe(403)
  })

  it('moves a copy to another branch, but not to another item', async () => {
    const to = (relationship: string, type: string, id: string) =>
      lena('patch', `/copies/3/relationships/${relationship}`, { data: { type, id } })
    expect((await to('branch', 'branches', '2')).status).toBe(204)
    expect((await to('item', 'books', '1')).status).toBe(403)
  })

  it('checks the number of a book', async () => {
    const book = documentOf('books', { title: 'Emma', year: 1815, pages: 474, isbn: '9780141439588' })
    const { status, body } = await lena('post', '/items', book)
    expect(status).toBe(422)
    expect(body.errors).toMatchObject([{ source: { pointer: '/data/attributes/isbn' } }])
  })

  it('keeps an item that has copies', async () => {
    expect((await lena('delete', '/items/1')).status).toBe(409)
  })

  it('records changes for librarians', async () => {
    await lena('patch', '/items/6', changeOf('films', '6', { title: 'Emma.', year: 2020 }))
    const { body } = await lena('get', "/changes?filter=equals(what,'update films 6')")
    expect(body.data).toMatchObject([{ attributes: { memberId: '1', details: { title: 'Emma.' } } }])
    expect((await ada('get', '/changes')).body.data).toEqual([])
    expect((await lena('delete', '/changes/1')).status).toBe(403)
  })
})
