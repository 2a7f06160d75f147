import { InvariantError } from '../../errors/invariant'
import { isA } from '../../graph/inheritance'
import type { ToMany, ToOne } from '../../graph/resource-graph'
import type { Filter, Hop } from '../../query/ast'
import { areSame, asRow, type KeySql } from './key-sql'
import type { ForeignColumn, RelationMapping, Source } from './mapping'
import { joinPairs, type PairsOfTable } from './pairs'
import {
  branchCondition,
  extensionsIn,
  foreignColumns,
  fromClause,
  innerScope,
  isCrowded,
  keyColumns,
  noJoins,
  onlyCondition,
  presence,
  type Scope,
} from './scope'
import { identifier, join, NOTHING, type Sql, toSql } from './sql'

export type CompileFilter = (filter: Filter, scope: Scope) => Sql

/** The rows at the end of to-one relationships: joined to the left, so that rows without one stay. */
export function followHops(scope: Scope, hops: readonly Hop[], compileFilter: CompileFilter): Scope {
  return hops.reduce((left, hop) => followHop(left, hop, compileFilter), scope)
}

/** By what the rows at the end of a to-many relationship belong to one at its left. */
export interface ManyLink {
  readonly condition: Sql
  /** Joins the table of pairs that stands between them, if there is one. */
  readonly pairs: Sql
}

export function linkToMany(left: Scope, relationship: ToMany, right: Scope): ManyLink {
  const link = left.mapping.relationOf(relationship)
  if (link.kind !== 'junction') return { condition: isLinkedByKey(left, link, right), pairs: NOTHING }
  const { lefts, joined } = joinPairs(link, right)
  return { condition: areSame(lefts, keyColumns(left)), pairs: joined }
}

function linkToOne(left: Scope, relationship: ToOne, right: Scope): Sql {
  const link = left.mapping.relationOf(relationship)
  if (link.kind === 'junction')
    throw new InvariantError(`'${relationship.name}' leads to one, through a table of pairs.`)
  return isLinkedByKey(left, link, right)
}

function isLinkedByKey(left: Scope, link: Exclude<RelationMapping, PairsOfTable>, right: Scope): Sql {
  return link.kind === 'keyOnLeft'
    ? areSame(keyColumns(right), foreignColumns(left, link.columns))
    : isReferring(right, link.columns, keyColumns(left))
}

/** Where the foreign key lies in a table that can't be joined here, the rows that have it are looked up there, by its index. */
function isReferring(scope: Scope, columns: readonly ForeignColumn[], key: KeySql): Sql {
  const [first] = columns
  const extension = first && scope.table.extensions.get(first.column)
  if (extension === undefined || scope.extensions !== undefined) return areSame(foreignColumns(scope, columns), key)
  const inner = scope.nextAlias()
  const { extensions } = scope.table
  const foreign = columns.map(({ column }) => identifier(`${inner}.${extensions.get(column)?.column ?? column}`))
  const own = extension.key.map((column) => identifier(`${inner}.${column}`))
  const from = identifier(`${extension.table} ${inner}`)
  return toSql`${asRow(keyColumns(scope))} in (select ${join(own, ', ')} from ${from} where ${areSame(foreign, key)})`
}

/** A reading rule about rows that are in scope already; joins of its own stay within it. */
export function ruleCondition(scope: Scope, rule: Filter | undefined, compileFilter: CompileFilter): readonly Sql[] {
  if (rule === undefined) return []
  const alone: Scope = { ...scope, joins: noJoins() }
  const condition = compileFilter(rule, alone)
  if (alone.joins.texts.length === 0) return [condition]
  const again = innerScope(scope, scope.type)
  const repeated = toSql`${areSame(keyColumns(again), keyColumns(scope))} and ${compileFilter(rule, again)}`
  return [scope.mapping.dialect.exists(toSql`select 1 from ${fromClause(again)} where ${repeated}`)]
}

function followHop(left: Scope, hop: Hop, compileFilter: CompileFilter): Scope {
  const key = joinKey(left, hop)
  const known = left.joins.scopes.get(key)
  if (known !== undefined) return known
  const { joins } = left
  const inner = innerScope(left, hop.relationship.target)
  const { alias, table, mapping } = inner
  const looksInto = mapping.dialect.looksIntoUnions === 'everywhere'
  const isOne = looksInto || isCrowded(joins, table.branches.length)
  const branches = isOne ? [{ source: table.source, columns: undefined }] : table.branches
  // Else all of the united tables would be read to find one row: each is joined by itself, and has the row or not.
  const united = branches.map(({ columns }, place) => ({ alias: `${alias}_${place}`, columns }))
  const joinRows = looksInto && table.branches.length > 1 && isFarOff(joins) ? joinFirst : joinAll
  const extensions = extensionsIn(joins)
  const right: Scope = {
    ...inner,
    depth: left.depth,
    joins,
    extensions,
    united: united.length === 1 ? undefined : united,
  }
  joins.scopes.set(key, right)
  for (const [place, { source }] of branches.entries()) {
    const own = { ...right, united: undefined, alias: (right.united?.[place] ?? right).alias }
    joinRows(own, conditionsOfHop(left, hop, own, compileFilter), source)
  }
  return right
}

function conditionsOfHop(left: Scope, hop: Hop, right: Scope, compileFilter: CompileFilter): readonly Sql[] {
  // What is joined to the rows comes behind them, too late for the condition that they are joined by.
  const within: Scope = { ...right, extensions: undefined }
  return [
    linkToOne(left, hop.relationship, within),
    ...branchCondition(left, hop.type),
    ...onlyCondition(left, hop.only),
    ...presence(within),
    ...ruleCondition(within, hop.rule, compileFilter),
  ]
}

type JoinRows = (scope: Scope, conditions: readonly Sql[], source: Source) => void

const joinAll: JoinRows = ({ joins, alias, asked }, conditions, source) => {
  joins.texts.push(() => toSql`left join ${identifier(`${source(asked)} ${alias}`)} on ${join(conditions, ' and ')}`)
}

/** There is no other, which the database does not know of united tables. */
const joinFirst: JoinRows = ({ joins, alias, asked }, conditions, source) => {
  joins.texts.push(() => {
    const rows = toSql`select ${identifier(`${alias}.*`)} from ${identifier(`${source(asked)} ${alias}`)}`
    const first = toSql`${rows} where ${join(conditions, ' and ')} limit 1`
    return toSql`left join lateral (${first}) ${identifier(alias)} on true`
  })
}

/** PostgreSQL expects each join of united tables to multiply the rows: twenty, of 21 rows, took half a minute in place of 4 ms. */
function isFarOff({ texts }: Scope['joins']): boolean {
  return texts.length >= NEAR
}

const NEAR = 3

/**
 * Everything that the conditions of a join follow from. The same path can lead to other rows elsewhere in the statement: behind `isType` no
 * branch is checked, and a reading rule sees what is hidden from clients. All rules of one target are one.
 */
function joinKey({ alias, type }: Scope, { relationship, type: branch, only, rule }: Hop): string {
  const from = only ?? (isA(type, branch) ? undefined : branch.concreteTypes)
  const types = from?.map(({ name }) => name).join(' ') ?? 'all'
  return `${alias} ${relationship.declaringType.name}.${relationship.name} ${types} ${rule === undefined ? 'free' : 'ruled'}`
}
