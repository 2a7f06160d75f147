import { equals, JsonApiError, not, type ResourceClass, ResourceDefinition, type ResourceRecord } from 'stemma'
import { define, ref, refs, setUp, type TestApi, useApi } from '../../support/api'
import { Article, Blog, Comment, startBlogs, Tag } from '../../support/blogs'
import { includedKeys, linkageKeys, resourceKeys } from '../../support/expectations'
import * as models from '../../support/vehicles'

const { Bike, Car, ChromeWheel, Engine, GasolineEngine, Manufacturer } = models
const { startVehicles, Tandem, Truck, Vehicle, Wheel } = models
const calls: string[] = []
const HOOKS = ['filter', 'sort', 'page', 'fields', 'include', 'serialize', 'meta']

/** Notes each call of a hook, as `Article.filter`. */
function recorder(resource: ResourceClass): ResourceDefinition {
  const record = (hook: string) => [hook, () => void calls.push(`${resource.name}.${hook}`)]
  return define(resource, Object.fromEntries(HOOKS.map(record)))
}

/** Articles over a new server with these definitions. */
async function startArticles(...definitions: readonly ResourceDefinition[]): Promise<TestApi> {
  const api = await startBlogs({ definitions })
  const blog = ref(await api.add(Blog, { title: 'Trees' }))
  for (const id of ['red', 'green']) await api.add(Tag, { id })
  await api.add(Article, { title: 'Ash', views: 5, likes: 5, blog, tags: refs('red', 'green') })
  await api.add(Article, { title: 'Elm', views: 3, blog })
  await api.add(Comment, { id: '1', article: ref('1') })
  return api
}

describe('hooks of reading', () => {
  const api = setUp(() => startArticles(...[Article, Blog, Tag].map(recorder)))
  beforeEach(() => void calls.splice(0))
  const ALL = 'fields filter include page sort'
  const SORTED = 'fields filter include page'
  const SINGLE = 'fields filter include'
  const INCLUDED = 'fields filter page sort'

  it.each([
    ['R/O-01', '/articles', { Article: ALL }],
    ['R/O-01', '/articles/1', { Article: SINGLE }],
    ['R/O-01', '/articles/1?include=blog', { Article: SINGLE, Blog: 'fields filter' }],
    ['R/O-01', '/blogs?include=articles.tags,articles.blog', { Article: ALL, Blog: ALL, Tag: INCLUDED }],
    ['R/O-01', '/articles?filter=has(tags)', { Article: ALL, Tag: 'filter' }],
    ['R/O-01', "/articles?filter=equals(blog.title,'Trees')", { Article: ALL, Blog: 'fields filter' }],
    ['R/O-01', '/articles?sort=blog.title', { Article: SORTED, Blog: 'fields filter' }],
    ['R/O-01', '/articles?sort=count(tags)', { Article: SORTED, Tag: 'filter' }],
    ['R/O-01', '/blogs?include=articles&filter[articles]=has(tags)', { Article: INCLUDED, Blog: ALL, Tag: 'filter' }],
    ['R/O-02', '/blogs/1/articles', { Article: ALL, Blog: 'fields filter' }],
    ['R/O-02', '/articles/1/blog', { Article: 'fields filter', Blog: SINGLE }],
    ['R/O-02', '/articles/1/relationships/tags', { Article: 'fields filter', Tag: 'filter include page sort' }],
  ])('%s: are called once for each type that GET %s reads', async (_anchor, path, expected) => {
    await api.get(path).expect(200)
    const types = Object.entries(expected).flatMap(([type, hooks]) => hooks.split(' ').map((hook) => `${type}.${hook}`))
    expect(calls.filter((call) => !/serialize|meta/.test(call)).sort()).toEqual(types)
  })

  it.each([
    ['R/O-01', '/articles/1?include=blog,tags', ['Article', 'Blog', 'Tag', 'Tag']],
    ['R/O-10', '/articles?include=blog', ['Article', 'Article', 'Blog']],
    ['R/O-02', '/articles/1/relationships/tags', []],
  ])('%s: serialize and meta are called once for each resource object of GET %s', async (_anchor, path, expected) => {
    await api.get(path).expect(200)
    for (const hook of ['serialize', 'meta']) {
      const types = calls.filter((call) => call.endsWith(`.${hook}`)).map((call) => call.split('.')[0])
      expect(types.sort()).toEqual(expected)
    }
  })

  // anchor: R/O-01
  it('calls filter once for a type that is read through several bases', async () => {
    await useApi(startVehicles({ definitions: [Car, Truck].map(recorder) }), async (vehicles) => {
      await vehicles.add(Car, { manufacturer: ref(await vehicles.add(Manufacturer, { name: 'M' })) })
      calls.splice(0)
      await vehicles.get('/cars/1/manufacturer?include=vehicles').expect(200)
      expect(calls.filter((call) => call.endsWith('filter')).sort()).toEqual(['Car.filter', 'Truck.filter'])
    })
  })
})

