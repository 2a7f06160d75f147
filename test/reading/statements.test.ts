import { Article, Blog, Comment, startBlogs, Tag } from '../support/blogs'
import { ref, refs, type Stocked, using } from '../support/stock'
import { Car, Feature, GasolineEngine, Manufacturer, startVehicles, Tandem } from '../support/vehicles'

// The number of statements follows from the request, never from the rows.

const PARENTS = 100

async function fillBlogs(parents: number): Promise<Stocked> {
  const api = await startBlogs({ page: { maximumSize: 1000 } })
  await api.add(Tag, { id: 'a' })
  await api.add(Tag, { id: 'b' })
  for (let each = 1; each <= parents; each += 1) {
    const blog = await api.add(Blog, { title: `B${each}` })
    const article = await api.add(Article, { title: `A${each}`, blog: ref(blog), tags: refs('a', 'b') })
    await api.add(Comment, { id: String(each), article: ref(article), ...(each > 1 && { parent: ref('1') }) })
  }
  return api
}

let one: Stocked
let hundred: Stocked

beforeAll(async () => {
  one = await fillBlogs(1)
  hundred = await fillBlogs(PARENTS)
})
afterAll(() => Promise.all([one.close(), hundred.close()]))

it.each([
  ['a collection: its rows and their total', '/blogs?page[size]=1000', 2],
  ['an uncounted collection: its rows', '/articles/1/revisions', 2],
  ['one resource', '/blogs/1', 1],
  ['one to-many step', '/blogs?page[size]=1000&include=articles', 3],
  ['one to-one step', '/articles?page[size]=1000&include=blog', 3],
  ['one many-to-many step', '/articles?page[size]=1000&include=tags', 3],
  ['several steps', '/articles?page[size]=1000&include=blog,comments,tags', 5],
  ['steps behind each other', '/blogs?page[size]=1000&include=articles.tags.articles.comments', 6],
  [
    'filters, sorts and pages of all',
    "/blogs?page[size]=1000,articles:5&include=articles&filter=has(articles,has(tags,equals(id,'a')))&sort=-count(articles)&filter[articles]=has(tags)&sort[articles]=-title",
    3,
  ],
  ['related resources: the look-up, the rows and their total', '/blogs/1/articles?include=tags', 4],
  ['a related resource: the look-up and the row', '/articles/1/blog?include=articles', 3],
  ['members: the look-up, the rows and their total', '/articles/1/relationships/tags', 3],
  ['a member: the look-up and the row', '/articles/1/relationships/blog', 2],
])('%s', async (_what, path, expected) => {
  // Rows of a relationship that is not there at all are not asked for.
  for (const api of [one, hundred]) {
    const statements = await api.statementsOf(async () => expect((await api.get(path)).status).toBe(200))
    expect(statements.join('\n').split('\n')).toHaveLength(expected)
  }
})

it('asks nothing of the database for an id that none can have, or a query that is none', async () => {
  for (const path of ['/blogs/01', '/blogs/x', '/blogs?sort=nothing', '/nothing', '/blogs/1/nothing']) {
    expect(await one.statementsOf(() => one.get(path))).toEqual([])
  }
})

it('asks once for each relationship of each branch, and not for those that no row has', async () => {
  await using(startVehicles(), async (api) => {
    const maker = await api.add(Manufacturer, { name: 'M' })
    const feature = await api.add(Feature, { description: 'F' })
    for (let each = 0; each < 5; each += 1) {
      const engine = await api.add(GasolineEngine)
      await api.add(Car, { manufacturer: ref(maker), carFeatures: refs(feature), engine: ref(engine) })
      await api.add(Tandem, { manufacturer: ref(maker), tandemFeatures: refs(feature) })
    }
    const count = async (path: string) => (await api.statementsOf(() => api.get(path))).length
    // Rows, total, and the features of cars and of tandems; there are no trucks.
    expect(await count('/vehicles?include=features')).toBe(4)
    expect(await count('/cars?include=features')).toBe(3)
    expect(await count('/vehicles?include=manufacturer.vehicles.engine.cylinders')).toBe(6)
    expect(await count('/vehicles/2/features')).toBe(3)
  })
})
