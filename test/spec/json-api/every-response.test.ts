import { type Finding, lintExchange, REQUIREMENTS } from 'stemma/testing'
import { define, setUp } from '../../support/api'
import { ACCEPT, PROFILE } from '../../support/follow-pages'
import { checkedFetch } from '../../support/lint'
import { ATOMIC } from '../../support/operate'
import type { RequestOptions } from '../../support/server'
import { Log } from '../support/article-models'
import { RULES } from '../support/article-rules'
import { newArticle, person, startArticles } from '../support/articles'
import { requirementsOf } from '../support/named-ids'

// Requirements of every response. `lintExchange` reports breaches; test/guides/testing shows that it reports each of them.

const failingLogs = define(Log, {
  filter(): never {
    throw new Error('no filter')
  },
})

const api = setUp(() =>
  startArticles({
    describedBy: '/description',
    meta: ({ method }) => ({ method }),
    definitions: [...RULES, failingLogs],
    onError: () => {},
    limits: { bodySize: 2000 },
  }),
)

const OPERATIONS = { 'atomic:operations': [{ op: 'add', ...newArticle({ title: 'Oak' }) }] }

/** One of each kind of document and of each status. */
const ANSWERS: readonly (readonly [status: number, method: string, path: string, sending?: RequestOptions])[] = [
  [200, 'GET', '/articles?page[size]=2&page[number]=2&sort=-title&fields[articles]=title'],
  [200, 'GET', '/articles?include=author.bestFriend,comments.author,tags.articles'],
  [200, 'GET', "/articles?filter=equals(title,'%C3%A4%20[]%22%5B%7C')&include=author", { headers: ACCEPT }],
  [200, 'GET', '/articles/1?include=author,comments.author.bestFriend,tags'],
  [200, 'GET', '/articles/3?include=comments', { headers: ACCEPT }],
  [200, 'GET', '/articles/1/author'],
  [200, 'GET', '/articles/2/author?include=articles'],
  [200, 'GET', '/articles/2/comments?include=author'],
  [200, 'GET', '/articles/1/comments?include=article.comments'],
  [200, 'GET', '/people/9?include=bestFriend,articles.author.bestFriend'],
  [200, 'GET', '/articles/1/relationships/comments?include=comments.author', { headers: ACCEPT }],
  [200, 'GET', '/articles/1/relationships/author?include=author.bestFriend'],
  [200, 'GET', '/articles/2/relationships/author'],
  [200, 'POST', '/operations', { body: OPERATIONS, headers: { 'content-type': ATOMIC, accept: ATOMIC } }],
  [201, 'POST', '/articles', { body: newArticle({ title: 'Ash' }, { author: { data: person(9) } }) }],
  [204, 'DELETE', '/articles/30'],
  [204, 'OPTIONS', '/articles'],
  [304, 'GET', '/articles/1', { headers: { 'if-none-match': '*' } }],
  [400, 'GET', '/articles?sort=nope&page[size]=0'],
  [400, 'GET', '/articles?page[size]=101', { headers: ACCEPT }],
  [400, 'POST', '/articles', { body: '{' }],
  [400, 'POST', '/articles', { body: {} }],
  [403, 'POST', '/articles', { body: { data: { ...newArticle({ title: 'Ash' }).data, id: '7' } } }],
  [403, 'POST', '/logs'],
  [404, 'GET', '/articles/999?include=author'],
  [404, 'GET', '/nowhere'],
  [405, 'PUT', '/articles/1'],
  [406, 'GET', '/articles', { headers: { accept: 'text/html' } }],
  [409, 'POST', '/articles', { body: { data: person(9) } }],
  [412, 'DELETE', '/articles/1', { headers: { 'if-match': '"other"' } }],
  [413, 'POST', '/articles', { body: ' '.repeat(3000) }],
  [415, 'POST', '/articles', { body: '{}', headers: { 'content-type': 'text/plain' } }],
  [422, 'POST', '/articles', { body: newArticle({ title: 7, views: 'many' }) }],
  [500, 'GET', '/logs'],
]

const findings: Finding[] = []

beforeAll(async () => {
  for (const [expected, method, path, sending = {}] of ANSWERS) {
    const response = await api.request(method, path, sending).expect(expected)
    const { body: sent = '' } = sending
    const requestBody = typeof sent === 'string' ? sent : JSON.stringify(sent)
    const { status, text: body } = response
    const exchange = { method, url: path, requestBody, status, headers: new Headers(response.headers), body }
    findings.push(...lintExchange(exchange, { level: 'recommended', profiles: [PROFILE] }))
  }
})

it.each([
  ['MT-1, MT-2, MT-3, CN-1, CN-16, HT-4', 'media types'],
  ['EX-2, EX-3, EX-4, EX-6', 'members of extensions'],
  ['DS-2, DS-3, DS-5, DS-6, DS-7, DS-9, DS-14, DS-15', 'documents'],
  ['RO-1, RO-3, RO-4, RO-6, RO-7, RO-8, RO-11, RO-12, RO-17', 'resource objects'],
  ['RI-1, RI-2, RI-3', 'identifiers'],
  ['CD-1, CD-2, CD-4', 'included resources'],
  ['ME-1, LK-1, LK-2, LK-3, LK-6, LK-8, QP-9, JA-1, JA-2, JA-3', 'meta, links and the jsonapi object'],
  ['ER-3, ER-4, ER-5, ER-6, ER-7, ER-9, ER-11, ER-12, ER-13, ER-14, ER-15, ER-17', 'errors'],
  ['MN-5, RC-1, RC-4, RC-6', 'recommendations'],
])('%s: no response breaks the requirements of %s', (ids) => {
  expect(requirementsOf(ids).filter((id) => !(id in REQUIREMENTS))).toEqual([])
  expect(findings.filter(({ requirement }) => requirementsOf(ids).includes(requirement))).toEqual([])
})

it('ME-1, ME-2, ER-16 meta is in documents, relationship objects, resource objects, identifiers and errors', async () => {
  const documentAt = async (path: string) => (await api.get(path).set(ACCEPT)).body
  const expected = { meta: { method: 'GET' }, data: { relationships: { comments: { meta: { total: 14 } } } } }
  expect(await documentAt('/articles/3?include=comments')).toMatchObject(expected)
  const meta = { page: { cursor: expect.any(String) } }
  expect((await documentAt('/articles')).data[0]).toMatchObject({ type: 'articles', id: '1', meta })
  expect((await documentAt('/articles/1/relationships/comments')).data[0]).toEqual({ type: 'comments', id: '5', meta })
  expect((await documentAt('/articles?page[size]=101')).errors[0].meta).toEqual({ page: { maxSize: 100 }, position: 1 })
})

it('DS-1 documents are JSON in UTF-8 without a byte order mark', async () => {
  const title = 'Höhe “x” 木 🌲'
  const { body: created } = await api.post('/articles').send(newArticle({ title }))
  const response = await checkedFetch(`${api.url}/articles/${created.data.id}`)
  const bytes = new Uint8Array(await response.arrayBuffer())
  expect(bytes[0]).toBe('{'.charCodeAt(0))
  const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  expect(text).toContain(title) // anchor: R/J-03
  expect(JSON.parse(text).data.attributes.title).toBe(title)
})
