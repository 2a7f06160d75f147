import { createErrorDetails, JsonApiError } from '../../../errors/json-api-error'
import type { Relationship } from '../../../graph/model/resource-graph'
import type { RelatedIdentifierOrSelf, RelationshipChange } from '../../../plan/write-plan'
import type { DatabaseMapping, ForeignKeyColumn, Key, RelationMapping } from '../mapping/database-mapping'
import { getKeyOfCheckedId, isSameKeyPart } from '../mapping/keys'
import { boundValueSql, type Sql } from '../sql/sql'
import { type Assignments, assignmentsOfColumnValues, type ColumnValues } from './write-statements'

/** A to-one relationship whose foreign key is in the written row, with its new value. */
export interface OwnedForeignKeyChange {
  readonly relationship: Relationship
  /** `null`: clears the relationship. `undefined`: the row itself, before its key is known. */
  readonly key: Key | null | undefined
  readonly relation: Extract<RelationMapping, { kind: 'owning' }>
}

/** Returns the foreign keys of the written row. `ownKey`: the key of 'self'; `undefined` before the row has one. */
export function toOwnedForeignKeyChanges(
  relationshipChanges: readonly RelationshipChange[],
  mapping: DatabaseMapping,
  ownKey: Key | undefined,
): readonly OwnedForeignKeyChange[] {
  return relationshipChanges.flatMap(({ relationship, related: [related] }) => {
    const relation = mapping.relationOf(relationship)
    if (relation.kind !== 'owning') return []
    return [
      { relationship, key: related === undefined ? null : keyOfRelatedOrSelf(mapping, related, ownKey), relation },
    ]
  })
}

export function keyOfRelatedOrSelf<Own extends Key | undefined>(
  mapping: DatabaseMapping,
  related: RelatedIdentifierOrSelf,
  ownKey: Own,
): Key | Own {
  return related === 'self' ? ownKey : getKeyOfCheckedId(mapping, related.type, related.id)
}

/** Returns the assignments of these foreign keys. */
export function assignmentsOfForeignKeys(keys: readonly OwnedForeignKeyChange[]): Assignments {
  const assignments = new Map<string, Sql>()
  for (const { relation, key } of keys) {
    if (key === undefined) continue
    for (const [column, part] of foreignKeyValues(relation.columns, key)) assignments.set(column, boundValueSql(part))
  }
  return assignments
}

/** Returns the assignments of a foreign key, except columns of the primary key. `null` clears it. */
export function assignmentsOfForeignKey(columns: readonly ForeignKeyColumn[], key: Key | null): Assignments {
  return assignmentsOfColumnValues(foreignKeyValues(columns, key))
}

/** Returns the values of the columns of a foreign key; null values if the key is cleared. */
export function foreignKeyValues(columns: readonly ForeignKeyColumn[], key: Key | null): ColumnValues {
  const values = new Map<string, unknown>()
  for (const [index, { column, primaryKeyIndex, isSetNull }] of columns.entries()) {
    if (key === null ? isSetNull : primaryKeyIndex === undefined) values.set(column, key === null ? null : key[index])
  }
  return values
}

/** Throws if foreign keys that share a column have different values for it. */
export function ensureForeignKeysAgree(keys: readonly OwnedForeignKeyChange[]): void {
  const assigned = new Map<string, unknown>()
  for (const { relationship, key, relation } of keys) {
    for (const [column, part] of key === undefined ? [] : foreignKeyValues(relation.columns, key)) {
      if (assigned.has(column) && !isSameKeyPart(assigned.get(column), part))
        throw overlappingForeignKeyChangeError(relationship)
      assigned.set(column, part)
    }
  }
}

export function overlappingForeignKeyChangeError({ name }: Relationship): JsonApiError {
  const detail = `Expected a value that keeps other relationships: '${name}' shares a column with one of them and would change it.`
  return new JsonApiError([{ ...createErrorDetails('resource.id-mismatch', detail), field: name }])
}

/** Returns true if the columns that the primary key of a row shares with a foreign key have the values of `other`. */
export function foreignKeyValuesAgreeWithPrimaryKey(
  key: Key,
  columns: readonly ForeignKeyColumn[],
  other: Key,
): boolean {
  return columns.every(
    ({ primaryKeyIndex }, index) => primaryKeyIndex === undefined || isSameKeyPart(key[primaryKeyIndex], other[index]),
  )
}

/** Clients can't change attributes of the key, so a rule would. The attribute may be hidden, so the error does not name it. */
export function idChangeByRuleError(): JsonApiError {
  const detail = 'Expected values that keep the id: a rule would change a part of it.'
  return new JsonApiError([{ ...createErrorDetails('resource.id-mismatch', detail), field: 'id' }])
}

export function idPartChangeError({ name }: Relationship): JsonApiError {
  const detail = `Expected a value that keeps the id: '${name}' would change a part of it.`
  return new JsonApiError([{ ...createErrorDetails('resource.id-mismatch', detail), field: name }])
}
