import {
  constraintsOfFunctionArgumentOrResult,
  type FilterOrSortFunction,
  type FunctionArgumentValueType,
  type FunctionIdArgumentType,
} from '../../graph/model/filter-or-sort-function'
import { isSameOrDerivedType } from '../../graph/model/inheritance'
import type { ResourceGraph, ResourceType } from '../../graph/model/resource-graph'
import type { AttributeType, ValueConstraints } from '../../graph/model/value-type'
import type { AttributePath, CountOperand, FunctionArgument, FunctionCall, Literal } from '../tree/ast'
import {
  formatTypeOfConstraintsForError,
  isAssignableToArgumentType,
  valueConstraintsOfOperand,
} from '../tree/comparability'
import { type FieldLookupOptions, formatFieldWithKind } from './field-lookup'
import { parseAttributePathAt, parseToManyPathAt, type SyntaxNodeWithPosition } from './field-path'
import { parseOrSuggestQuotes, parseTypedLiteral } from './parse-typed-literal'
import { QuerySyntaxError, quoteAndTruncate } from './query-syntax-error'
import type { QueryTokenCursor } from './token-cursor'

/** The context in which an expression is parsed. */
export interface FilterParsingContext {
  /** The type at which names are looked up. */
  readonly type: ResourceType
  readonly graph: ResourceGraph
  readonly lookup: FieldLookupOptions
  /** The number of functions around the expression. */
  readonly depth: number
  /** The limit of `depth`. */
  readonly maxDepth: number
}

/** Call : functionName '(' Argument { ',' Argument } ')'; a function of the application, with one argument for each argument type. */
export function parseCustomFunctionCallAt(
  cursor: QueryTokenCursor,
  scope: FilterParsingContext,
  called: FilterOrSortFunction,
): FunctionCall {
  const inner = incrementFilterDepth(cursor, scope)
  cursor.next()
  cursor.expect('(')
  const values = called.argumentTypes.map((valueType, index) => {
    if (index > 0) expectInCall(cursor, ',', called, scope)
    return typeof valueType === 'string' ? argumentAt(cursor, inner, valueType) : idAt(cursor, inner, valueType)
  })
  expectInCall(cursor, ')', called, scope)
  return { kind: 'functionCall', called, arguments: values }
}

/** Count : 'count' '(' ToManyPath ')' */
export function parseCountAt(cursor: QueryTokenCursor, { type, lookup }: FilterParsingContext): CountOperand {
  cursor.expect('count')
  cursor.expect('(')
  const path = parseToManyPathAt(cursor, type, lookup)
  cursor.expect(')')
  return { kind: 'count', path }
}

/** Returns the context within the next function. Throws if functions are nested too deeply. */
export function incrementFilterDepth(cursor: QueryTokenCursor, scope: FilterParsingContext): FilterParsingContext {
  const { depth, maxDepth } = scope
  if (depth === maxDepth) cursor.fail(`at most ${maxDepth} nested functions`)
  return { ...scope, depth: depth + 1 }
}

export function operandTypeSyntaxError(
  position: number,
  expected: string,
  constraints: ValueConstraints,
): QuerySyntaxError {
  return new QuerySyntaxError({ position, expected, found: formatTypeOfConstraintsForError(constraints) })
}

/** Argument : quoted | Count | Call | AttributePath; a name is a function name only if `(` follows. */
function argumentAt(cursor: QueryTokenCursor, scope: FilterParsingContext, valueType: AttributeType): FunctionArgument {
  if (cursor.peek().kind === 'quoted') return literalAt(cursor, valueType)
  const parse = () => operandOfArgumentAt(cursor, scope, valueType)
  const { node, position } = TYPES_WITHOUT_LITERALS.has(valueType)
    ? parse()
    : parseOrSuggestQuotes(cursor, 'pass', parse)
  const constraints = valueConstraintsOfOperand(node)
  if (isAssignableToArgumentType(constraints, valueType)) return node
  throw operandTypeSyntaxError(position, `a value of type ${valueType}`, constraints)
}

function operandOfArgumentAt(
  cursor: QueryTokenCursor,
  scope: FilterParsingContext,
  valueType: AttributeType,
): SyntaxNodeWithPosition<AttributePath | CountOperand | FunctionCall> {
  return cursor.isAtNameBefore('(')
    ? parseCountOrCustomCallAt(cursor, scope, `a function that returns a value of type ${valueType}`)
    : parseAttributePathAt(cursor, scope.type, scope.lookup, ({ id }) =>
        isAssignableToArgumentType(id.constraints, valueType),
      )
}

/** The id of a resource, as a path: `id`, `article.id`. A value could name a resource that the client can't see. */
function idAt(
  cursor: QueryTokenCursor,
  scope: FilterParsingContext,
  argumentType: FunctionIdArgumentType,
): AttributePath {
  const expected = formatArgumentType(argumentType, scope)
  if (cursor.peek().kind === 'quoted' || cursor.isAtNameBefore('(')) cursor.fail(expected)
  const expectedType = scope.graph.typeOf(argumentType.idOf)
  const isExpected = (type: ResourceType) => expectedType !== undefined && isSameOrDerivedType(type, expectedType)
  const { node, position } = parseAttributePathAt(cursor, scope.type, scope.lookup, isExpected)
  const { attribute, type } = node
  const isId = attribute === type.id
  if (isId && isExpected(type)) return node
  throw new QuerySyntaxError({ position, expected, found: isId ? formatIdOf(type) : formatFieldWithKind(attribute) })
}

function formatArgumentType(argumentType: FunctionArgumentValueType, { graph }: FilterParsingContext): string {
  return typeof argumentType === 'string' ? argumentType : formatIdOf(graph.typeOf(argumentType.idOf))
}

function formatIdOf(type: ResourceType | undefined): string {
  return `the id of ${quoteAndTruncate(type?.name ?? '')}`
}

function literalAt(cursor: QueryTokenCursor, valueType: AttributeType): Literal {
  if (TYPES_WITHOUT_LITERALS.has(valueType)) cursor.fail(`an attribute or a function of type ${valueType}`)
  return parseTypedLiteral(cursor.next(), constraintsOfFunctionArgumentOrResult(valueType))
}

/** Function : Count | Call */
export function parseCountOrCustomCallAt(
  cursor: QueryTokenCursor,
  scope: FilterParsingContext,
  expected: string,
  otherFunctions: Iterable<string> = [],
): SyntaxNodeWithPosition<CountOperand | FunctionCall> {
  const { start: position, text } = cursor.peek()
  if (text === 'count') return { node: parseCountAt(cursor, scope), position }
  const { functions } = scope.graph
  const called = functions.get(text)
  if (called !== undefined) return { node: parseCustomFunctionCallAt(cursor, scope, called), position }
  return cursor.failAtName(expected, ['count', ...otherFunctions, ...functions.keys()])
}

function expectInCall(
  cursor: QueryTokenCursor,
  text: ',' | ')',
  { name, argumentTypes }: FilterOrSortFunction,
  scope: FilterParsingContext,
): void {
  if (cursor.skip(text)) return
  const types = argumentTypes.map((each) => formatArgumentType(each, scope)).join(', ')
  cursor.fail(quoteAndTruncate(text), ` '${name}' takes ${argumentTypes.length} (${types}).`)
}

/** Types without literals. */
const TYPES_WITHOUT_LITERALS: ReadonlySet<AttributeType> = new Set(['enum', 'list', 'binary', 'json'])
