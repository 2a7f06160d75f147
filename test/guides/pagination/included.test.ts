import { equals, not } from 'stemma'
import { define, ref, refs, setUp } from '../../support/api'
import { Article, BLOGS, Blog, Comment, Revision, startBlogs, Tag } from '../../support/blogs'
import { includedKeys, keysOf, linkageKeys, resourceKeys } from '../../support/expectations'
import { startFilledVehicles } from '../../support/filled-vehicles'
import { startHumans } from '../../support/humans'
import type { Row } from '../../support/row'
import { startServer } from '../../support/server'
import { Car, Cylinder, GasolineEngine } from '../../support/vehicles'

const keys = (type: string, ...ids: readonly (number | string)[]) => ids.map((id) => `${type} ${id}`)
const api = setUp(startBlogs)
// Blog 1 has articles 1 to 20, blog 2 has 21 to 23, blog 3 none. Articles 1 to 3 have five tags, 1 and 2 six comments each.
beforeAll(async () => {
  for (const title of ['B', 'O', 'E']) await api.add(Blog, { title })
  for (const id of ['a', 'b', 'c', 'd', 'e']) await api.add(Tag, { id })
  for (let number = 1; number <= 23; number += 1) {
    const tags = number <= 3 ? refs('a', 'b', 'c', 'd', 'e') : []
    await api.add(Article, { title: `T${number % 5}`, blog: ref(number <= 20 ? '1' : '2'), tags })
  }
  for (let id = 1; id <= 12; id += 1) await api.add(Comment, { id: String(id), article: ref(id % 2 === 0 ? '1' : '2') })
  for (let number = 1; number <= 3; number += 1) await api.add(Revision, { number, article: ref('1') })
})

describe('pages of included relationships', () => {
  const linkageAt = async (path: string, relationship: string) =>
    linkageKeys([(await api.get(path)).body.data].flat() as never[], relationship)
  const TO_TEN = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]
  const TAGGED = 'filter=has(tags)&include=tags'
  const [OF_SIZE, SECOND] = ['/blogs?include=articles&page[size]', 'page[number]=articles:2']

  it.each<Row<[path: string, relationship: string, expected: readonly (readonly string[])[]]>>([
    ['/blogs?include=articles', 'articles', [keys('articles', ...TO_TEN), keys('articles', 21, 22, 23), []]],
    [`${OF_SIZE}=articles:1`, 'articles', [['articles 1'], ['articles 21'], []], 'R/P-02', 'R/D-14'],
    [`${OF_SIZE}=articles:2&${SECOND}`, 'articles', [keys('articles', 3, 4), ['articles 23'], []], 'R/P-02'],
    [`${OF_SIZE}=1,articles:1`, 'articles', [['articles 1']], 'R/P-22'],
    // The default size is that of the type.
    [`/articles?${TAGGED}`, 'tags', [1, 2, 3].map(() => keys('tags', 'a', 'b', 'c'))],
    [`/articles?${TAGGED}&page[size]=tags:2&page[number]=tags:3`, 'tags', [1, 2, 3].map(() => ['tags e'])],
    ['/articles/1?include=comments&sort[comments]=-id&page[size]=comments:2', 'comments', [keys('comments', 12, 10)]],
    ['/comments/2/article?include=comments&page[size]=comments:2', 'comments', [keys('comments', 2, 4)]],
    ['/tags/a?include=articles&page[size]=articles:1', 'articles', [keys('articles', 1, 2, 3)], 'R/P-18'],
  ])('limits each parent: %s', async (path, relationship, expected) => {
    expect(await linkageAt(path, relationship)).toEqual(expected)
  })

  it('limits steps behind each other', async () => {
    const path = '/blogs/1?include=articles.comments&page[size]=articles:2,articles.comments:5'
    expect(includedKeys(await api.get(path)).filter((key) => key.startsWith('comments'))).toHaveLength(10)
    const size = '/blogs?include=articles.comments&page[size]=articles.comments:1'
    expect(includedKeys(await api.get(size)).filter((key) => key.startsWith('comments'))).toHaveLength(2)
  }) // anchor: R/P-02

  it('limits the articles of tags, whose inverse has no pages', async () => {
    const { included } = (await api.get(`/articles?${TAGGED}.articles&page[size]=1`)).body
    const tags = included.filter(({ type }: { type: string }) => type === 'tags')
    expect(linkageKeys(tags, 'articles')).toEqual([1, 2, 3].map(() => keys('articles', 1, 2, 3)))
  })

  it('writes neither links to pages nor a total, and no page links for a single resource', async () => {
    const { body } = await api.get('/blogs/1?include=articles&page[size]=articles:20')
    expect(Object.keys(body.data.relationships.articles).sort()).toEqual(['data', 'links'])
    expect(Object.keys(body.data.relationships.articles.links)).toEqual(['self', 'related'])
    expect(Object.keys(body.links)).toEqual(['self'])
  }) // anchor: R/P-10, R/P-22
})

