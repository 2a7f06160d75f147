import { decodeId, encodeId, keyFromText } from '../../../graph/model/record-id'
import type { ValueConstraints } from '../../../graph/model/value-type'
import type { CursorRange } from '../../../plan/read-plan'
import type { Param } from '../../../query/tree/param'
import type { Dialect } from '../dialects/dialect'
import type { RawRow } from '../mapping/raw-row'
import { join, rawSql, type Sql, sqlTag } from '../sql/sql'
import { mapParam } from '../sql/sql-param'
import type { SortTerm } from './compile-sort'
import type { KeysetPosition, KeysetRange } from './page-position'

/** Compiles the columns that each row is sorted by, one for each term. `cursorOfRow` reads them. */
export function selectSortValues(terms: readonly SortTerm[], dialect: Dialect): Sql {
  const columns = terms.map(({ expression, range, transformedId }, index) => {
    // A transformer is given what the driver gives it elsewhere.
    const isPlain = transformedId?.selectAs === 'plain'
    const selected = isPlain ? expression : dialect.selectSortValue(expression, range)
    return sqlTag`${selected} as ${rawSql(`k${index}`)}`
  })
  return join(columns, ', ')
}

/** Returns the cursor of a row: a text for each sort key, an id for each key of rows. `rawRow`: the columns of the cursor. */
export function cursorOfRow(rawRow: RawRow, terms: readonly SortTerm[]): readonly (string | null)[] {
  return terms.flatMap(({ range, part, transformedId }, index) => {
    const raw = rawRow[index]
    if (transformedId !== undefined) return [raw == null ? null : encodeId(transformedId.fromDatabase(raw), range)]
    if (part === undefined) return [toText(raw, range)]
    if (part.place > 0) return []
    return [toId(rawRow.slice(index, index + (part.whole.parts?.length ?? 0)), part.whole)]
  })
}

function toText(raw: unknown, range: ValueConstraints): string | null {
  const { valueType, codec } = range
  if (raw == null) return null
  if (codec !== undefined) return encodeId(keyFromText(String(raw), range), range)
  if (valueType === 'boolean') return String(raw === true || raw === 'true' || Number(raw) === 1)
  return String(raw)
}

function toId(raw: readonly unknown[], whole: ValueConstraints): string | null {
  if (raw.some((each) => each == null)) return null
  const parts = raw.map((part, place) => keyFromText(String(part), whole.parts?.[place] ?? whole))
  return encodeId(parts, whole)
}

/** Returns a text for each term: a cursor holds ids, and the database keys. */
function textsOf(position: readonly (Param<string> | null)[], terms: readonly SortTerm[]): KeysetPosition {
  let index = -1
  return terms.map(({ range, part }) => {
    if (part === undefined || part.place === 0) index++
    const text = position[index] ?? null
    if (text === null) return null
    if (part !== undefined) {
      return mapParam(text, (id) => String((decodeId(id, part.whole) as readonly unknown[])[part.place]))
    }
    return range.codec === undefined ? text : mapParam(text, (id) => String(decodeId(id, range)))
  })
}

/** A range by the terms of its order. */
export function toKeysetRange({ after, before }: CursorRange, terms: readonly SortTerm[]): KeysetRange {
  const byTerms = (position: CursorRange['after']) => {
    return position === undefined || position === 'end' ? position : textsOf(position, terms)
  }
  return { kind: 'cursors', after: byTerms(after), before: byTerms(before) }
}
