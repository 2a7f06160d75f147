import { ref, using } from '../../support/api'
import { idsOf, includedKeys, linkageKeys } from '../../support/expectations'
import { startFilledBlogs } from '../../support/filled-blogs'
import { startFilledVehicles, Van } from '../../support/filled-vehicles'
import { expectMistake } from '../../support/marked-paths'
import type { Row } from '../../support/row'
import { setUp } from '../../support/set-up'

// filter[path] and sort[path].

describe('blogs', () => {
  const api = setUp(startFilledBlogs)

  it.each<Row<[path: string, expected: string]>>([
    ["/blogs/1?include=articles&filter[articles]=equals(views,'3')", 'articles 2', 'R/F-23'],
    ["/blogs?include=articles&filter[articles]=equals(views,'3')", 'articles 2, articles 3', 'R/F-23'],
    ["/comments/1?include=article.tags&filter[article.tags]=equals(id,'red')", 'articles 1, tags red', 'R/F-23'],
    [
      "/blogs/1?include=articles.tags&filter[articles.tags]=equals(id,'green')",
      'articles 1, tags green, articles 2',
      'R/F-23',
    ],
    ["/blogs/1/articles?include=tags&filter[tags]=equals(id,'green')", 'tags green', 'R/F-23'],
    [
      "/articles/1?include=tags,comments&filter[tags]=equals(rank,'2')&filter[comments]=equals(body,null)",
      'comments 2, tags red',
      'R/F-23',
    ],
    ['/articles/1?include=tags&sort[tags]=-id', 'tags red, tags green', 'R/S-04'],
    ['/articles/1?include=tags&sort[tags]=rank', 'tags green, tags red', 'R/S-04'],
    ['/comments/1?include=article.tags&sort[article.tags]=-rank', 'articles 1, tags red, tags green', 'R/S-04'],
    ['/comments/3/article?include=blog.articles&sort[blog.articles]=-id', 'blogs 1, articles 1', 'R/S-04'],
    [
      '/articles/1?include=tags,comments&sort[tags]=-id&sort[comments]=-id',
      'comments 2, comments 1, tags red, tags green',
      'R/S-04',
    ],
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

  it.each([
    ["filter[^nothing]=equals(id,'1')", "found 'nothing'", 'R/F-24'],
    ["filter[blog^]=equals(id,'1')", 'a to-many relationship', 'R/F-24'],
    ['sort[blog^]=id', 'a to-many relationship', 'R/S-06'],
    ['sort[blog.articles]=^rank', "found 'rank'", 'R/S-06'],
  ])('returns 400 with the position of the mistake in %s', async (query, detail) => {
    await expectMistake(api, `/articles?${query}`, query.startsWith('sort') ? 'query.sort' : 'query.filter', detail)
  })
})

describe('hierarchies', () => {
  const api = setUp(startFilledVehicles)

  it.each([
    [
      "include=engine.cylinders&filter[engine.cylinders]=greaterThan(sparks,'1')",
      [['cylinders 1', 'cylinders 3']],
      'R/R-69',
    ],
    [
      'include=engine.cylinders&sort[engine.cylinders]=sparks',
      [['cylinders 2', 'cylinders 3', 'cylinders 1']],
      'R/R-85',
    ],
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
    await using(startFilledVehicles({}, [Van]), async (vehicles) => {
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
