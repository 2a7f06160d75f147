import fc from 'fast-check'
import { createRows } from '../../exams/oracle/rows'
import { createRandom } from '../../exams/shared/random'
import { setUp } from '../support/api'
import { keysAt } from '../support/expectations'
import { lintRaw, type RawRequest, sendBytes } from '../support/raw-http'
import { JSON_API_MEDIA_TYPE } from '../support/request'
import { createModelClasses, startModelApi } from './support/examined'
import { hostileTexts, mutatedTexts } from './support/hostile-texts'
import { pathsOf } from './support/paths'
import { holdsFor, SEED, TIME_LIMIT } from './support/random'

// Any request for the OpenAPI document, the explorer or OPTIONS gets a valid response in time.

jest.setTimeout(TIME_LIMIT)
const RUNS = 40
const BROWSER = 'text/html,application/xhtml+xml,*/*;q=0.8'
const METHODS = ['GET', 'GET', 'GET', 'HEAD', 'OPTIONS', 'POST', 'PATCH', 'DELETE', 'PUT']
const HTML = 'text/html; charset=utf-8'
const SCRIPT = 'text/javascript; charset=utf-8'
const FILES = [SCRIPT, 'text/css; charset=utf-8', 'image/svg+xml']
const rows = createRows(createRandom(SEED))
const api = setUp(() => startModelApi(rows, createModelClasses(), { openApi: true, explorer: true }))
/** Paths of the files that the page loads. */
let files: readonly string[]
let kinds: Map<string, number>

beforeAll(async () => {
  const { text } = await api.get('/').set('accept', BROWSER).unchecked()
  files = [...text.matchAll(/(?:href|src)="([^"]+)"/g)].map(([, path = '']) => path)
})

beforeEach(() => {
  kinds = new Map()
})
afterEach(async () => expect(await keysAt(api, '/houses')).toHaveLength(6))

it('responds to random requests for the OpenAPI document', async () => {
  await holds(
    fc.record({
      method: fc.constantFrom(...METHODS),
      path: fc.oneof(
        hostileTexts.map((text) => `/openapi.json?${text}`),
        mutatedTexts(fc.constant('/openapi.json')).map(toPath),
      ),
      headers: headers(),
    }),
  )
  expect(kinds.get('application/json')).toBeGreaterThan(0)
})

it('responds to random requests of browsers', async () => {
  const paths = fc.oneof(pathsOf(rows), mutatedTexts(pathsOf(rows)).map(toPath))
  await holds(
    fc.tuple(paths, hostileTexts, fc.constantFrom('GET', 'GET', 'HEAD')).map(([path, text, method]) => ({
      method,
      path: `${path}?${text}`,
      headers: { accept: BROWSER },
    })),
  )
  expect(kinds.get(HTML)).toBeGreaterThan(0)
})

it('responds to random requests for files of the explorer', async () => {
  expect(files.length).toBeGreaterThan(2)
  const paths = fc.oneof(fc.constantFrom(...files), mutatedTexts(fc.constantFrom(...files)).map(toPath))
  await holds(fc.record({ method: fc.constantFrom(...METHODS), path: paths, headers: headers() }))
  expect(kinds.get(SCRIPT)).toBeGreaterThan(0)
})

it('responds to OPTIONS of random paths', async () => {
  const paths = fc.oneof(pathsOf(rows), mutatedTexts(pathsOf(rows)).map(toPath))
  await holds(
    fc
      .tuple(paths, hostileTexts, headers())
      .map(([path, text, sent]) => ({ method: 'OPTIONS', path: `${path}?${text}`, headers: sent })),
  )
  expect(kinds.get('empty')).toBeGreaterThan(0)
})

/** Headers that select a document or a page. */
function headers(): fc.Arbitrary<Readonly<Record<string, string>>> {
  const accepted = fc.oneof(
    fc.constantFrom(BROWSER, '*/*', 'application/json', JSON_API_MEDIA_TYPE, 'text/html', ''),
    mutatedTexts(fc.constant(BROWSER)).map((text) => text.slice(0, 2000)),
  )
  const tags = fc.oneof(
    fc.constantFrom('*', '"', 'W/"x"'),
    hostileTexts.map((text) => text.slice(0, 2000)),
  )
  return fc.record({ accept: accepted, 'if-none-match': tags }, { requiredKeys: ['accept'] })
}

/** Express itself responds to a path with '#' after two slashes, so this escapes it. */
function toPath(text: string): string {
  return `/${text.replaceAll('#', '%23').replace(/^\/+/, '')}`
}

function holds(sent: fc.Arbitrary<RawRequest>): Promise<void> {
  const requests = sent.map((each) => ({ ...each, url: JSON.stringify(each) }))
  return holdsFor(requests, RUNS, async ({ url: _, ...each }) => check(each))
}

async function check(request: RawRequest): Promise<void> {
  const response = await sendBytes(api.url, request)
  const { status, headers: found, text } = response
  expect(status).toBeLessThan(500)
  // Node.js rejects more than 16 KiB of URL and headers.
  if (status === 431) return
  const type = found['content-type'] ?? 'none'
  const kind = text === '' ? 'empty' : type
  kinds.set(kind, (kinds.get(kind) ?? 0) + 1)
  if (kind === 'empty') {
    if (type === 'none' || type.startsWith(JSON_API_MEDIA_TYPE)) lintRaw(request, response)
  } else if (kind === 'application/json') {
    expect(JSON.parse(text).openapi).toBe('3.1.1')
  } else if (kind === HTML) {
    expect(text).toMatch(/^<!doctype html>/)
  } else if (type.startsWith(JSON_API_MEDIA_TYPE)) {
    lintRaw(request, response)
  } else {
    expect([FILES.includes(kind), status, request.method]).toEqual([true, 200, 'GET'])
  }
}
