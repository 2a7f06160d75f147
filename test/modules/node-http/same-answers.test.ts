import { gzipSync } from 'node:zlib'
import { setUp } from '../../support/api'
import { type RawLines, sendLines } from '../../support/raw-http'
import type { EntryPoint } from '../../support/server'
import { startStockedBlogs } from '../../support/stocked-blogs'

// The router and the listener send the same bytes.

const MEDIA = 'Content-Type: application/vnd.api+json'
const ATOMIC = 'Content-Type: application/vnd.api+json;ext="https://jsonapi.org/ext/atomic"'
const ACCEPT_ATOMIC = 'Accept: application/vnd.api+json;ext="https://jsonapi.org/ext/atomic"'

const start = (entryPoint: EntryPoint) =>
  setUp(() =>
    startStockedBlogs({
      entryPoint,
      limits: { bodySize: 400 },
      etags: 'all',
      meta: ({ headers }) => ({ asked: headers['x-asked'] ?? 'nothing' }),
      cacheControl: 'no-cache',
      links: { base: 'request' },
      onError: () => {},
    }),
  )
const [router, listener] = [start('router'), start('listener')]

function post(path: string, document: unknown, ...headers: readonly string[]): RawLines {
  const body = JSON.stringify(document)
  return { line: `POST ${path}`, headers: [MEDIA, `Content-Length: ${body.length}`, ...headers], body }
}

function newBlog(title: string) {
  return { data: { type: 'blogs', attributes: { title } } }
}

function compressed(encoding: string, document: unknown): RawLines {
  const body = gzipSync(JSON.stringify(document))
  const headers = [MEDIA, `Content-Encoding: ${encoding}`, `Content-Length: ${body.length}`]
  return { line: 'POST /blogs', headers, body }
}

function inChunks(body: string): RawLines {
  return { line: 'POST /blogs', headers: [MEDIA, 'Transfer-Encoding: chunked'], body }
}

function update(title: string, ...headers: readonly string[]): RawLines {
  const document = { data: { type: 'blogs', id: '1', attributes: { title } } }
  return { ...post('/blogs/1', document, ...headers), line: 'PATCH /blogs/1' }
}

const chunked = JSON.stringify(newBlog('In chunks'))
const operations = JSON.stringify({
  'atomic:operations': [
    { op: 'add', data: { type: 'blogs', lid: 'b', attributes: { title: 'Of two' } } },
    {
      op: 'update',
      data: { type: 'articles', id: '3', relationships: { blog: { data: { type: 'blogs', lid: 'b' } } } },
    },
  ],
})

const OPERATIONS: RawLines = {
  line: 'POST /operations',
  headers: [ATOMIC, ACCEPT_ATOMIC, `Content-Length: ${operations.length}`],
  body: operations,
}

