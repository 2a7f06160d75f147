import type { IncomingMessage, RequestListener } from 'node:http'
import express, { type RequestHandler } from 'express'
import fc from 'fast-check'
import { createJsonApi } from 'stemma'
import { holdsFor, TIME_LIMIT } from '../properties/support/random'
import { ref, refs } from '../support/api'
import { Article, BLOGS, Blog, startBlogs, Tag } from '../support/blogs'
import { sendLines } from '../support/raw-http'
import { type Door, serve, type TestServer } from '../support/server'
import { setUp } from '../support/set-up'

// Middleware that guards a path sees every request that the API serves for that path, however the target is spelt.

jest.setTimeout(TIME_LIMIT)

const GUARDED = [
  ...['/api/tags', '/api/tags/a', '/api/articles/1/tags', '/api/articles/1/blog', '/api/openapi.json'],
  ...['/api/articles/1/relationships/tags', '/api/operations'],
]

const api = setUp(() => startBlogs({ clientIds: 'allowed' }))
const doors: Readonly<Record<Door, TestServer>> = {
  router: setUp(() => openGuarded('router')),
  listener: setUp(() => openGuarded('listener')),
}

beforeAll(async () => {
  await api.add(Blog, { title: 'A' })
  for (const id of ['a', 'a/b']) await api.add(Tag, { id })
  await api.add(Article, { title: 'A', blog: ref('1'), tags: refs('a', 'a/b') })
})

const guard: RequestHandler = (_request, response) => {
  response.status(401).type('application/vnd.api+json').send('{ "errors": [{ "status": "401" }] }')
}

function openGuarded(door: Door): Promise<TestServer> {
  const app = express()
    .use('/api/tags', guard)
    .use(['/api/articles/:id/tags', '/api/articles/:id/blog', '/api/articles/:id/relationships'], guard)
    .use(['/api/operations', '/api/openapi.json'], guard)
  return serve(app.use('/api', create()[door] as RequestHandler))
}

function create() {
  return createJsonApi({
    dataSource: api.dataSource,
    resources: BLOGS,
    startUp: 'quiet',
    openApi: 'on',
    explorer: 'on',
    context: (_request: IncomingMessage) => undefined,
  })
}

/** The status of a response to a target that is sent byte by byte. */
async function statusOf(url: string, target: string, method = 'GET'): Promise<number> {
  return Number((await sendLines(url, { line: `${method} ${target}` })).slice(9, 12))
}

describe.each<Door>(['router', 'listener'])('in front of the %s', (door) => {
  it.each([
    ['a type with an encoded letter', '/api/%74ags', 404],
    ['a type with an encoded letter, and an id', '/api/tag%73/a', 404],
    ['a type that is encoded twice', '/api/%2574ags', 404],
    ['a type whose encoding is broken', '/api/%7ags', 404],
    ['a relationship with an encoded letter', '/api/articles/1/ta%67s', 404],
    ['a relationship with an encoded letter, of linkage', '/api/articles/1/relationships/ta%67s', 401],
    ["'relationships' with an encoded letter", '/api/articles/1/%72elationships/tags', 404],
    ['the OpenAPI document with an encoded letter', '/api/openapi%2ejson', 404],
    ['a type in capitals', '/api/TAGS', 401],
    ['a mount path in capitals', '/API/tags', 401],
    ['a slash at the end', '/api/tags/', 401],
    ['an absolute target', 'http://api.example.com/api/tags', 401],
    ['an absolute target in capitals', 'HTTP://API.EXAMPLE.COM/api/tags', 401],
    ['an absolute target with an encoded letter', 'http://api.example.com/api/%74ags', 404],
    ['an absolute target whose host has a backslash, by Node', 'http://x\\y/api/tags', 400],
    ['an absolute target whose host has a tilde', 'http://x~/api/tags', 401],
    ['an absolute target with a port that is no number', 'http://x:9y/api/tags', 404],
    ['an absolute target of a user', 'http://x@y/api/tags', 401],
    ['an id with an encoded slash', '/api/articles/1%2ftags', 404],
  ])('serves nothing for %s', async (_what, target, status) => {
    expect(await statusOf(doors[door].url, target)).toBe(status)
  })

  it('serves no operations at an encoded path', async () => {
    expect(await statusOf(doors[door].url, '/api/%6fperations', 'POST')).toBe(404)
    expect(await statusOf(doors[door].url, '/api/operations', 'POST')).toBe(401)
  })

  it('shows the explorer as found at guarded paths only as they are spelt', async () => {
    const line = 'GET /api/%61rticles'
    const text = await sendLines(doors[door].url, { line, headers: ['Accept: text/html'] })
    expect(Number(text.slice(9, 12))).toBe(404)
  })

  it('still serves what is not guarded', async () => {
    expect(await statusOf(doors[door].url, '/api/articles/%31')).toBe(200)
    expect(await statusOf(doors[door].url, 'http://api.example.com/api/articles/1')).toBe(200)
  })

  it('serves no spelling of a guarded target', () =>
    holdsFor(spelling, 600, async ({ url }) => {
      expect([400, 401, 404, 405]).toContain(await statusOf(doors[door].url, url))
    }))
})

