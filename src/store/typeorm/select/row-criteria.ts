import type { Relationship, ResourceType } from '../../../graph/model/resource-graph'
import type { RowCriteriaByIdOrRelationship } from '../../../plan/read-plan'
import { Param } from '../../../query/tree/param'
import {
  compileKeyEqualsValue,
  compileKeyEqualsValueExactly,
  compileKeyInList,
  type KeyColumnsSql,
  toSqlTuple,
} from '../joins/key-conditions'
import {
  compileTableAndJoins,
  innerSqlScope,
  qualifiedForeignKeyColumns,
  qualifiedKeyColumns,
  type SqlScope,
} from '../joins/scope'
import type { DatabaseMapping, Key } from '../mapping/database-mapping'
import { getKeyOfCheckedId, keysOfValidIds } from '../mapping/keys'
import { EMPTY_SQL, joinSql, rawSql, type Sql, sqlTag } from '../sql/sql'

/** The criteria of a layer, with keys for ids. */
export type RowCriteriaByKeyOrRelationship =
  | { readonly kind: 'all' }
  | { readonly kind: 'one'; readonly key: Param<Key> }
  | { readonly kind: 'several'; readonly keys: Param<readonly Key[]> }
  | RelatedToSource
  | LinkingToRelated

interface RelatedToSource {
  readonly kind: 'relatedTo'
  readonly relationship: Relationship
  readonly sourceType: ResourceType
  readonly sourceKey: Param<Key>
  /** The keys of the related rows; `undefined`: all related rows. */
  readonly keys: Param<readonly Key[]> | undefined
}

interface LinkingToRelated {
  readonly kind: 'linkingTo'
  readonly relationship: Relationship
  readonly keys: Param<readonly Key[]>
}

/** Converts the ids of criteria to keys; `undefined` if no row can have any of the ids. */
export function convertCriteriaIdsToKeys(
  criteria: RowCriteriaByIdOrRelationship,
  type: ResourceType,
  mapping: DatabaseMapping,
): RowCriteriaByKeyOrRelationship | undefined {
  if (criteria.kind === 'all') return criteria
  if (criteria.kind === 'relatedTo') {
    const { relationship, source, ids } = criteria
    const sourceKey = new Param(getKeyOfCheckedId(mapping, source.type, source.id))
    const keys = ids && new Param(keysOfValidIds(mapping, type, ids))
    return { kind: 'relatedTo', relationship, sourceType: source.type, sourceKey, keys }
  }
  if (criteria.kind === 'linkingTo') {
    const { relationship, ids } = criteria
    return { kind: 'linkingTo', relationship, keys: new Param(keysOfValidIds(mapping, relationship.target, ids)) }
  }
  const keys = keysOfValidIds(mapping, type, criteria.ids)
  const [only, ...others] = keys
  if (only === undefined) return undefined
  return others.length === 0 ? { kind: 'one', key: new Param(only) } : { kind: 'several', keys: new Param(keys) }
}

/** Compiles criteria to conditions. `pairLock`: the clause that locks the pairs of a junction table. */
export function compileKeyOrRelationshipConditions(
  criteria: RowCriteriaByKeyOrRelationship,
  scope: SqlScope,
  pairLock = EMPTY_SQL,
): readonly Sql[] {
  if (criteria.kind === 'all') return []
  const { dialect } = scope.mapping
  const { key: keyMapping } = scope.table
  const columns = qualifiedKeyColumns(scope)
  switch (criteria.kind) {
    case 'relatedTo': {
      const isRelated = isRelatedTo(criteria, scope, pairLock)
      return criteria.keys === undefined
        ? [isRelated]
        : [isRelated, compileKeyInList(columns, criteria.keys, keyMapping, dialect)]
    }
    case 'linkingTo':
      return [isLinkingTo(criteria, scope)]
    case 'several':
      return [compileKeyInList(columns, criteria.keys, keyMapping, dialect)]
    case 'one':
      return compileKeyEqualsValueExactly(columns, criteria.key, keyMapping, dialect)
  }
}

/** Returns true if the criteria read links from a junction table. */
export function keyCriteriaUseJunction(criteria: RowCriteriaByKeyOrRelationship, mapping: DatabaseMapping): boolean {
  return (
    criteria.kind === 'relatedTo' &&
    criteria.keys === undefined &&
    mapping.relationOf(criteria.relationship).kind === 'junction'
  )
}

function isRelatedTo(criteria: RelatedToSource, scope: SqlScope, pairLock: Sql): Sql {
  const relation = scope.mapping.relationOf(criteria.relationship)
  const key = criteria.sourceKey
  const ownKey = qualifiedKeyColumns(scope)
  if (relation.kind === 'inverse')
    return compileKeyEqualsValue(qualifiedForeignKeyColumns(scope, relation.columns), key)
  if (relation.kind === 'owning') {
    const sourceScope = innerSqlScope(scope, criteria.sourceType)
    const foreignKey = joinSql(qualifiedForeignKeyColumns(sourceScope, relation.columns), ', ')
    const isSource = compileKeyEqualsValue(qualifiedKeyColumns(sourceScope), key)
    return sqlTag`${toSqlTuple(ownKey)} = (select ${foreignKey} from ${compileTableAndJoins(sourceScope)} where ${isSource})`
  }
  const pairs = sqlTag`select ${joinSql(relation.relatedColumns.map(rawSql), ', ')} from ${rawSql(relation.table)}`
  const isOfSource = compileKeyEqualsValue(relation.sourceColumns.map(rawSql), key)
  return sqlTag`${toSqlTuple(ownKey)} in (${pairs} where ${isOfSource}${pairLock})`
}

function isLinkingTo({ relationship, keys }: LinkingToRelated, scope: SqlScope): Sql {
  const { mapping } = scope
  const { target } = relationship
  const relation = mapping.relationOf(relationship)
  const isInKeys = (columns: KeyColumnsSql) =>
    compileKeyInList(columns, keys, mapping.tableOf(target).key, mapping.dialect)
  if (relation.kind === 'owning') return isInKeys(qualifiedForeignKeyColumns(scope, relation.columns))
  const ownKey = toSqlTuple(qualifiedKeyColumns(scope))
  if (relation.kind === 'inverse') {
    const relatedScope = innerSqlScope(scope, target)
    const foreignKey = joinSql(qualifiedForeignKeyColumns(relatedScope, relation.columns), ', ')
    const isRelated = isInKeys(qualifiedKeyColumns(relatedScope))
    return sqlTag`${ownKey} in (select ${foreignKey} from ${compileTableAndJoins(relatedScope)} where ${isRelated})`
  }
  const pairs = sqlTag`select ${joinSql(relation.sourceColumns.map(rawSql), ', ')} from ${rawSql(relation.table)}`
  return sqlTag`${ownKey} in (${pairs} where ${isInKeys(relation.relatedColumns.map(rawSql))})`
}

/** The keys of parent rows, whose related rows are read. */
export interface ParentKeys {
  /** `objectKeys`: keys with bytes or moments, which JSON can't represent. */
  readonly kind: 'plainKeys' | 'objectKeys'
  readonly keys: Param<readonly Key[]>
}

export function toParentKeysParam(keys: readonly Key[]): ParentKeys {
  const isPlain = keys.every((key) => key.every((part) => typeof part !== 'object'))
  return { kind: isPlain ? 'plainKeys' : 'objectKeys', keys: new Param(keys) }
}
