import { hasField, isA } from '../../../src/graph/inheritance'
import type {
  Attribute,
  Relationship,
  ResourceGraph,
  ResourceType,
  StoredType,
} from '../../../src/graph/resource-graph'

/** A row as it is in the database, kept beside it: values as `ValueType` has them held, links from both ends. */
export interface Row {
  readonly type: StoredType
  readonly id: string
  readonly values: Map<Attribute, unknown>
  readonly related: Map<Relationship, readonly Row[]>
}

/** None where the row has no such relationship. */
export function relatedRows(row: Row, relationship: Relationship): readonly Row[] {
  return hasField(row.type, relationship) ? (row.related.get(relationship) ?? []) : []
}

export function rowsOfType(rows: readonly Row[], type: ResourceType): readonly Row[] {
  return rows.filter((row) => isA(row.type, type))
}

/** All that are stored, but for nulls. */
export function valuesIn(rows: readonly Row[]): (attribute: Attribute) => readonly unknown[] {
  return (attribute) => rows.map(({ values }) => values.get(attribute) ?? null).filter((value) => value !== null)
}

export function keyOf({ type, id }: Row): string {
  return `${type.name} ${id}`
}

export function linkRows(left: Row, relationship: Relationship, right: Row): void {
  append(left, relationship, right)
  if (relationship.inverse !== undefined) append(right, relationship.inverse, left)
}

function append(row: Row, relationship: Relationship, other: Row): void {
  row.related.set(relationship, [...(row.related.get(relationship) ?? []), other])
}

export function storedTypesOf(graph: ResourceGraph): readonly StoredType[] {
  return [...new Set([...graph.types.values()].flatMap((type) => type.concreteTypes))]
}
