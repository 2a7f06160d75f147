import type { ValueRange } from '../../graph/value-type'
import type { CursorRange } from '../../plan/read-plan'
import type { SortTerm } from './compile-sort'
import type { Dialect } from './dialect'
import { FALSE } from './scope'
import { identifier, join, type Sql, toSql } from './sql'

/** Rows before a cursor are read from it backwards, and turned round afterwards; between two cursors it goes forwards. */
export function isBackwards({ after, before }: CursorRange): boolean {
  return before !== undefined && after === undefined
}

/** The reverse of an order. */
export function reversed(terms: readonly SortTerm[]): readonly SortTerm[] {
  return terms.map((term) => ({
    ...term,
    direction: term.direction === 'ascending' ? 'descending' : 'ascending',
    nulls: REVERSED[term.nulls],
  }))
}

const REVERSED = { nullable: 'nullsFirst', nullsFirst: 'nullable', notNullable: 'notNullable' } as const

/** The conditions on rows between the cursors of a range. */
export function compilePositions(
  { after, before }: CursorRange,
  terms: readonly SortTerm[],
  dialect: Dialect,
): readonly Sql[] {
  return [
    ...(after === 'end' ? [FALSE] : compilePosition(after, terms, dialect)),
    ...(before === 'end' ? [] : compilePosition(before, reversed(terms), dialect)),
  ]
}

/** Each row's own position, in columns of these names. */
export function selectPositions(terms: readonly SortTerm[], dialect: Dialect): Sql {
  const columns = terms.map(({ expression, range }, index) => {
    return toSql`${dialect.selectPosition(expression, range)} as ${identifier(columnOf(index))}`
  })
  return join(columns, ', ')
}

export function readPosition(record: Record<string, unknown>, terms: readonly SortTerm[]): readonly (string | null)[] {
  return terms.map(({ range }, index) => toText(record[columnOf(index)], range))
}

function columnOf(index: number): string {
  return `k${index}`
}

function toText(raw: unknown, { valueType }: ValueRange): string | null {
  if (raw === null || raw === undefined) return null
  if (valueType === 'boolean') return String(raw === true || raw === 'true' || Number(raw) === 1)
  return String(raw)
}

interface Key extends SortTerm {
  /** `undefined`: null. */
  readonly bound: Sql | undefined
}

function compilePosition(
  position: readonly (string | null)[] | undefined,
  terms: readonly SortTerm[],
  dialect: Dialect,
): readonly Sql[] {
  if (position === undefined) return []
  const keys = terms.map((term, index): Key => {
    const expression = dialect.comparePosition(term.expression, term.range)
    const text = position[index] ?? null
    return { ...term, expression, bound: text === null ? undefined : dialect.bindPosition(text, term.range) }
  })
  if (
    dialect.comparesRows &&
    keys.every(({ nulls, direction }) => nulls === 'notNullable' && direction === keys[0]?.direction)
  )
    return [compileRow(keys)]
  return [...compileStart(keys), compileBehind(keys)]
}

/** Rows behind a position: behind it by the first key, or equal by that one and behind it by the others. */
function compileBehind([first, ...others]: readonly Key[]): Sql {
  if (first === undefined) return FALSE
  const terms = [...compileFurther(first)]
  if (others.length > 0) terms.push(toSql`(${compileSame(first)} and ${compileBehind(others)})`)
  return terms.length === 0 ? FALSE : toSql`(${join(terms, ' or ')})`
}

function compileFurther({ expression, bound, direction, nulls }: Key): readonly Sql[] {
  if (bound === undefined) return nulls === 'nullsFirst' ? [toSql`${expression} is not null`] : []
  const further = toSql`${expression} ${FURTHER[direction]} ${bound}`
  return nulls === 'nullable' ? [further, toSql`${expression} is null`] : [further]
}

function compileSame({ expression, bound }: Key): Sql {
  return bound === undefined ? toSql`${expression} is null` : toSql`${expression} = ${bound}`
}

/** Says again by the first key alone where the rows start: that is what an index can look up. */
function compileStart([first]: readonly Key[]): readonly Sql[] {
  if (first?.bound === undefined || first.nulls === 'nullable') return []
  return [toSql`${first.expression} ${FROM[first.direction]} ${first.bound}`]
}

function compileRow(keys: readonly Key[]): Sql {
  const bounds = keys.flatMap(({ bound }) => (bound === undefined ? [] : [bound]))
  const row = join(
    keys.map(({ expression }) => expression),
    ', ',
  )
  return toSql`(${row}) ${FURTHER[keys[0]?.direction ?? 'ascending']} (${join(bounds, ', ')})`
}

const FURTHER = { ascending: identifier('>'), descending: identifier('<') } as const
const FROM = { ascending: identifier('>='), descending: identifier('<=') } as const
