import { ref, refs, type TestApi } from '../support/api'
import { Article, Blog, Comment, startBlogs, Tag } from '../support/blogs'
import { attributeValues, resourceKeys, singleError } from '../support/expectations'
import {
  Bike,
  Car,
  CarbonWheel,
  ChromeWheel,
  Cylinder,
  DieselEngine,
  Feature,
  GasolineEngine,
  startVehicles,
  Tandem,
  Truck,
} from '../support/vehicles'

// Every function and every type of value. `not` turns unknown into true: decisions say so, and the specification asks for it by name.

describe('values', () => {
  let api: TestApi
  const TOKEN = '0f8fad5b-d9cb-469f-a165-70867728950e'

  beforeAll(async () => {
    api = await startBlogs()
    const blog = await api.add(Blog, { title: 'B' })
    const empty = await api.add(Blog, { title: 'E' })
    for (const tag of ['red', 'green']) await api.add(Tag, { id: tag })
    await api.add(Article, {
      title: 'one',
      subtitle: "O'Hara 100%_\\",
      views: 5,
      likes: 5,
      bytes: '9007199254740993',
      price: '10.50',
      rating: 1.5,
      isPublished: true,
      publishedAt: new Date('2024-02-29T12:30:00.123Z'),
      releasedOn: '2024-02-29',
      readAt: '12:30:00',
      status: 'draft',
      token: TOKEN,
      blog: ref(blog),
      tags: refs('red', 'green'),
    })
    await api.add(Article, {
      title: 'two',
      subtitle: "o'hara",
      views: 3,
      likes: 4,
      bytes: '9007199254740992',
      price: '-1.00',
      rating: -2,
      isPublished: false,
      publishedAt: new Date('2024-02-29T12:30:00.124Z'),
      releasedOn: '2024-03-01',
      readAt: '12:30:01',
      status: 'final',
      token: '1f8fad5b-d9cb-469f-a165-70867728950e',
      blog: ref(empty),
    })
    await api.add(Article, { title: 'three', views: 0 })
    await api.add(Comment, { id: '1', body: 'x', article: ref('1') })
    await api.add(Comment, { id: '2', body: null, article: ref('1'), parent: ref('1') })
  })
  afterAll(() => api.close())

  const titles = async (filter: string) =>
    attributeValues(await api.get(`/articles?filter=${encodeURIComponent(filter)}`), 'title').join(' ')

  it.each([
    ['string', 'subtitle', "O''Hara 100%_\\"],
    ['integer', 'views', '5'],
    ['nullable integer', 'likes', '5'],
    ['bigint', 'bytes', '9007199254740993'],
    ['decimal', 'price', '10.5'],
    ['decimal with more digits', 'price', '10.500'],
    ['float', 'rating', '1.5'],
    ['boolean', 'isPublished', 'true'],
    ['datetime', 'publishedAt', '2024-02-29T12:30:00.123Z'],
    ['datetime of another zone', 'publishedAt', '2024-02-29T14:30:00.123+02:00'],
    ['date', 'releasedOn', '2024-02-29'],
    ['time', 'readAt', '12:30:00'],
    ['enum', 'status', 'draft'],
    ['uuid', 'token', TOKEN],
    ['uuid in capitals', 'token', TOKEN.toUpperCase()],
    ['id', 'id', '1'],
  ])('equals and any take a %s; not is true where there is none', async (_type, field, text) => {
    expect(await titles(`equals(${field},'${text}')`)).toBe('one')
    expect(await titles(`any(${field},'${text}','${text}')`)).toBe('one')
    expect(await titles(`not(equals(${field},'${text}'))`)).toBe('two three')
    expect(await titles(`not(any(${field},'${text}'))`)).toBe('two three')
  })

  it.each([
    ['views', '3', 'three', 'two three', 'one', 'one two'],
    ['bytes', '9007199254740993', 'two', 'one two', '', 'one'],
    ['price', '10.5', 'two', 'one two', '', 'one'],
    ['rating', '-2', '', 'two', 'one', 'one two'],
    ['publishedAt', '2024-02-29T12:30:00.124Z', 'one', 'one two', '', 'two'],
    ['releasedOn', '2024-03-01', 'one', 'one two', '', 'two'],
    ['readAt', '12:30:01', 'one', 'one two', '', 'two'],
    ['title', 'p', 'one', 'one', 'two three', 'two three'],
    ['count(comments)', '2', 'two three', 'one two three', '', 'one'],
  ])('%s has an order', async (field, text, less, lessOrEqual, greater, greaterOrEqual) => {
    expect(await titles(`lessThan(${field},'${text}')`)).toBe(less)
    expect(await titles(`lessOrEqual(${field},'${text}')`)).toBe(lessOrEqual)
    expect(await titles(`greaterThan(${field},'${text}')`)).toBe(greater)
    expect(await titles(`greaterOrEqual(${field},'${text}')`)).toBe(greaterOrEqual)
  })

  it.each([
    ["contains(subtitle,'Hara')", 'one'],
    ["contains(subtitle,'hara')", 'two'],
    ["contains(subtitle,'%')", 'one'],
    ["contains(subtitle,'_\\')", 'one'],
    ["contains(subtitle,'')", 'one two'],
    ["startsWith(subtitle,'O''')", 'one'],
    ["startsWith(subtitle,'_')", ''],
    ["endsWith(subtitle,'hara')", 'two'],
    ["endsWith(subtitle,'%_\\')", 'one'],
    ["endsWith(subtitle,'more than the whole o''hara')", ''],
    ["endsWith(subtitle,'')", 'one two'],
    ["startsWith(blog.title,'E')", 'two'],
    ["not(contains(subtitle,'Hara'))", 'two three'],
    ["equals(subtitle,'O''HARA')", ''],
    ["equals(title,'one ')", ''],
    ["any(title,'ONE','two')", 'two'],
  ])('text is compared to the letter: %s', async (filter, expected) => {
    expect(await titles(filter)).toBe(expected)
  })

  it.each([
    ['equals(subtitle,null)', 'three'],
    ['not(equals(subtitle,null))', 'one two'],
    ['equals(extra,null)', 'one two three'],
    ['equals(blog,null)', 'three'],
    ['not(equals(blog,null))', 'one two'],
    ['equals(blog.title,null)', 'three'],
    ["equals(blog.title,'B')", 'one'],
    ["not(equals(blog.title,'B'))", 'two three'],
    ["not(not(equals(blog.title,'B')))", 'one'],
    ["not(and(equals(blog.title,'B'),equals(views,'5')))", 'two three'],
    ["not(or(equals(blog.title,'B'),equals(views,'3')))", 'three'],
    ["not(lessThan(likes,'5'))", 'one three'],
    ['not(greaterThan(likes,views))', 'one three'],
    ["and(equals(views,'5'),equals(likes,'5'),equals(title,'one'))", 'one'],
    ["or(equals(views,'5'),equals(views,'3'),equals(title,'zero'))", 'one two'],
    ['equals(views,likes)', 'one'],
    ['greaterThan(likes,views)', 'two'],
    ['lessThan(views,bytes)', 'one two'],
    ['lessThan(price,likes)', 'two'],
    ['greaterThan(rating,price)', ''],
    ['equals(blog.title,title)', ''],
    ['lessThan(views,count(comments))', ''],
    ["equals(count(comments),'2')", 'one'],
    ["any(count(tags),'2','3')", 'one'],
    ['equals(count(tags),count(comments))', 'one two three'],
    ["equals(count(blog.articles),'0')", 'three'],
    ['has(tags)', 'one'],
    ['not(has(tags))', 'two three'],
    ["has(tags,equals(id,'green'))", 'one'],
    ["has(comments,equals(parent.body,'x'))", 'one'],
    ['has(comments,not(equals(parent,null)))', 'one'],
    ["has(blog.articles,equals(title,'two'))", 'two'],
    ["has(tags,has(articles,equals(title,'one')))", 'one'],
    ["equals(has(tags),'true')", 'one'],
    ["equals(has(tags),'false')", 'two three'],
    ['equals(isPublished,has(tags))', 'one two'],
    ['equals(equals(subtitle,null),has(tags))', 'two'],
    ["any(equals(likes,'5'),'false')", 'two three'],
    ["equals(not(equals(likes,'5')),not(has(tags)))", 'one two three'],
    ["equals(and(has(tags),has(comments)),'true')", 'one'],
  ])('%s', async (filter, expected) => {
    expect(await titles(filter)).toBe(expected)
  })

  it('joins repeated filters with or', async () => {
    const answer = await api.get("/articles?filter=equals(title,'one')&filter=equals(title,'three')")
    expect(attributeValues(answer, 'title')).toEqual(['one', 'three'])
    expect(answer.body.meta.total).toBe(2)
  })

  it.each([
    ['related resources', "/articles/1/comments?filter=equals(body,'x')", ['comments 1']],
    ['members', '/articles/1/relationships/comments?filter=equals(body,null)', ['comments 2']],
    ['members of many to many', "/tags/red/articles?filter=equals(title,'two')", []],
  ])('%s are filtered and counted', async (_what, path, expected) => {
    const answer = await api.get(path)
    expect(resourceKeys(answer)).toEqual(expected)
    expect(answer.body.meta.total).toBe(expected.length)
  })

  const ATTACKS = [
    "' or '1'='1",
    "'; drop table article; --",
    '" or 1=1 --',
    '\\',
    "\\' or 1=1 -- ",
    '?',
    '$1',
    ':title',
    '%',
    '`',
    '/*',
  ]

  it.each(ATTACKS)('takes %s for text, wherever a text can stand', async (attack) => {
    const quoted = `'${attack.replaceAll("'", "''")}'`
    for (const filter of [
      `equals(title,${quoted})`,
      `any(title,${quoted},${quoted})`,
      `contains(title,${quoted})`,
      `startsWith(title,${quoted})`,
      `endsWith(title,${quoted})`,
      `has(tags,equals(id,${quoted}))`,
      `lessThan(title,${quoted})`,
    ]) {
      const { body } = await api.get(`/articles?filter=${encodeURIComponent(filter)}`).expect(200)
      if (!filter.startsWith('lessThan')) expect(body.data).toEqual([])
    }
    const added = await api.add(Article, { title: attack })
    expect(await titles(`equals(title,${quoted})`)).toBe(attack)
    await api.dataSource.getRepository(Article).delete(added)
  })

  it.each(ATTACKS)('finds nothing and harms nothing with %s in other places', async (attack) => {
    const text = encodeURIComponent(attack)
    const quoted = encodeURIComponent(`'${attack.replaceAll("'", "''")}'`)
    const paths = [
      ...[
        'id',
        'views',
        'bytes',
        'price',
        'rating',
        'isPublished',
        'publishedAt',
        'releasedOn',
        'readAt',
        'status',
        'token',
      ].map((field) => `/articles?filter=equals(${field},${quoted})`),
      `/articles?sort=${text}`,
      `/articles?include=${text}`,
      `/articles?fields[articles]=${text}`,
      `/articles?fields[${text}]=id`,
      `/articles?page[size]=${text}`,
      `/articles?page[number]=${text}`,
      `/articles?filter[${text}]=has(tags)`,
      `/articles?filter=${text}`,
    ]
    for (const path of paths) await api.get(path).expect(400)
    for (const path of [
      `/articles/${text}`,
      `/tags/${text}`,
      `/articles/${text}/tags`,
      `/tags/${text}/relationships/articles`,
      `/articles/1/${text}`,
    ]) {
      await api.get(path).expect(404)
    }
    expect((await api.get('/articles')).body.meta.total).toBe(3)
  })

  it.each([
    ['an empty filter', ''],
    ['two filters in one', "equals(title,'a'),has(tags)"],
    ['an unknown function', "same(title,'a')"],
    ['too few terms', "and(equals(title,'a'))"],
    ['null for what is never null', 'equals(title,null)'],
    ['an order of null', 'lessThan(likes,null)'],
    ['an order of booleans', "lessThan(isPublished,'true')"],
    ['json', "equals(extra,'a')"],
    ['a text function on a number', "contains(views,'1')"],
    ['values of two kinds', 'equals(title,views)'],
    ['a to-many relationship compared with null', 'equals(tags,null)'],
    ['has of a to-one relationship', 'has(blog)'],
    ['a path through a to-many relationship', "equals(tags.id,'a')"],
    ['an integer out of range', "equals(views,'99999999999999999999')"],
    ['a broken integer', "equals(views,'5x')"],
    ['a broken date', "equals(releasedOn,'2023-02-29')"],
    ['a broken time', "equals(publishedAt,'yesterday')"],
    ['an unknown value of an enum', "equals(status,'drafty')"],
    ['a broken uuid', "equals(token,'0f8fad5b')"],
    ['a NUL', `equals(title,'\0')`],
    ['a blank', "equals(title, 'a')"],
    ['a missing quote', "equals(title,'a)"],
    ['isType where nothing is derived', 'isType(,articles)'],
  ])('refuses %s, with a place', async (_what, filter) => {
    const mistake = singleError(await api.get(`/articles?filter=${encodeURIComponent(filter)}`))
    expect(mistake).toMatchObject({
      status: 400,
      code: 'query.filter',
      parameter: 'filter',
      position: expect.any(Number),
    })
  })
})

