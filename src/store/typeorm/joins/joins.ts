import { InvariantError } from '../../../errors/invariant'
import { isA } from '../../../graph/model/inheritance'
import { isManyToOneOrMany, type ToMany, type ToOne } from '../../../graph/model/resource-graph'
import type { Filter, RelationshipStep } from '../../../query/tree/ast'
import type { CreateFromItem, ForeignKeyColumn, RelationMapping } from '../mapping/mapping'
import { EMPTY_SQL, join, rawSql, type Sql, sqlTag } from '../sql/sql'
import { compileJunctionJoin, type JunctionRelation } from './junction-table'
import { asRowValue, type KeySql, keyColumnsEqual } from './key-conditions'
import {
  compileFromItem,
  createJoins,
  exceedsJoinLimit,
  foreignKeyColumns,
  innerScope,
  keyColumns,
  liveRowOfTypeConditions,
  type SqlScope,
  storedTypeConditions,
  subtypeConditions,
} from './scope'

type CompileFilter = (filter: Filter, scope: SqlScope) => Sql

/** The rows at the end of to-one relationships: joined to the left, so that rows without one stay. */
export function joinSteps(scope: SqlScope, steps: readonly RelationshipStep[], compileFilter: CompileFilter): SqlScope {
  return steps.reduce((left, step) => joinStep(left, step, compileFilter), scope)
}

/** By what the rows at the end of a to-many relationship belong to one at its left. */
export interface ToManyJoin {
  readonly condition: Sql
  /** Joins the table of pairs that stands between them, if there is one. */
  readonly junctionJoin: Sql
  /** The key of the source, in the related rows or in the junction table. */
  readonly leftKey: KeySql
}

export function joinToMany(left: SqlScope, relationship: ToMany, right: SqlScope): ToManyJoin {
  const link = left.mapping.relationOf(relationship)
  if (link.kind !== 'junction') {
    const leftKey = link.kind === 'inverse' ? foreignKeyColumns(right, link.columns) : keyColumns(right)
    return { condition: isLinkedByKey(left, link, right), junctionJoin: EMPTY_SQL, leftKey }
  }
  const { sourceKey, joined } = compileJunctionJoin(link, right)
  return { condition: keyColumnsEqual(sourceKey, keyColumns(left)), junctionJoin: joined, leftKey: sourceKey }
}

function linkToOne(left: SqlScope, relationship: ToOne, right: SqlScope): Sql {
  const link = left.mapping.relationOf(relationship)
  if (link.kind === 'junction') throw new InvariantError(`'${relationship.name}' is to-one, but has a junction table.`)
  return isLinkedByKey(left, link, right)
}

function isLinkedByKey(left: SqlScope, link: Exclude<RelationMapping, JunctionRelation>, right: SqlScope): Sql {
  return link.kind === 'owning'
    ? keyColumnsEqual(keyColumns(right), foreignKeyColumns(left, link.columns))
    : isReferring(right, link.columns, keyColumns(left))
}

/** If the foreign key lies in a table that can't be joined here, the rows are found in that table by its index. */
function isReferring(scope: SqlScope, columns: readonly ForeignKeyColumn[], key: KeySql): Sql {
  const [first] = columns
  const extension = first && scope.table.joinedColumns.get(first.column)
  if (extension === undefined || scope.joinedTables !== undefined)
    return keyColumnsEqual(foreignKeyColumns(scope, columns), key)
  const inner = scope.nextAlias()
  const { joinedColumns } = scope.table
  const foreign = columns.map(({ column }) => rawSql(`${inner}.${joinedColumns.get(column)?.column ?? column}`))
  const own = extension.key.map((column) => rawSql(`${inner}.${column}`))
  const from = rawSql(`${extension.table} ${inner}`)
  return sqlTag`${asRowValue(keyColumns(scope))} in (select ${join(own, ', ')} from ${from} where ${keyColumnsEqual(foreign, key)})`
}

/** A reading rule about rows that are in scope already; joins of its own stay within it. */
export function ruleCondition(scope: SqlScope, rule: Filter | undefined, compileFilter: CompileFilter): readonly Sql[] {
  if (rule === undefined) return []
  const alone: SqlScope = { ...scope, joins: createJoins() }
  const condition = compileFilter(rule, alone)
  if (alone.joins.texts.length === 0) return [condition]
  const again = innerScope(scope, scope.type)
  const repeated = sqlTag`${keyColumnsEqual(keyColumns(again), keyColumns(scope))} and ${compileFilter(rule, again)}`
  return [scope.mapping.dialect.exists(sqlTag`select 1 from ${compileFromItem(again)} where ${repeated}`)]
}

