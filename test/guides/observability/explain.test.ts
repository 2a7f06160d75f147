import { createJsonApi, equals, ResourceDefinition } from 'stemma'
import { startWithBlogs, startWithVehicles } from '../../modules/store/support/many-rows'
import { READS_OF_BLOGS, READS_OF_VEHICLES } from '../../modules/store/support/numbered-requests'
import { ref, type TestApi, using } from '../../support/api'
import { Article, BLOGS, Blog, startBlogs } from '../../support/blogs'
import { startServer, type TestServer } from '../../support/server'
import { VEHICLES } from '../../support/vehicles'
import { ACCEPT } from '../../support/walk'

// explainRead=true: what a read would do, in place of doing it.

const SECRET = 'of-the-tenant'

class ArticleRules extends ResourceDefinition<Article> {
  override readonly resource = Article
  override filter() {
    return equals('subtitle', SECRET)
  }
  override fields(names: ReadonlySet<string>) {
    return new Set([...names].filter((name) => name !== 'views'))
  }
}

interface Step {
  readonly does: string
  readonly isDone: boolean
  readonly plan: Record<string, unknown>
  readonly statements: readonly { readonly reads: string; readonly text: string }[]
}

async function explain(server: Pick<TestServer, 'get'>, path: string): Promise<readonly Step[]> {
  const { status, body } = await server.get(`${path}${path.includes('?') ? '&' : '?'}explainRead=true`)
  expect({ status, errors: body.errors }).toEqual({ status: 200, errors: undefined })
  return body.meta.explained
}

const textsOf = (steps: readonly Step[]) => steps.flatMap(({ statements }) => statements.map(({ text }) => text))

let api: TestApi
beforeAll(async () => {
  api = await startBlogs({ explain: 'inDevelopment', definitions: [new ArticleRules()] })
  const blog = ref(await api.add(Blog, { title: 'One' }))
  await api.add(Article, { title: 'First', subtitle: SECRET, blog })
})
afterAll(() => api.close())

it('returns the plan with rules applied', async () => {
  const [step, ...others] = await explain(api, "/blogs?filter=equals(title,'Walden')&include=articles&sort=-title")
  expect(others).toEqual([])
  expect(step).toMatchObject({ does: 'read', isDone: false, cost: 110 })
  expect(step?.plan).toMatchObject({
    type: 'blogs',
    among: 'all',
    filter: 'equals(title,?)',
    sort: '-title,id',
    range: { offset: 0, size: 10 },
    fields: { blogs: ['title'] },
    total: 'exact',
    include: { articles: { from: ['blogs'], type: 'articles', filter: 'and(isExactly(articles),equals(subtitle,?))' } },
  })
  expect(JSON.stringify(step?.plan.include)).not.toContain('views')
})

it.each([
  ['/blogs/1', { ids: ['?'] }],
  ['/blogs/1/articles', { relatedTo: 'blogs.articles' }],
  ['/articles', 'all'],
])('returns which rows %s reads', async (path, among) => {
  const steps = await explain(api, path)
  expect(steps.at(-1)?.plan.among).toEqual(among)
})

it('returns the range of a cursor without its values', async () => {
  const first = await api.get('/articles?sort=title&page[size]=1').set(ACCEPT)
  const [{ meta }] = first.body.data
  const after = await explain(api, `/articles?sort=title&page[size]=1&page[after]=${meta.page.cursor}`)
  expect(after[0]?.plan.range).toEqual({ size: 1, after: ['?', '?'], before: null })
  const before = await explain(api, `/articles?sort=title&page[before]=${meta.page.cursor}`)
  expect(before[0]?.plan.range).toEqual({ size: 10, after: null, before: ['?', '?'] })
  // The page after the last row has no cursor of its own.
  const past = await api.get(`/articles?sort=title&page[size]=1&page[after]=${meta.page.cursor}`).set(ACCEPT)
  const path = new URL(past.body.links.prev, 'http://localhost')
  const last = await explain(api, `${path.pathname}${path.search}`)
  expect(last[0]?.plan.range).toEqual({ size: 1, after: null, before: 'end' })
})

it('returns the limit of a total', async () => {
  await using(startBlogs({ explain: 'inDevelopment', totals: { upTo: 7 } }), async (server) => {
    const [step] = await explain(server, '/blogs')
    expect(step?.plan.total).toEqual({ upTo: 7 })
  })
})

it('returns statements with placeholders, and no value of a client or a rule', async () => {
  const { body, text } = await api.get("/articles?filter=equals(title,'Walden')&include=blog&explainRead=true")
  const [{ statements }] = body.meta.explained as readonly [Step]
  expect(statements.map(({ reads }) => reads)).toEqual(['rows', 'included blog'])
  expect(statements[0]?.text).toMatch(/^select .* where .*(\?|\$1)/)
  const { links, ...rest } = body
  expect(links.self).toContain('explainRead=true')
  expect(JSON.stringify(rest)).not.toContain('Walden')
  expect(text).not.toContain(SECRET)
})

