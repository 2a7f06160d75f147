import fc from 'fast-check'
import { JsonApiError } from '../../../src/errors/json-api-error'
import { DEFAULT_OPTIONS } from '../../../src/graph/options'
import {
  and,
  contains,
  count,
  equals,
  type FilterText,
  greaterThan,
  has,
  isType,
  not,
  or,
} from '../../../src/query/make'
import { parseFilter } from '../../../src/query/parse-filter'
import { parseQuery } from '../../../src/query/parse-query'
import { printFilter } from '../../../src/query/print'
import { QuerySyntaxError } from '../../../src/query/query-syntax-error'
import { refuseParameters } from '../../../src/query/refuse-parameters'
import { rewriteFilter } from '../../../src/query/rewrite'
import { graph, humans } from './support/graph'
import { HUMAN_FILTERS } from './support/texts'

const text = fc.string({ unit: 'grapheme' }).filter((value) => !value.includes('\0'))

const several = <Value>(each: fc.Arbitrary<Value>) => fc.array(each, { minLength: 2, maxLength: 4 })

const { filter: filters } = fc.letrec<{ filter: FilterText }>((tie) => ({
  filter: fc.oneof(
    { maxDepth: 6 },
    text.map((value) => equals('name', value)),
    text.map((value) => contains('father.bestFriend.name', value)),
    fc.integer().map((value) => greaterThan(count('children'), value)),
    fc.constantFrom('father', 'mother.husband', 'bestFriend.name').map((path) => equals(path, null)),
    tie('filter').map(not),
    several(tie('filter')).map(([first = has('children'), ...rest]) => and(first, ...rest)),
    several(tie('filter')).map(([first = has('children'), ...rest]) => or(first, ...rest)),
    tie('filter').map((inner) => has('father.children', inner)),
    tie('filter').map((inner) => isType('bestFriend', 'women', inner)),
    fc.tuple(tie('filter'), fc.boolean()).map(([inner, value]) => equals(inner, value)),
  ),
}))

it('prints every parsed filter as it was, and returns the same tree from a rewrite that changes nothing', () => {
  fc.assert(
    fc.property(filters, (made) => {
      const tree = parseFilter(made, humans, graph)
      expect(printFilter(tree)).toBe(made)
      expect(rewriteFilter(tree, (node) => node)).toBe(tree)
    }),
  )
})

it('parses any text or throws a syntax error with a position within the text', () => {
  const pieces = fc.constantFrom(...HUMAN_FILTERS.join(',').split(/(?=[(),.'])|(?<=[(),.'])/))
  const anything = fc
    .array(fc.oneof(pieces, fc.string({ maxLength: 3 })), { maxLength: 20 })
    .map((each) => each.join(''))
  fc.assert(
    fc.property(anything, (each) => {
      try {
        parseFilter(each, humans, graph)
      } catch (error) {
        expect(error).toBeInstanceOf(QuerySyntaxError)
        expect((error as QuerySyntaxError).position).toBeLessThanOrEqual(each.length)
      }
    }),
    { numRuns: 500 },
  )
})

it('parses any query string or reports problems with status 400', () => {
  const pieces = fc.constantFrom(
    ...[
      'filter',
      'sort',
      'include',
      'page',
      'size',
      'number',
      'fields',
      'men',
      'friends',
      'name',
      'age',
      'id',
      'count',
    ],
    ...['[', ']', '=', '&', ',', '.', ':', '-', '(', ')', "'", '%', '%20', '+', '0', '5', '%00'],
  )
  const anything = fc.array(fc.oneof({ weight: 9, arbitrary: pieces }, fc.string({ maxLength: 3 })), { maxLength: 25 })
  fc.assert(
    fc.property(anything, fc.constantFrom('collection', 'single', 'none'), (each, allowed) => {
      try {
        if (allowed === 'none') refuseParameters(each.join(''), DEFAULT_OPTIONS)
        else parseQuery(each.join(''), allowed, humans, graph, DEFAULT_OPTIONS)
      } catch (error) {
        expect(error).toBeInstanceOf(JsonApiError)
        expect((error as JsonApiError).problems.every(({ status }) => status === 400)).toBe(true)
      }
    }),
    { numRuns: 2000 },
  )
})
