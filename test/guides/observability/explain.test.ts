import { createJsonApi, equals } from 'stemma'
import { startWithBlogs, startWithVehicles } from '../../modules/store/support/many-rows'
import { READS_OF_BLOGS, READS_OF_VEHICLES } from '../../modules/store/support/numbered-requests'
import { define, ref, setUp, useApi } from '../../support/api'
import { Article, BLOGS, Blog, startBlogs } from '../../support/blogs'
import { resource } from '../../support/documents'
import { singleError } from '../../support/expectations'
import { ACCEPT } from '../../support/follow-pages'
import { ATOMIC } from '../../support/operate'
import { startServer, type TestServer } from '../../support/server'
import { VEHICLES } from '../../support/vehicles'

// explainRead=true: what a read would do, in place of doing it.

const SECRET = 'of-the-tenant'

const articleRules = define(Article, {
  filter: () => equals('subtitle', SECRET),
  fields: (names: ReadonlySet<string>) => new Set([...names].filter((name) => name !== 'views')),
})

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

const api = setUp(() => startBlogs({ explain: 'development', definitions: [articleRules] }))
beforeAll(async () => {
  const blog = ref(await api.add(Blog, { title: 'One' }))
  await api.add(Article, { title: 'First', subtitle: SECRET, blog })
})

it('returns the plan with rules applied', async () => {
  const [step, ...others] = await explain(api, "/blogs?filter=equals(title,'Walden')&include=articles&sort=-title")
  expect(others).toEqual([])
  expect(step).toMatchObject({ does: 'read', isDone: false, cost: 2200 })
  expect(step?.plan).toMatchObject({
    type: 'blogs',
    criteria: 'all',
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
  expect((await explain(api, path)).at(-1)?.plan.criteria).toEqual(among)
})

it('returns the range of a cursor without its values', async () => {
  const [{ meta }] = (await api.get('/articles?sort=title&page[size]=1').set(ACCEPT)).body.data
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
  await useApi(startBlogs({ explain: 'development', totals: { maxCount: 7 } }), async (server) => {
    const [step] = await explain(server, '/blogs')
    expect(step?.plan.total).toEqual({ maxCount: 7 })
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
    ['read', false],
  ])
  expect(looked).toEqual(steps[0]?.statements.map(({ text }) => text))
})

it.each([
  ['/blogs/1?include=articles'],
  ['/articles/1/comments?page[size]=5&include=article'],
  ['/articles/1/blog?include=articles'],
  ['/articles/1/relationships/comments?page[size]=5'],
])('returns the cost that limits.cost compares: %s', async (path) => {
  const steps = await explain(api, path)
  const { cost } = steps.at(-1) as Step & { readonly cost: number }
  const narrow = await startServer({
    dataSource: api.dataSource,
    resources: BLOGS,
    definitions: [articleRules],
    limits: { cost: cost - 1 },
  })
  const { body } = await narrow.get(path)
  await narrow.close()
  expect(body.errors[0]).toMatchObject({ code: 'query.cost', meta: { cost } })
})

it('returns the whole cost of the own filter of an endpoint', async () => {
  const steps = await explain(api, '/blogs/1/relationships/articles?page[size]=5')
  expect(steps.at(-1)).toMatchObject({ cost: 5 + 2 * 400 })
})

const CHANGE = resource('blogs', '1', { title: 'Changed' })
const OPERATIONS = { 'atomic:operations': [{ op: 'update', ...CHANGE }] }

it.each<readonly [expected: string, method: string, path: string, body: object | undefined]>([
  ['404 resource.not-found', 'GET', '/articles/99/blog?explainRead=true', undefined],
  ['400 query.filter', 'GET', '/articles?filter=equals(nonsense,1)&explainRead=true', undefined],
  ['400 query.not-explainable', 'GET', '/articles?explainRead=false', undefined],
  ['400 query.not-explainable', 'GET', '/articles?explainRead', undefined],
  ['400 query.not-explainable', 'PATCH', '/blogs/1?explainRead=true', CHANGE],
  ['400 query.not-explainable', 'DELETE', '/blogs/1?explainRead=true', undefined],
  ['400 query.not-explainable', 'POST', '/operations?explainRead=true', OPERATIONS],
])('returns %s for %s %s, and writes nothing', async (expected, method, path, body) => {
  const headers = path.startsWith('/operations') ? { 'content-type': ATOMIC, accept: '*/*' } : {}
  const { status, code } = singleError(await api.unchanged(() => api.request(method, path, { body, headers })))
  expect(`${status} ${code}`).toBe(expected)
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
    ['development', 'production', 'query.unknown'],
    ['development', 'development', undefined],
    ['always', 'production', undefined],
  ] as const)('%s in %s returns %s', async (explainOption, environment, code) => {
    process.env.NODE_ENV = environment
    await useApi(startBlogs(explainOption && { explain: explainOption }), async (server) => {
      const { body } = await server.get('/blogs?explainRead=true')
      expect(body.errors?.[0].code).toBe(code)
      expect(body.meta?.explained === undefined).toBe(code !== undefined)
    })
  })
})

it.each(['development', false] as const)('is in the OpenAPI document unless it is off: %s', async (explainOption) => {
  const options = { dataSource: api.dataSource, resources: BLOGS, startupLog: false } as const
  const { openApi } = createJsonApi({ ...options, explain: explainOption })
  expect(JSON.stringify(openApi()).includes('explainRead')).toBe(explainOption !== false)
})

describe.each([
  ['blogs', startWithBlogs, BLOGS, READS_OF_BLOGS],
  ['vehicles', startWithVehicles, VEHICLES, READS_OF_VEHICLES],
] as const)('requests for %s', (_what, start, resources, reads) => {
  const rows = setUp(() => start(2))
  const page = { maxSize: 1000 }
  const explaining = setUp(() => startServer({ dataSource: rows.dataSource, resources, page, explain: 'development' }))

  it.each(reads)('%s: returns exactly the statements that run', async (what) => {
    const path = what.replace('GET ', '')
    const steps = await explain(explaining, path)
    const texts = steps.flatMap(({ statements }) => statements.map(({ text }) => text))
    expect(texts).toEqual(await rows.statementsOf(() => rows.get(path)))
  })
})
