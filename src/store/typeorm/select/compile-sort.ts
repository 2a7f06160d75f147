import { assertNever } from '../../../errors/invariant'
import { isSameOrDerivedType } from '../../../graph/model/inheritance'
import type { ResourceType } from '../../../graph/model/resource-graph'
import type { ValueConstraints } from '../../../graph/model/value-type'
import type { ReadPlanLayer } from '../../../plan/read-plan'
import type { AttributePath, CountOperand, FunctionArgument, Literal, SortKeyNode } from '../../../query/tree/ast'
import { isTransformedIdOperand, valueConstraintsOfOperand } from '../../../query/tree/comparability'
import { isFieldOfEveryRow, isSortKeyNeverNull } from '../../../query/tree/sort-key'
import { compileCustomFunctionCall } from '../filters/compile-custom-function-call'
import { compileAttributePath, compileCountExpression, compileFilter } from '../filters/compile-filter'
import { compileEnumPosition } from '../filters/enum-order'
import { leftJoinedSqlScope } from '../joins/joins'
import type { KeyColumnsSql } from '../joins/key-conditions'
import { qualifiedFirstKeyColumn, type SqlScope, storedTypeConditions, subtypeConditions } from '../joins/scope'
import { type ColumnMapping, isVirtualColumnOrEmbeddedObject } from '../mapping/database-mapping'
import { columnsOfAttributePath } from '../mapping/keys'
import { EMPTY_SQL, joinSql, type Sql, sqlTag } from '../sql/sql'

/** One term of a total order. */
export interface SqlSortTerm {
  readonly expression: Sql
  /** The expression that rows are sorted by, if it differs from the value. */
  readonly sortExpression?: Sql
  /** `ownColumn`: a column of the table of the rows, which can have an index. */
  readonly kind: 'ownColumn' | 'column' | 'computed'
  readonly constraints: ValueConstraints
  readonly direction: SortKeyNode['direction']
  /** `nullable`: nulls last. */
  readonly nulls: 'nullable' | 'nullsFirst' | 'notNullable'
  /** The position of the column in an id with several columns. */
  readonly part?: { readonly whole: ValueConstraints; readonly index: number }
  /** The column of an id that has a transformer. */
  readonly transformedId?: ColumnMapping
}

/** Returns true if rows are sorted by their id alone. */
export function isSortedOnlyById({ sort: [first, ...rest], type }: Pick<ReadPlanLayer, 'sort' | 'type'>): boolean {
  if (first?.by.kind !== 'attributePath' || rest.length > 0) return false
  return isFieldOfEveryRow(first.by, type) && first.by.attribute === type.id
}

/** Compiles the terms of `order by`. Nulls come last in both directions on every database. */
export function compileOrderByTerms(terms: readonly SqlSortTerm[], { mapping }: SqlScope): Sql {
  return joinSql(
    terms.map(({ expression, sortExpression = expression, direction, nulls }) => {
      return mapping.dialect.orderBy(sortExpression, direction, nulls)
    }),
    ', ',
  )
}

export function compileSortKeys(keys: readonly SortKeyNode[], scope: SqlScope): readonly SqlSortTerm[] {
  return keys.flatMap((key) => termsOf(key, scope))
}

function termsOf({ by, direction }: SortKeyNode, scope: SqlScope): readonly SqlSortTerm[] {
  const nulls = isSortKeyNeverNull(by, scope.type) ? 'notNullable' : 'nullable'
  const kind = kindOf(by, scope)
  const whole = valueConstraintsOfOperand(by)
  const { parts } = whole
  const term = { kind, direction, nulls } as const
  if (by.kind !== 'attributePath' || parts === undefined) {
    const single = { ...term, ...transformedIdOf(by, scope), expression: compileKey(by, scope), constraints: whole }
    return [withEnumOrder(single, by, scope)]
  }
  const columns = compileAttributeOfSubtype(by, scope)
  return parts.map((constraints, index) => {
    return withEnumOrder(
      { ...term, expression: columns[index] ?? EMPTY_SQL, constraints, part: { whole, index } },
      by,
      scope,
    )
  })
}

