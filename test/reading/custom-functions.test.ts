import { defineFunction, equals, ResourceDefinition } from 'stemma'
import { ref, refs, type TestApi } from '../support/api'
import { Article, BLOGS, Blog, Comment, startBlogs, Tag } from '../support/blogs'
import { resourceKeys, singleError } from '../support/expectations'
import { FUNCTIONS } from '../support/functions'
import { startServer } from '../support/server'
import { Bike, Car, startVehicles, Truck } from '../support/vehicles'

/** No text stands for what it takes. */
const isDeep = defineFunction({
  name: 'isDeep',
  takes: ['json'],
  gives: 'boolean',
  toSql: (sql, [value]) => sql`${value} is not null`,
})

describe('functions of an application', () => {
  let api: TestApi

  beforeAll(async () => {
    api = await startBlogs({ functions: [...FUNCTIONS, isDeep] })
    const [trees, birds] = [await api.add(Blog, { title: 'Trees' }), await api.add(Blog, { title: 'Birds of prey' })]
    const tag = await api.add(Tag, { id: 'red' })
    // A Saturday, and a Monday.
    await api.add(Article, {
      title: 'Ash',
      subtitle: 'b',
      likes: 4,
      price: '10.50',
      rating: 3,
      releasedOn: '2024-02-24',
      publishedAt: new Date('2024-02-24T12:00:00Z'),
      isPublished: true,
      blog: ref(trees),
      tags: refs(tag),
    })
    await api.add(Article, {
      title: 'buzzard',
      subtitle: 'ab',
      likes: 1,
      price: '2.25',
      rating: 8,
      releasedOn: '2023-02-27',
      publishedAt: new Date('2023-02-27T12:00:00Z'),
      isPublished: false,
      blog: ref(birds),
    })
    const last = await api.add(Article, { title: "O'Hara" })
    await api.add(Comment, { id: '1', body: 'yes', article: ref(last) })
    await api.add(Comment, { id: '2', body: 'no', article: ref(last) })
  })
  afterAll(() => api.close())

  const found = async (query: string, path = '/articles') =>
    resourceKeys(await api.get(`${path}?${query}`))
      .map((key) => key.replace('articles ', ''))
      .join(' ')

  it.each([
    ["greaterThan(length(title),'3')", '2 3'],
    ['greaterThan(length(title),length(subtitle))', '1 2'],
    ['lessThan(length(subtitle),length(title))', '1 2'],
    ["equals(length(blog.title),'5')", '1'],
    ["equals(likes,length('four'))", '1'],
    ["equals(upper(title),'ASH')", '1'],
    ["equals(upper(title),'ash')", ''],
    ["equals(upper(title),'O''HARA')", '3'],
    ["any(upper(title),'ASH','BUZZARD')", '1 2'],
    ["startsWith(upper(title),'BUZ')", '2'],
    ["contains(upper(title),'''')", '3'],
    ["endsWith(upper(blog.title),'PREY')", '2'],
    ['equals(upper(subtitle),null)', '3'],
    ['not(equals(upper(subtitle),null))', '1 2'],
    ["equals(join(title,upper(subtitle)),'Ash, B')", '1'],
    ["equals(join('O''Hara',subtitle),join(title,'b'))", ''],
    ["equals(join(upper('x'),'y'),'X, y')", '1 2 3'],
    ["equals(plus(likes,'1'),'5')", '1'],
    ["equals(plus(count(comments),count(tags)),'2')", '3'],
    ["equals(plus('1','2'),'3')", '1 2 3'],
    ["greaterThan(half(rating),'1.5')", '2'],
    ["greaterOrEqual(half(rating),'1.5')", '1 2'],
    ["equals(half(likes),'0.5')", '2'],
    ["equals(half(count(comments)),'1')", '3'],
    ["equals(cents(price),'1050')", '1'],
    ["lessThan(discounted(price),'5.3')", '1 2'],
    ["lessThan(discounted(price),'5.25')", '2'],
    ["lessThan(discounted('10.50'),price)", '1'],
    ["equals(year(releasedOn),'2024')", '1'],
    ["equals(year('2024-12-31'),year(releasedOn))", '1'],
    ['isWeekend(releasedOn)', '1'],
    ['not(isWeekend(releasedOn))', '2 3'],
    ["isWeekend('2024-02-25')", '1 2 3'],
    ["equals(isWeekend(releasedOn),'true')", '1'],
    ["equals(isWeekend(releasedOn),'false')", '2 3'],
    ["any(isWeekend(releasedOn),'false')", '2 3'],
    ['equals(isWeekend(releasedOn),null)', '3'],
    ['equals(isWeekend(releasedOn),isPublished)', '1 2'],
    ["and(isWeekend(releasedOn),equals(title,'Ash'))", '1'],
    ["or(isWeekend(releasedOn),equals(title,'buzzard'))", '1 2'],
    ['both(isWeekend(releasedOn),isPublished)', '1'],
    ["both(isWeekend(releasedOn),'false')", ''],
    ["isBefore(publishedAt,'2024-01-01T00:00:00Z')", '2'],
    ["isBefore('2024-01-01T00:00:00Z',publishedAt)", '1'],
  ])('filter=%s', async (filter, expected) => {
    expect(await found(`filter=${encodeURIComponent(filter)}&sort=id`)).toBe(expected)
  })

  it('reach into has, and other scopes', async () => {
    const filter = "has(articles,and(isWeekend(releasedOn),equals(upper(blog.title),'TREES')))"
    expect(await found(`filter=${filter}`, '/blogs')).toBe('blogs 1')
    const { body } = await api.get("/blogs/1?include=articles&filter[articles]=equals(length(title),'9')")
    expect(body.included).toEqual([])
  })

  it.each([
    ['-length(title)', '2 3 1'],
    ['length(title)', '1 3 2'],
    ['upper(title)', '1 2 3'],
    ['length(subtitle)', '1 2 3'],
    ['-length(subtitle)', '2 1 3'],
    ['-length(blog.title)', '2 1 3'],
    ['-plus(count(comments),length(title)),-id', '3 2 1'],
    ["join('(,',upper(title))", '1 2 3'],
    ['isWeekend(releasedOn),id', '2 1 3'],
    ['half(rating)', '1 2 3'],
    ['-half(rating)', '2 1 3'],
  ])('sort=%s', async (sort, expected) => {
    expect(await found(`sort=${encodeURIComponent(sort)}`)).toBe(expected)
  })

  it('sort included resources, and their pages', async () => {
    const { body } = await api.get('/articles/3?include=comments&sort[comments]=length(body)&page[size]=comments:1')
    expect(body.data.relationships.comments.data).toMatchObject([{ id: '2' }])
  })

  it('answer values as values, whatever stands in them', async () => {
    for (const text of ["'') or 1=1 --", '$1', '?', ':x', '%', '\\', '"', '`']) {
      const literal = text.replaceAll("'", "''")
      const filter = `equals(join(title,'${literal}'),'Ash, ${literal}')`
      expect(await found(`filter=${encodeURIComponent(filter)}`)).toBe('1')
    }
  })

  it.each([
    ["equals(^lenght(title),'3')", "found 'lenght'. Did you mean 'length'?"],
    ['^isWeekday(releasedOn)', "found 'isWeekday'. Did you mean 'isWeekend'?"],
    ['^length(title)', "Expected a filter function, found the function 'length', which gives a value of type integer."],
    ["equals(length(^views),'3')", 'Expected a value of type string, found one of type integer.'],
    ["equals(length(title),^'many')", 'Expected an integer from -2147483648 to 2147483647'],
    ["equals(length(title),^'3000000000')", 'Expected an integer from -2147483648 to 2147483647'],
    ["equals(plus(likes,^'3000000000'),'1')", 'Expected an integer from -2147483648 to 2147483647'],
    ["equals(join(title^),'a')", "Expected ',', found ')'. 'join' takes 2 (string, string)."],
    ["equals(length(title^,title),'1')", "Expected ')', found ','. 'length' takes 1 (string)."],
    [
      "equals(length(^uper(title)),'3')",
      "Expected a function that gives a value of type string, found 'uper'. Did you mean 'upper'?",
    ],
    [
      "equals(plus(likes,^cuont(comments)),'1')",
      "Expected a function that gives a value of type integer, found 'cuont'. Did you mean 'count'?",
    ],
    [
      "contains(^uper(title),'A')",
      "Expected a function that gives a value of type string, found 'uper'. Did you mean 'upper'?",
    ],
    ["isDeep(^'{}')", "Expected an attribute or a function of type json, found the text '{}'."],
    ["equals(isDeep(^title),'true')", 'Expected a value of type json, found one of type string.'],
  ])('refuse mistakes: %s', async (marked, detail) => {
    const mistake = singleError(await api.get(`/articles?filter=${encodeURIComponent(marked.replace('^', ''))}`))
    expect(mistake).toMatchObject({ status: 400, code: 'query.filter', position: marked.indexOf('^') + 1 })
    expect(mistake.detail).toContain(detail)
  })

  it.each([
    ['^lenght(title)', "Expected a function, found 'lenght'. Did you mean 'length'?"],
    ['title,-^cuont(comments)', "Expected a function, found 'cuont'. Did you mean 'count'?"],
  ])('refuse mistakes of a sort: %s', async (marked, detail) => {
    const mistake = singleError(await api.get(`/articles?sort=${encodeURIComponent(marked.replace('^', ''))}`))
    expect(mistake).toMatchObject({ status: 400, code: 'query.sort', position: marked.indexOf('^') + 1 })
    expect(mistake.detail).toContain(detail)
  })

  it('stand in the links of included pages as they were asked for', async () => {
    const paged = await startServer({
      dataSource: api.dataSource,
      resources: BLOGS,
      functions: FUNCTIONS,
      includedPages: 'on',
    })
    const asked =
      "include=comments&filter[comments]=and(equals(join(body,'a''b'),'no, a''b'),isBefore('2024-01-01T00:00:00Z','2024-06-01T00:00:00Z'))" +
      "&sort[comments]=-join(upper(body),'(,'),plus(count(replies),'1')&page[size]=comments:1"
    const { body } = await paged.get(`/articles/3?${asked}`)
    const { links, data } = body.data.relationships.comments
    const followed = await paged.get(links.first)
    await paged.close()
    expect(data).toEqual([{ type: 'comments', id: '2' }])
    expect(followed.body.data).toEqual(data)
    const { searchParams } = new URL(links.first, 'http://localhost')
    expect(searchParams.get('filter')).toBe(
      "and(equals(join(body,'a''b'),'no, a''b'),isBefore('2024-01-01T00:00:00.000Z','2024-06-01T00:00:00.000Z'))",
    )
    expect(searchParams.get('sort')).toBe("-join(upper(body),'(,'),plus(count(replies),'1')")
  })
})

