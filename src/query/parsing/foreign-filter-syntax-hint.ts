import type { IsFieldHidden } from '../../graph/model/capabilities'
import { findOwnOrDerivedFields } from '../../graph/model/inheritance'
import type { ResourceGraph, ResourceType } from '../../graph/model/resource-graph'
import { MAX_SUPPORTED_NESTING_DEPTH } from '../../graph/options/limits'
import { printQuotedLiteral } from '../tree/print'
import { parseFilter } from './parse-filter'
import { QuerySyntaxError } from './query-syntax-error'

/** A filter in another server's syntax, and the type of the primary data. */
interface ForeignFilter {
  readonly name: string
  readonly value: string
  readonly type: ResourceType
  readonly graph: ResourceGraph
  readonly isHidden: IsFieldHidden
}

/**
 * Suggests a filter for a parameter whose brackets name a field: a sentence with a space before it, or `''`.
 * A suggestion always parses, so it never contains a hidden field.
 *
 * `filter[name]=Ann` -> ` Write filter=equals(name,'Ann').`
 */
export function foreignFilterSyntaxHint(foreign: ForeignFilter): string {
  const { name, value } = foreign
  if (!FOREIGN_FILTER.test(name) || value === '' || FILTER_CALL.test(value)) return ''
  return equivalentFilterHint(foreign) || " Filters are written as filter=equals(attribute,'value')."
}

/** Suggests the equivalent filter, or `''` if there is none. */
export function equivalentFilterHint({ name, value, ...source }: ForeignFilter): string {
  const [, path = '', operator = 'eq'] = FOREIGN_FILTER.exec(name) ?? []
  const write = Object.hasOwn(WRITERS, operator.toLowerCase()) ? WRITERS[operator.toLowerCase()] : undefined
  const filters =
    write === undefined || value.length > MAX_VALUE_LENGTH
      ? []
      : equivalentForms(path, source.type, (field) => write(field, value))
  const valid = filters.find((filter) => isValidFilter(filter, source))
  return valid === undefined ? '' : ` Write filter=${valid}.`
}

/**
 * Returns the filter for an attribute, a to-one and a to-many relationship. The value for a relationship is an id. A field of derived types
 * is reached with `isType`.
 */
function equivalentForms(path: string, type: ResourceType, write: (field: string) => string): readonly string[] {
  const forms = [write(path), write(`${path}.id`), `has(${path},${write('id')})`]
  const [first = ''] = path.split('.')
  const holders = new Set(findOwnOrDerivedFields(type, first).map(({ declaringType }) => declaringType.name))
  if (holders.size === 0 || type.fields.has(first)) return forms
  return forms.map((form) => {
    const [one = '', ...others] = [...holders].map((name) => `isType(,${name},${form})`)
    return others.length === 0 ? one : `or(${[one, ...others].join(',')})`
  })
}

function isValidFilter(
  filter: string,
  { type, graph, isHidden }: Pick<ForeignFilter, 'type' | 'graph' | 'isHidden'>,
): boolean {
  try {
    parseFilter(filter, type, graph, MAX_SUPPORTED_NESTING_DEPTH, isHidden)
    return true
  } catch (error) {
    if (error instanceof QuerySyntaxError) return false
    throw error
  }
}

type Write = (field: string, value: string) => string

const equal: Write = (field, value) => {
  if (value === 'null') return `equals(${field},null)`
  return value.includes(',')
    ? `any(${field},${value.split(',').map(printQuotedLiteral).join(',')})`
    : call('equals')(field, value)
}

function call(operation: string): Write {
  return (field, value) => `${operation}(${field},${printQuotedLiteral(value)})`
}

function not(write: Write): Write {
  return (field, value) => `not(${write(field, value)})`
}

/** Writes the equivalent of each operator that other servers allow in brackets. */
const WRITERS: Readonly<Record<string, Write>> = {
  eq: equal,
  in: equal,
  ne: not(equal),
  neq: not(equal),
  not: not(equal),
  nin: not(equal),
  lt: call('lessThan'),
  lte: call('lessOrEqual'),
  le: call('lessOrEqual'),
  gt: call('greaterThan'),
  gte: call('greaterOrEqual'),
  ge: call('greaterOrEqual'),
  like: call('contains'),
  ilike: call('contains'),
  match: call('contains'),
  contains: call('contains'),
  prefix: call('startsWith'),
  suffix: call('endsWith'),
}

const FOREIGN_FILTER = /^filter\[([^[\]]+)\](?:\[([^[\]]+)\])?$/
/** Matches the start of a filter expression of this library. */
const FILTER_CALL = /^[\w ]+\(/
const MAX_VALUE_LENGTH = 100
