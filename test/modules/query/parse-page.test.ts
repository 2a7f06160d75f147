import type { ResourceType } from '../../../src/graph/resource-graph'
import type { Row } from '../../support/row'
import { articles, blogs } from './support/graph'
import { problemsOf, readMarked, relationshipOf } from './support/marked'
import { readQuery } from './support/read'

it('reads pages of the primary data and of included relationships', () => {
  expect(readQuery('page[size]=revisions:20,10&page[number]=2,revisions:3')).toMatchObject({
    page: { size: 10, number: 2 },
    scoped: [
      { path: [relationshipOf(articles, 'revisions')], filter: undefined, sort: [], page: { size: 20, number: 3 } },
    ],
  })
})

it('reads sizes and numbers separately', () => {
  expect(readQuery('page[size]=10&page[number]=revisions:3')).toMatchObject({
    page: { size: 10, number: undefined },
    scoped: [{ page: { size: undefined, number: 3 } }],
  })
})

it('accepts leading zeros', () => {
  expect(readQuery('page[size]=007').page.size).toBe(7)
})

it.each<Row<[name: string, marked: string, message: string]>>([
  ['page[size]', '^0', "a page size from 1 to 100, found '0'"],
  ['page[size]', '^101', "a page size from 1 to 100, found '101'"],
  ['page[size]', '^-1', "a page size from 1 to 100, found '-1'"],
  ['page[size]', '^ten', "a page size from 1 to 100, found 'ten'"],
  ['page[size]', '^1.5', "a page size from 1 to 100, found '1.5'"],
  ['page[size]', '^1e1', "a page size from 1 to 100, found '1e1'"],
  ['page[size]', '^1 ', "a page size from 1 to 100, found '1 '", 'R/B-13'],
  ['page[size]', `^${'9'.repeat(400)}`, `a page size from 1 to 100, found '${'9'.repeat(60)}...'`],
  ['page[number]', '^0', "a page number from 1 to 9007199254740991, found '0'"],
  ['page[number]', '^9007199254740992', "a page number from 1 to 9007199254740991, found '9007199254740992'"],
  ['page[number]', `^${'9'.repeat(400)}`, 'a page number from 1 to 9007199254740991, found'],
  ['page[number]', '^900719925474101', "a page number from 1 to 900719925474100, found '900719925474101'"],
  ['page[size]', 'revisions:^21', "a page size from 1 to 20, found '21'"],
  ['page[number]', 'revisions:^4', "a page number from 1 to 3, found '4'"],
  ['page[size]', 'revisions:^-5', "a page size from 1 to 20, found '-5'"],
  ['page[size]', 'revisions:^abc', "a page size from 1 to 20, found 'abc'"],
  ['page[size]', 'revisions:^', 'a page size from 1 to 20, found the end'],
  ['page[size]', '^:5', "a relationship of 'articles', found ':'"],
  ['page[size]', '5,^', 'a page size from 1 to 100, found the end'],
  ['page[size]', '^,5', 'a page size from 1 to 100, found the end'],
  ['page[size]', '^nope:5', "a relationship of 'articles', found 'nope'"],
  ['page[size]', '^title:5', "a relationship of 'articles', found the attribute 'title'"],
  ['page[size]', 'author^:5', "'.' and a to-many relationship of 'humans' or a type derived from it, found"],
  ['page[size]', 'blog.^drafts2:5', "a relationship of 'blogs', found 'drafts2'. Did you mean 'drafts'?"],
  ['page[size]', 'blog.drafts:^0', "a page size from 1 to 9007199254740991, found '0'"],
  ['page[size]', '5,^6', "one size for each collection, found another in '6'"],
  ['page[number]', 'revisions:1,^revisions:2', "one number for each collection, found another in 'revisions:2'"],
  ['page[size]', 'author.friends:1,^author.men:friends:2', 'one size for each collection, found another in'],
])('refuses %s=%s', (name, marked, message) => {
  const { text, position } = readMarked(marked)
  const problems = problemsOf(() => readQuery(`${name}=${text}`))
  expect(problems).toMatchObject([
    { code: 'query.page', source: { parameter: name }, meta: { position: position + 1 } },
  ])
  expect(problems[0]?.detail).toContain(`Expected ${message}`)
}) // anchor: R/P-03, R/P-04, R/P-05, R/P-06, R/P-08, R/P-09

it('limits size times number to what can be counted', () => {
  expect(readQuery('page[size]=1&page[number]=9007199254740991').page).toEqual({ size: 1, number: 9007199254740991 })
  expect(problemsOf(() => readQuery('page[number]=9007199254740991&page[size]=2'))).toMatchObject([
    { source: { parameter: 'page[number]' }, detail: expect.stringContaining('from 1 to 4503599627370496, found') },
  ])
})

it('has no limits that are null', () => {
  const free: ResourceType = { ...articles, page: { size: null, maximumSize: null, maximumNumber: null } }
  expect(readQuery('page[size]=9007199254740991', free).page.size).toBe(9007199254740991)
  expect(readQuery('page[number]=9007199254740991', free).page.number).toBe(9007199254740991)
  expect(problemsOf(() => readQuery('page[size]=9007199254740992', free))).toHaveLength(1)
})

it('ignores pages of a relationship without pages', () => {
  expect(readQuery('page[size]=drafts:500,5&page[number]=drafts:7', blogs)).toMatchObject({
    page: { size: 5, number: undefined },
    scoped: [],
  })
})
