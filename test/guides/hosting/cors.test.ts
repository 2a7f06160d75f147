import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createJsonApi, IdempotencyKey, respondAccepted } from 'stemma'
import { define } from '../../support/api'
import { BLOGS, Blog } from '../../support/blogs'
import { openDatabase } from '../../support/database'

// The lists of docs/guide/cors.md name every header that the OpenAPI document describes.

const page = readFileSync(join(__dirname, '../../../docs/guide/cors.md'), 'utf8')
// biome-ignore lint/suspicious/noExplicitAny: tests read any part of the OpenAPI document
let description: any

beforeAll(async () => {
  const database = await openDatabase([...BLOGS, IdempotencyKey])
  const { openApi } = createJsonApi({
    dataSource: database.dataSource,
    resources: BLOGS,
    startupLog: false,
    serverTiming: true,
    cacheControl: 'no-cache',
    idempotency: { owner: () => '' },
    definitions: [define<Blog>(Blog, { beforeWrite: () => respondAccepted({ type: 'blogs', id: '1' }) })],
  })
  description = openApi()
  await database.close()
})

/** Browsers let pages read and send these without being asked. https://fetch.spec.whatwg.org/#cors-safelisted-response-header-name */
const SAFE_TO_READ = ['Cache-Control', 'Content-Type']
/** OpenAPI has other places for them than parameters. */
const NOT_PARAMETERS = ['Accept', 'Authorization', 'Content-Type']

/** The lists of this name in the page. */
function listsOf(name: string): readonly (readonly string[])[] {
  return [...page.matchAll(new RegExp(`const ${name} = \\[([^\\]]*)\\]`, 'g'))].map(([, list = '']) =>
    [...list.matchAll(/'([^']+)'/g)].map(([, header = '']) => header),
  )
}

/** Every member of this name in a JSON value. */
function membersOf(value: unknown, name: string): readonly object[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, member]) => [
    ...(key === name && typeof member === 'object' && member !== null ? [member as object] : []),
    ...membersOf(member, name),
  ])
}

const sorted = (names: Iterable<string>) => [...new Set(names)].sort()

it('exposes every header of a response', () => {
  const sent = membersOf(description, 'headers').flatMap(Object.keys)
  expect(sent).toEqual(expect.arrayContaining(['Allow', 'ETag', 'Server-Timing', 'Retry-After']))
  expect(listsOf('exposedHeaders').map(sorted)).toEqual([sorted(sent.filter((name) => !SAFE_TO_READ.includes(name)))])
})

it('allows every header of a request', () => {
  const read = Object.values<{ in: string; name: string }>(description.components.parameters)
    .filter((parameter) => parameter.in === 'header')
    .map(({ name }) => name)
  expect(read).toContain('Idempotency-Key')
  expect(listsOf('allowedHeaders').map(sorted)).toEqual([sorted([...read, ...NOT_PARAMETERS])])
})

it('allows every method', () => {
  const methods = Object.values<object>(description.paths).flatMap(Object.keys)
  const wanted = sorted(methods.filter((name) => name !== 'parameters').map((method) => method.toUpperCase()))
  expect(listsOf('methods').map(sorted)).toEqual([wanted])
})