function joinStep(left: SqlScope, step: RelationshipStep, compileFilter: CompileFilter): SqlScope {
  const key = joinKey(left, step)
  const known = left.joins.scopes.get(key)
  if (known !== undefined) return known
  const { joins } = left
  const inner = innerScope(left, step.relationship.target)
  const { alias, table, mapping } = inner
  const looksInto = mapping.dialect.pushesPredicatesIntoUnions === 'everywhere'
  const isOne = looksInto || exceedsJoinLimit(joins, table.concreteTables.length)
  const branches = isOne ? [{ fromItem: table.fromItem, columns: undefined }] : table.concreteTables
  // Else all of the united tables would be read to find one row: each is joined by itself, and has the row or not.
  const unionAliases = branches.map(({ columns }, place) => ({ alias: `${alias}_${place}`, columns }))
  const joinRows = looksInto && table.concreteTables.length > 1 && isDeepJoin(joins) ? joinFirst : joinAll
  const joinedTables = { texts: joins.texts, aliases: new Set<string>() }
  const right: SqlScope = {
    ...inner,
    depth: left.depth,
    runsOnce: left.runsOnce,
    mayRepeat: left.mayRepeat || isManyToOneOrMany(step.relationship),
    joins,
    joinedTables,
    unionAliases: unionAliases.length === 1 ? undefined : unionAliases,
  }
  joins.scopes.set(key, right)
  for (const [place, { fromItem }] of branches.entries()) {
    const own = { ...right, unionAliases: undefined, alias: (right.unionAliases?.[place] ?? right).alias }
    joinRows(own, conditionsOfStep(left, step, own, compileFilter), fromItem)
  }
  return right
}

function conditionsOfStep(
  left: SqlScope,
  step: RelationshipStep,
  right: SqlScope,
  compileFilter: CompileFilter,
): readonly Sql[] {
  // Joins of these rows come after them, too late for the condition of their own join.
  const within: SqlScope = { ...right, joinedTables: undefined }
  return [
    linkToOne(left, step.relationship, within),
    ...subtypeConditions(left, step.type),
    ...storedTypeConditions(left, step.only),
    ...liveRowOfTypeConditions(within),
    ...ruleCondition(within, step.rule, compileFilter),
  ]
}

type JoinRows = (scope: SqlScope, conditions: readonly Sql[], source: CreateFromItem) => void

const joinAll: JoinRows = ({ joins, alias, usedColumns }, conditions, source) => {
  joins.texts.push(() => sqlTag`left join ${rawSql(`${source(usedColumns)} ${alias}`)} on ${join(conditions, ' and ')}`)
}

/** `limit 1`, because the database does not know that the key of a union is unique. */
const joinFirst: JoinRows = ({ joins, alias, usedColumns }, conditions, source) => {
  joins.texts.push(() => {
    const rows = sqlTag`select ${rawSql(`${alias}.*`)} from ${rawSql(`${source(usedColumns)} ${alias}`)}`
    const first = sqlTag`${rows} where ${join(conditions, ' and ')} limit 1`
    return sqlTag`left join lateral (${first}) ${rawSql(alias)} on true`
  })
}

/** PostgreSQL expects each join of united tables to multiply the rows: twenty, of 21 rows, took half a minute in place of 4 ms. */
function isDeepJoin({ texts }: SqlScope['joins']): boolean {
  return texts.length >= DEEP_JOIN
}

const DEEP_JOIN = 3

/**
 * Everything that the conditions of a join follow from. The same path can lead to other rows elsewhere in the statement: behind `isType` no
 * branch is checked, and a reading rule sees what is hidden from clients. All rules of one target are one.
 */
function joinKey({ alias, type }: SqlScope, { relationship, type: branch, only, rule }: RelationshipStep): string {
  const from = only ?? (isA(type, branch) ? undefined : branch.concreteTypes)
  const types = from?.map(({ name }) => name).join(' ') ?? 'all'
  return `${alias} ${relationship.declaringType.name}.${relationship.name} ${types} ${rule === undefined ? 'free' : 'ruled'}`
}
