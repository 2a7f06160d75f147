import { Attribute, createJsonApi, Resource } from 'stemma'
import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm'
import { startApi, type TestApi, using } from '../support/api'
import { openDatabase } from '../support/database'
import { FUNCTIONS } from '../support/functions'
import { startGrove } from './support/grove'
import { detailAt, idsOf } from './support/paths'

// What is no filter, with the place of the mistake; what fields allow; functions of the application.

let api: TestApi
beforeAll(async () => {
  api = await startGrove({ functions: FUNCTIONS })
})
afterAll(() => api.close())

it.each([
  ['F-04', 'an order of booleans, here without a 500', "lessThan(^isPublished,'true')", 'a value that has an order'],
  ['F-05', 'null for what always has a value', 'equals(title,^null)', "'title' is never null"],
  ['F-05', 'an order of null, here', 'lessThan(likes,^null)', 'found'],
  ['F-06', 'a related resource compared with text', "equals(blog,^'1')", "Expected 'null'"],
  ['F-06', "a related resource compared with 'null'", "equals(blog,^'null')", "Expected 'null'"],
  ['F-06', 'an order of related resources', "lessThan(blog^,'1')", "an attribute of 'blogs'"],
  ['F-08', 'attributes of two kinds, with their place here', 'equals(rating,^readAt)', 'found one of type time'],
  ['F-09', 'a word for a number', "equals(views,^'many')", 'an integer from'],
  ['F-09', 'a word for a count', "equals(count(tags),^'many')", "found 'many'"],
  ['F-09', 'a date that there is not', "equals(releasedOn,^'2023-02-29')", "found '2023-02-29'"],
  ['F-10', 'an empty text for an integer, here', "equals(views,^'')", 'an integer'],
  ['F-10', 'an empty text for a boolean, here', "equals(isPublished,^'')", "'true' or 'false'"],
  ['F-10', 'an empty text for a time, here', "equals(publishedAt,^'')", 'Expected'],
  ['F-11', 'a quote behind bare text', "equals(title^'a')", 'no quote'],
  ['F-11', 'a quote that is not closed', "equals(title,'a^b", 'a closing quote'],
  ['F-12', 'a function in another case', "^Equals(title,'a')", "Did you mean 'equals'?"],
  ['F-12', 'a field in another case', "equals(^Title,'a')", "Did you mean 'title'?"],
  ['F-12', 'null in another case', 'equals(likes,^NULL)', "found 'NULL'"],
  ['F-13', 'a text function of a number', "contains(^views,'1')", 'type string'],
  ['F-13', 'a text function of a number behind a path', "contains(blog.^id,'1')", 'type string'],
  ['F-13', 'a text function without a text', 'contains(title,^null)', 'a value in single quotes'],
  ['F-15', 'any of none', 'any(title^)', "','"],
  ['F-15', 'null among others', "any(likes,'1',^null)", 'a value in single quotes'],
  ['F-16', 'and of one', "and(equals(title,'a')^)", "','"],
  ['F-16', 'or of none', 'or(^)', 'a filter function'],
  ['F-16', 'not of two', 'not(has(tags)^,has(tags))', "')'"],
  ['F-18', 'has of a to-one relationship', 'has(blog^)', "a to-many relationship of 'blogs'"],
  ['F-18', 'has of an attribute', 'has(^title)', "a to-many relationship of 'articles'"],
  ['F-19', 'count of a to-one relationship', "equals(count(blog^),'1')", "a to-many relationship of 'blogs'"],
  ['F-19', 'count as a filter', '^count(tags)', 'a filter function'],
  ['F-20', 'a field that is not there', "equals(^titel,'a')", "an attribute of 'articles', found 'titel'"],
  ['F-20', 'a field that is not there, behind a path', "equals(blog.^titel,'a')", "an attribute of 'blogs'"],
  ['F-20', 'a path that is too short', 'equals(title,blog^)', "an attribute of 'blogs'"],
  ['F-20', 'a path that is too long', "equals(title.^length,'1')", "nothing behind the attribute 'title'"],
  ['F-20', 'a path over a to-many relationship', "equals(^tags.id,'red')", "the to-many relationship 'tags'"],
  ['F-29', 'an id that none can be, here without a 500', "equals(id,^'x')", "found 'x'"],
  ['F-33', 'a value that a function does not take', "equals(length(^views),'1')", 'type string'],
  ['F-33', 'a function of a value as a filter', '^length(title)', 'a filter function'],
  ['F-33', 'an argument too many', "equals(length(title^,title),'1')", "')'"],
])('%s: refuses %s: %s', async (_rule, _what, marked, detail) => {
  expect(await detailAt(api, `/articles?filter=${marked}`, 'query.filter')).toContain(detail)
})

