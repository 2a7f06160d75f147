import { ref, refs, type TestApi } from '../support/api'
import { Article, Blog, Comment, startBlogs, Tag } from '../support/blogs'
import { includedKeys, linkageKeys, singleError } from '../support/expectations'
import {
  Bike,
  Box,
  Car,
  ChromeWheel,
  Cylinder,
  DieselEngine,
  Feature,
  GasolineEngine,
  Manufacturer,
  NumberProperty,
  NumberValue,
  StringProperty,
  StringValue,
  startVehicles,
  Tandem,
  Truck,
} from '../support/vehicles'

// https://jsonapi.org/format/1.1/#fetching-includes

describe('a hierarchy', () => {
  let api: TestApi
  const id: Record<string, string> = {}
  const key = (type: string, name: string) => `${type} ${id[name]}`

  beforeAll(async () => {
    api = await startVehicles()
    id.maker = await api.add(Manufacturer, { name: 'M' })
    id.box = await api.add(Box)
    id.otherBox = await api.add(Box)
    id.bell = await api.add(Feature, { description: 'bell' })
    id.radio = await api.add(Feature, { description: 'radio' })
    id.number = await api.add(NumberValue, { content: 5 })
    id.string = await api.add(StringValue, { content: 'five' })
    id.numberProperty = await api.add(NumberProperty, {
      name: 'n',
      numberValue: ref(id.number),
      feature: ref(id.radio),
    })
    id.stringProperty = await api.add(StringProperty, {
      name: 's',
      stringValue: ref(id.string),
      feature: ref(id.radio),
    })
    id.gasoline = await api.add(GasolineEngine)
    id.diesel = await api.add(DieselEngine)
    id.cylinder = await api.add(Cylinder, { engine: ref(id.gasoline) })
    id.bike = await api.add(Bike, { cargoBox: ref(id.box), manufacturer: ref(id.maker) })
    id.tandem = await api.add(Tandem, {
      foldingDimensions: ref(id.otherBox),
      tandemFeatures: refs(id.bell),
      manufacturer: ref(id.maker),
    })
    id.car = await api.add(Car, {
      engine: ref(id.gasoline),
      carFeatures: refs(id.radio, id.bell),
      manufacturer: ref(id.maker),
    })
    id.truck = await api.add(Truck, { engine: ref(id.diesel), truckFeatures: refs(id.radio) })
    id.wheel = await api.add(ChromeWheel, { vehicle: ref(id.tandem) })
  })
  afterAll(() => api.close())

  it.each([
    ['a relationship of one branch', 'cargoBox', () => [key('boxes', 'box')]],
    [
      'relationships of several branches',
      'cargoBox,foldingDimensions,engine',
      () => [
        key('boxes', 'box'),
        key('boxes', 'otherBox'),
        key('gasolineEngines', 'gasoline'),
        key('dieselEngines', 'diesel'),
      ],
    ],
    ['a name that several branches have', 'features', () => [key('features', 'bell'), key('features', 'radio')]],
    [
      'a step that only one target has',
      'engine.cylinders',
      () => [key('gasolineEngines', 'gasoline'), key('cylinders', 'cylinder'), key('dieselEngines', 'diesel')],
    ],
    [
      'a name with different targets',
      'features.properties.value',
      () => [
        key('features', 'bell'),
        key('features', 'radio'),
        key('numberProperties', 'numberProperty'),
        key('numberValues', 'number'),
        key('stringProperties', 'stringProperty'),
        key('stringValues', 'string'),
      ],
    ],
    ['one branch of the name, when it is named', 'trucks:features', () => [key('features', 'radio')]],
    [
      'inherited relationships behind a branch',
      'tandems:manufacturer,tandems:wheels',
      () => [key('manufacturers', 'maker'), key('chromeWheels', 'wheel')],
    ],
  ])('follows %s', async (_what, include, expected) => {
    expect(includedKeys(await api.get(`/vehicles?include=${include}`))).toEqual(expected())
  })

  it('gives linkage to those that have the relationship, and to no others', async () => {
    const { body } = await api.get('/vehicles?include=features')
    expect(linkageKeys(body.data.slice(1), 'features')).toEqual([
      [key('features', 'bell')],
      [key('features', 'bell'), key('features', 'radio')],
      [key('features', 'radio')],
    ])
    expect(body.data[0].relationships.features).toBeUndefined()
    expect(body.data[1].relationships.foldingDimensions.data).toBeUndefined()
  })

  it('of a branch that is named gives linkage to its rows only', async () => {
    const { body } = await api.get('/vehicles?include=cars:features')
    expect(linkageKeys(body.data.slice(1), 'features')).toEqual([
      undefined,
      [key('features', 'bell'), key('features', 'radio')],
      undefined,
    ])
  })

  it('accepts what only siblings have, for one resource of a base', async () => {
    expect(includedKeys(await api.get(`/vehicles/${id.bike}?include=engine`))).toEqual([])
  })

  it('types what is related by what is stored', async () => {
    const { body } = await api.get(`/motorVehicles?include=engine`)
    expect(linkageKeys(body.data, 'engine')).toEqual([
      [key('gasolineEngines', 'gasoline')],
      [key('dieselEngines', 'diesel')],
    ])
  })

  it.each([
    ['a relationship of a sibling', '/cars', 'sleepingArea', 1],
    ['a step that no target has', '/vehicles', 'engine.wheels', 8],
    ['an attribute', '/vehicles', 'weight', 1],
    ['a branch that is none', '/vehicles', 'boxes:features', 1],
    ['a type alone', '/vehicles', 'cars:', 6],
  ])('refuses %s', async (_what, path, include, position) => {
    expect(singleError(await api.get(`${path}?include=${include}`))).toMatchObject({
      status: 400,
      code: 'query.include',
      parameter: 'include',
      position,
    })
  })
})

