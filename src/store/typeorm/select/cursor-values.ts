import { decodeIdToRuntimeKey, encodeRuntimeKeyToId, primaryKeyValueFromText } from '../../../graph/model/record-id'
import type { ValueConstraints } from '../../../graph/model/value-type'
import type { CursorRange } from '../../../plan/read-plan'
import type { Param } from '../../../query/tree/param'
import type { Dialect } from '../dialects/dialect'
import type { ColumnValuesInSelectOrder } from '../mapping/column-values-in-select-order'
import { joinSql, rawSql, type Sql, sqlTag } from '../sql/sql'
import { mapParam } from '../sql/sql-param'
import type { SqlSortTerm } from './compile-sort'
import type { KeysetPosition, KeysetRange } from './page-position'

/** Compiles the columns that each row is sorted by, one for each term. `sortValuesOfRow` reads them. */
export function compileSortValueColumns(terms: readonly SqlSortTerm[], dialect: Dialect): Sql {
  const columns = terms.map(({ expression, constraints, transformedId }, index) => {
    // The transformer gets the same value of the driver as in other selects.
    const isUnconverted = transformedId?.selectAs === 'plain'
    const selected = isUnconverted ? expression : dialect.selectSortValue(expression, constraints)
    return sqlTag`${selected} as ${rawSql(`k${index}`)}`
  })
  return joinSql(columns, ', ')
}

/** Reads the cursor of a row: one text for each sort key. A composite id is one text. `rawRow`: the columns of the cursor. */
export function sortValuesOfRow(
  rawRow: ColumnValuesInSelectOrder,
  terms: readonly SqlSortTerm[],
): readonly (string | null)[] {
  return terms.flatMap(({ constraints, part, transformedId }, index) => {
    const raw = rawRow[index]
    if (transformedId !== undefined)
      return [raw == null ? null : encodeRuntimeKeyToId(transformedId.fromDatabase(raw), constraints)]
    if (part === undefined) return [toText(raw, constraints)]
    if (part.index > 0) return []
    return [toId(rawRow.slice(index, index + (part.whole.parts?.length ?? 0)), part.whole)]
  })
}

function toText(raw: unknown, constraints: ValueConstraints): string | null {
  const { valueType, codec } = constraints
  if (raw == null) return null
  if (codec !== undefined) return encodeRuntimeKeyToId(primaryKeyValueFromText(String(raw), constraints), constraints)
  if (valueType === 'boolean') return String(raw === true || raw === 'true' || Number(raw) === 1)
  return String(raw)
}

function toId(raw: readonly unknown[], whole: ValueConstraints): string | null {
  if (raw.some((part) => part == null)) return null
  const parts = raw.map((part, index) => primaryKeyValueFromText(String(part), whole.parts?.[index] ?? whole))
  return encodeRuntimeKeyToId(parts, whole)
}

/** Converts the values of a cursor to one text for each term. A cursor contains ids, and the terms compare parts of keys. */
function toKeysetPosition(position: readonly (Param<string> | null)[], terms: readonly SqlSortTerm[]): KeysetPosition {
  let index = -1
  return terms.map(({ constraints, part }) => {
    if (part === undefined || part.index === 0) index++
    const text = position[index] ?? null
    if (text === null) return null
    if (part !== undefined) {
      return mapParam(text, (id) => String((decodeIdToRuntimeKey(id, part.whole) as readonly unknown[])[part.index]))
    }
    return constraints.codec === undefined
      ? text
      : mapParam(text, (id) => String(decodeIdToRuntimeKey(id, constraints)))
  })
}

/** Converts a cursor range to positions with one text for each sort term. */
export function toKeysetRange(
  { after, before }: Pick<CursorRange, 'after' | 'before'>,
  terms: readonly SqlSortTerm[],
): KeysetRange {
  const toPosition = (position: CursorRange['after']) => {
    return position === undefined || position === 'end' ? position : toKeysetPosition(position, terms)
  }
  return { kind: 'cursors', after: toPosition(after), before: toPosition(before) }
}
