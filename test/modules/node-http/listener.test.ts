import type { IncomingMessage, RequestListener } from 'node:http'
import express from 'express'
import { createJsonApi, equals, JsonApiError } from 'stemma'
import { define, setUp, useApi } from '../../support/api'
import { BLOGS, Blog } from '../../support/blogs'
import { expectError } from '../../support/expectations'
import { serve, type TestServer } from '../../support/server'
import { startStockedBlogs } from '../../support/stocked-blogs'

// The listener serves the API without Express. Behind other code, and below a mount path: test/hostile/paths.

interface Asking {
  readonly title: string
}

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

it('links without originalUrl after a rewrite', async () => {
  const { listener } = create()
  const rewrite: RequestListener = (request, response) => {
    listener(Object.assign(request, { originalUrl: '/first', url: '/blogs/1' }), response)
  }
  await serving(rewrite, async (server) => {
    expect((await server.get('/first')).body.links.self).toBe('/blogs/1')
  })
})

it('uses a body that middleware has parsed', async () => {
  const { listener } = create()
  await serving(express().use(express.json({ type: '*/*' }), listener), async (server) => {
    const { body } = await server.post('/blogs').send(blog('Read')).expect(201)
    expect(body.data.attributes).toEqual({ title: 'Read' })
  })
})

it('reads a body itself when a parser has left {} in its place', async () => {
  const { router } = create()
  // As the parsers of Express 4 do with media types that are not theirs.
  const before = express().use((request, _response, next) => {
    request.body = {}
    next()
  })
  await serving(before.use(router), async (server) => {
    const { body } = await server.post('/blogs').send(blog('Left')).expect(201)
    expect(body.data.attributes).toEqual({ title: 'Left' })
  })
})

it('returns document.missing when middleware has consumed the body', async () => {
  const { listener } = create()
  const read: RequestListener = (request, response) => {
    request.resume().on('end', () => listener(request, response))
  }
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
  await serving(impatient, async (server) => expect((await fetch(`${server.url}/blogs`)).status).toBe(503))
  expect(reported).toEqual([])
})