describe('linkage that is cut', () => {
  const metas = (resources: readonly { readonly relationships: Record<string, { meta?: object }> }[], name: string) =>
    resources.map(({ relationships }) => relationships[name]?.meta)
  const CUT = { hasMore: true }

  it.each<[path: string, relationship: string, expected: readonly (object | undefined)[]]>([
    ['/blogs?include=articles', 'articles', [CUT, undefined, undefined]],
    ['/blogs?include=articles&page[size]=articles:20', 'articles', [undefined, undefined, undefined]],
    ['/blogs?include=articles&page[size]=articles:3', 'articles', [CUT, undefined, undefined]],
    // The last page lacks the members of those before it.
    ['/blogs?include=articles&page[number]=articles:2&filter=has(articles)', 'articles', [CUT, CUT]],
    ["/blogs?include=articles&filter[articles]=equals(title,'T1')", 'articles', [undefined, undefined, undefined]],
    ['/articles?include=tags&page[size]=2,tags:2', 'tags', [CUT, CUT]],
    ['/articles?include=tags&page[size]=2,tags:5', 'tags', [undefined, undefined]],
    ['/blogs/1/articles?include=comments&page[size]=3,comments:3', 'comments', [CUT, CUT, undefined]],
    ['/articles?include=comments&sort[comments]=-id&page[size]=2,comments:6', 'comments', [undefined, undefined]],
  ])('has meta.hasMore in primary data: %s', async (path, relationship, expected) => {
    expect(metas((await api.get(path)).body.data, relationship)).toEqual(expected)
  })

  it('has meta.hasMore in included resources, and includes no resource beyond the page', async () => {
    const { body } = await api.get(
      '/blogs?include=articles.comments,articles.tags&page[size]=1,articles:1,articles.comments:2,articles.tags:5',
    )
    expect(metas(body.data, 'articles')).toEqual([CUT])
    const articles = body.included.filter(({ type }: { type: string }) => type === 'articles')
    expect([articles.length, metas(articles, 'comments'), metas(articles, 'tags')]).toEqual([1, [CUT], [undefined]])
    const comments = body.included.filter(({ type }: { type: string }) => type === 'comments')
    expect(comments.map(({ id }: { id: string }) => id)).toEqual(['2', '4'])
  })

  it('has meta.hasMore in single resources, related resources and responses to writes', async () => {
    expect((await api.get('/blogs/1?include=articles')).body.data.relationships.articles.meta).toEqual(CUT)
    expect((await api.get('/articles/1/blog?include=articles')).body.data.relationships.articles.meta).toEqual(CUT)
    const data = { type: 'blogs', id: '1', attributes: { title: 'B' } }
    const written = await api.patch('/blogs/1?include=articles').send({ data })
    expect(written.body.data.relationships.articles.meta).toEqual(CUT)
  })
})

describe('linkage of a resource that is included at several depths', () => {
  const api = setUp(startHumans)
  beforeAll(async () => {
    for (const name of ['P', 'A', 'B', 'C']) await api.addMan({ name })
    await api.link('1', 'children', ['1', '2', '3', '4'])
  })

  const ALL_GRANDCHILDREN = 'page[size]=children:2,children.children:4'

  it.each<[page: string, ids: readonly string[], meta: object | undefined]>([
    // The man is his own child, so his children stand at both depths.
    ['page[size]=children:2,children.children:2', ['1', '2'], { hasMore: true }],
    [ALL_GRANDCHILDREN, ['1', '2', '3', '4'], undefined],
    ['page[size]=children:4,children.children:2', ['1', '2', '3', '4'], undefined],
    [`${ALL_GRANDCHILDREN}&filter[children.children]=equals(name,'C')`, ['1', '2', '4'], { hasMore: true }],
  ])('is cut unless one depth has all members: %s', async (page, ids, meta) => {
    const { data } = (await api.get(`/men/1?include=children.children&${page}`)).body
    const { children } = data.relationships
    expect([children.data.map(({ id }: { id: string }) => id), children.meta]).toEqual([ids, meta])
  })
})

