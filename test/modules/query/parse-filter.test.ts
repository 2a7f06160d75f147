import { parseFilter } from '../../../src/query/parsing/parse-filter'
import type { Row } from '../../support/row'
import { thrownBy } from '../request/support/problems'
import { articles, graph, humans, samples } from './support/graph'
import { expectSyntaxError } from './support/read'

// What filters find is tested in test/guides/filtering.

it.each([
  ...['integer,bigint', 'integer,float', 'decimal,count', 'text,nullableText', 'enum,sameEnum', 'noEnum,other.noEnum'],
  ...['integer,count(parts)', 'count(parts),other.integer', 'boolean,has(parts)', 'datetime,other.datetime', 'id,uuid'],
])('compares %s', (pair) => {
  expect(parseFilter(`equals(${pair})`, samples, graph)).toMatchObject({ kind: 'comparison' })
})

it.each(['text', 'enum', 'uuid', 'integer', 'datetime', 'date', 'time', 'decimal', 'float', 'bigint'])(
  'compares %s by order',
  (field) => {
    for (const operator of ['lessThan', 'lessOrEqual', 'greaterThan', 'greaterOrEqual'])
      expect(parseFilter(`${operator}(${field},other.${field})`, samples, graph)).toMatchObject({ operator })
  },
)

const REACH = 'Use isType(...) to reach it'
const REVISIONS =
  "the to-many relationship 'revisions'. To find members, write has(revisions,…), and to count them, count(revisions)."
const ID = "For the id, write 'author.id'."

