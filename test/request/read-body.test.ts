import { connect } from 'node:net'
import { gzipSync } from 'node:zlib'
import { startBlogs } from '../support/blogs'
import type { Stocked } from '../support/stock'

let api: Stocked

beforeAll(async () => {
  api = await startBlogs({ limits: { bodySize: 200 } })
})
afterAll(() => api.close())

const body = { data: { type: 'blogs', attributes: { title: 'Trees' } } }

it('takes a body that is compressed', async () => {
  const rawBody = gzipSync(JSON.stringify(body))
  const { status } = await api.send('POST', '/blogs', { rawBody, headers: { 'content-encoding': 'gzip' } })
  expect(status).toBe(201)
})

it('refuses a compression that it does not know', async () => {
  const { status, document } = await api.send('POST', '/blogs', { body, headers: { 'content-encoding': 'zstd7' } })
  expect(status).toBe(415)
  expect(document.errors).toMatchObject([
    {
      code: 'header.content-encoding',
      source: { header: 'Content-Encoding' },
      detail: expect.stringContaining('zstd7'),
    },
  ])
})

it('refuses what is not compressed as it says', async () => {
  const { status, document } = await api.send('POST', '/blogs', { body, headers: { 'content-encoding': 'gzip' } })
  expect(status).toBe(400)
  expect(document.errors).toMatchObject([{ code: 'document.unreadable' }])
})

it.each([
  ['as it is', JSON.stringify({ ...body, meta: { note: 'x'.repeat(200) } }), {}],
  [
    'once it is unpacked',
    gzipSync(JSON.stringify({ ...body, meta: { note: 'x'.repeat(200) } })),
    { 'content-encoding': 'gzip' },
  ],
])('refuses a body that is larger than the limit %s', async (_how, rawBody, headers) => {
  const before = await api.get('/blogs')
  const { status, document } = await api.send('POST', '/blogs', { rawBody, headers })
  expect(status).toBe(413)
  expect(document.errors).toMatchObject([{ code: 'document.too-large', status: '413' }])
  expect((await api.get('/blogs')).document.meta.total).toBe(before.document.meta.total)
})

it('lives on when a client hangs up in the middle of a body', async () => {
  const { hostname, port } = new URL(api.url)
  const socket = connect(Number(port), hostname)
  const head =
    'POST /blogs HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/vnd.api+json\r\nContent-Length: 100'
  await new Promise((resolve) => socket.write(`${head}\r\n\r\n{ "data"`, resolve))
  socket.destroy()
  await new Promise((resolve) => socket.once('close', resolve))
  expect((await api.get('/blogs')).status).toBe(200)
})
