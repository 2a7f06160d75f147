import type { Relationship, ResourceType } from '../../../../src/graph/model/resource-graph'
import { DEFAULT_API_OPTIONS } from '../../../../src/graph/options/options'
import type { PrimaryDataCardinality } from '../../../../src/query/parameters/parse-query-parameter-by-family'
import { parseQuery } from '../../../../src/query/parse-query'
import { parseFilter } from '../../../../src/query/parsing/parse-filter'
import type { FilterNode, ParsedQuery } from '../../../../src/query/tree/ast'
import { problemsOf, thrownBy } from '../../request/support/problems'
import { articles, graph } from './graph'

export function readQuery(
  queryString: string,
  type: ResourceType = articles,
  allowed: PrimaryDataCardinality = 'collection',
): ParsedQuery {
  return parseQuery(queryString, allowed, type, graph, DEFAULT_API_OPTIONS)
}

export function readFilter(text: string, type: ResourceType = articles): FilterNode {
  return parseFilter(text, type, graph)
}

/** A text with a `^` where a mistake is expected. */
export function readMarked(marked: string): { readonly text: string; readonly position: number } {
  return { text: marked.replace('^', ''), position: marked.indexOf('^') }
}

/** Expects a syntax error at the `^`, with the message `Expected ….` */
export function expectSyntaxError(marked: string, expected: string, read: (text: string) => unknown): void {
  const { text, position } = readMarked(marked)
  const message = `Expected ${expected}${/[.?]$/.test(expected) ? '' : '.'}`
  expect(thrownBy(() => read(text))).toMatchObject({ name: 'QuerySyntaxError', position, message })
}

/** Expects a single problem at the `^` in the name or the value of a parameter, with the detail `Expected …. At position ….` */
export function expectQueryProblem(
  marked: string,
  code: string,
  expected: string,
  read: (queryString: string) => unknown = readQuery,
): void {
  const { text } = readMarked(marked)
  const equals = text.indexOf('=')
  const isInName = marked.indexOf('^') <= equals
  const part = isInName ? marked.slice(0, equals + 1) : marked.slice(equals + 1)
  const position = part.indexOf('^') + 1
  const end = /[.?]$/.test(expected) ? '' : '.'
  expect(problemsOf(() => read(text))).toMatchObject([
    {
      status: 400,
      code,
      detail: expect.stringContaining(`Expected ${expected}${end} At position ${position}: ${part}`),
      source: { parameter: text.slice(0, equals) },
      meta: { position },
    },
  ])
}

export function relationshipOf(type: ResourceType, name: string): Relationship {
  const field = type.fields.get(name)
  if (field === undefined || field.kind === 'attribute') throw new Error(`No relationship ${name}.`)
  return field
}