describe('in a hierarchy', () => {
  const api = setUp(startFilledVehicles)
  beforeAll(async () => {
    const engine = ref(await api.add(GasolineEngine))
    await api.add(Car, { engine })
    for (let each = 0; each < 3; each += 1) await api.add(Cylinder, { engine })
  })

  it.each([
    ['page[size]=engine.cylinders:2', [keys('cylinders', 1, 2), keys('cylinders', 4, 5)]],
    ['page[size]=engine.cylinders:2&page[number]=engine.cylinders:2', [['cylinders 3'], ['cylinders 6']]],
  ])('limits each parent behind a relationship of a derived type: %s', async (page, expected) => {
    const { included } = (await api.get(`/vehicles?include=engine.cylinders&${page}`)).body
    expect(linkageKeys(included, 'cylinders').filter((each) => each !== undefined)).toEqual(expected)
  }) // anchor: R/R-90

  it.each<Row<[size: string, expected: readonly (readonly string[])[]]>>([
    ['features:1', [['features 1'], ['features 2'], ['features 2']], 'R/R-90', 'R/R-37'],
    ['9,cars:features:1', [['features 1'], ['features 2'], ['features 2']], 'R/R-91'],
    ['cars:features:2,trucks:features:1', [['features 1'], keys('features', 2, 3), ['features 2']], 'R/R-91'],
  ])('limits all branches that have the name, or the named one: page[size]=%s', async (size, expected) => {
    const { data } = (await api.get(`/vehicles?include=features&page[size]=${size}`)).body
    expect(linkageKeys(data, 'features').slice(1, 4)).toEqual(expected)
  })
})

// Relationship objects have links to pages of the relationship endpoint, and the total.
describe('the option includedPagination', () => {
  const visible = define(Article, { filter: () => not(equals('title', 'T0')) })
  const options = { resources: BLOGS, includedPagination: true, definitions: [visible] } as const
  const paged = setUp(() => startServer({ dataSource: api.dataSource, ...options }))

  const relationshipOf = async (url: string, name = 'articles', index = 0) =>
    (await paged.get(url)).body.data[index].relationships[name]

  const ARTICLES = '/blogs/1/relationships/articles'

  it('writes links to the other pages and the total', async () => {
    expect(await relationshipOf('/blogs?include=articles&page[size]=articles:6')).toEqual({
      links: {
        self: ARTICLES,
        related: '/blogs/1/articles',
        first: `${ARTICLES}?page%5Bsize%5D=6`,
        last: `${ARTICLES}?page%5Bsize%5D=6&page%5Bnumber%5D=3`,
        prev: null,
        next: `${ARTICLES}?page%5Bsize%5D=6&page%5Bnumber%5D=2`,
      },
      data: [1, 2, 3, 4, 6, 7].map((id) => ({ type: 'articles', id: String(id) })),
      meta: { total: 16, hasMore: true },
    })
  })

  it('links to pages with the sort and the filter of the include', async () => {
    const query = "sort[articles]=-title,id&filter[articles]=not(equals(title,'T1'))&page[size]=articles:3"
    const { links, data, meta } = await relationshipOf(`/blogs?include=articles&${query}`)
    expect([keysOf(data), meta]).toEqual([keys('articles', 4, 9, 14), { total: 12, hasMore: true }])
    expect(resourceKeys(await paged.get(links.next))).toEqual(keys('articles', 19, 3, 8))
  })

  it.each([
    ['/blogs?include=articles&page[number]=articles:9', 0, { total: 16, hasMore: true }],
    ['/blogs?include=articles', 2, { total: 0 }],
    ['/blogs?include=articles&page[number]=articles:2', 2, { total: 0 }],
  ])('writes the total of an empty page: %s', async (url, index, meta) => {
    const found = await relationshipOf(url, 'articles', index)
    expect([found.data, found.meta]).toEqual([[], meta])
  })

  it('omits a total that is off, and links where a relationship has no pages', async () => {
    const revisions = await relationshipOf('/articles?include=revisions', 'revisions')
    // The size is that of the relationship.
    expect([revisions.data.length, revisions.meta]).toEqual([2, { hasMore: true }])
    expect(Object.keys(revisions.links).sort()).toEqual(['first', 'next', 'prev', 'related', 'self'])
    const articles = await relationshipOf('/tags?include=articles')
    expect([Object.keys(articles), Object.keys(articles.links)]).toEqual([
      ['links', 'data'],
      ['self', 'related'],
    ])
  })

  it('sends no further statement', async () => {
    const path = '/articles?include=revisions,comments&page[number]=comments:2'
    expect(await api.statementsOf(() => paged.get(path))).toHaveLength(3)
  })
})
