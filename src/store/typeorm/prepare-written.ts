import type { StoredType } from '../../graph/resource-graph'
import type { Layer } from '../../plan/read-plan'
import { inPart } from './change-rows'
import type { Prepared } from './compiled'
import { isExactlyKey } from './key-sql'
import type { Key, Mapping } from './mapping'
import { type Given, given } from './parameter'
import type { RightKey } from './plain-rows'
import { nodesOf, type Preparing } from './prepare'
import { rootScope } from './scope'
import { type SelectedColumns, selectColumns } from './select-columns'
import { identifier, join, type Sql, toSql, withOtherValues } from './sql'
import { type Assignments, presentIn, setClause } from './writing'

/** A row that is written by one statement. */
export interface RowWrite {
  readonly kind: 'insert' | 'update'
  readonly type: StoredType
  /** Of a row that is there. */
  readonly key: Key | undefined
  readonly assignments: Assignments
  readonly rights: readonly RightKey[]
}

export interface WrittenRow {
  readonly sql: Sql
  readonly columns: SelectedColumns
}

interface PreparingRow extends Preparing {
  readonly layer: Layer
}

/** What differs between writes of one shape. */
interface Written {
  readonly kind: 'written'
  readonly values: readonly unknown[]
  readonly key: Key
  readonly rights: readonly Key[]
}

/**
 * The row is written where all that it refers to is there, and read as the layer has it. No row: one was not there.
 *
 * `insert into "articles" ("title", "blogId") select ?, ? where exists (select … from "blogs" where "id" = ?) returning …`
 */
export function prepareWritten(
  write: RowWrite,
  { layer, shown, mapping, compiled }: PreparingRow,
): Prepared<WrittenRow> {
  const { kind, type, key = [], assignments } = write
  const rights = write.rights.flatMap(({ right }) => right ?? [])
  const written: Written = {
    kind: 'written',
    values: [...assignments.values()].flatMap(({ values }) => values),
    key,
    rights: rights.map((right) => right.key),
  }
  const texts = [...assignments].map(([column, { text }]) => [column, text])
  const nodes = [kind, type, texts, rights.map((right) => right.type), ...nodesOf(layer, shown), written]
  return compiled.prepare(nodes, () => {
    const {
      parts: [part],
    } = mapping.tableOf(type)
    const table = identifier(part.table)
    const columns = selectColumns(layer, shown, { ...rootScope(mapping, type), alias: part.table })
    const own = inPart(fromNode(assignments, written), part)
    const found = rights.map((right, place) =>
      isThere(
        right.type,
        given(written, (node) => node.rights[place] ?? []),
        mapping,
      ),
    )
    const returning = toSql`returning ${columns.sql}`
    if (kind === 'insert') return { columns, sql: toSql`insert into ${table} ${rowOf(own, found)} ${returning}` }
    const isRow = isRowWith(
      type,
      given(written, (node) => node.key),
      mapping,
    )
    return {
      columns,
      sql: toSql`update ${table} set ${setClause(own)} where ${join([...isRow, ...found], ' and ')} ${returning}`,
    }
  })
}

/** The same expressions, of the values that any write of the shape has. */
function fromNode(assignments: Assignments, written: Written): Assignments {
  let count = 0
  return new Map(
    [...assignments].map(([column, sql]) => {
      const places = sql.values.map(() => count++)
      return [
        column,
        withOtherValues(
          sql,
          places.map((place) => given(written, ({ values }) => values[place])),
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

function isThere(type: StoredType, key: Given<Key>, mapping: Mapping): Sql {
  const {
    parts: [part],
  } = mapping.tableOf(type)
  const rows = toSql`select 1 from ${identifier(part.table)} where ${join(isRowWith(type, key, mapping), ' and ')}`
  return mapping.dialect.exists(rows)
}

function isRowWith(type: StoredType, key: Given<Key>, mapping: Mapping): readonly Sql[] {
  const {
    parts: [part],
    key: of,
  } = mapping.tableOf(type)
  return [...isExactlyKey(part.key.map(identifier), key, of, mapping.dialect), ...presentIn(part, [type], mapping)]
}
