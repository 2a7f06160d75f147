import { setUp, type TestApi, useApi } from '../../support/api'
import { idsOf } from '../../support/expectations'
import { startFilledBlogs, TOKEN } from '../../support/filled-blogs'
import type { Row } from '../../support/row'

// What the parser refuses, and where: test/modules/query/parse-filter.

const api = setUp(startFilledBlogs)

const found = async (filter: string, server: TestApi = api) =>
  idsOf(await server.get(`/articles?filter=${encodeURIComponent(filter)}`))

it.each<Row<[type: string, field: string, text: string]>>([
  ['string', 'subtitle', "it''s [100%] a_b\\c, (d)", 'R/F-02', 'R/F-11'],
  ['integer', 'views', '5', 'R/F-02'],
  ['nullable integer', 'likes', '5', 'R/F-02'],
  ['bigint', 'bytes', '9007199254740993', 'R/F-02'],
  ['decimal', 'price', '10.5', 'R/F-02'],
  ['decimal with more digits', 'price', '10.500'],
  ['float', 'rating', '1.5', 'R/F-02'],
  ['boolean', 'isPublished', 'true', 'R/F-02'],
  ['datetime', 'publishedAt', '2024-02-29T12:30:00.123Z', 'R/F-02'],
  ['datetime of another zone', 'publishedAt', '2024-02-29T14:30:00.123+02:00', 'R/F-02'],
  ['date', 'releasedOn', '2024-02-29', 'R/F-02'],
  ['time', 'readAt', '12:30:00', 'R/F-02'],
  ['enum', 'status', 'draft', 'R/F-02'],
  ['UUID', 'token', TOKEN, 'R/F-02'],
  ['UUID in capitals', 'token', TOKEN.toUpperCase()],
  ['id', 'id', '1', 'R/F-29'],
])('compares a %s by equals and any, and not() matches the rows without a value', async (_type, field, text) => {
  expect(await found(`equals(${field},'${text}')`)).toBe('1')
  expect(await found(`any(${field},'${text}','${text}')`)).toBe('1')
  expect(await found(`not(equals(${field},'${text}'))`)).toBe('2 3 4')
  expect(await found(`not(any(${field},'${text}'))`)).toBe('2 3 4')
})

it.each([
  ['views', '3', '4', '2 3 4', '1', '1 2 3', 'R/F-03'],
  ['bytes', '9007199254740993', '2', '1 2', '', '1', 'R/F-03'],
  ['price', '10.5', '2', '1 2', '', '1', 'R/F-03'],
  ['rating', '-2', '', '2', '1', '1 2', 'R/F-03'],
  ['publishedAt', '2024-02-29T12:30:00.123Z', '2', '1 2', '', '1', 'R/F-03'],
  ['publishedAt', '2024-02-29T12:30:00.122Z', '2', '2', '1', '1', 'R/F-03'],
  ['releasedOn', '2024-02-29', '2', '1 2', '', '1', 'R/F-03'],
  ['readAt', '12:30:00', '2', '1 2', '', '1', 'R/F-03'],
  ['title', 'B', '1', '1', '2 3 4', '2 3 4', 'R/F-04'],
  ['status', 'draft', '', '1', '2', '1 2', 'R/F-04'],
  ['count(comments)', '2', '2 3 4', '1 2 3 4', '', '1', 'R/F-19'],
])('compares %s with %s by order', async (field, text, less, lessOrEqual, greater, greaterOrEqual) => {
  expect(await found(`lessThan(${field},'${text}')`)).toBe(less)
  expect(await found(`lessOrEqual(${field},'${text}')`)).toBe(lessOrEqual)
  expect(await found(`greaterThan(${field},'${text}')`)).toBe(greater)
  expect(await found(`greaterOrEqual(${field},'${text}')`)).toBe(greaterOrEqual)
})

