import fc from 'fast-check'
import { parseFilter } from '../../../src/query/parsing/parse-filter'
import { QuerySyntaxError } from '../../../src/query/parsing/query-syntax-error'
import type { FilterNode } from '../../../src/query/tree/ast'
import * as make from '../../../src/query/tree/filter-builder'
import { Param } from '../../../src/query/tree/param'
import { printFilter } from '../../../src/query/tree/print'
import { rewriteFilter } from '../../../src/query/tree/rewrite'
import { graph, humans, men, samples } from './support/graph'

// Filters that are made, parsed, printed and rewritten.

const { and, any, contains, count, endsWith, equals, greaterOrEqual, greaterThan, has } = make
const { isType, lessOrEqual, lessThan, not, or, startsWith } = make

/** As they are printed: the shortest text of each filter. */
const HUMAN_FILTERS = [
  ...["equals(name,'Ada')", "equals(name,'O''Hara ''')", "equals(bestFriend.father.name,'Ada')"],
  ...['equals(father.name,null)', 'equals(father.wife,null)', 'equals(name,bestFriend.name)', "not(lessThan(id,'7'))"],
  "and(equals(name,'a'),or(contains(name,'b'),startsWith(father.name,'c'),endsWith(name,'')))",
  ...["any(name,'a','b')", "any(count(children),'1','2')", "any(has(children),'true')", 'has(children)'],
  'has(father.children,isType(,women,has(friends,not(equals(bestFriend,null)))))',
  ...["greaterOrEqual(count(father.children),'2')", 'lessOrEqual(count(children),count(father.children))'],
  ...["equals(has(children),'false')", 'equals(has(children),not(has(children)))', 'isType(,men)'],
  'isType(father.bestFriend,women,equals(maidenName,null))',
]

const SAMPLE_FILTERS = [
  ...["greaterThan(integer,'-5')", "lessThan(bigint,'9007199254740993')", "equals(decimal,'-10.50')"],
  ...["equals(float,'1e21')", "equals(float,'-1.5e-7')", "equals(boolean,'true')"],
  ...["greaterThan(datetime,'2024-02-29T12:30:00.250+02:00')", "equals(datetime,'0099-01-01T00:00')"],
  ...["equals(date,'2024-02-29')", "equals(time,'12:30')", "equals(uuid,'A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11')"],
  ...["equals(enum,'draft')", "any(level,'1','2','1')", "equals(count,'1')", "equals(not,'false')"],
  ...["equals(größe,'1')", 'equals(json,null)'],
]

describe('printFilter', () => {
  it.each(HUMAN_FILTERS)('prints %s as it was parsed', (text) => {
    expect(printFilter(parseFilter(text, humans, graph))).toBe(text)
  })

  it.each(SAMPLE_FILTERS)('prints a filter with the same tree as %s', (text) => {
    const tree = parseFilter(text, samples, graph)
    expect(parseFilter(printFilter(tree), samples, graph)).toEqual(tree)
  })

  it('prints nodes that clients cannot write', () => {
    const [man] = men.concreteTypes
    const types = man === undefined ? [] : [man, man]
    const term: FilterNode = { kind: 'isExactly', types }
    const filter: FilterNode = { kind: 'logical', operator: 'and', terms: [term, { kind: 'constant', value: false }] }
    expect(printFilter(filter)).toBe('and(isExactly(men,men),false)')
  })

  it('omits the rules within paths', () => {
    const filter = parseFilter('has(father.children)', humans, graph)
    const ruled = rewriteFilter(filter, (node) => {
      return node.kind === 'has' ? { ...node, path: { ...node.path, rule: { kind: 'constant', value: true } } } : node
    })
    expect(printFilter(ruled)).toBe('has(father.children)')
  })
})