/** A guarded target with some of its characters written otherwise, and texts put in between. */
const spelling = fc
  .record({
    target: fc.constantFrom(...GUARDED),
    start: fc.oneof(
      { weight: 3, arbitrary: fc.constant('') },
      fc.constantFrom(
        'http://h',
        'HTTP://h:80',
        'http://h.',
        'https://[::1]',
        'http://x\\y',
        'http://x~',
        'http://x:y',
        'http:',
        '//h',
      ),
    ),
    changes: fc.array(
      fc.record({
        at: fc.nat({ max: 60 }),
        how: fc.constantFrom('encode', 'encodeTwice', 'capital', 'insert'),
        text: fc.constantFrom(
          '/',
          '/.',
          '/..',
          '/x/..',
          '\\',
          ';',
          ';x=1',
          '%2f',
          '%2e',
          '%00',
          '#',
          '?',
          '@',
          ':',
          '%',
          '+',
          '%20',
        ),
      }),
      { minLength: 1, maxLength: 3 },
    ),
  })
  .map(({ target, start, changes }) => ({ url: start + changes.reduce(spellOtherwise, target) }))

function spellOtherwise(target: string, { at, how, text }: { at: number; how: string; text: string }): string {
  const place = 1 + (at % target.length)
  const [before, letter, after] = [target.slice(0, place), target.charAt(place), target.slice(place + 1)]
  const encoded = letter === '' ? '' : `%${letter.charCodeAt(0).toString(16)}`
  if (how === 'encode') return before + encoded + after
  if (how === 'encodeTwice') return before + encoded.replace('%', '%25') + after
  if (how === 'capital') return before + letter.toUpperCase() + after
  return before + text + letter + after
}

describe('in front of the listener, by the path of the target', () => {
  // As docs/guide/protecting-endpoints.md shows.
  const guarded = setUp(() => {
    const { listener } = create()
    return serve(((request: IncomingMessage, response) => {
      const { url = '/' } = request
      const { pathname } = new URL(URL.canParse(url, 'http://localhost') ? url : '/', 'http://localhost')
      if (pathname === '/tags' || pathname.startsWith('/tags/')) response.writeHead(401).end()
      else listener(request, response)
    }) as RequestListener)
  })

  it.each([
    ['/tags', 401],
    ['/tags/', 401],
    ['/%74ags', 404],
    ['http://h/tags', 401],
    ['http://h:80/tags?page[size]=1', 401],
    ['//h/tags', 401],
    ['/./tags', 401],
    ['/TAGS', 404],
    ['//', 404],
    ['/articles', 200],
  ])('%s answers %i', async (target, status) => {
    expect(await statusOf(guarded.url, target)).toBe(status)
  })
})
