import type { Any } from '../../support/any'
import { ref, setUp, useApi } from '../../support/api'
import { Comment, startBlogs } from '../../support/blogs'
import { idsOf, includedKeys, linkageKeys } from '../../support/expectations'
import { startFilledBlogs } from '../../support/filled-blogs'
import { startFilledVehicles, Van } from '../../support/filled-vehicles'
import { expectMistake } from '../../support/marked-paths'
import type { Row } from '../../support/row'
import { Bike, Car, CarbonWheel, Manufacturer, Tandem, Truck } from '../../support/vehicles'

// https://jsonapi.org/format/1.1/#fetching-includes, with filter[path] and sort[path]. In a hierarchy a path may name relationships of derived types.

const TAGS_OF_BEECH = ['tags red', 'articles 1', 'articles 2']
const TWO_LISTS = '/articles/1?include=tags,comments'
const TWO_PATHS = ['blogs 1', 'tags green', 'tags red', 'articles 2']
const DEPTH_FIRST = ['blogs 1', 'comments 1', 'comments 2', 'comments 3', 'tags green', 'tags red', 'articles 2']

describe('blogs', () => {
  const api = setUp(startFilledBlogs)

  it.each([
    ['of a collection', '/comments?include=article', ['articles 1', 'articles 2'], 'R/D-01'],
    ['of a related resource', '/comments/1/article?include=tags', ['tags green', 'tags red'], 'R/D-01'],
    ['of related resources', '/blogs/1/articles?include=tags', ['tags green', 'tags red'], 'R/D-01'],
    ['of to-one linkage', '/articles/1/relationships/blog?include=blog', ['blogs 1'], 'R/D-01'],
    ['of to-many linkage', '/articles/2/relationships/tags?include=tags.articles', TAGS_OF_BEECH, 'R/D-01'],
    ['a to-one relationship', '/articles/2?include=blog', ['blogs 1'], 'R/D-02'],
    ['a one-to-many relationship', '/blogs/2?include=articles', ['articles 3'], 'R/D-02'],
    ['a many-to-many relationship', '/articles/2?include=tags', ['tags red'], 'R/D-02'],
    ['a path', '/blogs/1?include=articles.tags', ['articles 1', 'tags green', 'tags red', 'articles 2'], 'R/D-02'],
    ['a recursive path', '/comments/3?include=parent.parent', ['comments 2', 'comments 1'], 'R/D-02'],
    ['a repeated parameter', '/comments/3?include=article&include=article.blog', ['articles 2', 'blogs 1']],
    ['nothing for an empty value', '/articles?include=', [], 'R/D-03'],
    ['nothing where nothing is related', '/blogs/3?include=articles', [], 'R/D-03'],
    ['nothing behind an empty relationship', '/articles/4?include=blog.articles', [], 'R/D-08'],
    ['each resource once', '/articles?include=blog', ['blogs 1', 'blogs 2'], 'R/D-06'],
    ['no primary data', '/articles?include=blog.articles', ['blogs 1', 'blogs 2'], 'R/D-06'],
    ['a resource of two paths once', '/articles/1?include=tags,blog.articles.tags', TWO_PATHS, 'R/D-06'],
    ['depth first, as declared', '/articles/1?include=tags.articles,comments.replies,blog', DEPTH_FIRST, 'R/D-07'],
    ['in the order of primary data', '/articles?include=blog&sort=-id', ['blogs 2', 'blogs 1'], 'R/D-07'],
  ])('includes %s: %s', async (_what, path, expected, ..._ids) => {
    expect(includedKeys(await api.get(path))).toEqual(expected)
  })

  it.each([
    ['identifies the included resources', '/articles/1?include=tags', 'tags', ['tags green', 'tags red'], 'R/D-04'],
    ['is left out for other relationships', '/articles/1?include=tags', 'comments', undefined, 'R/D-04'],
    ['is null when nothing is related', '/articles/4?include=blog', 'blog', null, 'R/D-05'],
    ['is an empty array when nothing is related', '/articles/4?include=tags', 'tags', [], 'R/D-05'],
  ])('gives linkage that %s', async (_what, path, relationship, expected, ..._ids) => {
    const { body } = await api.get(path)
    expect(linkageKeys([body.data] as never, relationship)).toEqual([expected])
  })

  it('gives an included resource linkage only for its own included relationships', async () => {
    const { body } = await api.get('/articles/1?include=blog') // anchor: R/D-04
    const expected = { links: { self: '/blogs/1/relationships/articles', related: '/blogs/1/articles' } }
    expect(body.included[0].relationships.articles).toEqual(expected)
  })

  it('combines the linkage of a resource that two paths reach', async () => {
    const { body } = await api.get('/comments/2?include=parent.article,article.tags') // anchor: R/D-06
    const [article] = body.included.filter(({ type }: { type: string }) => type === 'articles')
    expect(linkageKeys([article] as never, 'tags')).toEqual([['tags green', 'tags red']])
    const paged = (await api.get('/articles/1?include=comments.parent,comments.replies&page[size]=comments:1')).body
    expect(paged.data.relationships.comments.data).toHaveLength(1)
    expect(paged.included.map(({ id }: { id: string }) => id)).toEqual(['1', '2'])
  })

  it('keeps keys above 2^53 apart', async () => {
    await useApi(startBlogs(), async (blogs) => {
      const [first, second, third] = ['9007199254740992', '9007199254740993', '9007199254740994'] as const
      await blogs.add(Comment, { id: first })
      await blogs.add(Comment, { id: second, parent: { id: first } })
      await blogs.add(Comment, { id: third, parent: { id: second } })
      const { data } = (await blogs.get('/comments?include=parent,replies')).body
      expect(linkageKeys(data, 'parent')).toEqual([null, [`comments ${first}`], [`comments ${second}`]])
      expect(linkageKeys(data, 'replies')).toEqual([[`comments ${second}`], [`comments ${third}`], []])
    })
  })

  it.each([
    ['/comments/1', 'article.blog', 'article.blog.articles'],
    ['/comments/1/article', 'blog.articles', 'blog.articles.tags'],
  ])('limits.includeDepth counts from the primary data of %s', async (path, deepest, tooDeep) => {
    await useApi(startFilledBlogs({ limits: { includeDepth: 2 } }), async (shallow) => {
      await shallow.get(`${path}?include=${deepest}`).expect(200) // anchor: R/D-13
      await expectMistake(shallow, `${path}?include=^${tooDeep}`, 'query.include', 'at most 2')
    })
  })

  it.each<Row<[path: string, expected: string]>>([
    ["/blogs?include=articles&filter[articles]=equals(views,'3')", 'articles 2, articles 3', 'R/F-23'],
    ["/comments/1?include=article.tags&filter[article.tags]=equals(id,'red')", 'articles 1, tags red', 'R/F-23'],
    ["/blogs/1/articles?include=tags&filter[tags]=equals(id,'green')", 'tags green', 'R/F-23'],
    [`${TWO_LISTS}&filter[tags]=equals(rank,'2')&filter[comments]=equals(body,null)`, 'comments 2, tags red', 'R/F-23'],
    ['/articles/1?include=tags&sort[tags]=-id', 'tags red, tags green', 'R/S-04'],
    ['/comments/1?include=article.tags&sort[article.tags]=-rank', 'articles 1, tags red, tags green', 'R/S-04'],
    ['/comments/3/article?include=blog.articles&sort[blog.articles]=-id', 'blogs 1, articles 1', 'R/S-04'],
    [`${TWO_LISTS}&sort[tags]=-id&sort[comments]=-id`, 'comments 2, comments 1, tags red, tags green', 'R/S-04'],
  ])('filters and sorts the included resources of %s', async (path, expected) => {
    expect(includedKeys(await api.get(path)).join(', ')).toBe(expected)
  })

  it.each([
    ["filter[articles]=equals(views,'5')", [['articles 1'], [], []], 'R/F-23'],
    ['sort[articles]=-id', [['articles 2', 'articles 1'], ['articles 3'], []], 'R/S-04'],
  ])('keeps all primary data and writes the linkage by %s', async (scoped, expected) => {
    const { body } = await api.get(`/blogs?include=articles&${scoped}`)
    expect(linkageKeys(body.data, 'articles')).toEqual(expected)
  })

  it('ignores a filter of a relationship that is not included', async () => {
    expect(idsOf(await api.get("/blogs?filter[articles]=equals(title,'none')"))).toBe('1 2 3')
  }) // anchor: R/F-25
})