// anchor: R/O-05, R/O-07, R/O-08, R/S-11
it('orders by the sort rule unless the client sorts, and shows no field beyond the fields rule', async () => {
  const fields = (names: ReadonlySet<string>) => new Set([...names].filter((name) => name !== 'likes'))
  await useApi(startArticles(define(Article, { sort: () => 'count(tags),blog.title', fields })), async (api) => {
    for (const path of ['/articles', '/blogs/1/articles', '/articles?sort=views'])
      expect(resourceKeys(await api.get(path))).toEqual(['articles 2', 'articles 1'])
    expect(resourceKeys(await api.get('/articles?sort=-views'))).toEqual(['articles 1', 'articles 2'])
    expect((await api.get('/articles/1?fields[articles]=views')).body.data.attributes).toEqual({ views: 5 })
    await api.get('/articles/1?fields[articles]=views,likes').expect(400)
  })
})

describe('the include rule', () => {
  const include: ResourceDefinition['include'] = (names, includes) => {
    if (names.includes('revisions')) throw new JsonApiError({ status: 400, title: 'Revisions are large.' })
    return includes === 'notSent' ? ['blog', 'comments'] : names.filter((name) => name !== 'comments')
  }
  const blogs = define(Blog, { include: () => ['articles'] })
  const api = setUp(() => startArticles(define(Article, { include }), blogs))

  it.each([
    ['R/O-06', 'adds relationships of primary data only', '/articles/1', ['blogs 1', 'comments 1']],
    ['R/O-06', 'gives way to the parameter of the client', '/articles/1?include=tags', ['tags green', 'tags red']],
    ['R/O-06', 'can remove relationships', '/articles/1?include=blog,comments', ['blogs 1']],
  ])('%s: %s', async (_anchor, _what, path, expected) => {
    const response = await api.get(path)
    expect(includedKeys(response)).toEqual(expected)
    if (!path.includes('=tags')) expect(linkageKeys([response.body.data] as never, 'blog')).toEqual([['blogs 1']])
  })

  // anchor: R/O-06, R/O-11
  it('can refuse a path', async () => {
    const { body } = await api.get('/articles/1?include=revisions').expect(400)
    expect(body.errors).toMatchObject([{ title: 'Revisions are large.' }])
  })
})

