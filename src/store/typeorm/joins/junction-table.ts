import type { RelationMapping } from '../mapping/database-mapping'
import { rawSql, type Sql, sqlTag } from '../sql/sql'
import { compileKeyColumnsEqual, type KeyColumnsSql } from './key-conditions'
import { qualifiedKeyColumns, type SqlScope } from './scope'

export type JunctionRelationMapping = Extract<RelationMapping, { kind: 'junction' }>

/** The junction table between the rows of a statement and the source rows of a relationship. */
interface JunctionRows {
  /** The table with its alias. */
  readonly table: Sql
  readonly sourceKey: KeyColumnsSql
  readonly relatedKey: KeyColumnsSql
}

export function aliasJunction(
  { table, sourceColumns, relatedColumns }: JunctionRelationMapping,
  right: SqlScope,
): JunctionRows {
  const alias = right.nextAlias()
  const qualify = (columns: readonly string[]) => columns.map((column) => rawSql(`${alias}.${column}`))
  return {
    table: rawSql(`${table} ${alias}`),
    sourceKey: qualify(sourceColumns),
    relatedKey: qualify(relatedColumns),
  }
}

interface JoinedJunction extends Pick<JunctionRows, 'sourceKey'> {
  readonly joined: Sql
}

/** Compiles the join of a junction table. It comes after the rows, so that the rows are found by the pairs and not scanned. */
export function compileJunctionJoin(relation: JunctionRelationMapping, right: SqlScope): JoinedJunction {
  const { table, sourceKey, relatedKey } = aliasJunction(relation, right)
  return {
    sourceKey,
    joined: sqlTag` join ${table} on ${compileKeyColumnsEqual(relatedKey, qualifiedKeyColumns(right))}`,
  }
}
