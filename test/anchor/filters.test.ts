import type { TestApi } from '../support/api'
import { startGrove, TOKEN } from './support/grove'
import { idsOf } from './support/paths'

// What a filter finds: values, functions, paths.

let api: TestApi
beforeAll(async () => {
  api = await startGrove()
})
afterAll(() => api.close())

it.each([
  ['F-02', 'text', "equals(title,'Ash')", '1'],
  ['F-02', 'a boolean', "equals(isPublished,'true')", '1'],
  ['F-02', 'an integer', "equals(views,'5')", '1'],
  ['F-02', 'an integer that may be null', "equals(likes,'5')", '1'],
  ['F-02', 'an integer above 2^53', "equals(bytes,'9007199254740993')", '1'],
  ['F-02', 'a decimal', "equals(price,'10.5')", '1'],
  ['F-02', 'a float', "equals(rating,'1.5')", '1'],
  ['F-02', 'a UUID', `equals(token,'${TOKEN}')`, '1'],
  ['F-02', 'a point in time', "equals(publishedAt,'2024-02-29T12:30:00.123Z')", '1'],
  ['F-02', 'a point in time, of another zone', "equals(publishedAt,'2024-02-29T14:30:00.123%2B02:00')", '1'],
  ['F-02', 'a date', "equals(releasedOn,'2024-02-29')", '1'],
  ['F-02', 'a time of day', "equals(readAt,'12:30:00')", '1'],
  ['F-02', 'a value of an enum', "equals(status,'draft')", '1'],

  ['F-03', 'less, of integers', "lessThan(views,'3')", '4'],
  ['F-03', 'at most, of integers', "lessOrEqual(views,'3')", '2 3 4'],
  ['F-03', 'more, of integers', "greaterThan(views,'3')", '1'],
  ['F-03', 'at least, of integers', "greaterOrEqual(views,'3')", '1 2 3'],
  ['F-03', 'big integers', "greaterThan(bytes,'9007199254740992')", '1'],
  ['F-03', 'decimals, as numbers', "lessThan(price,'10')", '2'],
  ['F-03', 'floats', "lessOrEqual(rating,'-2')", '2'],
  ['F-03', 'points in time', "greaterThan(publishedAt,'2024-02-29T12:30:00.122Z')", '1'],
  ['F-03', 'dates', "lessThan(releasedOn,'2024-01-01')", '2'],
  ['F-03', 'times of day', "greaterOrEqual(readAt,'12:30:00')", '1'],
  ['F-04', 'text, which has an order here', "lessThan(title,'B')", '1'],
  ['F-04', 'values of an enum, which have an order here', "greaterThan(status,'draft')", '2'],

  ['F-05', 'null', 'equals(likes,null)', '3 4'],
  ['F-05', "'null', which is text", "equals(subtitle,'null')", ''],
  ['F-06', 'the lack of a related resource', 'equals(blog,null)', '4'],
  ['F-07', 'two attributes', 'equals(views,likes)', '1'],
  ['F-07', 'two attributes, the other way round', 'equals(likes,views)', '1'],
  ['F-07', 'integers of two sizes', 'lessThan(likes,bytes)', '1 2'],
  ['F-07', 'a decimal and an integer', 'greaterThan(price,likes)', '1 2'],
  ['F-07', 'attributes behind the same relationship', 'equals(blog.id,blog.id)', '1 2 3'],

  ['F-11', "'' as one quote", "startsWith(subtitle,'it''s')", '1'],
  ['F-11', 'brackets as text', "contains(subtitle,'[100')", '1'],
  ['F-11', 'commas and parentheses as text', "contains(subtitle,', (d)')", '1'],
  ['F-11', 'a backslash as text', "contains(subtitle,'b\\c')", '1'],
  ['F-12', 'text to the letter, with equals', "equals(title,'ash')", ''],
  ['F-12', 'text to the letter, with any', "any(title,'ASH','Dove')", '4'],
  ['F-12', 'text to the letter, with contains', "contains(subtitle,'the')", ''],
  ['F-12', 'text to the letter, with startsWith', "startsWith(subtitle,'the')", ''],
  ['F-12', 'text to the letter, with endsWith', "endsWith(subtitle,'BARK')", ''],
  ['F-13', 'contains', "contains(title,'e')", '2 4'],
  ['F-13', 'startsWith', "startsWith(title,'A')", '1'],
  ['F-13', 'endsWith', "endsWith(title,'ow')", '3'],
  ['F-13', 'contains along a path', "contains(blog.title,'Bird')", '3'],
  ['F-14', '% as text', "contains(subtitle,'0%25]')", '1'],
  ['F-14', '% as text, where it could match', "startsWith(subtitle,'%25')", ''],
  ['F-14', '_ as text', "contains(subtitle,'a_b')", '1'],
  ['F-14', '_ as text, where it could match', "endsWith(subtitle,'_ark')", ''],

  ['F-15', 'any of one', "any(title,'Ash')", '1'],
  ['F-15', 'any of some that are the same', "any(title,'Ash','Ash','Crow')", '1 3'],
  ['F-15', 'any of a count', "any(count(tags),'1','2')", '1 2'],
  ['F-15', 'any of a filter', "any(equals(likes,null),'true')", '3 4'],
  ['F-16', 'and', "and(equals(views,'3'),has(tags))", '2'],
  ['F-16', 'and of three', "and(equals(views,'3'),not(has(tags)),equals(blog.title,'Birds'))", '3'],
  ['F-16', 'or', "or(equals(title,'Ash'),equals(title,'Dove'))", '1 4'],
  ['F-16', 'functions within each other', "not(or(and(has(tags),equals(views,'5')),equals(views,'0')))", '2 3'],
  ['F-17', 'and, as a value', "equals(and(has(tags),equals(views,'5')),'true')", '1'],
  ['F-17', 'has, as a value', "equals(has(tags),'false')", '3 4'],
  ['F-17', 'a filter compared with a filter', "equals(has(tags),not(equals(views,'3')))", '1 3'],
  ['F-18', 'has', 'has(comments)', '1 2'],
  ['F-18', 'has with a filter', "has(comments,equals(body,'no'))", '2'],
  ['F-18', 'has within has', "has(comments,has(replies,equals(body,'no')))", '1'],
  ['F-18', 'has behind a to-one relationship', "has(blog.articles,equals(title,'Ash'))", '1 2'],
  ['F-19', 'count', "equals(count(comments),'2')", '1'],
  ['F-19', 'count on the right', 'greaterThan(views,count(comments))', '1 2 3'],
  ['F-19', 'count on both sides', 'greaterThan(count(blog.articles),count(tags))', '2 3'],
  ['F-19', 'count behind a to-one relationship', "greaterThan(count(blog.articles),'1')", '1 2'],

  ['F-21', 'not, also where there is no value', "not(equals(likes,'5'))", '2 3 4'],
  ['F-21', 'not, also where the path breaks', "not(and(equals(blog.title,'Trees'),has(tags)))", '3 4'],
  ['F-22', 'nothing, where the path breaks', "equals(blog.title,'Trees')", '1 2'],
  ['F-29', 'an id', "equals(id,'2')", '2'],
  ['F-29', 'some ids', "any(id,'1','4')", '1 4'],
  ['F-29', 'an id behind a relationship', "equals(blog.id,'2')", '3'],
  ['F-29', 'an id that no row has: nothing is found, here without a 500', "equals(id,'0')", ''],
])('%s: finds %s: %s', async (_rule, _what, filter, expected) => {
  expect(await idsOf(api, `/articles?filter=${filter}`)).toBe(expected)
})

it.each([
  ['F-01', 'a collection', "/articles?filter=equals(views,'3')", '2 3'],
  ['F-01', 'related resources', "/blogs/1/articles?filter=equals(views,'3')", '2'],
  ['F-01', 'the linkage of a relationship', "/blogs/1/relationships/articles?filter=equals(views,'3')", '2'],
  ['F-06', 'by the lack of a related resource behind a path', '/comments?filter=equals(parent.parent,null)', '1 2'],
  ['F-22', 'along two relationships', "/comments?filter=equals(parent.article.title,'Ash')", '2 3'],
])('%s: filters %s', async (_rule, _what, path, expected) => {
  expect(await idsOf(api, path)).toBe(expected)
})
