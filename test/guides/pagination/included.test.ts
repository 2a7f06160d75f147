import { ref, refs } from '../../support/api'
import { Article, Blog, Comment, Revision, startBlogs, Tag } from '../../support/blogs'
import { includedKeys, linkageKeys } from '../../support/expectations'
import { startFilledVehicles } from '../../support/filled-vehicles'
import type { Row } from '../../support/row'
import { setUp } from '../../support/set-up'
import { Car, Cylinder, GasolineEngine } from '../../support/vehicles'

const keys = (type: string, ...ids: readonly (number | string)[]) => ids.map((id) => `${type} ${id}`)

describe('pages of included relationships', () => {
  const api = setUp(startBlogs)
  // Blog 1 has articles 1 to 20, blog 2 has 21 to 23, blog 3 none.
  beforeAll(async () => {
    for (const title of ['B', 'O', 'E']) await api.add(Blog, { title })
    for (const id of ['a', 'b', 'c', 'd', 'e']) await api.add(Tag, { id })
    for (let number = 1; number <= 23; number += 1) {
      const tags = number <= 3 ? refs('a', 'b', 'c', 'd', 'e') : []
      await api.add(Article, { title: `T${number % 5}`, blog: ref(number <= 20 ? '1' : '2'), tags })
    }
    for (let id = 1; id <= 12; id += 1)
      await api.add(Comment, { id: String(id), article: ref(id % 2 === 0 ? '1' : '2') })
    for (let number = 1; number <= 3; number += 1) await api.add(Revision, { number, article: ref('1') })
  })

  const linkageAt = async (path: string, relationship: string) =>
    linkageKeys([(await api.get(path)).body.data].flat() as never[], relationship)
  const TO_TEN = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]
  const TAGGED = 'filter=has(tags)&include=tags'

  it.each<Row<[path: string, relationship: string, expected: readonly (readonly string[])[]]>>([
    ['/blogs?include=articles', 'articles', [keys('articles', ...TO_TEN), keys('articles', 21, 22, 23), []]],
    [
      '/blogs?include=articles&page[size]=articles:1',
      'articles',
      [['articles 1'], ['articles 21'], []],
      'R/P-02',
      'R/D-14',
    ],
    [
      '/blogs?include=articles&page[size]=articles:2&page[number]=articles:2',
      'articles',
      [keys('articles', 3, 4), ['articles 23'], []],
      'R/P-02',
    ],
    ['/blogs?include=articles&page[size]=1,articles:1', 'articles', [['articles 1']], 'R/P-22'],
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

  it('takes the size from the relationship', async () => {
    const [linkage] = await linkageAt('/articles/1?include=revisions', 'revisions')
    expect(linkage).toHaveLength(2)
  })

  it('limits the articles of tags, whose inverse has no pages', async () => {
    const { included } = (await api.get(`/articles?${TAGGED}.articles&page[size]=1`)).body
    const tags = included.filter(({ type }: { type: string }) => type === 'tags')
    expect(linkageKeys(tags, 'articles')).toEqual([1, 2, 3].map(() => keys('articles', 1, 2, 3)))
  })

  it('writes neither links to pages nor a total, and no page links for a single resource', async () => {
    const { body } = await api.get('/blogs/1?include=articles&page[size]=articles:1')
    expect(Object.keys(body.data.relationships.articles).sort()).toEqual(['data', 'links'])
    expect(Object.keys(body.data.relationships.articles.links)).toEqual(['self', 'related'])
    expect(Object.keys(body.links)).toEqual(['self'])
  }) // anchor: R/P-10, R/P-22
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
