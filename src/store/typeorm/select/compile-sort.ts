import { assertNever } from '../../../errors/invariant'
import { isA } from '../../../graph/model/inheritance'
import type { ResourceType } from '../../../graph/model/resource-graph'
import type { ValueConstraints } from '../../../graph/model/value-type'
import type { Argument, AttributePath, Count, Literal, SortKey } from '../../../query/tree/ast'
import { constraintsOfOperand, isTransformedId } from '../../../query/tree/comparability'
import { isFieldOfEveryRow, isNeverNull } from '../../../query/tree/sort-key'
import { compileCustomFunctionCall } from '../filters/compile-custom-function-call'
import { compileAttribute, compileFilter, compileRelatedCount } from '../filters/compile-filter'
import { compileEnumIndex } from '../filters/enum-order'
import { joinSteps } from '../joins/joins'
import type { KeySql } from '../joins/key-conditions'
import { firstKeyColumn, type SqlScope, storedTypeConditions, subtypeConditions } from '../joins/scope'
import { columnsOfPath } from '../mapping/keys'
import { type ColumnMapping, isComputedColumn } from '../mapping/mapping'
import { EMPTY_SQL, join, type Sql, sqlTag } from '../sql/sql'

/** One key of an order that is total. */
export interface SortTerm {
  readonly expression: Sql
  /** The expression that rows are sorted by, if it differs from the value. */
  readonly sortExpression?: Sql
  /** `ownColumn`: of the rows' table itself, where an index can be on it. */
  readonly kind: 'ownColumn' | 'column' | 'computed'
  readonly range: ValueConstraints
  readonly direction: SortKey['direction']
  /** `nullable`: nulls last. */
  readonly nulls: 'nullable' | 'nullsFirst' | 'notNullable'
  /** The position of the column in an id with several columns. */
  readonly part?: { readonly whole: ValueConstraints; readonly place: number }
  /** The column of an id that a transformer makes. */
  readonly transformedId?: ColumnMapping
}

/** The terms of `order by`; nulls last in both directions, on every database. */
export function orderByList(terms: readonly SortTerm[], { mapping }: SqlScope): Sql {
  return join(
    terms.map(({ expression, sortExpression = expression, direction, nulls }) => {
      return mapping.dialect.orderBy(sortExpression, direction, nulls)
    }),
    ', ',
  )
}

export function compileSortKeys(keys: readonly SortKey[], scope: SqlScope): readonly SortTerm[] {
  return keys.flatMap((key) => termsOf(key, scope))
}

function termsOf({ by, direction }: SortKey, scope: SqlScope): readonly SortTerm[] {
  const nulls = isNeverNull(by, scope.type) ? 'notNullable' : 'nullable'
  const kind = kindOf(by, scope)
  const whole = constraintsOfOperand(by)
  const { parts } = whole
  const term = { kind, direction, nulls } as const
  if (by.kind !== 'attributePath' || parts === undefined) {
    const own = { ...term, ...transformedAt(by, scope), expression: compileKey(by, scope), range: whole }
    return [inDeclaredOrder(own, by, scope)]
  }
  const columns = branchOnly(by, scope)
  return parts.map((range, place) => {
    return inDeclaredOrder(
      { ...term, expression: columns[place] ?? EMPTY_SQL, range, part: { whole, place } },
      by,
      scope,
    )
  })
}

/** An order by any other attribute with a transformer has no cursors. */
function transformedAt(by: SortKey['by'], { mapping }: SqlScope): Pick<SortTerm, 'transformedId'> {
  if (!isTransformedId(by)) return {}
  const [transformed] = columnsOfPath(mapping, by)
  return transformed === undefined ? {} : { transformedId: transformed }
}

function kindOf(by: SortKey['by'], { type, mapping }: SqlScope): SortTerm['kind'] {
  if (by.kind !== 'attributePath') return 'computed'
  if (columnsOfPath(mapping, by).some(isComputedColumn)) return 'computed'
  if (isFieldOfEveryRow(by, type)) return 'ownColumn'
  return by.only === undefined && isA(endTypeOf(by, type), by.type) ? 'column' : 'computed'
}

/** Enums that the database would sort otherwise. */
function inDeclaredOrder(term: SortTerm, by: SortKey['by'], scope: SqlScope): SortTerm {
  const { sortsEnumsByDeclaration } = scope.mapping.dialect
  const isSorted =
    sortsEnumsByDeclaration === 'everywhere' ||
    (sortsEnumsByDeclaration === 'asColumns' && term.kind !== 'computed' && isOfOneTable(by, scope))
  if (term.range.valueType !== 'enum' || isSorted) return term
  return { ...term, sortExpression: compileEnumIndex(term.expression, term.range) }
}

/** A column of a union is not a column of one table. */
function isOfOneTable(by: SortKey['by'], { type, mapping }: SqlScope): boolean {
  return by.kind === 'attributePath' && mapping.tableOf(endTypeOf(by, type)).concreteTables.length === 1
}

function endTypeOf({ steps }: AttributePath, type: ResourceType): ResourceType {
  return steps.at(-1)?.relationship.target ?? type
}

function compileKey(by: Exclude<Argument, Literal>, scope: SqlScope): Sql {
  switch (by.kind) {
    case 'attributePath':
      return branchOnly(by, scope)[0] ?? EMPTY_SQL
    case 'count':
      return countWherePossible(by, scope)
    case 'functionCall':
      return compileCustomFunctionCall(by, scope, compileKey)
    default:
      return assertNever(by)
  }
}

/** Rows without the relationship, or whose path breaks, have no value for the sort key. In filters they count as having no related rows. */
function countWherePossible(count: Count, scope: SqlScope): Sql {
  const { path } = count
  const counted = compileRelatedCount(count, scope)
  if (isFieldOfEveryRow(path, scope.type)) return counted
  const left = joinSteps(scope, path.steps, compileFilter)
  const branch = [...subtypeConditions(left, path.type), ...storedTypeConditions(left, path.only)]
  const conditions = branch.length > 0 ? branch : [sqlTag`${firstKeyColumn(left)} is not null`]
  return sqlTag`case when ${join(conditions, ' and ')} then ${counted} end`
}

/** Rows of other branches have no value for the sort key, whatever the column holds. */
function branchOnly(path: AttributePath, scope: SqlScope): KeySql {
  const columns = compileAttribute(path, scope)
  const [condition] = subtypeConditions(joinSteps(scope, path.steps, compileFilter), path.type)
  return condition === undefined ? columns : columns.map((column) => sqlTag`case when ${condition} then ${column} end`)
}
