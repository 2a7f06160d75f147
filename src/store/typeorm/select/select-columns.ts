import { isFieldOfType } from '../../../graph/model/inheritance'
import type { Attribute, Relationship, StoredType } from '../../../graph/model/resource-graph'
import type { FieldSelection, TypeProjection } from '../../../plan/read-plan'
import type { ToOneStep } from '../../../query/tree/ast'
import { typesWhoseRowsCanMatch } from '../../../query/tree/possible-types'
import type { StoredTypeAndId } from '../../read-result'
import { compileFilter } from '../filters/compile-filter'
import { leftJoinedSqlScope } from '../joins/joins'
import type { KeyColumnsSql } from '../joins/key-conditions'
import { columnSql, qualifiedColumn, type SqlScope } from '../joins/scope'
import type { ColumnValuesInSelectOrder } from '../mapping/column-values-in-select-order'
import type { ColumnMapping } from '../mapping/database-mapping'
import { columnOrEmbeddedColumns, composeEmbeddedValue } from '../mapping/embedded-columns'
import { createKeyReader, type ReadKeyFromRawRow } from '../mapping/keys'
import { joinSql, rawSql, type Sql, sqlTag } from '../sql/sql'
import { type MutableResourceRow, NO_INCLUDED_ROWS } from './mutable-resource-row'
import type { PlanLayerWithPageSizeOrParam } from './plan-layer-with-page-size-or-param'
import { createRevisionSourceReader, type SelectColumnAndGetIndex } from './select-revision-source'

/** The columns that a layer selects, and their reader. */
export interface SelectedColumns {
  readonly sql: Sql
  /** The number of columns; further columns of the statement come after them. */
  readonly count: number
  readRow(rawRow: ColumnValuesInSelectOrder): MutableResourceRow | undefined
}

/** A select, and the reader of its rows. */
interface CompiledSelect {
  readonly sql: Sql
  readonly columns: SelectedColumns
}

export interface CompiledLayerSelect extends CompiledSelect {
  /** The alias of the table of the rows. */
  readonly alias: string
  /** Whether parts of these rows are read from joined tables. */
  readonly readsJoinedTables: boolean
}

export interface CompiledIncludedSelect extends CompiledSelect {
  /** Reads the key of the parent of a row. */
  readonly readParentKey: ReadKeyFromRawRow
}

/** Selects the fields that each stored type of the rows needs, and the foreign keys that includes need. Types that the filter excludes need none. */
export function selectPlanLayerColumns(
  layer: PlanLayerWithPageSizeOrParam,
  projection: FieldSelection,
  scope: SqlScope,
): SelectedColumns {
  const indexes = new Map<string, number>()
  const select: SelectColumnAndGetIndex = (columnScope, column, as) => {
    const compiled = typeof column === 'string' ? qualifiedColumn(columnScope, column) : columnSql(columnScope, column)
    const { text } = selectedAs(compiled, as)
    const index = indexes.get(text) ?? indexes.size
    indexes.set(text, index)
    return index
  }
  const { key: keyColumns, toId } = scope.mapping.tableOf(layer.type)
  const readType = createTypeReader(scope, select)
  const readKey = createKeyReader(
    keyColumns,
    keyColumns.map(({ column, selectAs }) => select(scope, column, selectAs)),
  )
  const types = typesWhoseRowsCanMatch(layer.filter, layer.type.concreteTypes)
  const readers = new Map(types.map((type) => [type, createFieldReader(type, layer, projection, scope, select)]))
  const [[firstType, firstReader] = []] = readers

  return {
    count: indexes.size,
    sql: joinSql(
      [...indexes].map(([text, index]) => rawSql(`${text} as c${index}`)),
      ', ',
    ),
    readRow(rawRow) {
      const type = readType(rawRow)
      // Most layers have rows of one type.
      const reader = type === firstType ? firstReader : type && readers.get(type)
      const key = readKey(rawRow)
      if (type === undefined || reader === undefined || key === undefined) return undefined
      return {
        type,
        id: toId(key),
        key,
        values: reader.readValues(rawRow),
        foreignKeys: reader.readKeys(rawRow),
        linked: reader.readLinked(rawRow),
        revisionSource: reader.readRevisionSource(rawRow),
        related: NO_INCLUDED_ROWS,
        position: undefined,
      }
    },
  }
}

/** Returns the reader of the stored type of a row. */
function createTypeReader(
  scope: SqlScope,
  select: SelectColumnAndGetIndex,
): (rawRow: ColumnValuesInSelectOrder) => StoredType | undefined {
  const { discriminator } = scope.mapping.tableOf(scope.type)
  if (discriminator !== undefined) {
    const index = select(scope, discriminator.column, 'plain')
    return (rawRow) => discriminator.typeOf(rawRow[index])
  }
  const [only] = scope.type.concreteTypes
  return () => only
}

