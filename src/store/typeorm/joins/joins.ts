import { InvariantError } from '../../../errors/invariant'
import { isSameOrDerivedType } from '../../../graph/model/inheritance'
import type { ToManyRelationship, ToOneRelationship } from '../../../graph/model/resource-graph'
import type { FilterNode, ToOneStep } from '../../../query/tree/ast'
import type { ForeignKeyColumn, FromClauseItemBuilder, RelationMapping } from '../mapping/database-mapping'
import { EMPTY_SQL, joinSql, rawSql, type Sql, sqlTag } from '../sql/sql'
import { compileJunctionJoin, type JunctionRelationMapping } from './junction-table'
import { compileKeyColumnsEqual, type KeyColumnsSql, toSqlTuple } from './key-conditions'
import {
  compileTableAndJoins,
  createEmptyJoins,
  innerSqlScope,
  liveRowOfTypeConditions,
  qualifiedForeignKeyColumns,
  qualifiedKeyColumns,
  type SqlScope,
  storedTypeConditions,
  subtypeConditions,
  wouldExceedJoinLimit,
} from './scope'

type CompileFilter = (filter: FilterNode, scope: SqlScope) => Sql

/** Left-joins the rows at the end of to-one relationships. */
export function leftJoinedSqlScope(
  scope: SqlScope,
  steps: readonly ToOneStep[],
  compileFilter: CompileFilter,
): SqlScope {
  return steps.reduce((left, step) => joinStep(left, step, compileFilter), scope)
}

/** How the rows at the end of a to-many relationship are joined to a source row. */
interface ToManyJoin {
  readonly condition: Sql
  /** Joins the junction table, if the relationship has one. */
  readonly junctionJoin: Sql
  /** The key of the source, in the related rows or in the junction table. */
  readonly leftKey: KeyColumnsSql
}

export function compileToManyJoin(left: SqlScope, relationship: ToManyRelationship, right: SqlScope): ToManyJoin {
  const relation = left.mapping.relationOf(relationship)
  if (relation.kind !== 'junction') {
    const leftKey =
      relation.kind === 'inverse' ? qualifiedForeignKeyColumns(right, relation.columns) : qualifiedKeyColumns(right)
    return { condition: isLinkedByKey(left, relation, right), junctionJoin: EMPTY_SQL, leftKey }
  }
  const { sourceKey, joined } = compileJunctionJoin(relation, right)
  return {
    condition: compileKeyColumnsEqual(sourceKey, qualifiedKeyColumns(left)),
    junctionJoin: joined,
    leftKey: sourceKey,
  }
}

function linkToOne(left: SqlScope, relationship: ToOneRelationship, right: SqlScope): Sql {
  const relation = left.mapping.relationOf(relationship)
  if (relation.kind === 'junction')
    throw new InvariantError(`'${relationship.name}' is to-one, but has a junction table.`)
  return isLinkedByKey(left, relation, right)
}

function isLinkedByKey(
  left: SqlScope,
  relation: Exclude<RelationMapping, JunctionRelationMapping>,
  right: SqlScope,
): Sql {
  return relation.kind === 'owning'
    ? compileKeyColumnsEqual(qualifiedKeyColumns(right), qualifiedForeignKeyColumns(left, relation.columns))
    : isReferring(right, relation.columns, qualifiedKeyColumns(left))
}

/** Compares a foreign key with the key that it refers to. If its table can't be joined here, a subselect uses the index of that table. */
function isReferring(scope: SqlScope, columns: readonly ForeignKeyColumn[], key: KeyColumnsSql): Sql {
  const [first] = columns
  const extension = first && scope.table.joinedColumns.get(first.column)
  if (extension === undefined || scope.joinedTables !== undefined)
    return compileKeyColumnsEqual(qualifiedForeignKeyColumns(scope, columns), key)
  const inner = scope.nextAlias()
  const { joinedColumns } = scope.table
  const foreignKey = columns.map(({ column }) => rawSql(`${inner}.${joinedColumns.get(column)?.column ?? column}`))
  const ownKey = extension.key.map((column) => rawSql(`${inner}.${column}`))
  const from = rawSql(`${extension.table} ${inner}`)
  return sqlTag`${toSqlTuple(qualifiedKeyColumns(scope))} in (select ${joinSql(ownKey, ', ')} from ${from} where ${compileKeyColumnsEqual(foreignKey, key)})`
}

/** Compiles a reading rule for the rows of a scope. A rule that needs joins becomes a subselect, so that the joins stay inside it. */
export function compileRuleCondition(
  scope: SqlScope,
  rule: FilterNode | undefined,
  compileFilter: CompileFilter,
): readonly Sql[] {
  if (rule === undefined) return []
  const isolated: SqlScope = { ...scope, joins: createEmptyJoins() }
  const condition = compileFilter(rule, isolated)
  if (isolated.joins.texts.length === 0) return [condition]
  const inner = innerSqlScope(scope, scope.type)
  const innerCondition = sqlTag`${compileKeyColumnsEqual(qualifiedKeyColumns(inner), qualifiedKeyColumns(scope))} and ${compileFilter(rule, inner)}`
  return [scope.mapping.dialect.exists(sqlTag`select 1 from ${compileTableAndJoins(inner)} where ${innerCondition}`)]
}

