import { NO_FIELD_HIDDEN_PREDICATE } from '../../graph/model/capabilities'
import type { ResourceGraph, ResourceType } from '../../graph/model/resource-graph'
import { MAX_SUPPORTED_NESTING_DEPTH } from '../../graph/options/limits'
import type { CountOperand, FunctionCall, SortKeyNode } from '../tree/ast'
import { supportsEquality, valueConstraintsOfOperand } from '../tree/comparability'
import { parseAttributePathAt, type SyntaxNodeWithPosition } from './field-path'
import { type FilterParsingContext, operandTypeSyntaxError, parseCountAt, parseCountOrCustomCallAt } from './parse-call'
import { parseList, type QueryTokenCursor } from './token-cursor'

/**
 * Sort : [ SortKey { ',' SortKey } ]
 *
 * Also finds fields of derived types; `men:age` names the type. An empty text means no sort: clients send it when users have chosen none.
 */
export function parseSort(
  text: string,
  type: ResourceType,
  graph: ResourceGraph,
  maxDepth = MAX_SUPPORTED_NESTING_DEPTH,
  isHidden = NO_FIELD_HIDDEN_PREDICATE,
): readonly SortKeyNode[] {
  if (text === '') return []
  const lookup = { use: 'sort', isHidden } as const
  return parseList(text, (cursor) => sortKeyAt(cursor, { type, graph, lookup, depth: 0, maxDepth }))
}

/** Parses the sort of a rule, which may use all fields. */
export function parseSortOfRule(text: string, type: ResourceType, graph: ResourceGraph): readonly SortKeyNode[] {
  const lookup = { use: 'sortOfRule', isHidden: NO_FIELD_HIDDEN_PREDICATE } as const
  return parseList(text, (cursor) =>
    sortKeyAt(cursor, { type, graph, lookup, depth: 0, maxDepth: MAX_SUPPORTED_NESTING_DEPTH }),
  )
}

/** SortKey : [ '-' ] ( Function | AttributePath ) */
function sortKeyAt(cursor: QueryTokenCursor, scope: FilterParsingContext): SortKeyNode {
  const direction = cursor.skip('-') ? 'descending' : 'ascending'
  const { node: by, position } = cursor.isAtNameBefore('(')
    ? functionAt(cursor, scope)
    : parseAttributePathAt(cursor, scope.type, scope.lookup)
  const constraints = valueConstraintsOfOperand(by)
  if (supportsEquality(constraints)) return { direction, by }
  throw operandTypeSyntaxError(position, 'a value that has an order', constraints)
}

/** Function : Count | Call */
function functionAt(
  cursor: QueryTokenCursor,
  scope: FilterParsingContext,
): SyntaxNodeWithPosition<CountOperand | FunctionCall> {
  if (scope.graph.functions.size > 0) return parseCountOrCustomCallAt(cursor, scope, 'a function')
  const { start: position } = cursor.peek()
  return { node: parseCountAt(cursor, scope), position }
}
