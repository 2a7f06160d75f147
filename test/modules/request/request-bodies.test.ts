import { once } from 'node:events'
import { createServer, type IncomingMessage, request } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { gzipSync } from 'node:zlib'
import type { Response } from 'supertest'
import { readBodyBytes } from '../../../src/node-http/read-body-bytes'
import { setUp, useApi } from '../../support/api'
import { Blog, startBlogs } from '../../support/blogs'
import { deferred } from '../../support/deferred'
import { connectTo } from '../../support/raw-http'
import { someTurns } from '../../support/until'

const LIMIT = 200
const api = setUp(() => startBlogs({ limits: { bodySize: LIMIT } }))
const body = { data: { type: 'blogs', attributes: { title: 'Trees' } } }

it.each([
  [415, 'zstd7', 'header.content-encoding', { header: 'Content-Encoding' }, "'zstd7'"],
  [400, 'gzip', 'document.unreadable', undefined, ''],
])('returns %i for a body that is not compressed as %s', async (status, encoding, code, source, words) => {
  const { body: document } = await api.post('/blogs').send(body).set({ 'content-encoding': encoding }).expect(status)
  expect(document.errors).toMatchObject([{ code, detail: expect.stringContaining(words) }])
  expect(document.errors[0].source).toEqual(source)
})

it('accepts the names of encodings in any case, the old name of gzip, and an empty list', async () => {
  for (const encoding of ['GZIP', 'x-gzip'])
    await api
      .post('/blogs')
      .send(gzipSync(JSON.stringify(body)))
      .set({ 'content-encoding': encoding })
      .expect(201)
  for (const encoding of ['', 'Identity'])
    await api.post('/blogs').send(body).set({ 'content-encoding': encoding }).expect(201)
})

/** A body of `LIMIT + more` bytes. */
const bodyOf = (more: number) => {
  const empty = JSON.stringify({ ...body, meta: { note: '' } })
  return empty.replace('""', `"${'x'.repeat(LIMIT + more - empty.length)}"`)
}

it.each<[how: string, send: (rawBody: string) => PromiseLike<Answered>, found: string]>([
  ['with Content-Length', (rawBody) => api.post('/blogs').send(rawBody), `${LIMIT + 1}`],
  ['with chunks', sendInChunks, 'more'],
  [
    'after decompression',
    (rawBody) => api.post('/blogs').send(gzipSync(rawBody)).set({ 'content-encoding': 'gzip' }),
    'more',
  ],
])('accepts a body of limits.bodySize bytes and refuses one byte more %s', async (_how, send, found) => {
  expect((await send(bodyOf(0))).status).toBe(201)
  const before = await api.get('/blogs')
  const { status, body } = await send(bodyOf(1))
  expect(status).toBe(413)
  const detail = `Expected a body of at most ${LIMIT} bytes, found ${found}.`
  expect(body.errors).toMatchObject([{ code: 'document.too-large', status: '413', detail }])
  expect((await api.get('/blogs')).body.meta.total).toBe(before.body.meta.total)
})

type Answered = Pick<Response, 'status' | 'body'>

/** Two chunks, each smaller than the limit, without `Content-Length`. */
async function sendInChunks(rawBody: string): Promise<Answered> {
  const headers = { 'content-type': 'application/vnd.api+json' }
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const sending = request(`${api.url}/blogs`, { method: 'POST', headers }).on('response', resolve).on('error', reject)
    sending.write(rawBody.slice(0, 100))
    sending.end(rawBody.slice(100))
  })
  const text = Buffer.concat(await response.toArray()).toString()
  return { status: response.statusCode ?? 0, body: JSON.parse(text) }
}

it('does nothing when the client disconnects within the body before context resolves', async () => {
  const [asked, closed] = [deferred(), deferred()]
  const context = async (request: IncomingMessage) => {
    if (request.method !== 'DELETE') return
    asked.resolve()
    await once(request, 'close').catch(() => undefined)
    closed.resolve()
  }
  const reported: unknown[] = []
  await useApi(startBlogs({ context, onError: (error) => reported.push(error) }), async (waiting) => {
    const id = await waiting.add(Blog, { title: 'Stays' })
    const socket = connectTo(waiting)
    socket.write(`DELETE /blogs/${id} HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\n{`)
    await asked.promise
    socket.destroy()
    await closed.promise
    // Statements of the request would start in the turns that follow.
    await someTurns()
    await waiting.get(`/blogs/${id}`).expect(200)
    expect(reported).toEqual([])
  })
})

it('reads bytes behind a compressed body, so that the next request on the connection is answered', async () => {
  const packed = gzipSync(JSON.stringify(body))
  const head = [
    'POST /blogs HTTP/1.1',
    'Host: a',
    'Content-Type: application/vnd.api+json',
    'Content-Encoding: gzip',
    `Content-Length: ${packed.length + 300_000}`,
  ]
  const socket = connectTo(api)
  socket.write(Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), packed, Buffer.alloc(300_000)]))
  socket.write('GET /blogs HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n')
  const answers = Buffer.concat(await socket.toArray()).toString()
  expect(answers.match(/HTTP\/1.1 \d+/g)).toEqual(['HTTP/1.1 201', 'HTTP/1.1 200'])
})

it('fails when middleware has destroyed the request', async () => {
  const outcome = new Promise((resolve) => {
    const server = createServer((received) => {
      resolve(readBodyBytes(received, { bodySize: LIMIT, bodyDepth: 1 }, undefined).catch((error) => error))
      received.destroy()
      server.close()
    }).listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo
      connect(port, '127.0.0.1').write('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\n{')
    })
  })
  expect(await outcome).toMatchObject({ errors: [{ code: 'document.unreadable' }] })
})
