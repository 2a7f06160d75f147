import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { REQUIREMENTS as LINTED } from 'stemma/testing'
import { QUERY_PARAMETER_NAMES } from '../../../src/declarations/field-options'
import { ERRORS } from '../../../src/errors/catalogue'
import { FILTER_FUNCTION_NAMES } from '../../../src/graph/model/filter-or-sort-function'
import { ATTRIBUTE_TYPES } from '../../../src/graph/model/value-type'
import { BY_DESIGN, DEVIATIONS, LEFT_OUT } from '../../spec/left-out'
import { REQUIREMENTS, SECTIONS } from '../../spec/requirements/requirements'
import { ROOT } from './snippets'

const readReference = (name: string) => readFileSync(join(ROOT, 'docs/reference', name), 'utf8')

describe('conformance.md', () => {
  const conformance = readReference('conformance.md')

  /** The rows of the table under a heading, or before the first one. */
  function rowsUnder(heading?: string): readonly (readonly string[])[] {
    const [before = '', ...sections] = conformance.split(/^## /m)
    const text = heading === undefined ? before : (sections.find((each) => each.startsWith(`${heading}\n`)) ?? '')
    const lines = text.split('\n').filter((line) => line.startsWith('| '))
    return lines.slice(1).map((line) =>
      line
        .slice(2, -1)
        .split('|')
        .map((cell) => cell.trim()),
    )
  }

  it('counts the requirements of every section', () => {
    const counted = [...SECTIONS, { title: 'in all', requirements: REQUIREMENTS }].map(({ title, requirements }) => {
      const count = (reasons: object) => requirements.filter(({ id }) => id in reasons).length
      const [leftOut, byDesign] = [count(LEFT_OUT), count(BY_DESIGN)]
      const tested = requirements.length - leftOut - byDesign
      return [
        title,
        ...[requirements.length, tested, leftOut, byDesign].map((each) => (each === 0 ? '' : String(each))),
      ]
    })
    expect(rowsUnder()).toEqual(counted)
  })

  it.each([
    ['Left out', LEFT_OUT],
    ['By design', BY_DESIGN],
    ['Deviations', DEVIATIONS],
  ])('has the reasons under %s', (heading, reasons) => {
    const titles = new Map(REQUIREMENTS.map(({ id, title }) => [id, title]))
    expect(rowsUnder(heading)).toEqual(Object.entries(reasons).map(([id, why]) => [`${id} ${titles.get(id)}`, why]))
  })

  it('names only existing requirements', () => {
    const named = conformance.match(/\b[A-Z]{2}-\d+\b/g) ?? []
    const known = REQUIREMENTS.map(({ id }) => id)
    expect(named.length).toBeGreaterThan(30)
    expect(named.filter((id) => !known.includes(id))).toEqual([])
  })
})

describe('errors.md', () => {
  const errors = readReference('errors.md')
  const errorRows = [...errors.matchAll(/^\| `([\w.-]+\.[\w-]+)` \| (\d{3}) \| (.+) \| (.+) \|$/gm)]
  const catalogue = Object.entries(ERRORS)

  it('has each code of the catalogue once, with its status', () => {
    const described = errorRows.map(([, code, status]) => `${code} ${status}`)
    expect(described.sort()).toEqual(catalogue.map(([code, [status]]) => `${code} ${status}`).sort())
  })

  it('has a test for each error code', () => {
    const root = join(ROOT, 'test')
    // test/interop and test/browser have packages with tests of their own.
    const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(
      (path) => path.endsWith('.test.ts') && !path.includes('node_modules'),
    )
    const suite = files.map((path) => readFileSync(join(root, path), 'utf8')).join('\n')
    // Alone, or in a line such as '409 document.type-conflict /data/type'.
    const words = new Set(suite.match(/[a-z]+\.[a-z]+(?:-[a-z]+)*/g))
    expect(files.length).toBeGreaterThan(20)
    expect(catalogue.map(([code]) => code).filter((code) => !words.has(code))).toEqual([])
  })
})

describe('query-language.md', () => {
  const queryLanguage = readReference('query-language.md')
  const sections = new Map(queryLanguage.split(/^## /m).map((section) => [section.split('\n')[0] ?? '', section]))
  const wordsOf = (section: string) => new Set(sections.get(section)?.match(/\w+/g))

  it.each<[section: string, names: readonly string[]]>([
    ['Parameters', QUERY_PARAMETER_NAMES],
    ['Grammar', [...FILTER_FUNCTION_NAMES, 'count']],
    ['Filter functions', [...FILTER_FUNCTION_NAMES, 'count']],
    ['Values', ATTRIBUTE_TYPES],
  ])('lists all names under %s', (section, names) => {
    const words = wordsOf(section)
    expect(names.filter((name) => !words.has(name))).toEqual([])
  })

  it('defines every symbol of its grammar', () => {
    const definedInText = ['character', 'digit', 'field', 'functionName', 'typeName']
    const [, grammar = ''] = queryLanguage.match(/^```ebnf\n(.*?)^```$/ms) ?? []
    const rules = grammar.replaceAll(/"[^"]*"|\(\*.*?\*\)/g, '')
    const defined = [...rules.matchAll(/^(\w+) +=/gm)].map(([, name = '']) => name)
    const used = [...rules.matchAll(/\w+(?! +=)\b/g)].map(([name]) => name)
    expect(defined.length).toBeGreaterThan(20)
    expect([...new Set(used)].filter((name) => !defined.includes(name)).toSorted()).toEqual(definedInText)
  })
})

it('requirements.md has each requirement of the linter once', () => {
  const described = [
    ...readReference('requirements.md').matchAll(/^\| `([A-Z]{2}-\d+)` \| (\w+) \| \[(.+)\]\((\S+)\)\. \|$/gm),
  ]
  const rows = described.map(([, id, level, text, section]) => `${id} ${level} ${text}. ${section}`)
  const table = Object.entries(LINTED).map(([id, { level, text, section }]) => `${id} ${level} ${text} ${section}`)
  expect(rows).toEqual(table)
})