it.each<Row<[filter: string, expected: string]>>([
  ["contains(title,'e')", '2 4', 'R/F-13'],
  ["contains(subtitle,'[100')", '1', 'R/F-11'],
  ["contains(subtitle,', (d)')", '1', 'R/F-11'],
  ["contains(subtitle,'b\\c')", '1', 'R/F-11'],
  ["contains(subtitle,'0%]')", '1', 'R/F-14'],
  ["contains(subtitle,'a_b')", '1', 'R/F-14'],
  ["contains(subtitle,'the')", '', 'R/F-12'],
  ["contains(subtitle,'')", '1 2'],
  ["contains(blog.title,'Bird')", '3', 'R/F-13'],
  ["startsWith(title,'A')", '1', 'R/F-13'],
  ["startsWith(subtitle,'it''s')", '1', 'R/F-11'],
  ["startsWith(subtitle,'%')", '', 'R/F-14'],
  ["startsWith(subtitle,'the')", '', 'R/F-12'],
  ["endsWith(title,'ow')", '3', 'R/F-13'],
  ["endsWith(subtitle,'_ark')", '', 'R/F-14'],
  ["endsWith(subtitle,'BARK')", '', 'R/F-12'],
  ["endsWith(subtitle,'longer than The bark')", ''],
  ["endsWith(subtitle,'')", '1 2'],
  ["equals(title,'ash')", '', 'R/F-12'],
  ["equals(title,'Ash ')", ''],
  ["any(title,'ASH','Dove')", '4', 'R/F-12'],
  ['equals(likes,null)', '3 4', 'R/F-05'],
  ["equals(subtitle,'null')", '', 'R/F-05'],
  ['not(equals(subtitle,null))', '1 2'],
  ['equals(extra,null)', '1 2 3 4'],
  ['equals(blog,null)', '4', 'R/F-06'],
  ['not(equals(blog,null))', '1 2 3'],
  ['equals(blog.title,null)', '4'],
  ["equals(blog.title,'Trees')", '1 2', 'R/F-22'],
  ["not(equals(blog.title,'Trees'))", '3 4'],
  ["not(and(equals(blog.title,'Trees'),has(tags)))", '3 4', 'R/F-21'],
  ["not(equals(likes,'5'))", '2 3 4', 'R/F-21'],
  ["not(lessThan(likes,'5'))", '1 3 4'],
  ["and(equals(views,'3'),not(has(tags)),equals(blog.title,'Birds'))", '3', 'R/F-16'],
  ["or(equals(title,'Ash'),equals(title,'Dove'),equals(title,'zero'))", '1 4', 'R/F-16'],
  ["not(or(and(has(tags),equals(views,'5')),equals(views,'0')))", '2 3', 'R/F-16'],
  ['equals(views,likes)', '1', 'R/F-07'],
  ['lessThan(likes,bytes)', '1 2', 'R/F-07'],
  ['greaterThan(price,likes)', '1 2', 'R/F-07'],
  ['equals(blog.id,blog.id)', '1 2 3', 'R/F-07'],
  ["any(title,'Ash','Ash','Crow')", '1 3', 'R/F-15'],
  ["any(count(tags),'1','2')", '1 2', 'R/F-15'],
  ["any(equals(likes,null),'true')", '3 4', 'R/F-15'],
  ["equals(and(has(tags),equals(views,'5')),'true')", '1', 'R/F-17'],
  ["equals(has(tags),'false')", '3 4', 'R/F-17'],
  ["equals(has(tags),not(equals(views,'3')))", '1 3', 'R/F-17'],
  ["equals(equals(likes,'5'),has(tags))", '1 3 4'],
  ['has(comments)', '1 2', 'R/F-18'],
  ['has(comments,not(equals(parent,null)))', '1 2'],
  ["has(comments,has(replies,equals(body,'no')))", '1', 'R/F-18'],
  ["has(blog.articles,equals(title,'Ash'))", '1 2', 'R/F-18'],
  ["equals(count(comments),'2')", '1', 'R/F-19'],
  ['greaterThan(count(blog.articles),count(tags))', '2 3', 'R/F-19'],
  ["greaterThan(count(blog.articles),'1')", '1 2', 'R/F-19'],
  ["equals(count(blog.articles),'0')", '4'],
  ["any(id,'1','4')", '1 4', 'R/F-29'],
  ["equals(blog.id,'2')", '3', 'R/F-29'],
  ["equals(id,'0')", '', 'R/F-29'],
])('evaluates %s, and compares text exactly', async (filter, expected) => expect(await found(filter)).toBe(expected))

it.each<Row<[path: string, expected: string]>>([
  ["/articles?filter=equals(views,'3')", '2 3', 'R/F-01'],
  ["/articles?filter=equals(title,'Ash')&filter=equals(title,'Crow')", '1 3', 'R/B-07'],
  ["/blogs/1/articles?filter=equals(views,'3')", '2', 'R/F-01'],
  ["/blogs/1/relationships/articles?filter=equals(views,'3')", '2', 'R/F-01'],
  ["/articles/1/comments?filter=equals(body,'yes')", '1'],
  ["/tags/red/articles?filter=equals(title,'Crow')", ''],
  ['/comments?filter=equals(parent.parent,null)', '1 2', 'R/F-06'],
  ["/comments?filter=equals(parent.article.title,'Ash')", '2 3', 'R/F-22'],
])('filters and counts %s', async (path, expected) => {
  const response = await api.get(path)
  expect(idsOf(response)).toBe(expected)
  expect(response.body.meta.total).toBe(response.body.data.length)
}) // anchor: R/M-01, R/P-16

it.each(['views', 'bytes', 'price', 'rating', 'isPublished', 'publishedAt', 'releasedOn', 'readAt', 'status', 'token'])(
  'returns 400 for SQL in place of a value of %s',
  async (field) => {
    for (const sql of ["''", "'' or ''1''=''1", "''; drop table article; --", "\\'' or 1=1 -- ", '1 or 1=1', '$1', '?'])
      await api.get(`/articles?filter=equals(${field},'${encodeURIComponent(sql)}')`).expect(400)
    expect((await api.get('/articles')).body.meta.total).toBe(4)
  },
)

it('filters by attributes that are named like functions', async () => {
  const names: Readonly<Record<string, string>> = { views: 'count', title: 'any', likes: 'has' }
  await useApi(startFilledBlogs({ namingStrategy: (property) => names[property] ?? property }), async (named) => {
    for (const filter of ["equals(count,'5')", "any(any,'Ash','x')", 'and(has(tags),equals(count,has))'])
      expect(await found(filter, named)).toBe('1')
  })
}) // anchor: R/F-30
