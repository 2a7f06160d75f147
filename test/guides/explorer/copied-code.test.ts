import { runInNewContext } from 'node:vm'
import { build } from 'esbuild'
import { createClient } from 'stemma/client'

// The code that the explorer prints for a write sends the same request.

/** Prints a request as code for the typed client. */
async function print(request: object): Promise<string> {
  const entryPoints = [require.resolve('../../../src/explorer/page/copy/client-code')]
  const define = { 'import.meta.url': '"http://localhost/api/explorer.page/1/main.mjs"' }
  const options = { bundle: true, format: 'iife', globalName: 'page', write: false } as const
  const { outputFiles } = await build({ ...options, entryPoints, define })
  const call = "page.printRequestAsClientCode(request, { operationsPath: 'operations' })"
  return runInNewContext(`${outputFiles[0]?.text}\n${call}`, { request, location: new URL('http://localhost'), URL })
}

/** Runs code with a client, and returns the request that it sends. */
async function requestSentBy(code: string): Promise<unknown> {
  let sent: unknown
  const fetch: typeof globalThis.fetch = async (url, { method, headers, body } = {}) => {
    const ifMatch = new Headers(headers).get('if-match') ?? undefined
    sent = { method, url: new URL(String(url)).pathname, ifMatch, body: body && JSON.parse(String(body)) }
    return new Response(JSON.stringify({ data: man }))
  }
  const client = createClient({ baseUrl: 'http://localhost/api', fetch })
  const script = code.replace(/^import .*/, '').replace('<Api>', '')
  await runInNewContext(`(async () => {\n${script}\n})()`, { createClient: () => client })
  return sent
}

const man = { type: 'men', id: '1' }
const wives = { data: [{ type: 'women', id: '2' }] }
const values = { attributes: { name: "O'Hara" }, relationships: { wives } }
const at = { url: '/api/men/1', ifMatch: '"a\'1"' }
const linkage = { url: '/api/men/1/relationships/wives', ifMatch: '*', body: wives }
const several = { method: 'POST', url: '/api/operations' }
const operations = [
  { op: 'update', data: { ...man, ...values } },
  { op: 'remove', ref: man },
  ...['update', 'add', 'remove'].map((op) => ({ op, ref: { ...man, relationship: 'wives' }, ...wives })),
].flatMap((operation) => [operation, ...['"a\'1"', '*'].map((version) => ({ ...operation, meta: { version } }))])

it.each<[string, object]>([
  ['create', { method: 'POST', url: '/api/men', body: { data: { type: 'men', ...values } } }],
  ['update', { method: 'PATCH', ...at, body: { data: { ...man, ...values } } }],
  ['delete', { method: 'DELETE', ...at }],
  ['setLinkage', { method: 'PATCH', ...linkage }],
  ['addLinkage', { method: 'POST', ...linkage }],
  ['removeLinkage', { method: 'DELETE', ...linkage }],
  ['performOperations', { ...several, body: { 'atomic:operations': operations } }],
])('client.%s sends the same request', async (name, request) => {
  const code = await print(request)
  expect(code).toContain(`await client.${name}(`)
  expect(await requestSentBy(code)).toEqual(request)
})

it('leaves the version of a resource that the same request adds to the client', async () => {
  const groom = { type: 'men', lid: 'groom' }
  const update = { op: 'update', data: { ...groom, attributes: { name: 'Kai' } }, meta: { version: '*' } }
  const body = { 'atomic:operations': [{ op: 'add', data: groom }, update] }
  expect(await print({ ...several, body })).toContain("operations.update(groom, { attributes: { name: 'Kai' } })\n")
})