describe('functions and hierarchies', () => {
  let api: TestApi
  beforeAll(async () => {
    api = await startVehicles({ functions: FUNCTIONS })
    await api.add(Bike, { gearCount: 3 })
    await api.add(Car, { seatCount: 5, mileage: 1, licensePlate: 'AB' })
    await api.add(Truck, { loadingCapacity: 2, mileage: 7, licensePlate: 'ABCDE' })
  })
  afterAll(() => api.close())

  it.each([
    ['-length(licensePlate)', 'trucks 3', 'cars 2', 'bikes 1'],
    ['length(licensePlate)', 'cars 2', 'trucks 3', 'bikes 1'],
    // The column is there for every row, and filled in rows of trucks.
    ["plus(cars:mileage,'1'),-id", 'cars 2', 'trucks 3', 'bikes 1'],
    ["plus(gearCount,'1'),-id", 'bikes 1', 'trucks 3', 'cars 2'],
  ])('sort=%s', async (sort, ...expected) => {
    expect(resourceKeys(await api.get(`/vehicles?sort=${encodeURIComponent(sort)}`))).toEqual(expected)
  })

  it('stand in isType', async () => {
    const answer = await api.get("/vehicles?filter=isType(,cars,equals(plus(seatCount,'1'),'6'))")
    expect(resourceKeys(answer)).toEqual(['cars 2'])
  })

  it('point at ambiguous names within', async () => {
    expect(singleError(await api.get("/vehicles?sort=plus(mileage,'1')"))).toMatchObject({ position: 6 })
  })
})

