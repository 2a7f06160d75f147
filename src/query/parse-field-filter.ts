import type { IsHidden } from '../graph/capabilities'
import type { ResourceType } from '../graph/resource-graph'
import type { AttributePath, Filter, Literal, ToOnePath } from './ast'
import { endOf, isComparable } from './comparability'
import { Cursor } from './cursor'
import { filteredFieldAt } from './field-path'
import { parseLiteral, printLiteralOf } from './literal'
import { wrongType } from './parse-call'
import { printValuePath } from './print'
import { collectSyntaxIssues, QuerySyntaxError } from './query-syntax-error'

/**
 * Reads the name of a field to filter by, which stands in a text from `start` to `end`. What a to-one relationship is filtered by is the id at
 * its end.
 */
export function parseFilteredField(
  text: string,
  [start, end]: readonly [number, number],
  type: ResourceType,
  isHidden: IsHidden,
): AttributePath {
  const cursor = new Cursor(text, start, end)
  const { node, position } = filteredFieldAt(cursor, type, isHidden)
  cursor.expectEnd()
  const path = node.kind === 'toOnePath' ? toIdPath(node, type) : node
  const { range } = endOf(path)
  if (!isComparable(range)) throw wrongType(position, 'a value that can be compared', range)
  return path
}

/**
 * Reads the value of such a parameter. The result is what `parseFilter` makes of the expression.
 *
 * Value : text | id { ',' id }
 *
 * `9,2` for `author` -> `any(author.id,'9','2')`; `true` for `hasBeard` of `humans` -> `isType(,men,equals(hasBeard,'true'))`
 */
export function parseFieldFilter(text: string, field: AttributePath, type: ResourceType): Filter {
  const literals = literalsOf(text, field)
  return withinBranches(field, type, (left): Filter => {
    const [first, ...others] = literals
    if (first !== undefined && others.length === 0) {
      return { kind: 'comparison', operator: 'equals', left, right: first }
    }
    return { kind: 'anyOf', left, values: literals }
  })
}

/** Tells fields apart, however their names are written: `men:hasBeard`. */
export function fieldKey(field: AttributePath): string {
  const hops = field.steps.map(({ type, relationship }) => `${type.name}:${relationship.name}`)
  return [...hops, `${field.type.name}:${printValuePath(field)}`].join('.')
}

function toIdPath({ steps }: ToOnePath, start: ResourceType): AttributePath {
  const type = steps.at(-1)?.relationship.target ?? start
  return { kind: 'attributePath', steps: steps, type, attribute: type.id }
}

function literalsOf(text: string, field: AttributePath): readonly Literal[] {
  const { range } = endOf(field)
  if (field.attribute !== field.type.id) return [literalAt(text, 0, range)]
  const literals = collectSyntaxIssues(idsOf(text), ({ id, start }) => {
    if (id === '') throw new QuerySyntaxError({ position: start, expected: 'an id', found: 'none' })
    return literalAt(id, start, range)
  })
  return [...new Map(literals.map((literal) => [printLiteralOf(literal, range), literal])).values()]
}

function literalAt(text: string, start: number, range: AttributePath['attribute']['range']): Literal {
  return parseLiteral({ kind: 'quoted', text, start, end: start + text.length }, range)
}

function idsOf(text: string): readonly { readonly id: string; readonly start: number }[] {
  let start = 0
  return text.split(',').map((id) => {
    const found = { id, start }
    start += id.length + 1
    return found
  })
}

/** Filters see the fields of a type itself; `isType` leads to those of its branches. */
function withinBranches(field: AttributePath, scope: ResourceType, toFilter: (field: AttributePath) => Filter): Filter {
  let type = scope
  for (const [index, hop] of field.steps.entries()) {
    if (hop.type !== type) {
      const [path, hops] = [field.steps.slice(0, index), field.steps.slice(index)]
      return {
        kind: 'isType',
        path,
        type: hop.type,
        filter: withinBranches({ ...field, steps: hops }, hop.type, toFilter),
      }
    }
    type = hop.relationship.target
  }
  if (field.type === type) return toFilter(field)
  return { kind: 'isType', path: field.steps, type: field.type, filter: toFilter({ ...field, steps: [] }) }
}
