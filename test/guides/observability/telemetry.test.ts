import { SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import { createJsonApi, defineFunction } from 'stemma'
import { define, setUp, useApi } from '../../support/api'
import { BLOGS, Blog, startBlogs } from '../../support/blogs'
import { openDatabase } from '../../support/database'
import { createResource, newResource } from '../../support/documents'
import { operate } from '../../support/operate'
import type { EntryPoint } from '../../support/server'
import { until } from '../../support/until'
import { withoutPackage } from '../../support/without-package'
import {
  allSpans,
  childrenOf,
  collectMetrics,
  pointsOf,
  requestSpan,
  spans,
  statementSpans,
  sumOf,
  treeOf,
  useOpenTelemetry,
} from './support/open-telemetry'

/** Runs in the hooks of blogs. */
let inRule: () => void = () => {}
let reported: unknown[] = []
const blogRules = define(Blog, { beforeWrite: () => void inRule(), afterCommit: () => inRule() })

const BROKEN = defineFunction({
  name: 'broken',
  argumentTypes: ['string'],
  returnType: 'string',
  toSql: (sql, [text]) => sql`no_such_function(${text})`,
})

const startSpan = () => trace.getTracer('the application').startSpan('rule').end()

useOpenTelemetry()
beforeEach(() => {
  inRule = () => {}
  reported = []
  spans.reset()
})

describe.each<EntryPoint>(['router', 'listener'])('through the %s', (entryPoint) => {
  const onError = (error: unknown) => reported.push(error)
  const options = { entryPoint, telemetry: true, definitions: [blogRules], functions: [BROKEN], onError } as const
  const api = setUp(() => startBlogs(options))
  beforeAll(() => api.add(Blog, { title: 'One' }))

  it.each([
    ['GET', '/blogs?sort=-title', 'GET /blogs', 200],
    ['GET', '/blogs/1', 'GET /blogs/:id', 200],
    ['HEAD', '/blogs/1', 'HEAD /blogs/:id', 200],
    ['GET', '/blogs/99', 'GET /blogs/:id', 404],
    ['GET', '/blogs/1/articles', 'GET /blogs/:id/articles', 200],
    ['GET', '/blogs/1/relationships/articles', 'GET /blogs/:id/relationships/articles', 200],
    ['GET', '/blogs/1/nonsense', 'GET /blogs/:id/:relationship', 404],
    ['GET', '/nonsense', 'GET', 404],
    ['DELETE', '/blogs', 'DELETE', 405],
  ])('names the span of %s %s: %s', async (method, path, name, status) => {
    await api.request(method, path).expect(status)
    const request = requestSpan()
    expect([request.name, request.kind, request.status.code]).toEqual([name, SpanKind.INTERNAL, SpanStatusCode.UNSET])
    expect(request.attributes).toMatchObject({ 'http.request.method': method, 'http.response.status_code': status })
    expect(JSON.stringify(spans.getFinishedSpans().map(({ attributes }) => attributes))).not.toContain('nonsense')
  })

  it('sets attributes for the route, endpoint and type of a request', async () => {
    await api.get('/blogs/1')
    expect(requestSpan().attributes).toEqual({
      'http.request.method': 'GET',
      'http.route': '/blogs/:id',
      'http.response.status_code': 200,
      'stemma.endpoint': 'getResource',
      'stemma.resource_type': 'blogs',
      'stemma.statements': 1,
    })
  })

  it('has consecutive spans for the phases, with the spans of statements as children', async () => {
    await api.get('/blogs?include=articles')
    expect(treeOf(requestSpan())).toEqual([
      'GET /blogs',
      '  receive',
      '  parse',
      '  plan',
      '  database',
      expect.stringMatching(/^ {4}SELECT .*blog$/),
      expect.stringMatching(/^ {4}SELECT .*article$/),
      '  plan',
      '  document',
    ])
    const [first, ...others] = childrenOf(requestSpan())
    const ends = [first, ...others].slice(0, -1).map((phase) => phase?.endTime)
    expect(others.map(({ startTime }) => startTime)).toEqual(ends)
    expect(others.at(-1)?.endTime).toEqual(requestSpan().endTime)
  })

  it('has the texts of statements without values', async () => {
    await api.get("/blogs?filter=equals(title,'Walden')")
    const [statement] = statementSpans()
    expect(statement?.kind).toBe(SpanKind.CLIENT)
    expect(statement?.attributes).toMatchObject({
      'db.system.name': expect.stringMatching(/^(sqlite|postgresql|mariadb|mysql)$/),
      'db.operation.name': 'SELECT',
      'db.collection.name': expect.stringMatching(/\bblog$/),
      'db.query.text': expect.stringMatching(/^select .*"?title/),
    })
    expect(allSpans()).not.toContain('Walden')
  })

  it('has a span for each operation, with its phases and statements as children', async () => {
    const add = (title: string) => ({ op: 'add', ...newResource('blogs', { title }) })
    inRule = startSpan
    await operate(api, add('Two'), add('Three')).expect(200)
    const request = requestSpan()
    expect(request.name).toBe('POST /operations')
    const operations = childrenOf(request).filter(({ name }) => name === 'createResource blogs')
    expect(operations).toHaveLength(2)
    for (const operation of operations) {
      const below = childrenOf(operation).map(({ name }) => name)
      expect(below).toEqual(expect.arrayContaining(['plan', 'rule', 'database']))
      expect(treeOf(operation).filter((line) => line.includes('INSERT'))).toHaveLength(1)
    }
  })

  it('is the parent of spans that hooks start', async () => {
    inRule = startSpan
    await createResource(api, 'blogs', { title: 'Four' })
    const rules = spans.getFinishedSpans().filter(({ name }) => name === 'rule')
    expect(rules.map(({ parentSpanContext }) => parentSpanContext?.spanId)).toEqual(
      rules.map(() => requestSpan().spanContext().spanId),
    )
    expect(rules).toHaveLength(2)
  })

  it('records an error of a hook, which the response does not reveal', async () => {
    inRule = () => {
      throw new TypeError('The rule is broken.')
    }
    const answer = await createResource(api, 'blogs', { title: 'Five' })
    expect([answer.status, answer.text.includes('broken')]).toEqual([500, false])
    const { status, events, attributes } = requestSpan()
    expect(status.code).toBe(SpanStatusCode.ERROR)
    expect(attributes['error.type']).toBe('TypeError')
    expect(events.map(({ name, attributes: said }) => [name, said?.['exception.message']])).toEqual([
      ['exception', 'The rule is broken.'],
    ])
    expect(reported).toEqual([new TypeError('The rule is broken.')])
  })

  it('marks the span of a failed statement', async () => {
    await api.get("/blogs?filter=equals(broken(title),'Walden')").expect(500)
    const [statement] = statementSpans()
    for (const span of [requestSpan(), statement]) {
      expect(span?.status).toEqual({ code: SpanStatusCode.ERROR })
      expect(span?.attributes['error.type']).toBe('QueryFailedError')
    }
    expect(allSpans()).not.toContain('Walden')
  })
})

it('measures requests by route, type and status, and statements by operation', async () => {
  await collectMetrics()
  await useApi(startBlogs({ telemetry: true }), async (api) => {
    await api.add(Blog, { title: 'One' })
    for (const path of ['/blogs/1', '/blogs/1', '/blogs/2', '/blogs?include=articles']) await api.get(path)
  })
  const found = await collectMetrics()
  const asked = { 'http.request.method': 'GET', 'http.route': '/blogs/:id', 'stemma.resource_type': 'blogs' }
  expect(pointsOf(found, 'http.server.request.duration')).toEqual(
    expect.arrayContaining([
      [{ ...asked, 'http.response.status_code': 200 }, 2],
      [{ ...asked, 'http.response.status_code': 404 }, 1],
    ]),
  )
  expect(pointsOf(found, 'stemma.request.statements')).toContainEqual([asked, 3])
  expect(sumOf(found, 'stemma.request.statements')).toBe(5)
  expect(pointsOf(found, 'db.client.operation.duration')).toEqual([
    [{ 'db.system.name': expect.any(String), 'db.operation.name': 'SELECT' }, 5],
  ])
  const [duration] = found.filter(({ name }) => name === 'http.server.request.duration')
  expect([duration?.unit, sumOf(found, 'http.server.request.duration') < 5]).toEqual(['s', true])
})

it('has a span for a request that load shedding refuses', async () => {
  const held: (() => void)[] = []
  const context = () => new Promise<void>((resolve) => held.push(resolve))
  await useApi(
    startBlogs({ telemetry: true, loadShedding: { maxConcurrency: 1, queueTimeout: null }, context }),
    async (api) => {
      const first = api.get('/blogs').start()
      await until('the request is held', () => held.length > 0)
      await api.get('/blogs').expect(503)
      const [span] = spans.getFinishedSpans().filter(({ attributes }) => 'http.response.status_code' in attributes)
      expect([span?.name, span?.status.code]).toEqual(['GET', SpanStatusCode.ERROR])
      expect(span?.attributes['http.response.status_code']).toBe(503)
      held.shift()?.()
      expect((await first).status).toBe(200)
    },
  )
})

it('has no spans by default', async () => {
  await useApi(startBlogs(), async (api) => void (await api.get('/blogs').expect(200)))
  expect(spans.getFinishedSpans()).toEqual([])
})

it('refuses to start without @opentelemetry/api, and with another value of the option', async () => {
  const { dataSource, close } = await openDatabase(BLOGS)
  const start = (telemetry: unknown) => () =>
    createJsonApi({ dataSource, resources: BLOGS, startupLog: false, telemetry: telemetry as never })
  await withoutPackage('@opentelemetry/api', () => {
    expect(start(false)).not.toThrow()
    expect(start(true)).toThrow(
      "createJsonApi: its telemetry is true, but the package '@opentelemetry/api' is not installed. " +
        'Install it and an OpenTelemetry SDK, or remove the option.',
    )
    expect(start('yes')).toThrow("createJsonApi: its telemetry is 'yes'. Give true or false.")
  })
  await close()
})
