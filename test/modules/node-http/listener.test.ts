import type { IncomingMessage, RequestListener } from 'node:http'
import express, { type RequestHandler } from 'express'
import { createJsonApi, equals, JsonApiError } from 'stemma'
import { define, setUp, useApi } from '../../support/api'
import { BLOGS, Blog } from '../../support/blogs'
import { expectError } from '../../support/expectations'
import { serve, type TestServer } from '../../support/server'
import { startStockedBlogs } from '../../support/stocked-blogs'

// The listener serves the API without Express. Behind other code, and below a mount path: test/hostile/paths.

type Asking = Readonly<{ title: string }>

const ofTitle = define<Blog, Asking>(Blog, { filter: ({ title }) => equals('title', title) })

function ask({ headers }: IncomingMessage): Asking {
  const { 'x-title': title } = headers
  if (typeof title !== 'string') throw new JsonApiError({ title: 'Which title?', status: 401 })
  return { title }
}

const api = setUp(() => startStockedBlogs())

const serving = (listener: RequestListener, work: (server: TestServer) => Promise<void>) =>
  useApi(serve(listener), work)

function create(options: object = {}) {
  return createJsonApi({ dataSource: api.dataSource, resources: BLOGS, startupLog: false, ...options })
}

const blog = (title: string) => ({ data: { type: 'blogs', attributes: { title } } })

it('passes the IncomingMessage to context, as the router does', async () => {
  const { listener, router } = create({ definitions: [ofTitle], context: ask })
  for (const app of [listener as RequestListener, express().use(router)]) {
    await serving(app, async (server) => {
      const { body } = await server.get('/blogs').set({ 'x-title': 'Nothing' })
      expect(body.data).toMatchObject([{ id: '2' }])
      await server.get('/blogs').expect(401)
    })
  }
})

it('does not accept a context for Express requests by its types', async () => {
  const { listener } = createJsonApi({
    dataSource: api.dataSource,
    resources: BLOGS,
    startupLog: false,
    onError: () => {},
    context: (request) => request.get('x-title'),
  })
  // @ts-expect-error: the request is no Request of Express
  const app: RequestListener = listener
  await serving(app, async (server) => expect((await server.get('/blogs')).status).toBe(500))
})

it.each([
  ['/first', '/blogs/1', ''],
  ['/api/v1/blogs?sort=title', '/blogs', '/api/v1'],
  ['/api?x', '?x', '/api'],
  ['/api', '', '/api'],
  ['http://example/api?x', 'http://example?x', '/api'],
])('with originalUrl %s and url %s, links start with %j', async (originalUrl, url, mountPath) => {
  const { listener } = create({ openApi: true })
  const rewrite: RequestListener = (request, response) =>
    listener(Object.assign(request, { originalUrl, url }), response)
  await serving(rewrite, async (server) => {
    expect((await server.get('/')).body.links.describedby).toBe(`${mountPath}/openapi.json`)
  })
})

it.each<[string, RequestHandler]>([
  ['uses a body that middleware has parsed', express.json({ type: '*/*' })],
  // As the parsers of Express 4 do with media types that are not theirs.
  [
    'reads a body itself when a parser has left {}',
    (request, _response, next) => {
      request.body = {}
      next()
    },
  ],
])('%s', async (title, before) => {
  const { listener, router } = create()
  for (const handler of [listener as RequestHandler, router]) {
    await serving(express().use(before, handler), async (server) => {
      const { body } = await server.post('/blogs').send(blog(title)).expect(201)
      expect(body.data.attributes).toEqual({ title })
    })
  }
})

it('refuses a body that middleware has parsed and that is nested too deeply to print', async () => {
  const { listener } = create()
  await serving(express().use(express.json({ type: '*/*' }), listener as RequestHandler), async (server) => {
    const deep = '['.repeat(50_000) + ']'.repeat(50_000)
    expectError(await server.post('/blogs').send(deep), 400, undefined, 'document.shape')
  })
})

it('returns document.missing when middleware has consumed the body', async () => {
  const { listener } = create()
  const read: RequestListener = (request, response) =>
    void request.resume().on('end', () => listener(request, response))
  await serving(read, async (server) => {
    expectError(await server.post('/blogs').send(blog('Gone')), 400, undefined, 'document.missing')
  })
})

it.each([
  ['Origin', 'Origin, Accept'],
  ['origin, ACCEPT', 'origin, ACCEPT'],
  ['*', '*'],
])('adds Accept to an existing Vary: %s', async (existing, vary) => {
  const { listener } = create()
  const late: RequestListener = (request, response) => {
    response.setHeader('Vary', existing)
    listener(request, response)
  }
  await serving(late, async (server) => expect((await server.get('/blogs')).headers.vary).toBe(vary))
})

it('reports nothing when other code has responded already', async () => {
  const reported: unknown[] = []
  const { listener } = create({ onError: (error: unknown) => reported.push(error) })
  const impatient: RequestListener = (request, response) => {
    listener(request, response)
    response.writeHead(503).end()
  }
  await serving(impatient, async (server) => expect((await server.get('/blogs').unchecked()).status).toBe(503))
  expect(reported).toEqual([])
})