describe('syntax errors in a filter', () => {
  it.each<Row<[marked: string, expected: string]>>([
    ["equals(^nope,'a')", "an attribute of 'articles', found 'nope'", 'R/F-20'],
    ["and(equals(title,'a')^)", "',', found ')'", 'R/F-16'],
    ['lessThan(title,^null)', "an attribute of 'articles', found 'null'", 'R/F-05'],
    ['equals(title,^null)', "a value, as 'title' is never null, found 'null'", 'R/F-05'],
    ['^', 'a filter function, found the end'],
    ["^'title'", "a filter function, found the text 'title'"],
    ['^count(revisions)', "a filter function, found 'count'", 'R/F-19'],
    ["^Equals(title,'a')", "a filter function, found 'Equals'. Did you mean 'equals'?", 'R/F-12'],
    ['not^', "'(', found the end"],
    ["not(equals(title,'a')^,equals(title,'a'))", "')', found ','", 'R/F-16'],
    ["equals(title,'a')^)", "the end, found ')'"],
    ["equals(title^ ,'a')", 'no blank here, found a blank'],
    ["equals(title^'a')", "no quote after 'title', found a quote", 'R/F-11'],
    ["equals(title,'a'^b)", "')', found 'b'"],
    ["equals(title,'a^b", 'a closing quote, found the end', 'R/F-11'],
    ["equals(title,'^😀", 'a closing quote, found the end'],
    ['equals(^revisions,null)', `an attribute of 'articles', found ${REVISIONS}`],
    ["equals(^'a',title)", "an attribute of 'articles', found the text 'a'"],
    ["equals(^,'a')", "an attribute of 'articles', found ','"],
    ["equals(^Title,'a')", "an attribute of 'articles', found 'Title'. Did you mean 'title'?", 'R/F-12'],
    ["equals(title.^length,'a')", "nothing after the attribute 'title', found 'length'", 'R/F-20'],
    ["equals(author.^nope,'a')", "an attribute of 'humans', found 'nope'. Did you mean 'name'?", 'R/F-20'],
    ["equals(^atuhor.name,'a')", "a to-one relationship of 'articles', found 'atuhor'. Did you mean 'author'?"],
    ["equals(^revisions.content,'a')", `a to-one relationship of 'articles', found ${REVISIONS}`, 'R/F-20'],
    ["lessThan(author^,'a')", `'.' and an attribute of 'humans', found ','. ${ID}`, 'R/F-06'],
    ['equals(title,author^)', `'.' and an attribute of 'humans', found ')'.`, 'R/F-20'],
    ["equals(author,^'a')", "'null', found the text 'a'. To compare the id, write equals(author.id,'a').", 'R/F-06'],
    ["equals(author,^'null')", "'null', found the text 'null'. Write null without quotes.", 'R/F-06'],
    ['equals(author,^)', "'null', found ')'"],
    ["equals(author.^hasBeard,'true')", `an attribute of 'humans', found 'hasBeard'. It belongs to 'men'. ${REACH}`],
    ["equals(author.^age,'1')", `an attribute of 'humans', found 'age'. It belongs to 'men' or 'women'. ${REACH}`],
    ["equals(^men:age,'1')", "an attribute of 'articles', found 'men'"],
    ["equals(^nope(title),'a')", "a function, found 'nope'. Did you mean 'not'?"],
    ['equals(count(^title),count)', "a to-many relationship of 'articles', found the attribute 'title'"],
    ["equals(count(author^),'1')", "'.' and a to-many relationship of 'humans', found ')'", 'R/F-19'],
    ["equals(count(revisions),^'x')", "an integer from -9007199254740991 to 9007199254740991, found 'x'", 'R/F-09'],
    ['equals(count(revisions),^title)', 'a value of type integer, found one of type string'],
    ["equals(has(revisions),^'yes')", "'true' or 'false', found 'yes'"],
    ["lessThan(^has(revisions),'true')", 'a value that has an order, found one of type boolean'],
    ['equals(views,^title)', 'a value of type integer, found one of type string'],
    ["equals(views,^'many')", "an integer from 0 to 2147483647, found 'many'", 'R/F-09'],
    ["contains(^views,'a')", 'an attribute of type string, found one of type integer', 'R/F-13'],
    ["contains(author.^id,'a')", 'an attribute of type string, found one of type integer', 'R/F-13'],
    ['contains(title,^null)', "a value in single quotes, found 'null'", 'R/F-13'],
    ["startsWith(title,^'\0')", "a text without NUL characters, found '\0'"],
    ['any(title^)', "',', found ')'", 'R/F-15'],
    ["any(title,'a',^null)", "a value in single quotes, found 'null'", 'R/F-15'],
    ["any(title,'a'^.)", "')', found '.'"],
    ['has(^title)', "a to-many relationship of 'articles', found the attribute 'title'", 'R/F-18'],
    ['has(author^)', "'.' and a to-many relationship of 'humans', found ')'", 'R/F-18'],
    ["has(revisions,equals(^title,'a'))", "an attribute of 'revisions', found 'title'"],
    ['isType(^revisions,men)', `a to-one relationship of 'articles', found ${REVISIONS}`],
    ['isType(author^)', "',', found ')'"],
    ['isType(author,^humans)', "a type derived from 'humans', found 'humans'"],
    ['isType(author,^mens)', "a type derived from 'humans', found 'mens'. Did you mean 'men'?"],
    ["isType(author,^'men')", "a type derived from 'humans', found the text 'men'"],
    ['isType(,^articles)', "a type derived from 'articles', found 'articles'"],
    ["isType(author,men,equals(^maidenName,'a'))", "an attribute of 'men', found 'maidenName'"],
  ])('are reported with their position: %s', (marked, expected) => {
    expectSyntaxError(marked, expected, (text) => parseFilter(text, articles, graph))
  }) // anchor: R/R-60, R/R-61, R/R-62, R/R-67, R/R-68

  it.each<Row<[marked: string, expected: string]>>([
    ['equals(^list,list)', 'a value that can be compared, found one of type list'],
    ["equals(^json,'{}')", 'a value that can be compared, found one of type json'],
    ["any(^binary,'a')", 'a value that can be compared, found one of type binary'],
    ["greaterThan(^boolean,'true')", 'a value that has an order, found one of type boolean', 'R/F-04'],
    ['equals(date,^datetime)', 'a value of type date, found one of type datetime', 'R/F-08'],
    ['equals(text,^enum)', 'a value of type string, found one of type enum'],
    ['equals(enum,^level)', 'a value of type enum, found one of type enum'],
    ['equals(enum,^noEnum)', 'a value of type enum, found one of type enum'],
    ["not^'a'", "no quote after 'not', found a quote"],
  ])('include values of the wrong type: %s', (marked, expected) => {
    expectSyntaxError(marked, expected, (text) => parseFilter(text, samples, graph))
  })

  it('truncate long input', () => {
    const error = thrownBy(() => parseFilter('x'.repeat(5000), articles, graph))
    expect(error).toMatchObject({ expected: 'a filter function', found: `'${'x'.repeat(60)}...'` })
  })

  it('include more than 100 nested functions', () => {
    const nested = (depth: number): string => `${'not('.repeat(depth)}has(revisions)${')'.repeat(depth)}`
    expect(parseFilter(nested(99), articles, graph)).toMatchObject({ kind: 'not' })
    for (const depth of [100, 50_000]) {
      expect(thrownBy(() => parseFilter(nested(depth), articles, graph))).toMatchObject({
        position: 400,
        message: expect.stringContaining('Expected at most 100 nested functions'),
      })
    }
  })

  it('include nested functions that are operands', () => {
    const text = `${'equals('.repeat(50_000)}has(revisions)`
    expect(thrownBy(() => parseFilter(text, articles, graph))).toMatchObject({ position: 700 })
  })

  it.each([
    ['equals(', '.name', ",'Ada')"],
    ['equals(', '', ',null)'],
    ['isType(', '', ',men)'],
    ['has(', '.children', ')'],
    ['equals(count(', '.children', "),'1')"],
  ])('include more than 20 to-one relationships in the path of %s…%s%s', (start, end, rest) => {
    const read = (steps: number) => () =>
      parseFilter(`${start}${Array(steps).fill('bestFriend').join('.')}${end}${rest}`, humans, graph)
    expect(read(20)).not.toThrow()
    const message = 'Expected at most 20 to-one relationships in a path, found more.'
    expect(thrownBy(read(21))).toMatchObject({ message, position: start.length + 20 * 'bestFriend.'.length })
  })
})
