import { assertNever } from '../../errors/invariant'
import { isA } from '../../graph/inheritance'
import type { ResourceType } from '../../graph/resource-graph'
import type { ValueRange } from '../../graph/value-type'
import { isAlwaysThere, isOwn } from '../../query/always-there'
import type { Argument, AttributePath, Count, Literal, SortKey } from '../../query/ast'
import { isTransformedId, rangeOf } from '../../query/comparability'
import { compileCall } from './compile-call'
import { compileAttribute, compileCount, compileFilter } from './compile-filter'
import { enumPlace } from './enum-order'
import { followHops } from './hops'
import type { KeySql } from './key-sql'
import { columnsAt } from './keys'
import type { ColumnMapping } from './mapping'
import { branchCondition, firstOfKey, isExpression, onlyCondition, type Scope } from './scope'
import { join, NOTHING, type Sql, toSql } from './sql'

/** One key of an order that is total. */
export interface SortTerm {
  readonly expression: Sql
  /** What the rows are sorted by where that is not the value itself. */
  readonly sortedBy?: Sql
  /** `ownColumn`: of the rows' table itself, where an index can be on it. */
  readonly kind: 'ownColumn' | 'column' | 'computed'
  readonly range: ValueRange
  readonly direction: SortKey['direction']
  /** `nullable`: nulls last. */
  readonly nulls: 'nullable' | 'nullsFirst' | 'notNullable'
  /** Of an id with several columns: which of them it is. */
  readonly part?: { readonly whole: ValueRange; readonly place: number }
  /** Of an id that a transformer makes of the key: its column. */
  readonly transformed?: ColumnMapping
}

/** The terms of `order by`; nulls last in both directions, on every database. */
export function compileSort(keys: readonly SortKey[], scope: Scope): Sql {
  return orderBy(sortTerms(keys, scope), scope)
}

export function orderBy(terms: readonly SortTerm[], { mapping }: Scope): Sql {
  return join(
    terms.map(({ expression, sortedBy = expression, direction, nulls }) => {
      return mapping.dialect.orderBy(sortedBy, direction, nulls)
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
    const own = { ...term, ...transformedAt(by, scope), expression: compileKey(by, scope), range: whole }
    return [inDeclaredOrder(own, by, scope)]
  }
  const columns = branchOnly(by, scope)
  return parts.map((range, place) => {
    return inDeclaredOrder({ ...term, expression: columns[place] ?? NOTHING, range, part: { whole, place } }, by, scope)
  })
}

/** An order by any other attribute with a transformer has no cursors. */
function transformedAt(by: SortKey['by'], { mapping }: Scope): Pick<SortTerm, 'transformed'> {
  if (!isTransformedId(by)) return {}
  const [transformed] = columnsAt(mapping, by)
  return transformed === undefined ? {} : { transformed }
}

function kindOf(by: SortKey['by'], { type, mapping }: Scope): SortTerm['kind'] {
  if (by.kind !== 'attributePath') return 'computed'
  if (columnsAt(mapping, by).some(isExpression)) return 'computed'
  if (isOwn(by, type)) return 'ownColumn'
  return by.only === undefined && isA(endTypeOf(by, type), by.type) ? 'column' : 'computed'
}

/** Enums that the database would sort otherwise. */
function inDeclaredOrder(term: SortTerm, by: SortKey['by'], scope: Scope): SortTerm {
  const { sortsEnums } = scope.mapping.dialect
  const isSorted =
    sortsEnums === 'everywhere' || (sortsEnums === 'asColumns' && term.kind !== 'computed' && isOfOneTable(by, scope))
  if (term.range.valueType !== 'enum' || isSorted) return term
  return { ...term, sortedBy: enumPlace(term.expression, term.range) }
}

/** What rows of several tables have in common is a column of none. */
function isOfOneTable(by: SortKey['by'], { type, mapping }: Scope): boolean {
  return by.kind === 'attributePath' && mapping.tableOf(endTypeOf(by, type)).branches.length === 1
}

function endTypeOf({ hops }: AttributePath, type: ResourceType): ResourceType {
  return hops.at(-1)?.relationship.target ?? type
}

function compileKey(by: Exclude<Argument, Literal>, scope: Scope): Sql {
  switch (by.kind) {
    case 'attributePath':
      return branchOnly(by, scope)[0] ?? NOTHING
    case 'count':
      return countWherePossible(by, scope)
    case 'functionCall':
      return compileCall(by, scope, compileKey)
    default:
      return assertNever(by)
  }
}

/** Rows that have no such relationship lack the key, and so do those whose path breaks. In filters they count as having none related. */
function countWherePossible(count: Count, scope: Scope): Sql {
  const { path } = count
  const counted = compileCount(count, scope)
  if (isOwn(path, scope.type)) return counted
  const left = followHops(scope, path.hops, compileFilter)
  const branch = [...branchCondition(left, path.type), ...onlyCondition(left, path.only)]
  const conditions = branch.length > 0 ? branch : [toSql`${firstOfKey(left)} is not null`]
  return toSql`case when ${join(conditions, ' and ')} then ${counted} end`
}

/** Rows of other branches lack the key, whatever stands in the column: the default of the database, or what a sibling keeps there. */
function branchOnly(path: AttributePath, scope: Scope): KeySql {
  const columns = compileAttribute(path, scope)
  const [condition] = branchCondition(followHops(scope, path.hops, compileFilter), path.type)
  return condition === undefined ? columns : columns.map((column) => toSql`case when ${condition} then ${column} end`)
}