describe('functions and rules', () => {
  class BlogDefinition extends ResourceDefinition<Blog> {
    override readonly resource = Blog

    override filter() {
      return equals('title', 'Trees')
    }
  }

  it('see nothing that a rule hides', async () => {
    const api = await startBlogs({ functions: FUNCTIONS, definitions: [new BlogDefinition()] })
    const [trees, birds] = [await api.add(Blog, { title: 'Trees' }), await api.add(Blog, { title: 'Birds' })]
    await api.add(Article, { title: 'a', blog: ref(trees) })
    await api.add(Article, { title: 'b', blog: ref(birds) })
    const filtered = await api.get("/articles?filter=equals(length(blog.title),'5')")
    const sorted = await api.get('/articles?sort=upper(blog.title)')
    await api.close()
    expect(resourceKeys(filtered)).toEqual(['articles 1'])
    // Else the birds came first.
    expect(resourceKeys(sorted)).toEqual(['articles 1', 'articles 2'])
  })
})

describe('a toSql', () => {
  const wrong = (name: string, toSql: unknown) =>
    defineFunction({ name, takes: ['string'], gives: 'boolean', toSql: toSql as never })

  it.each([
    ['that gives a text', () => '1 = 1'],
    ['that makes up a part', () => ({ text: '1 = 1', values: [] })],
    ['that calls its tag with a text', (sql: (text: unknown) => unknown) => sql(['1 = 1'])],
    ['with a NUL', (sql: (text: TemplateStringsArray) => unknown) => sql`'\0' = '\0'`],
  ])('%s is no way to the database', async (_what, toSql) => {
    const report = jest.fn()
    const api = await startBlogs({ functions: [wrong('trick', toSql)], report })
    const statements = await api.statementsOf(async () => {
      expect(await api.get('/blogs?filter=trick(title)')).toMatchObject({ status: 500 })
    })
    await api.close()
    expect(statements).toEqual([])
    expect(report.mock.calls).toMatchObject([[{ message: expect.stringContaining("toSql of the function 'trick'") }]])
  })

  it('takes texts as values', async () => {
    const same = defineFunction({
      name: 'isOwn',
      takes: ['string'],
      gives: 'boolean',
      toSql: (sql, [text]) => sql`${text} = ${"') or 1=1 --"}`,
    })
    const api = await startBlogs({ functions: [same] })
    await api.add(Blog, { title: 'Trees' })
    await api.add(Blog, { title: "') or 1=1 --" })
    const answer = await api.get('/blogs?filter=isOwn(title)')
    await api.close()
    expect(resourceKeys(answer)).toEqual(['blogs 2'])
  })
})
