import { assertNever } from '../../errors/invariant'
import { isA } from '../../graph/inheritance'
import type { ValueRange } from '../../graph/value-type'
import { isAlwaysThere, isOwn } from '../../query/always-there'
import type { Argument, AttributePath, Literal, SortKey } from '../../query/ast'
import { rangeOf } from '../../query/comparability'
import { compileCall } from './compile-call'
import { compileAttribute, compileCount, compileFilter } from './compile-filter'
import { enumPlace } from './enum-order'
import { followHops } from './hops'
import type { KeySql } from './key-sql'
import { columnsAt } from './keys'
import { branchCondition, isExpression, type Scope } from './scope'
import { join, NOTHING, type Sql, toSql } from './sql'

/** One key of an order that is total. */
export interface SortTerm {
  readonly expression: Sql
  /** What the rows are sorted by where that is not the value itself. */
  readonly place?: Sql
  /** `ownColumn`: of the rows' table itself, where an index can be on it. */
  readonly kind: 'ownColumn' | 'column' | 'computed'
  readonly range: ValueRange
  readonly direction: SortKey['direction']
  /** `nullable`: nulls last. */
  readonly nulls: 'nullable' | 'nullsFirst' | 'notNullable'
  /** Of an id with several columns: which of them it is. */
  readonly part?: { readonly whole: ValueRange; readonly place: number }
}

/** The terms of `order by`; nulls last in both directions, on every database. */
export function compileSort(keys: readonly SortKey[], scope: Scope): Sql {
  return orderBy(sortTerms(keys, scope), scope)
}

export function orderBy(terms: readonly SortTerm[], { mapping }: Scope): Sql {
  return join(
    terms.map(({ expression, place = expression, direction, nulls }) => {
      return mapping.dialect.orderBy(place, direction, nulls)
    }),
    ', ',
  )
}

export function sortTerms(keys: readonly SortKey[], scope: Scope): readonly SortTerm[] {
  return keys.flatMap((key) => termsOf(key, scope))
}

function termsOf({ by, direction }: SortKey, scope: Scope): readonly SortTerm[] {
  const nulls = isAlwaysThere(by, scope.type) ? 'notNullable' : 'nullable'
  const kind = kindOf(by, scope)
  const whole = rangeOf(by)
  const { parts } = whole
  const term = { kind, direction, nulls } as const
  if (by.kind !== 'attributePath' || parts === undefined) {
    return [withPlace({ ...term, expression: compileKey(by, scope), range: whole }, scope)]
  }
  const columns = branchOnly(by, scope)
  return parts.map((range, place) => {
    return withPlace({ ...term, expression: columns[place] ?? NOTHING, range, part: { whole, place } }, scope)
  })
}

function kindOf(by: SortKey['by'], { type, mapping }: Scope): SortTerm['kind'] {
  if (by.kind !== 'attributePath') return 'computed'
  if (columnsAt(mapping, by).some(isExpression)) return 'computed'
  if (isOwn(by, type)) return 'ownColumn'
  const end = by.hops.at(-1)?.relationship.target ?? type
  return by.only === undefined && isA(end, by.type) ? 'column' : 'computed'
}

function withPlace(term: SortTerm, { mapping }: Scope): SortTerm {
  const { sortsEnums } = mapping.dialect
  const isSorted = sortsEnums === 'everywhere' || (sortsEnums === 'asColumns' && term.kind !== 'computed')
  return term.range.valueType !== 'enum' || isSorted ? term : { ...term, place: enumPlace(term.expression, term.range) }
}

function compileKey(by: Exclude<Argument, Literal>, scope: Scope): Sql {
  switch (by.kind) {
    case 'attributePath':
      return branchOnly(by, scope)[0] ?? NOTHING
    case 'count':
      return compileCount(by, scope)
    case 'functionCall':
      return compileCall(by, scope, compileKey)
    default:
      return assertNever(by)
  }
}

/** Rows of other branches lack the key, whatever stands in the column: the default of the database, or what a sibling keeps there. */
function branchOnly(path: AttributePath, scope: Scope): KeySql {
  const columns = compileAttribute(path, scope)
  const [condition] = branchCondition(followHops(scope, path.hops, compileFilter), path.type)
  return condition === undefined ? columns : columns.map((column) => toSql`case when ${condition} then ${column} end`)
}
