import { NO_FIELD_HIDDEN_PREDICATE } from '../../graph/model/capabilities'
import type { FilterFunctionName, FilterOrSortFunction } from '../../graph/model/filter-or-sort-function'
import { rootTypeOf, selfAndDescendants } from '../../graph/model/inheritance'
import type { ResourceGraph, ResourceType } from '../../graph/model/resource-graph'
import type { ValueConstraints } from '../../graph/model/value-type'
import { MAX_SUPPORTED_NESTING_DEPTH } from '../../graph/options/limits'
import type {
  ComparisonNode,
  ComparisonOperator,
  EqualsAnyNode,
  FilterNode,
  FunctionCall,
  HasNode,
  IsNullNode,
  IsTypeNode,
  Literal,
  LogicalNode,
  NonLiteralOperand,
  NotNode,
  ToOneStep,
} from '../tree/ast'
import {
  areComparable,
  haveDifferentDatabaseTextTypes,
  supportsEquality,
  supportsOrdering,
  valueConstraintsOfOperand,
} from '../tree/comparability'
import { printAttributePathWithoutRelationships, printTypedLiteral } from '../tree/print'
import { compareIdHint } from './compare-id-hint'
import { type FieldLookupOptions, isNeverNull } from './field-lookup'
import {
  parseAttributeOrToOneAt,
  parseAttributePathAt,
  parseToManyPathAt,
  parseToOnePathAt,
  type SyntaxNodeWithPosition,
} from './field-path'
import {
  type FilterParsingContext,
  incrementFilterDepth,
  operandTypeSyntaxError,
  parseCountOrCustomCallAt,
  parseCustomFunctionCallAt,
} from './parse-call'
import { parseTextMatchAt } from './parse-text-match'
import { parseOrSuggestQuotes, parseTypedLiteral } from './parse-typed-literal'
import { QuerySyntaxError, quoteAndTruncate } from './query-syntax-error'
import type { ResourceTypeHasIdOfExpectedType } from './relationship-hints'
import { QueryTokenCursor } from './token-cursor'

/**
 * Parses a filter for a type, with its own and inherited fields. `maxDepth` limits the nesting of functions. Throws `QuerySyntaxError`.
 *
 * `not(equals(bestFriend.name,'Ada'))` -> `{ kind: 'not', term: { kind: 'comparison', operator: 'equals', … } }`
 */
export function parseFilter(
  text: string,
  type: ResourceType,
  graph: ResourceGraph,
  maxDepth = MAX_SUPPORTED_NESTING_DEPTH,
  isHidden = NO_FIELD_HIDDEN_PREDICATE,
): FilterNode {
  return parseCompleteFilter(text, { type, graph, lookup: { use: 'filter', isHidden }, depth: 0, maxDepth })
}

/** Parses the filter of a rule, which may use all fields. */
export function parseFilterOfRule(text: string, type: ResourceType, graph: ResourceGraph): FilterNode {
  return parseCompleteFilter(text, { type, graph, lookup: OF_RULE, depth: 0, maxDepth: MAX_SUPPORTED_NESTING_DEPTH })
}

const OF_RULE: FieldLookupOptions = { use: 'filterOfRule', isHidden: NO_FIELD_HIDDEN_PREDICATE }

type Production = (cursor: QueryTokenCursor, scope: FilterParsingContext) => FilterNode

function parseCompleteFilter(text: string, scope: FilterParsingContext): FilterNode {
  const cursor = new QueryTokenCursor(text)
  const filter = filterAt(cursor, scope)
  cursor.expectEnd()
  return filter
}

/** Filter : name '(' Arguments ')' | Call */
function filterAt(cursor: QueryTokenCursor, scope: FilterParsingContext): FilterNode {
  const { kind, text } = cursor.peek()
  const production = kind === 'text' ? PRODUCTIONS.get(text) : undefined
  if (production === undefined) return predicateAt(cursor, scope)
  const inner = incrementFilterDepth(cursor, scope)
  cursor.next()
  cursor.expect('(')
  const filter = production(cursor, inner)
  cursor.expect(')')
  return filter
}

/** Predicate : Call; a function of the application that returns `boolean`. */
function predicateAt(cursor: QueryTokenCursor, scope: FilterParsingContext): FunctionCall {
  const { kind, text, start: position } = cursor.peek()
  const { functions } = scope.graph
  const called = kind === 'text' ? functions.get(text) : undefined
  if (called?.returnType === 'boolean') return parseCustomFunctionCallAt(cursor, scope, called)
  if (called !== undefined) throw notAFilterError(position, called)
  const predicates = [...functions.values()]
    .filter(({ returnType }) => returnType === 'boolean')
    .map(({ name }) => name)
  return cursor.failAtName('a filter function', [...PRODUCTIONS.keys(), ...predicates])
}

