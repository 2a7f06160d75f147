import { areSame, type KeySql } from './key-sql'
import type { RelationMapping } from './mapping'
import { keyColumns, type Scope } from './scope'
import { identifier, type Sql, toSql } from './sql'

export type PairsOfTable = Extract<RelationMapping, { kind: 'junction' }>

/** A table of pairs that stands between the rows of a statement and those at the left of a relationship. */
interface Pairs {
  /** With its alias. */
  readonly table: Sql
  readonly lefts: KeySql
  readonly rights: KeySql
}

export function openPairs({ table, leftColumns, rightColumns }: PairsOfTable, right: Scope): Pairs {
  const alias = right.nextAlias()
  const inPair = (columns: readonly string[]) => columns.map((column) => identifier(`${alias}.${column}`))
  return { table: identifier(`${table} ${alias}`), lefts: inPair(leftColumns), rights: inPair(rightColumns) }
}

interface JoinedPairs extends Pick<Pairs, 'lefts'> {
  readonly joined: Sql
}

/** Behind the rows, so that these are found by the pairs, and not looked at one by one. */
export function joinPairs(pairs: PairsOfTable, right: Scope): JoinedPairs {
  const { table, lefts, rights } = openPairs(pairs, right)
  return { lefts, joined: toSql` join ${table} on ${areSame(rights, keyColumns(right))}` }
}
