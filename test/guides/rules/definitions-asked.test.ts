import { type ResourceClass, ResourceDefinition } from 'stemma'
import { startGrove } from '../../anchor/support/grove'
import { ref, type TestApi, using } from '../../support/api'
import { Article, Blog, Tag } from '../../support/blogs'
import { Car, Manufacturer, startVehicles, Truck } from '../../support/vehicles'

// Which definitions are asked, and how often. What they answer is in definitions.test.ts.

let calls: string[] = []

/** Notes that it is asked, and says nothing. */
class Listener extends ResourceDefinition {
  readonly resource: ResourceClass

  constructor(resource: ResourceClass) {
    super()
    this.resource = resource
  }

  #note(hook: string): undefined {
    calls.push(`${this.resource.name}.${hook}`)
  }

  override filter() {
    return this.#note('filter')
  }
  override sort() {
    return this.#note('sort')
  }
  override page() {
    return this.#note('page')
  }
  override fields() {
    return this.#note('fields')
  }
  override include() {
    return this.#note('include')
  }
  override serialize() {
    return this.#note('serialize')
  }
  override meta() {
    return this.#note('meta')
  }
}

describe('which hooks are asked, here each once for a request, in no promised order', () => {
  let api: TestApi
  beforeAll(async () => {
    api = await startGrove({ definitions: [Article, Blog, Tag].map((resource) => new Listener(resource)) })
  })
  afterAll(() => api.close())

  const COLLECTION = ['fields', 'filter', 'include', 'page', 'sort']
  const SINGLE = ['fields', 'filter', 'include']

  it.each([
    ['O-01', 'a collection', '/articles', { Article: COLLECTION }],
    ['O-01', 'one resource: neither sort nor page', '/articles/1', { Article: SINGLE }],
    [
      'O-01',
      'what is included: to one neither sort nor page',
      '/articles/1?include=blog',
      { Article: SINGLE, Blog: ['fields', 'filter'] },
    ],
    [
      'O-01',
      'what is included at every step',
      '/blogs?include=articles.tags,articles.blog',
      { Blog: COLLECTION, Article: COLLECTION, Tag: ['fields', 'filter', 'page', 'sort'] },
    ],
    ['O-01', 'what a filter only looks at', '/articles?filter=has(tags)', { Article: COLLECTION, Tag: ['filter'] }],
    [
      'O-02',
      'related resources, and their parent',
      '/blogs/1/articles',
      { Blog: ['fields', 'filter'], Article: COLLECTION },
    ],
    ['O-02', 'a related resource, and its parent', '/articles/1/blog', { Article: ['fields', 'filter'], Blog: SINGLE }],
    [
      'O-02',
      'linkage, and its parent',
      '/articles/1/relationships/tags',
      { Article: ['fields', 'filter'], Tag: ['filter', 'include', 'page', 'sort'] },
    ],
  ])('%s: of %s', async (_rule, _what, path, expected) => {
    calls = []
    await api.get(path)
    const asked = calls.filter((call) => !/serialize|meta/.test(call)).sort()
    expect(asked).toEqual(
      Object.entries(expected)
        .flatMap(([type, hooks]) => hooks.map((hook) => `${type}.${hook}`))
        .sort(),
    )
  })

  it.each([
    ['O-01', 'each resource', '/articles/1?include=blog,tags', { Article: 1, Blog: 1, Tag: 2 }],
    ['O-10', 'a resource that is reached twice', '/articles?include=blog&page[size]=2', { Article: 2, Blog: 1 }],
    ['O-02', 'no identifier', '/articles/1/relationships/tags', {}],
  ])('%s: serialize and meta are asked once for %s', async (_rule, _what, path, expected) => {
    calls = []
    await api.get(path)
    const count = (hook: string) =>
      Object.fromEntries(
        ['Article', 'Blog', 'Tag']
          .map((type) => [type, calls.filter((call) => call === `${type}.${hook}`).length] as const)
          .filter(([, times]) => times > 0),
      )
    expect([count('serialize'), count('meta')]).toEqual([expected, expected])
  })
})

it('O-01: the filter of a type is asked once, also where it is met under several of its bases', async () => {
  const definitions = [Car, Truck].map((resource) => new Listener(resource))
  await using(startVehicles({ definitions }), async (api) => {
    const maker = await api.add(Manufacturer, { name: 'M' })
    await api.add(Car, { manufacturer: ref(maker) })
    calls = []
    await api.get('/cars/1/manufacturer?include=vehicles').expect(200)
    expect(calls.filter((call) => call.endsWith('filter')).sort()).toEqual(['Car.filter', 'Truck.filter'])
  })
})
