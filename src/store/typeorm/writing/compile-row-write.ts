import type { StoredType } from '../../../graph/model/resource-graph'
import type { Layer } from '../../../plan/read-plan'
import { type Param, param } from '../../../query/tree/param'
import { keyEqualsExactly } from '../joins/key-conditions'
import { rootScope } from '../joins/scope'
import type { Key, Mapping } from '../mapping/mapping'
import { type CompileContext, cacheKeyParts } from '../select/compile-statements'
import { type SelectedColumns, selectColumns } from '../select/select-columns'
import type { CompiledQuery } from '../select/statement-cache'
import { identifier, join, type Sql, toSql } from '../sql/sql'
import type { RelatedKey } from './single-statement-support'
import { type Assignments, assignmentsIn, insertInto, ofTypesNotDeleted, updateWhere } from './writing'

/** A row that is written by one statement. */
export interface RowWrite {
  readonly kind: 'insert' | 'update'
  readonly type: StoredType
  /** The key of an existing row. */
  readonly key: Key | undefined
  readonly assignments: Assignments
  readonly related: readonly RelatedKey[]
}

export interface CompiledRowWrite {
  readonly sql: Sql
  readonly columns: SelectedColumns
}

interface RowCompileContext extends CompileContext {
  readonly layer: Layer
}

/**
 * Compiles a write of a row that reads it back. It writes nothing, and returns no row, if a row that it refers to is missing.
 *
 * `insert into "articles" ("title", "blogId") select ?, ? where exists (select … from "blogs" where "id" = ?) returning …`
 */
export function compileRowWrite(
  write: RowWrite,
  { layer, projection, mapping, statementCache }: RowCompileContext,
): CompiledQuery<CompiledRowWrite> {
  const { kind, type, assignments } = write
  const key = param(write.key ?? [])
  const related = write.related.flatMap(({ related }) => related ?? []).map((row) => ({ ...row, key: param(row.key) }))
  const assigned = [...assignments].map(([column, { text, values }]) => [column, text, values])
  const nodes = [kind, type, assigned, related, key, ...cacheKeyParts(layer, projection)]
  return statementCache.getOrCompile(nodes, () => {
    const [part] = mapping.tableOf(type).tables
    const columns = selectColumns(layer, projection, { ...rootScope(mapping, type), alias: part.table })
    const own = assignmentsIn(assignments, part)
    const found = related.map((row) => isThere(row.type, row.key, mapping))
    const written =
      kind === 'insert'
        ? insertInto(part, own, mapping, found)
        : updateWhere(part, own, [...isRowWith(type, key, mapping), ...found])
    return { columns, sql: toSql`${written} returning ${columns.sql}` }
  })
}

function isThere(type: StoredType, key: Param<Key>, mapping: Mapping): Sql {
  const [part] = mapping.tableOf(type).tables
  const rows = toSql`select 1 from ${identifier(part.table)} where ${join(isRowWith(type, key, mapping), ' and ')}`
  return mapping.dialect.exists(rows)
}

function isRowWith(type: StoredType, key: Param<Key>, mapping: Mapping): readonly Sql[] {
  const { tables, key: of } = mapping.tableOf(type)
  const [part] = tables
  return [
    ...keyEqualsExactly(part.key.map(identifier), key, of, mapping.dialect),
    ...ofTypesNotDeleted(part, [type], mapping),
  ]
}
