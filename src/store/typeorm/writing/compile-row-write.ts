import type { StoredType } from '../../../graph/model/resource-graph'
import type { Layer } from '../../../plan/read-plan'
import type { Key, Mapping } from '../mapping/mapping'
import { type CompileContext, cacheKeyParts } from '../select/compile-statements'
import { keyEqualsExactly } from '../select/key-conditions'
import { rootScope } from '../select/scope'
import { type SelectedColumns, selectColumns } from '../select/select-columns'
import type { CompiledQuery } from '../select/statement-cache'
import { type PlanParameter, planParameter } from '../sql/plan-parameter'
import { identifier, join, type Sql, toSql, withValues } from '../sql/sql'
import { assignmentsIn } from './change-rows'
import type { RelatedKey } from './single-statement-support'
import { type Assignments, ofTypesNotDeleted, setClause } from './writing'

/** A row that is written by one statement. */
export interface RowWrite {
  readonly kind: 'insert' | 'update'
  readonly type: StoredType
  /** Of a row that is there. */
  readonly key: Key | undefined
  readonly assignments: Assignments
  readonly related: readonly RelatedKey[]
}

export interface WrittenRow {
  readonly sql: Sql
  readonly columns: SelectedColumns
}

interface RowCompileContext extends CompileContext {
  readonly layer: Layer
}

/** What differs between writes of one shape. */
interface WriteParameters {
  readonly kind: 'written'
  readonly values: readonly unknown[]
  readonly key: Key
  readonly relatedKeys: readonly Key[]
}

/**
 * The row is written where all that it refers to is there, and read as the layer has it. No row: one was not there.
 *
 * `insert into "articles" ("title", "blogId") select ?, ? where exists (select … from "blogs" where "id" = ?) returning …`
 */
export function compileRowWrite(
  write: RowWrite,
  { layer, projection, mapping, statementCache }: RowCompileContext,
): CompiledQuery<WrittenRow> {
  const { kind, type, key = [], assignments } = write
  const related = write.related.flatMap(({ related }) => related ?? [])
  const written: WriteParameters = {
    kind: 'written',
    values: [...assignments.values()].flatMap(({ values }) => values),
    key,
    relatedKeys: related.map((each) => each.key),
  }
  const texts = [...assignments].map(([column, { text }]) => [column, text])
  const nodes = [kind, type, texts, related.map((right) => right.type), ...cacheKeyParts(layer, projection), written]
  return statementCache.getOrCompile(nodes, () => {
    const {
      tables: [part],
    } = mapping.tableOf(type)
    const table = identifier(part.table)
    const columns = selectColumns(layer, projection, { ...rootScope(mapping, type), alias: part.table })
    const own = assignmentsIn(withParameters(assignments, written), part)
    const found = related.map((right, place) =>
      isThere(
        right.type,
        planParameter(written, (node) => node.relatedKeys[place] ?? []),
        mapping,
      ),
    )
    const returning = toSql`returning ${columns.sql}`
    if (kind === 'insert') return { columns, sql: toSql`insert into ${table} ${rowOf(own, found)} ${returning}` }
    const isRow = isRowWith(
      type,
      planParameter(written, (node) => node.key),
      mapping,
    )
    return {
      columns,
      sql: toSql`update ${table} set ${setClause(own)} where ${join([...isRow, ...found], ' and ')} ${returning}`,
    }
  })
}

/** The same expressions, of the values that any write of the shape has. */
function withParameters(assignments: Assignments, written: WriteParameters): Assignments {
  let count = 0
  return new Map(
    [...assignments].map(([column, sql]) => {
      const places = sql.values.map(() => count++)
      return [
        column,
        withValues(
          sql,
          places.map((place) => planParameter(written, ({ values }) => values[place])),
        ),
      ]
    }),
  )
}

function rowOf(assignments: Assignments, conditions: readonly Sql[]): Sql {
  const names = join([...assignments.keys()].map(identifier), ', ')
  const values = join([...assignments.values()], ', ')
  if (conditions.length === 0) return toSql`(${names}) values (${values})`
  return toSql`(${names}) select ${values} where ${join(conditions, ' and ')}`
}

function isThere(type: StoredType, key: PlanParameter<Key>, mapping: Mapping): Sql {
  const {
    tables: [part],
  } = mapping.tableOf(type)
  const rows = toSql`select 1 from ${identifier(part.table)} where ${join(isRowWith(type, key, mapping), ' and ')}`
  return mapping.dialect.exists(rows)
}

function isRowWith(type: StoredType, key: PlanParameter<Key>, mapping: Mapping): readonly Sql[] {
  const {
    tables: [part],
    key: of,
  } = mapping.tableOf(type)
  return [
    ...keyEqualsExactly(part.key.map(identifier), key, of, mapping.dialect),
    ...ofTypesNotDeleted(part, [type], mapping),
  ]
}