describe('a hierarchy', () => {
  let api: TestApi

  // b1 t2 c3 r4 c5
  beforeAll(async () => {
    api = await startVehicles()
    const feature = await api.add(Feature, { description: 'F' })
    const gasoline = await api.add(GasolineEngine, { gasolineCode: 'G1' })
    const diesel = await api.add(DieselEngine, { dieselCode: 'D1', viscosity: 70 })
    await api.add(Cylinder, { sparks: 3, engine: ref(gasoline) })
    await api.add(Bike, { gearCount: 9 })
    await api.add(Tandem, { gearCount: 2, tandemFeatures: refs(feature) })
    const car = await api.add(Car, { seatCount: 2, mileage: 7, engine: ref(gasoline), carFeatures: refs(feature) })
    await api.add(Truck, { mileage: 7, engine: ref(diesel) })
    await api.add(Car, { seatCount: 4 })
    await api.add(ChromeWheel, { paintColor: 'red', vehicle: ref(car) })
    await api.add(CarbonWheel, { hasTube: true, vehicle: ref('2') })
  })
  afterAll(() => api.close())

  const ids = async (filter: string, path = '/vehicles') =>
    resourceKeys(await api.get(`${path}?filter=${filter}`))
      .map((key) => key.split(' ')[1])
      .join('')

  it.each([
    ['isType(,bikes)', '12'],
    ['isType(,tandems)', '2'],
    ['isType(,motorVehicles)', '345'],
    ['not(isType(,bikes))', '345'],
    ["isType(,bikes,equals(gearCount,'2'))", '2'],
    ["isType(,cars,equals(mileage,'7'))", '3'],
    ["isType(,trucks,equals(mileage,'7'))", '4'],
    ['isType(,cars,equals(mileage,null))', '5'],
    ['isType(,cars,not(equals(seatCount,mileage)))', '35'],
    ["or(isType(,bikes,equals(gearCount,'9')),isType(,cars,equals(seatCount,'4')))", '15'],
    ["not(isType(,cars,equals(seatCount,'4')))", '1234'],
    ['isType(,motorVehicles,isType(,cars))', '35'],
    ['isType(,motorVehicles,isType(engine,dieselEngines))', '4'],
    ["isType(,motorVehicles,isType(engine,dieselEngines,greaterThan(viscosity,'50')))", '4'],
    ["isType(,motorVehicles,isType(engine,gasolineEngines,equals(serialCode,'G1')))", '3'],
    ["isType(,motorVehicles,isType(engine,gasolineEngines,has(cylinders,equals(sparks,'3'))))", '3'],
    ['isType(,motorVehicles,not(isType(engine,dieselEngines)))', '35'],
    ["isType(,motorVehicles,equals(engine.capacity,'0'))", '34'],
    ["isType(,motorVehicles,isType(engine,gasolineEngines,greaterThan(count(cylinders),'0')))", '3'],
    ["isType(,cars,has(features,has(cars,equals(seatCount,'2'))))", '3'],
    ["has(wheels,isType(,chromeWheels,equals(paintColor,'red')))", '3'],
    ['has(wheels,isType(,carbonWheels))', '2'],
    ['has(wheels,not(isType(,carbonWheels)))', '3'],
    ["has(wheels,isType(vehicle,bikes,isType(,tandems,equals(passengerCount,'2'))))", '2'],
    ["equals(isType(,cars),'false')", '124'],
  ])('%s', async (filter, expected) => {
    expect(await ids(filter)).toBe(expected)
  })

  it('looks at rows of the branch only', async () => {
    expect(await ids("not(equals(weight,'1'))", '/bikes')).toBe('12')
    expect(await ids('isType(,tandems)', '/bikes')).toBe('2')
    expect(await ids("equals(id,'3')", '/bikes')).toBe('')
  })

  it('counts what a filter leaves', async () => {
    expect((await api.get('/vehicles?filter=isType(,motorVehicles)')).body.meta.total).toBe(3)
  })

  it('applies a filter of a path in every branch that has it', async () => {
    const { body } = await api.get("/vehicles?include=features&filter[features]=equals(description,'X')")
    expect(body.included).toEqual([])
    expect(body.data[1].relationships.features.data).toEqual([])
  })

  it.each([
    ['a derived attribute', "equals(^gearCount,'1')"],
    ['a derived relationship', 'has(^features)'],
    ['an attribute that siblings have', "equals(^mileage,'1')"],
    ['the type itself', 'isType(,^vehicles)'],
    ['a branch prefix', "equals(^cars:seatCount,'1')"],
    ['an unrelated type', 'isType(,^wheels)'],
    ['a base', 'isType(,bikes,isType(,^vehicles))'],
    ['no type', 'isType(,^)'],
  ])('refuses %s', async (_what, marked) => {
    expect(singleError(await api.get(`/vehicles?filter=${marked.replace('^', '')}`))).toMatchObject({
      status: 400,
      code: 'query.filter',
      position: marked.indexOf('^') + 1,
    })
  })
})