/** Returns the column of an id with a transformer. Cursors don't support other attributes with a transformer. */
function transformedIdOf(by: SortKeyNode['by'], { mapping }: SqlScope): Pick<SqlSortTerm, 'transformedId'> {
  if (!isTransformedIdOperand(by)) return {}
  const [transformedId] = columnsOfAttributePath(mapping, by)
  return transformedId === undefined ? {} : { transformedId }
}

function kindOf(by: SortKeyNode['by'], { type, mapping }: SqlScope): SqlSortTerm['kind'] {
  if (by.kind !== 'attributePath') return 'computed'
  if (columnsOfAttributePath(mapping, by).some(isVirtualColumnOrEmbeddedObject)) return 'computed'
  if (isFieldOfEveryRow(by, type)) return 'ownColumn'
  return by.only === undefined && isSameOrDerivedType(endTypeOf(by, type), by.type) ? 'column' : 'computed'
}

/** Sorts an enum by its index in the declaration, if the database would sort it differently. */
function withEnumOrder(term: SqlSortTerm, by: SortKeyNode['by'], scope: SqlScope): SqlSortTerm {
  const { sortsEnumsByDeclaration } = scope.mapping.dialect
  const sortsAsDeclared =
    sortsEnumsByDeclaration === 'everywhere' ||
    (sortsEnumsByDeclaration === 'asColumns' && term.kind !== 'computed' && isOfOneTable(by, scope))
  if (term.constraints.valueType !== 'enum' || sortsAsDeclared) return term
  return { ...term, sortExpression: compileEnumPosition(term.expression, term.constraints) }
}

/** Returns true if the attribute is a column of one table, and not of a union. */
function isOfOneTable(by: SortKeyNode['by'], { type, mapping }: SqlScope): boolean {
  return by.kind === 'attributePath' && mapping.tableOf(endTypeOf(by, type)).tableRowSources.length === 1
}

function endTypeOf({ steps }: AttributePath, type: ResourceType): ResourceType {
  return steps.at(-1)?.relationship.target ?? type
}

function compileKey(by: Exclude<FunctionArgument, Literal>, scope: SqlScope): Sql {
  switch (by.kind) {
    case 'attributePath':
      return compileAttributeOfSubtype(by, scope)[0] ?? EMPTY_SQL
    case 'count':
      return countOrNull(by, scope)
    case 'functionCall':
      return compileCustomFunctionCall(by, scope, compileKey)
    default:
      return assertNever(by)
  }
}

/** Counts related rows; null for rows without the relationship or without a row at a step of the path. In filters, such rows count 0. */
function countOrNull(count: CountOperand, scope: SqlScope): Sql {
  const { path } = count
  const countSql = compileCountExpression(count, scope)
  if (isFieldOfEveryRow(path, scope.type)) return countSql
  const left = leftJoinedSqlScope(scope, path.steps, compileFilter)
  const typeConditions = [...subtypeConditions(left, path.type), ...storedTypeConditions(left, path.only)]
  const conditions = typeConditions.length > 0 ? typeConditions : [sqlTag`${qualifiedFirstKeyColumn(left)} is not null`]
  return sqlTag`case when ${joinSql(conditions, ' and ')} then ${countSql} end`
}

/** Compiles an attribute of a subtype; null for rows of other types, whatever their column contains. */
function compileAttributeOfSubtype(path: AttributePath, scope: SqlScope): KeyColumnsSql {
  const columns = compileAttributePath(path, scope)
  const [condition] = subtypeConditions(leftJoinedSqlScope(scope, path.steps, compileFilter), path.type)
  return condition === undefined ? columns : columns.map((column) => sqlTag`case when ${condition} then ${column} end`)
}