function notAFilterError(position: number, { name, returnType }: FilterOrSortFunction): QuerySyntaxError {
  const found = `the function ${quoteAndTruncate(name)}, which returns a value of type ${returnType}`
  return new QuerySyntaxError({ position, expected: 'a filter function', found })
}

/** Not : Filter */
function notAt(cursor: QueryTokenCursor, scope: FilterParsingContext): NotNode {
  return { kind: 'not', term: filterAt(cursor, scope) }
}

/** Logical : Filter ',' Filter { ',' Filter } */
function logicalAt(
  cursor: QueryTokenCursor,
  scope: FilterParsingContext,
  operator: LogicalNode['operator'],
): LogicalNode {
  const first = filterAt(cursor, scope)
  cursor.expect(',')
  const terms = [first, filterAt(cursor, scope)]
  while (cursor.skip(',')) terms.push(filterAt(cursor, scope))
  return { kind: 'logical', operator, terms }
}

/**
 * Equals : Comparison | IsNull | HasNone
 * IsNull : ( AttributePath | Call ) ',' 'null'
 * HasNone : ToOnePath ',' 'null'
 */
function equalsAt(cursor: QueryTokenCursor, scope: FilterParsingContext): FilterNode {
  if (cursor.isAtNameBefore('(')) return functionEqualsAt(cursor, scope)
  const { node: path, position } = parseAttributeOrToOneAt(cursor, scope.type, scope.lookup)
  cursor.expect(',')
  if (path.kind === 'attributePath' && !cursor.isAt('null')) {
    return comparisonWith(cursor, scope, 'equals', { node: path, position })
  }
  if (path.kind === 'attributePath' && isNeverNull(path, scope.lookup)) {
    cursor.fail(`a value, as ${quoteAndTruncate(printAttributePathWithoutRelationships(path))} is never null`)
  }
  if (!cursor.skip('null'))
    cursor.fail("'null'", path.kind === 'toOnePath' ? compareIdHint(cursor, path.steps, scope) : '')
  return path.kind === 'toOnePath' ? { kind: 'hasNone', path } : { kind: 'isNull', left: path }
}

function functionEqualsAt(cursor: QueryTokenCursor, scope: FilterParsingContext): ComparisonNode | IsNullNode {
  const left = operandAt(cursor, scope)
  cursor.expect(',')
  const call = callOf(left.node)
  if (call === undefined || !cursor.skip('null')) return comparisonWith(cursor, scope, 'equals', left)
  return { kind: 'isNull', left: call }
}

function callOf(operand: NonLiteralOperand): FunctionCall | undefined {
  if (operand.kind === 'truth') return operand.filter.kind === 'functionCall' ? operand.filter : undefined
  return operand.kind === 'functionCall' ? operand : undefined
}

/** Comparison : Operand ',' RightOperand */
function comparisonAt(
  cursor: QueryTokenCursor,
  scope: FilterParsingContext,
  operator: ComparisonOperator,
): ComparisonNode {
  const left = operandAt(cursor, scope)
  cursor.expect(',')
  return comparisonWith(cursor, scope, operator, left)
}

function comparisonWith(
  cursor: QueryTokenCursor,
  scope: FilterParsingContext,
  operator: ComparisonOperator,
  { node: left, position }: SyntaxNodeWithPosition<NonLiteralOperand>,
): ComparisonNode {
  const constraints = valueConstraintsOfOperand(left)
  if (!supportsEquality(constraints))
    throw operandTypeSyntaxError(position, 'a value that can be compared', constraints)
  if (operator !== 'equals' && !supportsOrdering(constraints))
    throw operandTypeSyntaxError(position, 'a value that has an order', constraints)
  return { kind: 'comparison', operator, left, right: rightOperandAt(cursor, scope, constraints) }
}

/** RightOperand : quoted | Operand */
function rightOperandAt(
  cursor: QueryTokenCursor,
  scope: FilterParsingContext,
  constraints: ValueConstraints,
): NonLiteralOperand | Literal {
  const { kind, start } = cursor.peek()
  if (kind === 'quoted') return parseTypedLiteral(cursor.next(), constraints)
  const right = parseOrSuggestQuotes(cursor, 'compare with', () => {
    return operandAt(cursor, scope, ({ id }) => areComparable(constraints, id.constraints)).node
  })
  const other = valueConstraintsOfOperand(right)
  if (areComparable(constraints, other)) return right
  if (haveDifferentDatabaseTextTypes(constraints, other)) {
    throw new QuerySyntaxError({ position: start, expected: 'a text of the same kind', found: 'another' })
  }
  const expected =
    constraints.codec === undefined ? `a value of type ${constraints.valueType}` : 'an id of the same kind'
  throw operandTypeSyntaxError(start, expected, other)
}

