import { runInNewContext } from 'node:vm'
import { createClient } from 'stemma/client'
import { toOperationsCode } from '../../../src/explorer/page/copy/client-operations'

// The code that the explorer prints for atomic operations sends the same operations.

/** Runs code with a client, and returns the operations that it sends. */
async function operationsSentBy(code: string): Promise<unknown> {
  let sent: unknown
  const fetch = async (_url: unknown, { body }: RequestInit = {}) => {
    sent = JSON.parse(String(body))['atomic:operations']
    return new Response(null, { status: 204 })
  }
  const client = createClient({ baseUrl: 'http://localhost', fetch: fetch as typeof globalThis.fetch })
  await runInNewContext(`(async () => {\n${code}\n})()`, { client })
  return sent
}

const man = { type: 'men', id: '1' }
const wife = { type: 'women', id: '2' }
const update = { op: 'update', data: { ...man, attributes: { name: "O'Hara" } } }
const remove = { op: 'remove', ref: man }
const link = (op: string, data: unknown) => ({ op, ref: { ...man, relationship: 'wives' }, data })

it.each<[string, object]>([
  ['update', update],
  ['remove', remove],
  ['setLinkage', link('update', [wife])],
  ['addLinkage', link('add', [wife])],
  ['removeLinkage', link('remove', [wife])],
])('%s sends the same operation with and without a version', async (_name, operation) => {
  const operations = [
    operation,
    { ...operation, meta: { version: '"a\'1"' } },
    { ...operation, meta: { version: '*' } },
  ]
  const code = toOperationsCode({ 'atomic:operations': operations })
  expect(await operationsSentBy(code)).toEqual(operations)
})

it('leaves the version of a resource that the same request adds to the client', () => {
  const groom = { type: 'men', lid: 'groom' }
  const operations = [
    { op: 'add', data: groom },
    { op: 'update', data: { ...groom, attributes: { name: 'Kai' } }, meta: { version: '*' } },
  ]
  expect(toOperationsCode({ 'atomic:operations': operations })).toContain(
    "operations.update(groom, { attributes: { name: 'Kai' } })\n",
  )
})
