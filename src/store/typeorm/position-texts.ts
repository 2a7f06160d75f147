import { decodeId, encodeId, readKey } from '../../graph/record-id'
import type { ValueRange } from '../../graph/value-type'
import type { CursorRange } from '../../plan/read-plan'
import type { Cells } from './cells'
import type { SortTerm } from './compile-sort'
import type { Dialect } from './dialect'
import type { TermPosition, TermRange } from './page-position'
import { type Given, given } from './parameter'
import { identifier, join, type Sql, toSql } from './sql'

/** Each row's own position: a column for each term. */
export function selectPositions(terms: readonly SortTerm[], dialect: Dialect): Sql {
  const columns = terms.map(({ expression, range, transformed }, index) => {
    // A transformer is given what the driver gives it elsewhere.
    const isPlain = transformed?.selectAs === 'plain'
    const selected = isPlain ? expression : dialect.selectPosition(expression, range)
    return toSql`${selected} as ${identifier(`k${index}`)}`
  })
  return join(columns, ', ')
}

/** What a cursor tells of a row: a text for each sort key, an id for each key of rows. `cells`: those columns alone. */
export function readPosition(cells: Cells, terms: readonly SortTerm[]): readonly (string | null)[] {
  return terms.flatMap(({ range, part, transformed }, index) => {
    const raw = cells[index]
    if (transformed !== undefined) return [isNothing(raw) ? null : encodeId(transformed.fromDatabase(raw), range)]
    if (part === undefined) return [toText(raw, range)]
    if (part.place > 0) return []
    return [toId(cells.slice(index, index + (part.whole.parts?.length ?? 0)), part.whole)]
  })
}

function toText(raw: unknown, range: ValueRange): string | null {
  const { valueType, codec } = range
  if (isNothing(raw)) return null
  if (codec !== undefined) return encodeId(readKey(String(raw), range), range)
  if (valueType === 'boolean') return String(raw === true || raw === 'true' || Number(raw) === 1)
  return String(raw)
}

function toId(raw: readonly unknown[], whole: ValueRange): string | null {
  if (raw.some(isNothing)) return null
  const parts = raw.map((part, place) => readKey(String(part), whole.parts?.[place] ?? whole))
  return encodeId(parts, whole)
}

function isNothing(raw: unknown): boolean {
  return raw === null || raw === undefined
}

/** The reverse: a text for each term. A position tells clients ids, and the database keys. */
function textsOf(position: readonly (string | null)[], terms: readonly SortTerm[]): readonly (string | null)[] {
  let index = -1
  return terms.map(({ range, part }) => {
    if (part === undefined || part.place === 0) index++
    const text = position[index] ?? null
    if (text === null) return null
    if (part !== undefined) return String((decodeId(text, part.whole) as readonly unknown[])[part.place])
    return range.codec === undefined ? text : String(decodeId(text, range))
  })
}

/** A range by the terms of its order. */
export function rangeByTerms(range: CursorRange, terms: readonly SortTerm[]): TermRange {
  const byTerms = (name: 'after' | 'before'): TermPosition | undefined => {
    const position = range[name]
    if (position === undefined || position === 'end') return position
    return textsOf(position, terms).map((text, index) => (text === null ? null : textAt(range, { name, terms, index })))
  }
  return { kind: 'cursors', after: byTerms('after'), before: byTerms('before') }
}

interface TextPlace {
  readonly name: 'after' | 'before'
  readonly terms: readonly SortTerm[]
  readonly index: number
}

function textAt(range: CursorRange, { name, terms, index }: TextPlace): Given<string> {
  return given(range, (node) => {
    const position = node[name]
    return (Array.isArray(position) ? textsOf(position, terms)[index] : undefined) ?? ''
  })
}
