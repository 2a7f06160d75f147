import { DEFAULT_OPTIONS } from '../../../../src/graph/options'
import type { ResourceType } from '../../../../src/graph/resource-graph'
import type { Filter, Query } from '../../../../src/query/ast'
import { parseFilter } from '../../../../src/query/parse-filter'
import { type AllowedParameters, parseQuery } from '../../../../src/query/parse-query'
import { articles, graph } from './graph'
import { problemsOf } from './marked'

export function readQuery(
  queryString: string,
  type: ResourceType = articles,
  allowed: AllowedParameters = 'collection',
): Query {
  return parseQuery(queryString, allowed, type, graph, DEFAULT_OPTIONS)
}

export function readFilter(text: string, type: ResourceType = articles): Filter {
  return parseFilter(text, type, graph)
}

/** Expects a single problem at the `^` in the name or the value of a parameter, with the detail `Expected …. At position ….` */
export function expectProblem(
  marked: string,
  code: string,
  expected: string,
  read: (queryString: string) => unknown = readQuery,
): void {
  const equals = marked.replace('^', '').indexOf('=')
  const isInName = marked.indexOf('^') <= equals
  const part = isInName ? marked.slice(0, equals + 1) : marked.slice(equals + 1)
  const position = part.indexOf('^') + 1
  const [parameter] = marked.replace('^', '').split('=')
  const end = /[.?]$/.test(expected) ? '' : '.'
  expect(problemsOf(() => read(marked.replace('^', '')))).toMatchObject([
    {
      status: 400,
      code,
      detail: expect.stringContaining(`Expected ${expected}${end} At position ${position}: ${part}`),
      source: { parameter },
      meta: { position },
    },
  ])
}