/** Operand : Count | Truth | Call | AttributePath; a name is a function name only if `(` follows. */
function operandAt(
  cursor: QueryTokenCursor,
  scope: FilterParsingContext,
  acceptsId?: ResourceTypeHasIdOfExpectedType,
): SyntaxNodeWithPosition<NonLiteralOperand> {
  const { start, text } = cursor.peek()
  if (!cursor.isAtNameBefore('(')) return parseAttributePathAt(cursor, scope.type, scope.lookup, acceptsId)
  const called = scope.graph.functions.get(text)
  if (PRODUCTIONS.has(text) || called?.returnType === 'boolean') {
    return { node: { kind: 'truth', filter: filterAt(cursor, scope) }, position: start }
  }
  return parseCountOrCustomCallAt(cursor, scope, 'a function', PRODUCTIONS.keys())
}

/** EqualsAny : Operand ',' quoted { ',' quoted }; repeated values count once. */
function equalsAnyAt(cursor: QueryTokenCursor, scope: FilterParsingContext): EqualsAnyNode {
  const { node: left, position } = operandAt(cursor, scope)
  const constraints = valueConstraintsOfOperand(left)
  if (!supportsEquality(constraints))
    throw operandTypeSyntaxError(position, 'a value that can be compared', constraints)
  const values = new Map<string, Literal>()
  cursor.expect(',')
  do {
    const literal = parseTypedLiteral(cursor.expectQuoted(), constraints)
    values.set(printTypedLiteral(literal, constraints), literal)
  } while (cursor.skip(','))
  return { kind: 'equalsAny', left, values: [...values.values()] }
}

/** Has : ToManyPath [ ',' Filter ]; the filter applies to the related type. */
function hasAt(cursor: QueryTokenCursor, scope: FilterParsingContext): HasNode {
  const path = parseToManyPathAt(cursor, scope.type, scope.lookup)
  const filter = cursor.skip(',') ? filterAt(cursor, { ...scope, type: path.relationship.target }) : undefined
  return { kind: 'has', path, filter }
}

/** IsType : [ ToOnePath ] ',' typeName [ ',' Filter ]; the filter applies to the named type. */
function isTypeAt(cursor: QueryTokenCursor, scope: FilterParsingContext): IsTypeNode {
  const path = cursor.isAt(',') ? [] : parseToOnePathAt(cursor, scope.type, scope.lookup).steps
  cursor.expect(',')
  const type = derivedTypeAt(cursor, path, scope)
  const filter = cursor.skip(',') ? filterAt(cursor, { ...scope, type }) : undefined
  return { kind: 'isType', path, type, filter }
}

function derivedTypeAt(
  cursor: QueryTokenCursor,
  path: readonly ToOneStep[],
  scope: FilterParsingContext,
): ResourceType {
  const { kind, text } = cursor.peek()
  const base = path.at(-1)?.relationship.target ?? scope.type
  const known = isRuleOfBase(path, scope) ? selfAndDescendants(rootTypeOf(base)) : selfAndDescendants(base).slice(1)
  const type = known.find(({ name }) => name === text)
  if (kind === 'text' && type !== undefined) {
    cursor.next()
    return type
  }
  return cursor.failAtName(
    `a type derived from ${quoteAndTruncate(base.name)}`,
    known.map(({ name }) => name),
  )
}

/** Returns true where an inherited rule may name the type itself, types above it and types of other branches. */
function isRuleOfBase(path: readonly ToOneStep[], { lookup }: FilterParsingContext): boolean {
  return lookup.use === 'filterOfRule' && path.length === 0
}

const BUILT_IN_FUNCTIONS: Readonly<Record<FilterFunctionName, Production>> = {
  equals: equalsAt,
  lessThan: (cursor, scope) => comparisonAt(cursor, scope, 'lessThan'),
  lessOrEqual: (cursor, scope) => comparisonAt(cursor, scope, 'lessOrEqual'),
  greaterThan: (cursor, scope) => comparisonAt(cursor, scope, 'greaterThan'),
  greaterOrEqual: (cursor, scope) => comparisonAt(cursor, scope, 'greaterOrEqual'),
  contains: (cursor, scope) => parseTextMatchAt(cursor, scope, 'contains'),
  startsWith: (cursor, scope) => parseTextMatchAt(cursor, scope, 'startsWith'),
  endsWith: (cursor, scope) => parseTextMatchAt(cursor, scope, 'endsWith'),
  any: equalsAnyAt,
  and: (cursor, scope) => logicalAt(cursor, scope, 'and'),
  or: (cursor, scope) => logicalAt(cursor, scope, 'or'),
  not: notAt,
  has: hasAt,
  isType: isTypeAt,
}

const PRODUCTIONS: ReadonlyMap<string, Production> = new Map(Object.entries(BUILT_IN_FUNCTIONS))
