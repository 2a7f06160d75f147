import type { IsFieldHidden } from '../../graph/model/capabilities'
import type { ResourceType } from '../../graph/model/resource-graph'
import type { AttributePath, FilterNode, Literal, ToOnePathOperand } from '../tree/ast'
import { getEndOfAttributePath, supportsEquality } from '../tree/comparability'
import { printAttributePathWithoutRelationships, printTypedLiteral } from '../tree/print'
import { parseFilterParameterPathAt } from './field-path'
import { operandTypeSyntaxError } from './parse-call'
import { parseTypedLiteral } from './parse-typed-literal'
import { mapCollectingSyntaxIssues, QuerySyntaxError } from './query-syntax-error'
import { QueryTokenCursor, type TextRange } from './token-cursor'

/**
 * Parses the name of a field to filter by, from `start` to `end` of a text. For a to-one relationship, returns the path to the related id.
 */
export function parseFilterParameterField(
  text: string,
  [start, end]: TextRange,
  type: ResourceType,
  isHidden: IsFieldHidden,
): AttributePath {
  const cursor = new QueryTokenCursor(text, start, end)
  const { node, position } = parseFilterParameterPathAt(cursor, type, isHidden)
  cursor.expectEnd()
  const path = node.kind === 'toOnePath' ? toIdPath(node, type) : node
  const { constraints } = getEndOfAttributePath(path)
  if (!supportsEquality(constraints))
    throw operandTypeSyntaxError(position, 'a value that can be compared', constraints)
  return path
}

/**
 * Parses the value of a filter by field. The result is the same as that of `parseFilter` for the equivalent expression.
 *
 * Value : text | id { ',' id }
 *
 * `9,2` for `author` -> `any(author.id,'9','2')`; `true` for `hasBeard` of `humans` -> `isType(,men,equals(hasBeard,'true'))`
 */
export function parseFieldFilter(text: string, field: AttributePath, type: ResourceType): FilterNode {
  const literals = literalsOf(text, field)
  return withTypeTests(field, type, (left): FilterNode => {
    const [first, ...others] = literals
    if (first !== undefined && others.length === 0) {
      return { kind: 'comparison', operator: 'equals', left, right: first }
    }
    return { kind: 'equalsAny', left, values: literals }
  })
}

/** Returns a key for a field: `men:hasBeard`. It is the same with and without a type in the client's text. */
export function deduplicationKeyOfFilteredField(field: AttributePath): string {
  const names = field.steps.map(({ type, relationship }) => `${type.name}:${relationship.name}`)
  return [...names, `${field.type.name}:${printAttributePathWithoutRelationships(field)}`].join('.')
}

function toIdPath({ steps }: ToOnePathOperand, start: ResourceType): AttributePath {
  const type = steps.at(-1)?.relationship.target ?? start
  return { kind: 'attributePath', steps, type, attribute: type.id }
}

function literalsOf(text: string, field: AttributePath): readonly Literal[] {
  const { constraints } = getEndOfAttributePath(field)
  if (field.attribute !== field.type.id) return [literalAt(text, 0, constraints)]
  const literals = mapCollectingSyntaxIssues(idsOf(text), ({ id, start }) => {
    if (id === '') throw new QuerySyntaxError({ position: start, expected: 'an id', found: 'none' })
    return literalAt(id, start, constraints)
  })
  return [...new Map(literals.map((literal) => [printTypedLiteral(literal, constraints), literal])).values()]
}

function literalAt(text: string, start: number, constraints: AttributePath['attribute']['constraints']): Literal {
  return parseTypedLiteral({ kind: 'quoted', text, start, end: start + text.length }, constraints)
}

function idsOf(text: string): readonly { readonly id: string; readonly start: number }[] {
  let start = 0
  return text.split(',').map((id) => {
    const found = { id, start }
    start += id.length + 1
    return found
  })
}

/** Wraps a filter in `isType` for each derived type on the path, because filters find only fields of the type itself. */
function withTypeTests(
  field: AttributePath,
  scope: ResourceType,
  toFilter: (field: AttributePath) => FilterNode,
): FilterNode {
  let type = scope
  for (const [index, step] of field.steps.entries()) {
    if (step.type !== type) {
      const [path, steps] = [field.steps.slice(0, index), field.steps.slice(index)]
      return {
        kind: 'isType',
        path,
        type: step.type,
        filter: withTypeTests({ ...field, steps }, step.type, toFilter),
      }
    }
    type = step.relationship.target
  }
  if (field.type === type) return toFilter(field)
  return { kind: 'isType', path: field.steps, type: field.type, filter: toFilter({ ...field, steps: [] }) }
}
