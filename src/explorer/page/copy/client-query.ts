import { splitAtCommasOutsideParentheses } from '../core/query'
import { printFilterAsClientCode } from './client-filter'
import { printJavaScriptString, RawCode } from './print-javascript-value'

/** The options of a read of the typed client. */
interface QueryNode {
  filter?: RawCode
  sort?: readonly RawCode[]
  include?: Record<string, true | QueryNode>
  fields?: Record<string, readonly string[]>
  page?: Record<string, number | string>
}

interface ClientReadOptions {
  readonly options: QueryNode
  /** Names of parameters that the client has no option for. */
  readonly unknown: readonly string[]
}

/** Translates a query string. Adds the functions that it uses to `imports`. */
export function queryStringToTypedClientOptions(search: string, imports: Set<string>): ClientReadOptions {
  const options: QueryNode = {}
  const parameters = [...new URLSearchParams(search)]
  // Relationships are included first, because options of included resources belong to them.
  const includes = parameters.flatMap(([name, value]) => (name === 'include' ? value.split(',') : []))
  for (const path of includes) nodeAt(options, path.split('.'))
  const unknown = parameters.filter(([name, value]) => !apply(options, name, value, imports))
  return { options, unknown: unknown.map(([name]) => name) }
}

/** Returns false for an unknown parameter. */
function apply(options: QueryNode, name: string, value: string, imports: Set<string>): boolean {
  const [, family = '', scope] = /^(\w+)(?:\[(.*)\])?$/s.exec(name) ?? []
  if (family === 'include') return true
  if (family === 'fields' && scope !== undefined) {
    options.fields = { ...options.fields, [scope]: value === '' ? [] : value.split(',') }
    return true
  }
  if (family === 'page' && scope !== undefined) return applyPage(options, scope, value)
  if (family !== 'filter' && family !== 'sort') return false
  if (scope !== undefined && !isIncluded(options, scope)) return false
  const node = scope === undefined ? options : nodeAt(options, scope.split('.'))
  if (family === 'filter') node.filter = printFilterAsClientCode(value, imports)
  else node.sort = splitAtCommasOutsideParentheses(value).map((key) => printSortKey(key, imports))
  return true
}

function printSortKey(key: string, imports: Set<string>): RawCode {
  const name = key.startsWith('-') ? 'descending' : 'ascending'
  imports.add(name)
  return new RawCode(`${name}(${printJavaScriptString(key.replace(/^-/, ''))})`)
}

/** `page[size]=3,children:2` */
function applyPage(options: QueryNode, member: string, value: string): boolean {
  if (member === 'after') {
    options.page = { ...options.page, after: value }
    return true
  }
  if (member !== 'size' && member !== 'number') return false
  for (const part of value.split(',')) {
    const [, path, size = ''] = /^(?:(.*):)?(\d+)$/.exec(part) ?? []
    if (size === '' || (path !== undefined && !isIncluded(options, path))) return false
    const node = path === undefined ? options : nodeAt(options, path.split('.'))
    node.page = { ...node.page, [member]: Number(size) }
  }
  return true
}

function isIncluded(options: QueryNode, path: string): boolean {
  let node: QueryNode | true | undefined = options
  for (const name of path.split('.')) node = node === true ? undefined : node?.include?.[name]
  return node !== undefined
}

/** Returns the options of an included relationship; adds them if needed. */
function nodeAt(options: QueryNode, path: readonly string[]): QueryNode {
  return path.reduce((node, name) => {
    const known = node.include?.[name]
    const next: QueryNode = known === undefined || known === true ? {} : known
    node.include = { ...node.include, [name]: next }
    return next
  }, options)
}

/** Writes relationships without options as `true`. */
export function withEmptyIncludesAsTrue({ include, ...others }: QueryNode): QueryNode {
  if (include === undefined) return others
  const entries = Object.entries(include).map(([name, node]): [string, true | QueryNode] => {
    const inner = node === true ? {} : withEmptyIncludesAsTrue(node)
    return [name, Object.keys(inner).length === 0 ? true : inner]
  })
  return { ...others, include: Object.fromEntries(entries) }
}