it.each<[status: number, what: string, request: RawLines]>([
  [200, 'a collection', { line: 'GET /articles?include=blog,tags&sort=-views&page[size]=2' }],
  [200, 'a collection, encoded', { line: 'GET /articles?filter=equals(title,%27Elms%27)' }],
  [200, 'a resource', { line: 'GET /articles/1', headers: ['X-Asked: this'] }],
  [200, 'a repeated header', { line: 'GET /articles/1', headers: ['X-Asked: this', 'X-Asked: that'] }],
  [200, 'a Set-Cookie header', { line: 'GET /articles/1', headers: ['Set-Cookie: a=1', 'Set-Cookie: b=2'] }],
  [200, 'related resources', { line: 'GET /articles/1/tags' }],
  [200, 'a relationship', { line: 'GET /articles/1/relationships/tags?include=tags' }],
  [200, 'HEAD of a resource', { line: 'HEAD /articles/1' }],
  [200, 'HEAD of a collection', { line: 'HEAD /articles' }],
  [404, 'HEAD of a missing resource', { line: 'HEAD /articles/99' }],
  [200, 'a path that ends with a slash', { line: 'GET /articles/1/' }],
  [200, 'a forwarded host that is not trusted', { line: 'GET /tags', headers: ['X-Forwarded-Host: evil.example'] }],
  [204, 'OPTIONS', { line: 'OPTIONS /articles/1' }],
  [404, 'the root', { line: 'GET /' }],
  [404, 'an unknown type', { line: 'GET /article' }],
  [200, 'an absolute URL', { line: 'GET http://other.example/articles' }],
  [204, 'OPTIONS of the whole server', { line: 'OPTIONS *' }],
  [404, 'two slashes', { line: 'GET //articles' }],
  [400, 'a path that is no UTF-8', { line: 'GET /articles/%ff' }],
  [400, 'an unknown parameter', { line: 'GET /articles?nope=1' }],
  [400, 'a filter that ends too early', { line: 'GET /articles?filter=equals(title' }],
  [405, 'an unsupported method', { line: 'PUT /articles/1' }],
  [405, 'a method of another endpoint', { line: 'DELETE /articles' }],
  [406, 'another media type', { line: 'GET /articles', headers: ['Accept: text/html'] }],
  [415, 'a body of another media type', { line: 'POST /blogs', headers: ['Content-Length: 2'], body: '{}' }],
  [412, 'a failing If-Match', { line: 'GET /articles/1', headers: ['If-Match: "v9"'] }],
  [304, 'a matching If-None-Match', { line: 'GET /articles/1', headers: ['If-None-Match: *'] }],
  [304, 'HEAD with a matching If-None-Match', { line: 'HEAD /articles/1', headers: ['If-None-Match: *'] }],
  [201, 'a new resource', post('/blogs', newBlog('New'))],
  [201, 'letters that are not ASCII', { ...post('/blogs', newBlog('\\u00e9\\ud83c\\udf33')) }],
  [201, 'a chunked body', inChunks(`${chunked.length.toString(16)}\r\n${chunked}\r\n0\r\n\r\n`)],
  [201, 'a compressed body', compressed('GZIP', newBlog('Packed'))],
  [400, 'a body with a wrong Content-Encoding', post('/blogs', newBlog('New'), 'Content-Encoding: br')],
  [415, 'a body with an unknown Content-Encoding', post('/blogs', newBlog('New'), 'Content-Encoding: zip')],
  [413, 'a body that is too large', post('/blogs', newBlog('x'.repeat(400)))],
  [413, 'a chunked body that is too large', inChunks(`190\r\n${' '.repeat(400)}\r\n1\r\n \r\n0\r\n\r\n`)],
  [413, 'a body that is too large when decompressed', compressed('gzip', newBlog('x'.repeat(400)))],
  [400, 'a body that is no JSON', { line: 'POST /blogs', headers: [MEDIA, 'Content-Length: 1'], body: '{' }],
  [400, 'a POST without a body', { line: 'POST /blogs', headers: [MEDIA] }],
  [422, 'invalid values', post('/blogs', { data: { type: 'blogs', attributes: { title: 7 } } })],
  [409, 'another type', post('/blogs', { data: { type: 'tags', id: 'x' } })],
  [200, 'an update with return=representation', update('Woods', 'Prefer: return=representation')],
  [204, 'an update', update('Wood')],
  [204, 'a new member', post('/articles/2/relationships/tags', { data: [{ type: 'tags', id: 'red' }] })],
  [204, 'a deletion', { line: 'DELETE /blogs/2' }],
  [404, 'deleting a missing resource', { line: 'DELETE /blogs/2' }],
  [200, 'operations', OPERATIONS],
  [415, 'operations without the extension', { ...post('/operations', {}) }],
])('%i: router and listener send the same response to %s', async (status, _what, request) => {
  const [through, past] = await Promise.all([sendLines(router.url, request), sendLines(listener.url, request)])
  expect(past).toBe(through.replace('X-Powered-By: Express\r\n', ''))
  expect(past).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
})