describe('a hierarchy', () => {
  const api = setUp(startFilledVehicles)
  const MANUFACTURERS = ['manufacturers 1', 'manufacturers 2']
  const ENGINES = ['gasolineEngines 1', 'dieselEngines 2']
  const FEATURES = ['features 1', 'features 2', 'features 3']
  const WHEELS = ['chromeWheels 1', 'carbonWheels 2', 'chromeWheels 3', 'carbonWheels 4']
  const VALUES = ['numberValues 1', 'stringValues 1']
  const CYLINDERS = 'include=engine.cylinders'
  const WITH_CYLINDERS = ['gasolineEngines 1', 'cylinders 1', 'cylinders 2', 'cylinders 3', 'dieselEngines 2']
  const PROPERTIES = ['numberProperties 1', 'numberValues 1', 'stringProperties 2', 'stringValues 1']
  const DEEP = ['features 2', ...PROPERTIES, 'features 3']
  const OF_TRUCK = ['manufacturers 2', 'dieselEngines 2', 'boxes 3']
  const SEVERAL = ['boxes 1', 'boxes 2', 'gasolineEngines 1', 'dieselEngines 2', 'boxes 3']

  it.each([
    ['a relationship of one branch', '/vehicles', 'cargoBox', ['boxes 1'], 'R/R-30'],
    ['relationships of several', '/vehicles', 'cargoBox,foldingDimensions,engine,sleepingArea', SEVERAL, 'R/R-30'],
    ['a relationship of the type itself', '/vehicles', 'manufacturer', MANUFACTURERS, 'R/R-31'],
    ['a relationship of an abstract type in the middle', '/vehicles', 'engine', ENGINES, 'R/R-31'],
    ['all relationships of one name', '/vehicles', 'features', FEATURES, 'R/R-31'],
    ['only those below the type of the endpoint', '/motorVehicles', 'features', FEATURES.slice(1), 'R/R-31'],
    ['an inherited relationship', '/vehicles', 'wheels', WHEELS, 'R/R-32'],
    ['an inherited relationship that a type qualifies', '/vehicles', 'tandems:wheels', WHEELS.slice(1, 2), 'R/R-32'],
    ['one of several relationships of one name', '/vehicles', 'trucks:features', ['features 2']],
    ['relationships of one name with different targets', '/genericProperties', 'value', VALUES, 'R/R-33'],
    ['a step that only one target has', '/vehicles', 'engine.cylinders', WITH_CYLINDERS, 'R/R-33'],
    ['steps behind a name of several branches', '/motorVehicles', 'features.properties.value', DEEP, 'R/R-33'],
    ['relationships of a derived type', '/trucks', 'sleepingArea,engine,manufacturer', OF_TRUCK, 'R/R-39'],
    ['nothing for a relationship that only a sibling has', '/vehicles/1', 'engine,sleepingArea', [], 'R/R-40'],
    ['what one resource of a base has', '/vehicles/1', 'engine,cargoBox', ['boxes 1'], 'R/R-40'],
  ])('includes %s: %s?include=%s', async (_what, path, include, expected, ..._ids) => {
    expect(includedKeys(await api.get(`${path}?include=${include}`))).toEqual(expected)
  })

  it.each([
    ['no type has', '/vehicles', '^nothing', "'vehicles' or a type derived from it", 'R/R-34'],
    ['none of several targets has', '/genericProperties', 'value.^nothing', "'numberValues' or 'str", 'R/R-34'],
    ['a target without derived types lacks', '/cars', 'features.^nothing', "of 'features',", 'R/R-34'],
    ['only a sibling has', '/cars', '^sleepingArea', "of 'cars',", 'R/R-39'],
    ['is missing behind a type', '/vehicles', 'cars:^', 'found the end'],
  ])('returns 400 for a name that %s: %s?include=%s', async (_what, path, include, detail, ..._ids) => {
    await expectMistake(api, `${path}?include=${include}`, 'query.include', detail)
  })

  it.each([
    ['features', [undefined, ['features 1'], ['features 2', 'features 3'], ['features 2']], 'R/R-35'],
    ['cars:features', [undefined, undefined, ['features 2', 'features 3'], undefined], 'R/R-35'],
    ['wheels', [WHEELS.slice(0, 1), WHEELS.slice(1, 2), WHEELS.slice(2), []], 'R/R-36'],
    ['engine', [undefined, undefined, ENGINES.slice(0, 1), ENGINES.slice(1)], 'R/R-36'],
  ])('gives linkage with stored types to the resources that have the relationship: %s', async (include, expected) => {
    const { data } = (await api.get(`/vehicles?include=${include}`)).body
    expect(linkageKeys(data, include.replace('cars:', ''))).toEqual(expected)
    expect(Object.keys(data[1].relationships.foldingDimensions)).toEqual(['links'])
    expect(data[0].relationships).not.toHaveProperty('features')
  })

  it('links included resources by their stored type', async () => {
    const { included } = (await api.get('/vehicles?include=wheels,engine')).body // anchor: R/R-36
    expect(included.map(({ links }: { links: { self: string } }) => links.self)).toEqual([
      ...['/chromeWheels/1', '/carbonWheels/2', '/chromeWheels/3', '/carbonWheels/4'],
      ...['/gasolineEngines/1', '/dieselEngines/2'],
    ])
  })

  it('leaves out a relationship of one branch that may not be included', async () => {
    await useApi(startFilledVehicles({}, [Van]), async (garage) => {
      await garage.add(Van, { vanFeatures: [ref('3')], vanLights: [ref('1')] })
      const { data } = (await garage.get('/vehicles?include=features')).body // anchor: R/R-38
      const expected = [undefined, ['features 1'], ['features 2', 'features 3'], ['features 2'], undefined]
      expect(linkageKeys(data, 'features')).toEqual(expected)
      await expectMistake(garage, '/vans?include=^features', 'query.include')
      expect((await garage.get('/vehicles/5/features')).body.data).toMatchObject([{ id: '3' }])
    })
  })

  it.each([
    [`${CYLINDERS}&filter[engine.cylinders]=greaterThan(sparks,'1')`, [['cylinders 1', 'cylinders 3']], 'R/R-69'],
    [`${CYLINDERS}&sort[engine.cylinders]=sparks`, [['cylinders 2', 'cylinders 3', 'cylinders 1']], 'R/R-85'],
  ])('reaches relationships of derived types: %s', async (query, expected) => {
    const { included } = (await api.get(`/vehicles?${query}`)).body
    expect(linkageKeys(included, 'cylinders').filter((each) => each !== undefined)).toEqual(expected)
  })

  it.each([
    ["filter[features]=equals(description,'radio')", [[], ['features 2'], ['features 2']], 'R/R-69'],
    ['sort[features]=description', [['features 1'], ['features 3', 'features 2'], ['features 2']], 'R/R-85'],
  ])('applies to each branch that has the name: %s', async (query, expected) => {
    const { data } = (await api.get(`/vehicles?include=features&${query}`)).body
    expect(linkageKeys(data, 'features')).toEqual([undefined, ...expected])
  })

  it('distinguishes the types of included resources', async () => {
    const filter =
      "or(isType(,numberProperties,equals(value.content,'5')),isType(,stringProperties,equals(value,null)))"
    const path = `/vehicles?include=features.properties&filter[features.properties]=${filter}`
    const { included } = (await api.get(path)).body
    const features = included.filter(({ type }: { type: string }) => type === 'features')
    expect(linkageKeys(features, 'properties')).toEqual([['stringProperties 3'], ['numberProperties 1'], []])
  }) // anchor: R/R-70

  it('requires the filter to be valid for each target type', async () => {
    await useApi(startFilledVehicles({}, [Van]), async (vehicles) => {
      await vehicles.add(Van, { vanLights: [ref('1'), ref('3')] })
      const path = '/vehicles?include=lights&filter[lights]='
      expect(linkageKeys((await vehicles.get(`${path}equals(id,'1')`)).body.data, 'lights')).toEqual([
        ...[[], ['bicycleLights 1'], undefined, undefined, ['features 1']],
      ])
      await expectMistake(vehicles, `${path}equals(^color,'red')`, 'query.filter', "'features', found 'color'")
    })
  }) // anchor: R/R-69

  it.each([
    ['filter[features.^nothing]', "a relationship of 'features', found 'nothing'"],
    ['filter[engine^]', "a to-many relationship of 'engines' or a type derived from it"],
  ])('returns 400 with the position of the mistake in %s', async (parameter, detail) => {
    await expectMistake(api, `/vehicles?include=engine&${parameter}=has(cylinders)`, 'query.filter', detail)
  }) // anchor: R/R-71
})

