import { defineFunction, equals, not } from 'stemma'
import { define, setUp, useApi } from '../support/api'
import { Article, BLOGS, Blog, Comment, startBlogs } from '../support/blogs'
import { idsAt, includedKeys, linkageKeys } from '../support/expectations'
import { startFilledBlogs } from '../support/filled-blogs'
import { startFilledVehicles } from '../support/filled-vehicles'
import { FUNCTIONS } from '../support/functions'
import { expectMistake } from '../support/marked-paths'
import type { Row } from '../support/row'
import { startServer } from '../support/server'
import { Vehicle } from '../support/vehicles'

/** JSON has no literals. */
const isDeep = defineFunction({
  name: 'isDeep',
  argumentTypes: ['json'],
  returnType: 'boolean',
  toSql: (sql, [value]) => sql`${value} is not null`,
})

const isEarlyIn = (idOf: typeof Article | typeof Vehicle) =>
  defineFunction({
    name: 'isEarly',
    argumentTypes: [{ idOf }],
    returnType: 'boolean',
    toSql: (sql, [id]) => sql`${id} < 3`,
  })

describe('functions of an application', () => {
  const api = setUp(() => startFilledBlogs({ functions: [...FUNCTIONS, isDeep, isEarlyIn(Article)] }))
  // Article 2 was released on a Sunday, article 5 on a Saturday.
  beforeAll(async () => {
    await api.add(Article, { title: "O'Hara", releasedOn: '2024-02-24', isPublished: true })
    for (const id of ['4', '5']) await api.add(Comment, { id, body: id === '4' ? 'yes' : 'no', article: { id: 3 } })
  })

  it.each<Row<[filter: string, expected: string]>>([
    ["greaterThan(length(title),'4')", '2 5', 'R/F-33'],
    ['greaterThan(length(subtitle),length(title))', '1 2'],
    ["equals(length(blog.title),'5')", '1 2 3'],
    ["equals(likes,length('four'))", '2'],
    ["equals(upper(title),'ASH')", '1'],
    ["equals(upper(title),'O''HARA')", '5'],
    ["any(upper(title),'ASH','CROW')", '1 3'],
    ["startsWith(upper(title),'CR')", '3', 'R/F-33'],
    ["contains(upper(title),'''')", '5'],
    ["endsWith(upper(blog.title),'REES')", '1 2'],
    ['equals(upper(subtitle),null)', '3 4 5'],
    ["equals(join(title,upper(subtitle)),'Beech, THE BARK')", '2'],
    ["equals(join('O''Hara',subtitle),join(title,'b'))", ''],
    ["equals(join(upper('x'),'y'),'X, y')", '1 2 3 4 5'],
    ["equals(plus(likes,'1'),'5')", '2'],
    ["equals(plus(count(tags),'1'),'3')", '1', 'R/F-33'],
    ["greaterOrEqual(half(rating),'0.75')", '1'],
    ["equals(half(likes),'2.5')", '1'],
    ["equals(cents(price),'1050')", '1'],
    ["lessThan(discounted(price),'5.25')", '2'],
    ["equals(year(releasedOn),'2024')", '1 5'],
    ['isWeekend(releasedOn)', '2 5', 'R/F-33'],
    ['not(isWeekend(releasedOn))', '1 3 4'],
    ["isWeekend('2024-02-25')", '1 2 3 4 5'],
    ["equals(isWeekend(releasedOn),'false')", '1 3 4'],
    ['equals(isWeekend(releasedOn),isPublished)', '5'],
    ["and(isWeekend(releasedOn),equals(title,'Beech'))", '2'],
    ['both(isWeekend(releasedOn),isPublished)', '5'],
    ["isBefore(publishedAt,'2024-02-01T00:00:00Z')", '2'],
    ["isBefore('2024-02-01T00:00:00Z',publishedAt)", '1'],
    ['isEarly(id)', '1 2'],
    ['has(comments,isEarly(article.id))', '1 2'],
  ])('filter by %s', async (filter, expected) => {
    expect(await idsAt(api, `/articles?filter=${encodeURIComponent(filter)}&sort=id`)).toBe(expected)
  })

  it('filter within has and included resources, and sort these and their pages', async () => {
    const filter = "has(articles,and(isWeekend(releasedOn),equals(upper(blog.title),'TREES')))"
    expect(await idsAt(api, `/blogs?filter=${filter}`)).toBe('1')
    const path = "/blogs/1?include=articles&filter[articles]=equals(length(title),'9')"
    expect(includedKeys(await api.get(path))).toEqual([])
    const { body } = await api.get('/articles/3?include=comments&sort[comments]=length(body)&page[size]=comments:1')
    expect(linkageKeys([body.data] as never, 'comments')).toEqual([['comments 5']])
  })

  it.each([
    ['length(title),id', '1 3 4 2 5'],
    ['-length(title),id', '5 2 3 4 1'],
    ['-length(subtitle)', '1 2 3 4 5'],
    ['upper(blog.title)', '3 1 2 4 5'],
    ['-plus(count(comments),length(title)),-id', '5 3 2 1 4'],
    ["-join('(,',upper(title))", '5 4 3 2 1'],
    ['-half(rating)', '1 2 3 4 5'],
    ['isWeekend(releasedOn),id', '1 2 5 3 4'],
  ])('sort by %s', async (sort, expected) => {
    expect(await idsAt(api, `/articles?sort=${encodeURIComponent(sort)}`)).toBe(expected)
  })

  it('take literals as values, not as SQL', async () => {
    for (const text of ["'') or 1=1 --", '$1', '?', ':x', '%', '\\', '"', '`']) {
      const literal = text.replaceAll("'", "''")
      const filter = `equals(join(title,'${literal}'),'Ash, ${literal}')`
      expect(await idsAt(api, `/articles?filter=${encodeURIComponent(filter)}`)).toBe('1')
    }
  })

  const INTEGER = 'Expected an integer from -2147483648 to 2147483647'
  it.each<Row<[query: string, detail: string]>>([
    ["filter=equals(^lenght(title),'3')", "found 'lenght'. Did you mean 'length'?"],
    ['filter=^isWeekday(releasedOn)', "found 'isWeekday'. Did you mean 'isWeekend'?"],
    ['filter=^length(title)', "found the function 'length', which returns a value of type integer.", 'R/F-33'],
    ["filter=equals(length(^views),'3')", 'Expected a value of type string, found one of type integer.', 'R/F-33'],
    ["filter=equals(length(title),^'many')", INTEGER],
    ["filter=equals(length(title),^'3000000000')", INTEGER],
    ["filter=equals(plus(likes,^'3000000000'),'1')", INTEGER],
    ["filter=equals(join(title^),'a')", "Expected ',', found ')'. 'join' takes 2 (string, string)."],
    ["filter=equals(length(title^,title),'1')", "Expected ')', found ','. 'length' takes 1 (string).", 'R/F-33'],
    ["filter=equals(length(^uper(title)),'3')", "a value of type string, found 'uper'. Did you mean 'upper'?"],
    ["filter=equals(plus(likes,^cuont(comments)),'1')", "type integer, found 'cuont'. Did you mean 'count'?"],
    ["filter=contains(^uper(title),'A')", "returns a value of type string, found 'uper'. Did you mean 'upper'?"],
    ['filter=isBefore(^2024-02-01T12:30Z,publishedAt)', "To pass a value, write it in quotes: '2024-02-01T12:30Z'."],
    ["filter=isBefore(publishedAt,^'2024-02-30T12:30Z')", '2024-02-30 is no day of the calendar.'],
    ["filter=equals(releasedOn,^'2024-02-30')", "found '2024-02-30'. 2024-02-30 is no day of the calendar."],
    ["filter=equals(releasedOn,^'0000-01-01')", '0000-01-01 is not in a year from 0001 to 9999.'],
    ['filter=has(comments,equals(parent,^article))', "Expected 'null', found 'article'. At"],
    ["filter=isDeep(^'{}')", "Expected an attribute or a function of type json, found the text '{}'."],
    ["filter=equals(isDeep(^title),'true')", 'Expected a value of type json, found one of type string.'],
    ["filter=isEarly(^'3')", "Expected the id of 'articles', found the text '3'."],
    ['filter=isEarly(^likes)', "Expected the id of 'articles', found the attribute 'likes'."],
    ['filter=isEarly(blog.^id)', "Expected the id of 'articles', found the id of 'blogs'."],
    ['filter=isEarly(^count(tags))', "Expected the id of 'articles', found 'count'."],
    ['filter=isEarly(id^,id)', "Expected ')', found ','. 'isEarly' takes 1 (the id of 'articles')."],
    ['sort=^lenght(title)', "Expected a function, found 'lenght'. Did you mean 'length'?"],
    ['sort=title,-^cuont(comments)', "Expected a function, found 'cuont'. Did you mean 'count'?"],
  ])('are checked, with the position of the mistake: %s', async (query, detail) => {
    await expectMistake(api, `/articles?${query}`, query.startsWith('sort') ? 'query.sort' : 'query.filter', detail)
  })

  it('are kept in the links of included pages', async () => {
    const { dataSource } = api
    const paged = await startServer({ dataSource, resources: BLOGS, functions: FUNCTIONS, includedPagination: true })
    const query =
      "include=comments&filter[comments]=and(equals(join(body,'a''b'),'no, a''b'),isBefore('2024-01-01T00:00:00Z','2024-06-01T00:00:00Z'))" +
      "&sort[comments]=-join(upper(body),'(,'),plus(count(replies),'1')&page[size]=comments:1"
    const { links, data } = (await paged.get(`/articles/3?${query}`)).body.data.relationships.comments
    const followed = await paged.get(links.first)
    await paged.close()
    expect(data).toEqual([{ type: 'comments', id: '5' }])
    expect(followed.body.data).toEqual(data)
    const { searchParams } = new URL(links.first, 'http://localhost')
    expect(searchParams.get('filter')).toBe(
      "and(equals(join(body,'a''b'),'no, a''b'),isBefore('2024-01-01T00:00:00.000Z','2024-06-01T00:00:00.000Z'))",
    )
    expect(searchParams.get('sort')).toBe("-join(upper(body),'(,'),plus(count(replies),'1')")
  })

  it('see nothing that a definition hides', async () => {
    const filters = { Article: () => not(equals('id', '2')), Blog: () => equals('title', 'Trees') }
    const definitions = [define(Blog, { filter: filters.Blog }), define(Article, { filter: filters.Article })]
    await useApi(startFilledBlogs({ functions: [...FUNCTIONS, isEarlyIn(Article)], definitions }), async (ruled) => {
      expect(await idsAt(ruled, "/articles?filter=equals(length(blog.title),'5')")).toBe('1')
      expect(await idsAt(ruled, '/comments?filter=isEarly(article.id)')).toBe('1 2')
      // Birds would come before Trees.
      expect(await idsAt(ruled, '/articles?sort=upper(blog.title)')).toBe('1 3 4')
    })
  })
})