describe('blogs', () => {
  let api: TestApi
  let blog: string
  const article: string[] = []

  beforeAll(async () => {
    api = await startBlogs()
    blog = await api.add(Blog, { title: 'B' })
    await api.add(Blog, { title: 'empty' })
    for (const tag of ['red', 'green', 'blue']) await api.add(Tag, { id: tag })
    article.push(await api.add(Article, { title: 'A1', blog: ref(blog), tags: refs('red', 'green') }))
    article.push(await api.add(Article, { title: 'A2', blog: ref(blog), tags: refs('red', 'blue') }))
    article.push(await api.add(Article, { title: 'A3' }))
    // Above 2^53, where numbers would fall together.
    await api.add(Comment, { id: '9007199254740992', article: ref(article[0] as string) })
    await api.add(Comment, {
      id: '9007199254740993',
      article: ref(article[0] as string),
      parent: ref('9007199254740992'),
    })
    await api.add(Comment, {
      id: '9007199254740994',
      article: ref(article[1] as string),
      parent: ref('9007199254740993'),
    })
  })
  afterAll(() => api.close())

  it('is an empty list when there is nothing, and the linkage says so', async () => {
    expect((await api.get(`/articles/${article[2]}?include=blog,comments`)).body).toMatchObject({
      data: { relationships: { blog: { data: null }, comments: { data: [] } } },
      included: [],
    })
  })

  it('has each resource once, and primary data never', async () => {
    const answer = await api.get('/articles?include=tags.articles.blog.articles,blog')
    expect([...includedKeys(answer)].sort()).toEqual([`blogs ${blog}`, 'tags blue', 'tags green', 'tags red'])
    const { body } = answer
    expect(linkageKeys(body.data, 'tags')).toEqual([['tags green', 'tags red'], ['tags blue', 'tags red'], []])
  })

  it('goes depth first, in the order of declaration and not of the parameter', async () => {
    const answer = await api.get(`/blogs/${blog}?include=articles.tags,articles.comments`)
    expect(includedKeys(answer)).toEqual([
      `articles ${article[0]}`,
      'comments 9007199254740992',
      'comments 9007199254740993',
      'tags green',
      'tags red',
      `articles ${article[1]}`,
      'comments 9007199254740994',
      'tags blue',
    ])
  })

  it('keeps keys above 2^53 apart', async () => {
    const { body } = await api.get('/comments?include=parent,replies')
    expect(linkageKeys(body.data, 'parent')).toEqual([
      null,
      ['comments 9007199254740992'],
      ['comments 9007199254740993'],
    ])
    expect(linkageKeys(body.data, 'replies')).toEqual([
      ['comments 9007199254740993'],
      ['comments 9007199254740994'],
      [],
    ])
    expect((await api.get('/comments/9007199254740993')).body.data.id).toBe('9007199254740993')
    expect((await api.get("/comments?filter=equals(id,'9007199254740993')")).body.data).toHaveLength(1)
    expect((await api.get("/comments?filter=equals(parent.id,'9007199254740993')")).body.data).toMatchObject([
      { id: '9007199254740994' },
    ])
  })

  it('unites linkage of all places where a resource occurs', async () => {
    const { body } = await api.get(
      `/articles/${article[0]}?include=comments.parent,comments.replies&page[size]=comments:1`,
    )
    expect(body.data.relationships.comments.data).toHaveLength(1)
    expect(body.included.map(({ id }: { id: string }) => id)).toEqual(['9007199254740992', '9007199254740993'])
  })

  it.each([
    [
      'a secondary to-many endpoint',
      () => `/blogs/${blog}/articles?include=tags`,
      ['tags green', 'tags red', 'tags blue'],
    ],
    [
      'a secondary to-one endpoint',
      () => `/articles/${article[1]}/blog?include=articles`,
      () => [`articles ${article[0]}`, `articles ${article[1]}`],
    ],
    [
      'a relationship endpoint',
      () => `/articles/${article[0]}/relationships/tags?include=tags`,
      ['tags green', 'tags red'],
    ],
    [
      'a relationship endpoint, further on',
      () => `/articles/${article[0]}/relationships/tags?include=tags.articles`,
      () => ['tags green', 'tags red', `articles ${article[0]}`, `articles ${article[1]}`],
    ],
    [
      'a to-one relationship endpoint',
      () => `/articles/${article[0]}/relationships/blog?include=blog`,
      () => [`blogs ${blog}`],
    ],
  ])('works at %s', async (_what, path, expected) => {
    expect(includedKeys(await api.get(path()))).toEqual(typeof expected === 'function' ? expected() : expected)
  })

  it('shares intermediate resources between paths', async () => {
    const [one, other] = await Promise.all(
      ['articles,articles.tags', 'articles.tags'].map((include) => api.get(`/blogs?include=${include}`)),
    )
    expect(one?.body.included).toEqual(other?.body.included)
    expect(includedKeys(await api.get('/blogs?include=articles&include=articles.tags'))).toEqual(
      includedKeys(other as never),
    )
  })

  it('filters and sorts included resources by path; parents stay', async () => {
    const { body } = await api.get(`/articles?include=tags&filter[tags]=not(equals(id,'red'))&sort[tags]=-id`)
    expect(linkageKeys(body.data, 'tags')).toEqual([['tags green'], ['tags blue'], []])
    const sorted = await api.get('/articles?include=tags&sort[tags]=-id')
    expect(linkageKeys(sorted.body.data, 'tags')).toEqual([['tags red', 'tags green'], ['tags red', 'tags blue'], []])
  })

  it('takes a scope of what is not included, to no effect', async () => {
    expect((await api.get("/articles?filter[tags]=equals(id,'red')")).body.data).toHaveLength(3)
  })

  it('limits the length of paths', async () => {
    const path = (length: number) => Array.from({ length }, (_, index) => (index % 2 ? 'blog' : 'articles')).join('.')
    await api.get(`/blogs?include=${path(5)}`).expect(200)
    expect(singleError(await api.get(`/blogs?include=${path(6)}`))).toMatchObject({
      status: 400,
      code: 'query.include',
    })
  })

  it.each([
    ['blank', 'articles, tags', 10],
    ['leading comma', ',articles', 1],
    ['trailing comma', 'articles,', 10],
    ['trailing dot', 'articles.', 10],
    ['unknown name', 'articles.tagss', 10],
  ])('refuses a %s', async (_what, include, position) => {
    expect(singleError(await api.get(`/blogs?include=${include}`))).toMatchObject({
      status: 400,
      parameter: 'include',
      position,
    })
  })
})
