import { type QueryFunction, rangeOfType } from '../graph/query-function'
import type { ResourceGraph, ResourceType } from '../graph/resource-graph'
import type { ValueRange, ValueType } from '../graph/value-type'
import type { Argument, Count, FunctionCall, Literal } from './ast'
import { isAccepted, kindOf, rangeOf } from './comparability'
import type { Cursor } from './cursor'
import { attributePathAt, type Placed, toManyPathAt } from './field-chain'
import type { Lookup } from './field-lookup'
import { parseLiteral } from './literal'
import { QuerySyntaxError, showText } from './query-syntax-error'

/** Where a function stands, and what names mean there. */
export interface Scope {
  /** Names are looked up here. */
  readonly type: ResourceType
  readonly graph: ResourceGraph
  readonly lookup: Lookup
  /** Functions around. */
  readonly depth: number
  /** How many there may be. */
  readonly deepest: number
}

/** Call : functionName '(' Argument { ',' Argument } ')'; a function of the application, with as many arguments as it takes. */
export function callAt(cursor: Cursor, scope: Scope, called: QueryFunction): FunctionCall {
  const within = enter(cursor, scope)
  cursor.next()
  cursor.expect('(')
  const values = called.takes.map((valueType, index) => {
    if (index > 0) expectInCall(cursor, ',', called)
    return argumentAt(cursor, within, valueType)
  })
  expectInCall(cursor, ')', called)
  return { kind: 'functionCall', called, arguments: values }
}

/** Count : 'count' '(' ToManyPath ')' */
export function countAt(cursor: Cursor, { type, lookup }: Scope): Count {
  cursor.expect('count')
  cursor.expect('(')
  const path = toManyPathAt(cursor, type, lookup)
  cursor.expect(')')
  return { kind: 'count', path }
}

/** The scope within the function that comes next. */
export function enter(cursor: Cursor, scope: Scope): Scope {
  const { depth, deepest } = scope
  if (depth === deepest) cursor.refuse(`at most ${deepest} functions within each other`)
  return { ...scope, depth: depth + 1 }
}

export function wrongType(position: number, expected: string, range: ValueRange): QuerySyntaxError {
  return new QuerySyntaxError({ position, expected, found: kindOf(range) })
}

/** Argument : quoted | Count | Call | AttributePath; a name is that of a function only where `(` follows. */
function argumentAt(cursor: Cursor, scope: Scope, valueType: ValueType): Argument {
  if (cursor.peek().kind === 'quoted') return literalAt(cursor, valueType)
  const { node, position } = cursor.isAtNameBefore('(')
    ? valueAt(cursor, scope, valueType)
    : attributePathAt(cursor, scope.type, scope.lookup)
  const range = rangeOf(node)
  if (isAccepted(range, valueType)) return node
  throw wrongType(position, `a value of type ${valueType}`, range)
}

function literalAt(cursor: Cursor, valueType: ValueType): Literal {
  if (UNWRITTEN.has(valueType)) cursor.refuse(`an attribute or a function of type ${valueType}`)
  return parseLiteral(cursor.next(), rangeOfType(valueType))
}

function valueAt(cursor: Cursor, scope: Scope, valueType: ValueType): Placed<Count | FunctionCall> {
  const { start: position, text } = cursor.peek()
  if (text === 'count') return { node: countAt(cursor, scope), position }
  const { functions } = scope.graph
  const called = functions.get(text)
  if (called !== undefined) return { node: callAt(cursor, scope, called), position }
  return cursor.refuseName(`a function that gives a value of type ${valueType}`, ['count', ...functions.keys()])
}

function expectInCall(cursor: Cursor, text: ',' | ')', { name, takes }: QueryFunction): void {
  if (!cursor.skip(text)) cursor.refuse(showText(text), ` '${name}' takes ${takes.length} (${takes.join(', ')}).`)
}

/** No text stands for values of these types. */
const UNWRITTEN: ReadonlySet<ValueType> = new Set(['enum', 'list', 'binary', 'json'])