describe('functions in a hierarchy', () => {
  const api = setUp(() => startFilledVehicles({ functions: [...FUNCTIONS, isEarlyIn(Vehicle)] }))

  it.each([
    ['upper(licensePlate)', '3 4 1 2'],
    ['-upper(licensePlate)', '4 3 1 2'],
    // Rows of trucks have a value in this column, but not in this field.
    ["plus(cars:mileage,'1'),-id", '3 4 2 1'],
    ["plus(gearCount,'1'),-id", '2 1 4 3'],
  ])('sort by %s', async (sort, expected) => {
    expect(await idsAt(api, `/vehicles?sort=${encodeURIComponent(sort)}`)).toBe(expected)
  })

  it('filter within isType, and are refused with ambiguous fields', async () => {
    expect(await idsAt(api, "/vehicles?filter=isType(,cars,equals(plus(seatCount,'1'),'5'))")).toBe('3')
    expect(await idsAt(api, '/vehicles?filter=isType(,bikes,isEarly(id))')).toBe('1 2')
    await expectMistake(api, "/vehicles?sort=plus(^mileage,'1')", 'query.sort')
  })
})

describe('toSql', () => {
  const custom = (toSql: unknown) =>
    defineFunction({ name: 'custom', argumentTypes: ['string'], returnType: 'boolean', toSql: toSql as never })

  it.each([
    ['a string', () => '1 = 1'],
    ['an object like a part of SQL', () => ({ text: '1 = 1', values: [] })],
    ['a tag that is called with a string', (sql: (text: unknown) => unknown) => sql(['1 = 1'])],
    ['a NUL', (sql: (text: TemplateStringsArray) => unknown) => sql`'\0' = '\0'`],
  ])('is refused, and sends no statement, when it returns %s', async (_what, toSql) => {
    const onError = jest.fn()
    await useApi(startBlogs({ functions: [custom(toSql)], onError }), async (api) => {
      expect(await api.statementsOf(() => api.get('/blogs?filter=custom(title)').expect(500))).toEqual([])
    })
    expect(onError.mock.calls).toMatchObject([[{ message: expect.stringContaining("toSql of the function 'custom'") }]])
  })

  it('sends embedded strings as values', async () => {
    const attack = "') or 1=1 --"
    const functions = [custom((sql: typeof String.raw, [text]: [unknown]) => sql`${text} = ${attack}`)]
    await useApi(startBlogs({ functions }), async (api) => {
      for (const title of ['Trees', attack]) await api.add(Blog, { title })
      expect(await idsAt(api, '/blogs?filter=custom(title)')).toBe('2')
    })
  })
})