function joinStep(left: SqlScope, step: ToOneStep, compileFilter: CompileFilter): SqlScope {
  const key = joinKey(left, step)
  const known = left.joins.scopes.get(key)
  if (known !== undefined) return known
  const { joins } = left
  const inner = innerSqlScope(left, step.relationship.target)
  const { alias, table, mapping } = inner
  const pushesPredicates = mapping.dialect.pushesPredicatesIntoUnions === 'everywhere'
  const joinsUnion = pushesPredicates || wouldExceedJoinLimit(joins, table.tableRowSources.length)
  const branches = joinsUnion ? [{ fromItem: table.fromItem, columns: undefined }] : table.tableRowSources
  // Each table of the union is joined separately. Otherwise the database would read all of them to find one row.
  const unionAliases = branches.map(({ columns }, index) => ({ alias: `${alias}_${index}`, columns }))
  const joinRows = pushesPredicates && table.tableRowSources.length > 1 && isDeepJoin(joins) ? joinFirst : joinAll
  const joinedTables = { texts: joins.texts, aliases: new Set<string>() }
  const right: SqlScope = {
    ...inner,
    depth: left.depth,
    runsOnce: left.runsOnce,
    mayRepeat: left.mayRepeat || step.relationship.relatedResourceCanBeShared,
    joins,
    joinedTables,
    unionAliases: unionAliases.length === 1 ? undefined : unionAliases,
  }
  joins.scopes.set(key, right)
  for (const [index, { fromItem }] of branches.entries()) {
    const branchScope = { ...right, unionAliases: undefined, alias: (right.unionAliases?.[index] ?? right).alias }
    joinRows(branchScope, conditionsOfStep(left, step, branchScope, compileFilter), fromItem)
  }
  return right
}

function conditionsOfStep(
  left: SqlScope,
  step: ToOneStep,
  right: SqlScope,
  compileFilter: CompileFilter,
): readonly Sql[] {
  // The condition can't use tables that are joined after it.
  const scope: SqlScope = { ...right, joinedTables: undefined }
  return [
    linkToOne(left, step.relationship, scope),
    ...subtypeConditions(left, step.type),
    ...storedTypeConditions(left, step.only),
    ...liveRowOfTypeConditions(scope),
    ...compileRuleCondition(scope, step.rule, compileFilter),
  ]
}

type JoinRows = (scope: SqlScope, conditions: readonly Sql[], source: FromClauseItemBuilder) => void

const joinAll: JoinRows = ({ joins, alias, usedColumns }, conditions, source) => {
  joins.texts.push(
    () => sqlTag`left join ${rawSql(`${source(usedColumns)} ${alias}`)} on ${joinSql(conditions, ' and ')}`,
  )
}

/** Joins with `limit 1`, because the database does not know that the key of a union is unique. */
const joinFirst: JoinRows = ({ joins, alias, usedColumns }, conditions, source) => {
  joins.texts.push(() => {
    const rows = sqlTag`select ${rawSql(`${alias}.*`)} from ${rawSql(`${source(usedColumns)} ${alias}`)}`
    const first = sqlTag`${rows} where ${joinSql(conditions, ' and ')} limit 1`
    return sqlTag`left join lateral (${first}) ${rawSql(alias)} on true`
  })
}

/** PostgreSQL assumes that each join of a union multiplies the rows: twenty joins for 21 rows took half a minute in place of 4 ms. */
function isDeepJoin({ texts }: SqlScope['joins']): boolean {
  return texts.length >= DEEP_JOIN
}

const DEEP_JOIN = 3

/**
 * Returns a key of everything that determines the conditions of a join. Equal paths can lead to different rows: `isType` makes the check of the
 * type unnecessary, and a reading rule sees rows that are hidden from clients. All steps to one target have the same rule.
 */
function joinKey({ alias, type }: SqlScope, { relationship, type: branch, only, rule }: ToOneStep): string {
  const from = only ?? (isSameOrDerivedType(type, branch) ? undefined : branch.concreteTypes)
  const types = from?.map(({ name }) => name).join(' ') ?? 'all'
  return `${alias} ${relationship.declaringType.name}.${relationship.name} ${types} ${rule === undefined ? 'free' : 'ruled'}`
}

/**
 * Selects the rows of a union that belong to the left row, before the filter applies. SQLite would flatten the union and repeat the conditions
 * around it for each table, which grows exponentially with the depth of nested subselects. `limit -1` prevents the flattening.
 */
export function unflattenedUnionFromItem(
  { alias, table }: SqlScope,
  { condition, junctionJoin }: ToManyJoin,
): FromClauseItemBuilder {
  return (usedColumns) =>
    `(select ${alias}.* from ${table.fromItem(usedColumns)} ${alias}${junctionJoin.text} where ${condition.text} limit -1)`
}
