import {
  and,
  anyOf,
  contains,
  count,
  endsWith,
  equals,
  type FilterText,
  greaterOrEqual,
  greaterThan,
  has,
  isType,
  lessOrEqual,
  lessThan,
  not,
  or,
  startsWith,
} from '../../../src/query/make'
import { parseFilter } from '../../../src/query/parse-filter'
import { graph, humans, samples } from './support/graph'

it.each<[FilterText, string]>([
  [equals('name', "O'Hara"), "equals(name,'O''Hara')"],
  [equals('bestFriend', null), 'equals(bestFriend,null)'],
  [equals('name', 'null'), "equals(name,'null')"],
  [equals(count('children'), 0), "equals(count(children),'0')"],
  [equals(has('children'), true), "equals(has(children),'true')"],
  [lessThan(count('children'), count('father.children')), 'lessThan(count(children),count(father.children))'],
  [lessOrEqual('id', 18), "lessOrEqual(id,'18')"],
  [greaterThan('id', 18n), "greaterThan(id,'18')"],
  [greaterOrEqual('father.name', 'x'), "greaterOrEqual(father.name,'x')"],
  [contains('name', "','"), "contains(name,''',''')"],
  [startsWith('name', '%_'), "startsWith(name,'%_')"],
  [endsWith('name', ''), "endsWith(name,'')"],
  [anyOf('name', ['Ada', "O'Hara"]), "any(name,'Ada','O''Hara')"],
  [anyOf('name', []), 'and(equals(name,name),not(equals(name,name)))'],
  [
    anyOf(count('children'), []),
    'and(equals(count(children),count(children)),not(equals(count(children),count(children))))',
  ],
  [and(has('children')), 'has(children)'],
  [and(equals('name', 'a'), not(has('children'))), "and(equals(name,'a'),not(has(children)))"],
  [or(has('children')), 'has(children)'],
  [
    or(equals('name', 'a'), equals('name', 'b'), has('children')),
    "or(equals(name,'a'),equals(name,'b'),has(children))",
  ],
  [has('children', equals('name', 'a')), "has(children,equals(name,'a'))"],
  [isType('', 'men'), 'isType(,men)'],
  [
    isType('father.bestFriend', 'women', equals('maidenName', null)),
    'isType(father.bestFriend,women,equals(maidenName,null))',
  ],
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
  expect(parseFilter(equals(name, value), samples, graph)).toMatchObject({ right: { kind: 'literal', value: held } })
})

it.each([NaN, Infinity])('writes %s, which the parser refuses', (value) => {
  expect(() => parseFilter(equals('float', value), samples, graph)).toThrow('Expected a number')
})