describe('definitions in a hierarchy', () => {
  class VehicleDefinition extends ResourceDefinition<models.Vehicle> {
    readonly resource: ResourceClass<models.Vehicle> = Vehicle
    override sort(): string | undefined {
      return '-weight'
    }
    override meta(): { readonly is: string } {
      return { is: 'vehicle' }
    }
  }
  class BikeDefinition extends VehicleDefinition {
    override readonly resource: ResourceClass<models.Vehicle> = Bike
    override fields(fields: ReadonlySet<string>) {
      return new Set([...fields].filter((name) => name !== 'gearCount'))
    }
    override serialize({ instance }: ResourceRecord<models.Vehicle>) {
      return { weight: instance.weight + 1 }
    }
  }
  class TandemDefinition extends BikeDefinition {
    override readonly resource = Tandem
    override meta() {
      return { is: 'tandem' }
    }
  }

  const vehicles = [new VehicleDefinition(), new BikeDefinition(), new TandemDefinition()]
  const car = Object.assign(new VehicleDefinition(), { resource: Car, filter: () => not(equals('seatCount', 4)) })
  const parts = [define(Engine, { page: () => ({ size: 1 }) }), define(Wheel, { include: () => ['vehicle'] })]
  const api = setUp(() => startVehicles({ definitions: [...vehicles, car, ...parts] }))
  beforeAll(async () => {
    const manufacturer = ref(await api.add(Manufacturer, { name: 'Gazelle' }))
    await api.add(Bike, { weight: 10, manufacturer })
    await api.add(Tandem, { weight: 20, manufacturer })
    await api.add(Car, { weight: 900, seatCount: 4, manufacturer })
    await api.add(Truck, { weight: 4000 })
    for (const id of ['1', '3']) await api.add(ChromeWheel, { vehicle: ref(id) })
    for (const capacity of [1, 2]) await api.add(GasolineEngine, { capacity })
  })

  it.each([
    ['R/R-95', 'sorts by the rule of the base', '/vehicles', ['trucks 4', 'tandems 2', 'bikes 1']],
    ['R/R-95', 'sorts by an inherited rule', '/bikes', ['tandems 2', 'bikes 1']],
    ['R/R-95', 'takes the page size of the base', '/engines', ['gasolineEngines 1']],
    ['R/R-95', 'inherits the page size', '/gasolineEngines', ['gasolineEngines 1']],
  ])('%s: %s', async (_anchor, _what, path, expected) => expect(resourceKeys(await api.get(path))).toEqual(expected))

  // anchor: R/R-95
  it('inherits the include rule, which shows no hidden resource', async () => {
    const response = await api.get('/chromeWheels')
    expect(includedKeys(response)).toEqual(['bikes 1'])
    expect(linkageKeys(response.body.data, 'vehicle')).toEqual([['bikes 1'], null])
  })

  it.each([
    ['R/R-96, R/R-97', '/vehicles?sort=id', 'data'],
    ['R/R-96, R/R-97', '/bikes?sort=id', 'data'],
    ['R/R-96, R/R-97', '/manufacturers/1/vehicles?sort=id', 'data'],
    ['R/R-97', '/manufacturers/1?include=vehicles&sort[vehicles]=id', 'included'],
  ])('%s: applies fields, serialize and meta of the stored type to %s', async (_anchor, path, member) => {
    const { body } = await api.get(path)
    const [bike, tandem] = body[member]
    expect(bike).toMatchObject({ type: 'bikes', attributes: { weight: 11 }, meta: { is: 'vehicle' } })
    expect(tandem).toMatchObject({ type: 'tandems', attributes: { weight: 21 }, meta: { is: 'tandem' } })
    for (const { attributes } of [bike, tandem]) expect(attributes).not.toHaveProperty('gearCount')
  })

  it('calls the include rule with each name once', async () => {
    const names: (readonly string[])[] = []
    const include = (included: readonly string[]) => void names.push(included)
    await useApi(startVehicles({ definitions: [define(Tandem, { include })] }), async (server) => {
      await server.get('/vehicles?include=wheels,tandems:wheels').expect(200)
      expect(names).toEqual([['wheels']])
    })
  })

  // anchor: R/R-96
  it('does not apply the fields rule of a type to its siblings', async () => {
    expect((await api.get('/vehicles/4')).body.data.attributes).toHaveProperty('weight', 4000)
  })
})