it('runs only the statements that later plans depend on', async () => {
  expect(await api.statementsOf(() => explain(api, '/blogs?include=articles'))).toEqual([])
  expect(await api.statementsOf(() => explain(api, '/blogs/1'))).toEqual([])
  const steps: Step[] = []
  const looked = await api.statementsOf(async () => {
    steps.push(...(await explain(api, '/blogs/1/relationships/articles')))
  })
  expect(steps.map(({ does, isDone }) => [does, isDone])).toEqual([
    ['lookUp', true],
    ['readState', false],
    ['read', false],
  ])
  expect(looked).toEqual(steps[0]?.statements.map(({ text }) => text))
})

it.each([
  ['/blogs/1?include=articles'],
  ['/blogs/1/articles?page[size]=5&include=comments'],
  ['/articles/1/blog?include=articles'],
  ['/blogs/1/relationships/articles?page[size]=5'],
])('returns the cost that limits.cost compares: %s', async (path) => {
  const steps = await explain(api, path)
  const { cost } = steps.at(-1) as Step & { readonly cost: number }
  const narrow = await startServer({ dataSource: api.dataSource, resources: BLOGS, limits: { cost: cost - 1 } })
  const { body } = await narrow.get(path)
  await narrow.close()
  expect(body.errors[0]).toMatchObject({ code: 'query.cost', meta: { cost } })
})

it('returns 404 for a missing resource', async () => {
  await api.get('/articles/99/blog?explainRead=true').expect(404)
})

it.each([
  ['/articles?filter=equals(nonsense,1)&explainRead=true', 'query.filter'],
  ['/articles?explainRead=false', 'query.explain'],
  ['/articles?explainRead', 'query.explain'],
])('returns 400 for %s: %s', async (path, code) => {
  const { status, body } = await api.get(path)
  expect([status, body.errors[0].code]).toEqual([400, code])
})

it('returns 400 for writes, which change nothing', async () => {
  const data = { type: 'blogs', id: '1', attributes: { title: 'Changed' } }
  for (const [method, path, body] of [
    ['PATCH', '/blogs/1?explainRead=true', { data }],
    ['DELETE', '/blogs/1?explainRead=true', undefined],
    ['POST', '/operations?explainRead=true', { 'atomic:operations': [{ op: 'update', data }] }],
  ] as const) {
    const headers = path.startsWith('/operations')
      ? { 'content-type': 'application/vnd.api+json;ext="https://jsonapi.org/ext/atomic"', accept: '*/*' }
      : {}
    const { status, body: document } = await api.request(method, path).send(body).set(headers)
    expect([status, document.errors[0].code]).toEqual([400, 'query.explain'])
  }
  expect((await api.get('/blogs/1')).body.data.attributes.title).toBe('One')
})

it('returns neither body nor ETag for HEAD', async () => {
  const { status, text, headers } = await api.request('HEAD', '/blogs/1?explainRead=true')
  expect([status, text, headers.etag]).toEqual([200, '', undefined])
})

describe('the option explain', () => {
  const { NODE_ENV } = process.env
  afterEach(() => {
    process.env.NODE_ENV = NODE_ENV
  })

  it.each([
    [undefined, 'development', 'query.unknown'],
    ['inDevelopment', 'production', 'query.unknown'],
    ['inDevelopment', 'development', undefined],
    ['inProductionToo', 'production', undefined],
  ] as const)('%s in %s returns %s', async (explainOption, environment, code) => {
    process.env.NODE_ENV = environment
    await using(startBlogs(explainOption && { explain: explainOption }), async (server) => {
      const { body } = await server.get('/blogs?explainRead=true')
      expect(body.errors?.[0].code).toBe(code)
      expect(body.meta?.explained === undefined).toBe(code !== undefined)
    })
  })

  it('refuses another value', async () => {
    const start = () => createJsonApi({ dataSource: api.dataSource, resources: BLOGS, explain: 'on' as never })
    expect(start).toThrow("createJsonApi: its explain is 'on'. Give one of 'off', 'inDevelopment', 'inProductionToo'.")
  })
})

it.each(['inDevelopment', 'off'] as const)('is in the OpenAPI document unless it is off: %s', async (explainOption) => {
  const { openApi } = createJsonApi({
    dataSource: api.dataSource,
    resources: BLOGS,
    explain: explainOption,
    startUp: 'quiet',
  })
  expect(JSON.stringify(openApi()).includes('explainRead')).toBe(explainOption !== 'off')
})

describe.each([
  ['blogs', startWithBlogs, BLOGS, READS_OF_BLOGS],
  ['vehicles', startWithVehicles, VEHICLES, READS_OF_VEHICLES],
] as const)('requests for %s', (_what, start, resources, reads) => {
  let rows: TestApi
  let explaining: TestServer
  beforeAll(async () => {
    rows = await start(2)
    const options = { dataSource: rows.dataSource, page: { maximumSize: 1000 } }
    explaining = await startServer({ ...options, resources, explain: 'inDevelopment' })
  }, 60_000)
  afterAll(() => Promise.all([rows.close(), explaining.close()]))

  it.each(reads)('%s: returns exactly the statements that run', async (what) => {
    const path = what.replace('GET ', '')
    const told = textsOf(await explain(explaining, path))
    expect(told).toEqual(await rows.statementsOf(() => rows.get(path)))
  })
})
