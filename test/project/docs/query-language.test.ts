import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { PARAMETERS } from '../../../src/declarations/field-options'
import { FILTER_FUNCTIONS } from '../../../src/graph/query-function'
import { VALUE_TYPES } from '../../../src/graph/value-type'
import { ROOT } from './snippets'

const page = readFileSync(join(ROOT, 'docs/reference/query-language.md'), 'utf8')
const sections = new Map(page.split(/^## /m).map((section) => [section.split('\n')[0] ?? '', section]))
const wordsOf = (section: string) => new Set(sections.get(section)?.match(/\w+/g))

it.each<[section: string, names: readonly string[]]>([
  ['Parameters', PARAMETERS],
  ['Grammar', [...FILTER_FUNCTIONS, 'count']],
  ['Filter functions', [...FILTER_FUNCTIONS, 'count']],
  ['Values', VALUE_TYPES],
])('query-language.md lists all names under %s', (section, names) => {
  const words = wordsOf(section)
  expect(names.filter((name) => !words.has(name))).toEqual([])
})

it('query-language.md defines every symbol of its grammar', () => {
  const [, grammar = ''] = page.match(/^```ebnf\n(.*?)^```$/ms) ?? []
  const rules = grammar.replaceAll(/"[^"]*"|\(\*.*?\*\)/g, '')
  const defined = [...rules.matchAll(/^(\w+) +=/gm)].map(([, name = '']) => name)
  const used = [...rules.matchAll(/\w+(?! +=)\b/g)].map(([name]) => name)
  expect(defined.length).toBeGreaterThan(20)
  expect([...new Set(used)].filter((name) => !defined.includes(name)).toSorted()).toEqual(DEFINED_IN_TEXT)
})

/** Symbols that the text defines. */
const DEFINED_IN_TEXT = ['character', 'digit', 'field', 'functionName', 'typeName']