describe('rewriteFilter', () => {
  it('returns the same tree for nodes that clients cannot write', () => {
    const terms: readonly FilterNode[] = [
      { kind: 'constant', value: true },
      { kind: 'isExactly', types: [] },
    ]
    const tree: FilterNode = { kind: 'not', term: { kind: 'logical', operator: 'or', terms } }
    expect(rewriteFilter(tree, (node) => node)).toBe(tree)
  })

  it.each([
    ["not(equals(name,'a'))", "not(startsWith(name,'a'))"],
    ["and(has(children),equals(name,'a'))", "and(has(children),startsWith(name,'a'))"],
    ["has(children,equals(name,'a'))", "has(children,startsWith(name,'a'))"],
    ["isType(,men,equals(name,'a'))", "isType(,men,startsWith(name,'a'))"],
    ["equals(equals(name,'a'),has(children))", "equals(startsWith(name,'a'),has(children))"],
    ["equals(has(children),equals(name,'a'))", "equals(has(children),startsWith(name,'a'))"],
    ["any(equals(name,'a'),'true')", "any(startsWith(name,'a'),'true')"],
  ])('changes nested nodes: %s', (before, after) => {
    const changed = rewriteFilter(parseFilter(before, humans, graph), (node) => {
      if (node.kind !== 'comparison' || node.right.kind !== 'literal' || node.left.kind !== 'attributePath') return node
      return {
        kind: 'textMatch',
        operator: 'startsWith',
        left: node.left,
        text: new Param(String(node.right.value.value)),
      }
    })
    expect(printFilter(changed)).toBe(after)
  })

  it('visits the leaves first', () => {
    const seen: string[] = []
    rewriteFilter(parseFilter('not(and(has(children),isType(,men,has(friends))))', humans, graph), (node) => {
      seen.push(node.kind === 'has' ? node.path.relationship.name : node.kind)
      return node
    })
    expect(seen).toEqual(['children', 'friends', 'isType', 'logical', 'not'])
  })

  it('passes changed children to the parent', () => {
    const changed = rewriteFilter(parseFilter("not(not(equals(name,'a')))", humans, graph), (node) => {
      return node.kind === 'not' && node.term.kind === 'not' ? node.term.term : node
    })
    expect(printFilter(changed)).toBe("equals(name,'a')")
  })
})

it.each<[make.FilterExpression, string]>([
  [equals('name', 'null'), "equals(name,'null')"],
  [equals(count('children'), 0), "equals(count(children),'0')"],
  [lessThan(count('children'), count('father.children')), 'lessThan(count(children),count(father.children))'],
  [lessOrEqual('id', 18), "lessOrEqual(id,'18')"],
  [greaterThan('id', 18n), "greaterThan(id,'18')"],
  [greaterOrEqual('father.name', 'x'), "greaterOrEqual(father.name,'x')"],
  [contains('name', "','"), "contains(name,''',''')"],
  [startsWith('name', '%_'), "startsWith(name,'%_')"],
  [endsWith('name', ''), "endsWith(name,'')"],
  [any('name', ['Ada', "O'Hara"]), "any(name,'Ada','O''Hara')"],
  [any('name', []), 'and(equals(name,name),not(equals(name,name)))'],
  [
    any(count('children'), []),
    'and(equals(count(children),count(children)),not(equals(count(children),count(children))))',
  ],
  [and(has('children')), 'has(children)'],
  [or(has('children')), 'has(children)'],
  [isType('', 'men'), 'isType(,men)'],
])('writes %s', (made, text) => {
  expect(made).toBe(text)
  expect(() => parseFilter(made, humans, graph)).not.toThrow()
})

it.each<[string, string | number | bigint | boolean | Date, unknown]>([
  ['datetime', new Date('2024-02-29T12:30:00.250Z'), new Date('2024-02-29T12:30:00.250Z')],
  ['float', 1e21, 1e21],
  ['float', -0.5, -0.5],
  ['bigint', 2n ** 62n, '4611686018427387904'],
  ['boolean', false, false],
  ['text', "');not(", "');not("],
])('writes values of %s that parse to the same value', (name, value, held) => {
  expect(parseFilter(equals(name, value), samples, graph)).toMatchObject({
    right: { kind: 'literal', value: { value: held } },
  })
})

it.each([NaN, Infinity])('refuses %s', (value) => {
  expect(() => equals('float', value)).toThrow(`got the number ${value}`)
})

const text = fc.string({ unit: 'grapheme' }).filter((value) => !value.includes('\0'))
const several = <Value>(each: fc.Arbitrary<Value>) => fc.array(each, { minLength: 2, maxLength: 4 })

const { filter: filters } = fc.letrec<{ filter: make.FilterExpression }>((tie) => ({
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