it('F-32: the notation of older servers is not read', async () => {
  expect(await detailAt(api, '/articles?filter[^title]=eq:Ash', 'query.filter')).toContain(
    "found the attribute 'title'",
  )
})

it.each([
  ['F-33', 'a function that is a filter', 'isWeekend(releasedOn)', '2'],
  ['F-33', 'a function that is a value', "greaterThan(length(title),'4')", '2'],
  ['F-33', 'a function within another', "startsWith(upper(title),'CR')", '3'],
  ['F-33', 'a function of a count', "equals(plus(count(tags),'1'),'3')", '1'],
])('%s: %s', async (_rule, _what, filter, expected) => {
  expect(await idsOf(api, `/articles?filter=${filter}`)).toBe(expected)
})

describe('what fields allow', () => {
  const capabilities = { attribute: ['view'], toOne: ['view'], toMany: ['view'] } as const

  it.each([
    ['F-27', 'an attribute', "filter=equals(^title,'Ash')", 'query.filter', "can't be filtered by"],
    ['F-27', 'a to-many relationship in has', 'filter=has(^tags)', 'query.filter', "can't be filtered by"],
    ['F-27', 'a to-many relationship in count', "filter=equals(count(^tags),'1')", 'query.filter', "can't be"],
    ['F-27', 'a to-one relationship, here', 'filter=equals(^blog,null)', 'query.filter', "can't be filtered by"],
    ['F-27', 'a step of a path, here', "filter=equals(^blog.id,'1')", 'query.filter', "can't be filtered by"],
    [
      'F-26',
      'a scope that is not for includes, named as what it is',
      'filter[^tags]=has(articles)',
      'query.filter',
      "can't be included",
    ],
  ])('%s: refuses %s', async (_rule, _what, marked, code, detail) => {
    await using(startGrove({ capabilities }), async (closed) => {
      expect(await detailAt(closed, `/articles?${marked}`, code)).toContain(detail)
    })
  })

  it('F-28: what is not shown is not filtered by, here: it is as if it did not exist', async () => {
    await using(startGrove({ capabilities: { attribute: [] } }), async (closed) => {
      expect(await detailAt(closed, "/articles?filter=equals(^title,'Ash')", 'query.filter')).toContain("found 'title'")
    })
  })
})

@Resource('words')
@Entity()
class Word {
  @PrimaryGeneratedColumn() id: number
  @Attribute() @Column({ type: 'int' }) count: number
  @Attribute() @Column({ type: 'int' }) any: number
  @Attribute() @Column({ type: 'int' }) has: number
}

@Resource('sums')
@Entity()
class Sum {
  @PrimaryGeneratedColumn() id: number
  @Attribute() get half(): number {
    return this.id / 2
  }
}

it.each([
  ['F-30', "equals(count,'1')"],
  ['F-30', "any(any,'2','9')"],
  ['F-30', 'lessThan(count,has)'],
])('%s: a field may have the name of a function, here: %s', async (_rule, filter) => {
  const words = await startApi([Word])
  await words.add(Word, { count: 1, any: 2, has: 3 })
  await words.add(Word, { count: 3, any: 3, has: 3 })
  expect(await idsOf(words, `/words?filter=${filter}`)).toBe('1')
  await words.close()
})

it('F-31: an attribute that no column has is refused at start-up, so that none is sent to the database', async () => {
  const { dataSource, close } = await openDatabase([Sum])
  expect(() => createJsonApi({ dataSource, resources: [Sum] })).toThrow(/Sum\.half/)
  await close()
})