describe('a branch before the name of a relationship that its base declares', () => {
  const api = setUp(startFilledVehicles)
  beforeAll(async () => {
    const manufacturer = ref(await api.add(Manufacturer, { name: 'M' }))
    for (const type of [Bike, Tandem, Car, Truck]) {
      const vehicle = ref(await api.add(type, { manufacturer }))
      await api.add(CarbonWheel, { vehicle })
    }
  })
  const NEW = "&filter=greaterThan(id,'4')"
  const linkedFrom = async (path: string, name: string) => {
    const { data, included = [] } = (await api.get(path).expect(200)).body
    const linked = data.filter(({ relationships }: Any) => relationships[name].data !== undefined)
    return [linked.map(({ type }: Any) => type).join(), includedTypes(included)]
  }
  const includedTypes = (included: readonly Any[]) => [...new Set(included.map(({ type }) => type))].sort().join()

  it.each([
    ['wheels', 'bikes,tandems,cars,trucks', 'carbonWheels'],
    ['tandems:wheels', 'tandems', 'carbonWheels'],
    ['bikes:wheels', 'bikes,tandems', 'carbonWheels'],
    ['tandems:wheels,trucks:wheels', 'tandems,trucks', 'carbonWheels'],
    ['wheels,tandems:wheels', 'bikes,tandems,cars,trucks', 'carbonWheels'],
    ['motorVehicles:wheels', 'cars,trucks', 'carbonWheels'],
  ])('picks the rows that are followed: include=%s', async (include, from, types) => {
    expect(await linkedFrom(`/vehicles?include=${include}${NEW}`, 'wheels')).toEqual([from, types])
  })

  it('includes what is behind it from those rows alone', async () => {
    const path = `/vehicles?include=wheels,tandems:wheels.vehicle.manufacturer${NEW}`
    expect(await linkedFrom(path, 'wheels')).toEqual(['bikes,tandems,cars,trucks', 'carbonWheels,manufacturers'])
    const { included } = (await api.get(path)).body
    const wheels = included.filter(({ type }: Any) => type === 'carbonWheels')
    expect(wheels.map(({ relationships }: Any) => relationships.vehicle.data?.type)).toEqual([
      ...[undefined, 'tandems', undefined, undefined],
    ])
  })

  it('picks them behind another relationship too', async () => {
    const { included } = (await api.get("/manufacturers?filter=equals(name,'M')&include=vehicles.tandems:wheels")).body
    const vehicles = included.filter(({ type }: Any) => type !== 'carbonWheels')
    expect(vehicles.map(({ type, relationships }: Any) => [type, relationships.wheels.data?.length])).toEqual([
      ['bikes', undefined],
      ['tandems', 1],
      ['cars', undefined],
      ['trucks', undefined],
    ])
  })

  it('costs a statement for each different set of what is behind it', async () => {
    const statements = (include: string) => api.statementsOf(() => api.get(`/vehicles?include=${include}`))
    expect(await statements('tandems:wheels')).toHaveLength(2)
    expect(await statements('wheels,tandems:wheels')).toHaveLength(2)
    expect(await statements('wheels,tandems:wheels.vehicle')).toHaveLength(4)
  })
})
