import { splitFilterCallArguments } from '../core/filter-conditions'
import { printJavaScriptString, printJavaScriptValue, RawCode } from './print-javascript-value'

/** Functions of the typed client that take a path and one value. */
const COMPARISONS = new Set([
  ...['equals', 'lessThan', 'lessOrEqual', 'greaterThan', 'greaterOrEqual'],
  ...['contains', 'startsWith', 'endsWith'],
])

/** Prints a filter as calls of the typed client, and adds the functions to `imports`. */
export function printFilterAsClientCode(text: string, imports: Set<string>): RawCode {
  const used = new Set<string>()
  const code = printExpression(text.trim(), used)
  if (code === undefined) {
    imports.add('rawFilter')
    return new RawCode(`rawFilter(${printJavaScriptString(text)})`)
  }
  for (const name of used) imports.add(name)
  return new RawCode(code)
}

/** Returns `undefined` for functions of the application, and for what the client has no function for. */
function printExpression(text: string, used: Set<string>): string | undefined {
  const call = parseCall(text)
  if (call === undefined) return undefined
  const { name, values } = call
  const [first = '', ...others] = values
  if (name === 'and' || name === 'or' || name === 'not')
    return printCall(
      name,
      values.map((each) => printExpression(each, used)),
      used,
    )
  if (name === 'isType') return printTypeTest(values, used)
  if (name === 'has')
    return printCall(name, [printJavaScriptString(first), ...others.map((each) => printExpression(each, used))], used)
  if (name === 'any') return printCall(name, [printJavaScriptString(first), printList(others)], used)
  if (!COMPARISONS.has(name) || !isPath(first)) return undefined
  return printCall(name, [printJavaScriptString(first), ...others.map((each) => printOperand(each, used))], used)
}

function printTypeTest([path = '', type = '', ...filter]: readonly string[], used: Set<string>): string | undefined {
  const rest = [printJavaScriptString(type), ...filter.map((each) => printExpression(each, used))]
  return path === ''
    ? printCall('isType', rest, used)
    : printCall('relatedIsType', [printJavaScriptString(path), ...rest], used)
}

function printCall(name: string, values: readonly (string | undefined)[], used: Set<string>): string | undefined {
  if (values.includes(undefined)) return undefined
  used.add(name)
  return `${name}(${values.join(', ')})`
}

/** The client compares with numbers and booleans too, but a text is always accepted by the server. */
function printOperand(text: string, used: Set<string>): string | undefined {
  if (text === 'null') return 'null'
  const value = readText(text)
  if (value !== undefined) return printJavaScriptString(value)
  return isPath(text) ? printCall('attributeRef', [printJavaScriptString(text)], used) : undefined
}

function printList(texts: readonly string[]): string | undefined {
  const values = texts.map(readText)
  return values.includes(undefined) ? undefined : printJavaScriptValue(values)
}

/** `'it''s'` -> `it's` */
function readText(text: string): string | undefined {
  return /^'(?:[^']|'')*'$/.test(text) ? text.slice(1, -1).replaceAll("''", "'") : undefined
}

/** A path of fields, also within `count()`. */
function isPath(text: string): boolean {
  return /^(?:count\([^()',]+\)|[^()',]+)$/.test(text)
}

/** `any(name,'a','b')` -> `any` with `name`, `'a'`, `'b'` */
function parseCall(text: string): { readonly name: string; readonly values: readonly string[] } | undefined {
  const [, name = ''] = /^(\w+)\(/.exec(text) ?? []
  const values = splitFilterCallArguments(text, name)
  return values && { name, values }
}
