import { parseSort } from '../../../src/query/parsing/parse-sort'
import { printSort } from '../../../src/query/tree/print'
import { thrownBy } from '../request/support/problems'
import { articles, graph, humans, samples } from './support/graph'
import { expectSyntaxError } from './support/read'

it.each([
  ['name,-id', 'name,-id'],
  ['hasBeard', 'men:hasBeard'],
  ['women:age,men:id', 'women:age,men:id'],
  ['humans:name', 'name'],
  ['men:name', 'men:name'],
  ['humans:hasBeard', 'men:hasBeard'],
  ['men:wife.women:age', 'men:wife.age'],
  ['men:father.age', 'men:father.age'],
  ['-men:wife.name,men:wife.husband.age', '-men:wife.name,men:wife.husband.age'],
  ['rival', 'men:rival'],
  ['rival.name', 'women:rival.name'],
  ['-count(wife.children)', '-count(men:wife.children)'],
  ['count(drinkingBuddies)', 'count(men:drinkingBuddies)'],
  ['count(idol)', 'count(women:idol)'],
  ['count(bestFriend.women:friends)', 'count(bestFriend.women:friends)'],
])('parses the sort %s as %s', (text, printed) => {
  expect(printSort(parseSort(text, humans, graph), humans)).toBe(printed)
  expect(printSort(parseSort(printed, humans, graph), humans)).toBe(printed)
})

it('reads a name as a function only before a parenthesis', () => {
  expect(parseSort('count,-not,boolean', samples, graph)).toHaveLength(3)
})

describe('syntax errors in a sort', () => {
  it.each([
    ['-^', "an attribute of 'humans' or a type derived from it, found the end"],
    ['-^-name', "an attribute of 'humans' or a type derived from it, found '-'"],
    ['^ name', 'no blank here, found a blank'],
    ['name,^', "an attribute of 'humans' or a type derived from it, found the end"],
    ['name,^,name', "an attribute of 'humans' or a type derived from it, found ','"],
    ['name^)', "the end, found ')'"],
    ['^hasbeard', "an attribute of 'humans' or a type derived from it, found 'hasbeard'. Did you mean 'hasBeard'?"],
    ['^age', "one of 'men:age' or 'women:age', found the ambiguous 'age'"],
    ['bestFriend.^age', "one of 'men:age' or 'women:age', found the ambiguous 'age'"],
    ['^partner.name', "one of 'men:partner' or 'women:partner', found the ambiguous 'partner'"],
    ['count(^friends)', "one of 'men:friends' or 'women:friends', found the ambiguous 'friends'"],
    ['^mens:age', "'humans' or a type derived from it, found 'mens'. Did you mean 'men'?"],
    ['^articles:title', "'humans' or a type derived from it, found 'articles'"],
    ['wife.^men:age', "'women' or a type derived from it, found 'men'"],
    ['men:^maidenName', "an attribute of 'men', found 'maidenName'"],
    ['men:age^:x', "the end, found ':'"],
    ['father^', "'.' and an attribute of 'men', found the end"],
    ['^children', "an attribute of 'humans' or a type derived from it, found the to-many relationship 'children'"],
    [
      '^children.name',
      "a to-one relationship of 'humans' or a type derived from it, found the to-many relationship 'children'",
    ],
    ['name.^length', "nothing after the attribute 'name', found 'length'"],
    ['^counts(children)', "'count', found 'counts'"],
    ['count(children^,name)', "')', found ','"],
    ['count(^name)', "a to-many relationship of 'humans' or a type derived from it, found the attribute 'name'"],
    ["^'name'", "an attribute of 'humans' or a type derived from it, found the text 'name'"],
    ['^men:notes', 'a value that has an order, found one of type json'],
    ['father.^notes', 'a value that has an order, found one of type json'],
  ])('are reported with their position: %s', (marked, expected) => {
    expectSyntaxError(marked, expected, (text) => parseSort(text, humans, graph))
  }) // anchor: R/S-07, R/R-87

  it('are reported for all keys', () => {
    expect(thrownBy(() => parseSort('nope,title,count(zip,x),-zap', articles, graph))).toMatchObject({
      issues: [{ position: 0 }, { position: 17 }, { position: 25 }],
    })
  })
})
