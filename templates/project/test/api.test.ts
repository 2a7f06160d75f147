import assert from 'node:assert/strict'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, it } from 'node:test'
import { createApp } from '../src/app'

/** The members of a document that these tests read. */
interface Document {
  readonly data: readonly { readonly type: string; readonly attributes: object }[]
  readonly errors: readonly { readonly source: object }[]
}

let server: Server

before(async () => {
  const app = await createApp(':memory:')
  await new Promise<void>((resolve) => {
    server = app.listen(0, () => resolve())
  })
})
after(() => server.close())

async function send(method: string, path: string, data?: object) {
  const { port } = server.address() as AddressInfo
  const response = await fetch(`http://localhost:${port}${path}`, {
    method,
    headers: { 'Content-Type': 'application/vnd.api+json' },
    ...(data && { body: JSON.stringify({ data }) }),
  })
  return { status: response.status, document: (await response.json()) as Document }
}

it('returns books and magazines as publications', async () => {
  await send('POST', '/books', { type: 'books', attributes: { title: 'Oaks', pages: 120 } })
  await send('POST', '/magazines', { type: 'magazines', attributes: { title: 'Trees', issue: 7 } })
  const { document } = await send('GET', '/publications?sort=title')
  assert.deepEqual(
    document.data.map(({ type, attributes }) => [type, attributes]),
    [
      ['books', { title: 'Oaks', pages: 120 }],
      ['magazines', { title: 'Trees', issue: 7 }],
    ],
  )
})

it('rejects a book without pages at both endpoints', async () => {
  for (const path of ['/books', '/publications']) {
    const { status, document } = await send('POST', path, { type: 'books', attributes: { title: 'Void', pages: 0 } })
    assert.equal(status, 422)
    assert.deepEqual(document.errors[0]?.source, { pointer: '/data/attributes/pages' })
  }
})
