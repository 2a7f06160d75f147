import type { ValueConstraints } from '../../graph/model/value-type'
import type { AttributePath, FunctionCall, TextMatchNode, TextMatchOperator } from '../tree/ast'
import { valueConstraintsOfOperand } from '../tree/comparability'
import { Param } from '../tree/param'
import { parseAttributePathAt, type SyntaxNodeWithPosition } from './field-path'
import { type FilterParsingContext, operandTypeSyntaxError, parseCustomFunctionCallAt } from './parse-call'
import { parseTextLiteral } from './parse-typed-literal'
import type { QueryTokenCursor } from './token-cursor'

/** Parses the arguments of `contains`, `startsWith` and `endsWith`. TextMatch : ( AttributePath | Call ) ',' quoted */
export function parseTextMatchAt(
  cursor: QueryTokenCursor,
  scope: FilterParsingContext,
  operator: TextMatchOperator,
): TextMatchNode {
  const { node: left, position } = textOperandAt(cursor, scope)
  const constraints = valueConstraintsOfOperand(left)
  const expected = left.kind === 'attributePath' ? 'an attribute of type string' : 'a value of type string'
  if (!isText(constraints)) throw operandTypeSyntaxError(position, expected, constraints)
  cursor.expect(',')
  return { kind: 'textMatch', operator, left, text: new Param(parseTextLiteral(cursor.expectQuoted())) }
}

function textOperandAt(
  cursor: QueryTokenCursor,
  scope: FilterParsingContext,
): SyntaxNodeWithPosition<AttributePath | FunctionCall> {
  const { text, start: position } = cursor.peek()
  const { functions } = scope.graph
  if (functions.size === 0 || !cursor.isAtNameBefore('('))
    return parseAttributePathAt(cursor, scope.type, scope.lookup, ({ id }) => isText(id.constraints))
  const called = functions.get(text)
  if (called !== undefined) return { node: parseCustomFunctionCallAt(cursor, scope, called), position }
  return cursor.failAtName('a function that returns a value of type string', functions.keys())
}

function isText({ valueType, codec }: ValueConstraints): boolean {
  return valueType === 'string' && codec === undefined
}