/** Reads the fields of rows of one type. */
interface FieldReader {
  readonly readValues: (rawRow: ColumnValuesInSelectOrder) => MutableResourceRow['values']
  readonly readKeys: (rawRow: ColumnValuesInSelectOrder) => MutableResourceRow['foreignKeys']
  readonly readLinked: (rawRow: ColumnValuesInSelectOrder) => MutableResourceRow['linked']
  readonly readRevisionSource: (rawRow: ColumnValuesInSelectOrder) => MutableResourceRow['revisionSource']
}

function createFieldReader(
  type: StoredType,
  layer: PlanLayerWithPageSizeOrParam,
  projection: FieldSelection,
  scope: SqlScope,
  select: SelectColumnAndGetIndex,
): FieldReader {
  const { fetched, values, linked } = projection.of(type)
  const columns = fetched.map((attribute) => createValueReader(attribute, values, scope, select))
  return {
    readValues: (rawRow) => columns.map((read) => read(rawRow)),
    readKeys: createForeignKeysReader(type, layer, scope, select),
    readLinked: createLinkageReader(linked, scope, select),
    readRevisionSource:
      layer.revisions === 'notRead' ? () => undefined : createRevisionSourceReader(type, scope, select),
  }
}

function createForeignKeysReader(
  type: StoredType,
  { includes }: PlanLayerWithPageSizeOrParam,
  scope: SqlScope,
  select: SelectColumnAndGetIndex,
): FieldReader['readKeys'] {
  const { mapping } = scope
  const readers = includes.map(({ relationship }): ReadKeyFromRawRow => {
    const relation = mapping.relationOf(relationship)
    if (relation.kind !== 'owning' || !isFieldOfType(type, relationship)) return () => undefined
    const { key } = mapping.tableOf(relationship.target)
    const indexes = relation.columns.map(({ column }, index) => select(scope, column, key[index]?.selectAs ?? 'plain'))
    return createKeyReader(key, indexes)
  })
  return readers.length === 0 ? () => NO_FOREIGN_KEYS : (rawRow) => readers.map((read) => read(rawRow))
}

const NO_FOREIGN_KEYS: MutableResourceRow['foreignKeys'] = []

/** Compiles the select list of a key, and creates its reader. `keyMapping`: the columns of the primary key; `firstIndex`: the number of columns before. */
export function keySelectListWithReader(
  columns: KeyColumnsSql,
  keyMapping: readonly ColumnMapping[],
  { name, firstIndex }: { readonly name: string; readonly firstIndex: number },
): { readonly sql: Sql; readonly readKey: ReadKeyFromRawRow } {
  const selected = columns.map((column, index) => {
    return sqlTag`${selectedAs(column, keyMapping[index]?.selectAs ?? 'plain')} as ${rawSql(index === 0 ? name : `${name}${index}`)}`
  })
  const indexes = columns.map((_, index) => firstIndex + index)
  return { sql: joinSql(selected, ', '), readKey: createKeyReader(keyMapping, indexes) }
}

/** Joins the related rows of to-one relationships to read their ids and stored types, without a further statement. */
function createLinkageReader(
  steps: readonly ToOneStep[],
  scope: SqlScope,
  select: SelectColumnAndGetIndex,
): FieldReader['readLinked'] {
  const readers = steps.map((step) => {
    const right = leftJoinedSqlScope(scope, [step], compileFilter)
    const { key: columns, toId } = right.mapping.tableOf(right.type)
    const readType = createTypeReader(right, select)
    const indexes = columns.map(({ column, selectAs }) => select(right, column, selectAs))
    const readKey = createKeyReader(columns, indexes)
    return (rawRow: ColumnValuesInSelectOrder): readonly [Relationship, StoredTypeAndId | null] => {
      const key = readKey(rawRow)
      const type = key && readType(rawRow)
      return [step.relationship, key === undefined || type === undefined ? null : { type, id: toId(key) }]
    }
  })
  return readers.length === 0 ? () => NO_LINKAGE : (rawRow) => new Map(readers.map((read) => read(rawRow)))
}

const NO_LINKAGE: MutableResourceRow['linked'] = new Map()

function createValueReader(
  attribute: Attribute,
  as: TypeProjection['values'],
  scope: SqlScope,
  select: SelectColumnAndGetIndex,
): (rawRow: ColumnValuesInSelectOrder) => unknown {
  const mapping = scope.mapping.columnOf(attribute)
  const readers = columnOrEmbeddedColumns(mapping).map((column) => {
    const index = select(scope, column, column.selectAs)
    const convert = as === 'serialized' ? column.toSerialized : column.fromDatabase
    return (rawRow: ColumnValuesInSelectOrder) => convert(rawRow[index])
  })
  const [only] = readers
  if (mapping.embeddedColumns === undefined && only !== undefined) return only
  return (rawRow) =>
    composeEmbeddedValue(
      mapping,
      readers.map((read) => read(rawRow)),
    )
}

/** Casts a column to text if the driver would lose digits. */
function selectedAs(column: Sql, as: ColumnMapping['selectAs']): Sql {
  return as === 'plain' ? column : sqlTag`cast(${column} as text)`
}
