import type { Comparing, Filter, Listing, Operand, SortKey, Step } from '../query/ast'
import type { AttributeModel } from '../shared/model'
import { partsOfId, type Row } from '../shared/rows'
import { TYPES } from './model'

// Evaluates filters, sort keys and pages over plain rows, independently of the library.

const WHOLE: AttributeModel = { kind: 'integer' }
const TRUTH: AttributeModel = { kind: 'boolean' }

export class World {
  private readonly rows: readonly Row[]
  private readonly byKey: ReadonlyMap<string, Row>
  private readonly links = new Map<Row, Map<string, readonly Row[]>>()

  constructor(rows: readonly Row[]) {
    this.rows = rows
    this.byKey = new Map(rows.map((row) => [`${TYPES.rootOf(row.type)} ${row.id}`, row]))
  }

  find(type: string, id: string): Row | undefined {
    const row = this.byKey.get(`${TYPES.rootOf(type)} ${id}`)
    return row !== undefined && TYPES.isA(row.type, type) ? row : undefined
  }

  all(type: string): readonly Row[] {
    return this.rows.filter((row) => TYPES.isA(row.type, type))
  }

  /** In no order. */
  related(row: Row, field: string): readonly Row[] {
    const known = this.links.get(row) ?? new Map<string, readonly Row[]>()
    this.links.set(row, known)
    const found = known.get(field) ?? this.lookUp(row, field)
    known.set(field, found)
    return found
  }

  private lookUp(row: Row, field: string): readonly Row[] {
    const relationship = TYPES.relationships(row.type).get(field)
    if (relationship === undefined) return []
    const { kind, to, inverse = '' } = relationship
    if (kind === 'belongsTo' || kind === 'ownsOne' || kind === 'pairs')
      return (row.links[field] ?? []).flatMap((id) => this.find(to, id) ?? [])
    return this.all(to).filter((other) => other.links[inverse]?.includes(row.id))
  }

  /** The row at the end of a path of to-one relationships. */
  follow(row: Row, steps: readonly Step[]): Row | undefined {
    let end: Row | undefined = row
    for (const { field, of } of steps) {
      if (end === undefined || !TYPES.isA(end.type, of)) return undefined
      end = this.related(end, field)[0]
    }
    return end
  }

  list(rows: readonly Row[], { filters, sort }: Listing): readonly Row[] {
    const found = filters.length === 0 ? rows : rows.filter((row) => filters.some((filter) => this.holds(filter, row)))
    return found.toSorted((one, other) => this.compareRows(one, other, sort))
  }

  holds(filter: Filter, row: Row): boolean {
    switch (filter.kind) {
      case 'compare': {
        const [left, right] = [this.valueOf(filter.left, row), this.valueOf(filter.right, row)]
        if (left === null || right === null) return false
        return COMPARISONS[filter.by](compareValues(left, right))
      }
      case 'isNull':
        return this.valueOf(filter.operand, row) === null
      case 'isEmpty':
        return this.follow(row, filter.steps) === undefined
      case 'match': {
        const value = this.valueOf(filter.left, row)
        return typeof value === 'string' && MATCHES[filter.by](value, filter.text)
      }
      case 'any': {
        const left = this.valueOf(filter.left, row)
        return left !== null && filter.values.some((each) => compareValues(left, this.valueOf(each, row) ?? '') === 0)
      }
      case 'all':
        return filter.terms.every((term) => this.holds(term, row))
      case 'some':
        return filter.terms.some((term) => this.holds(term, row))
      case 'not':
        return !this.holds(filter.term, row)
      case 'has':
        return this.members(row, filter.steps, filter.end).some(
          (member) => filter.filter === undefined || this.holds(filter.filter, member),
        )
      case 'isType': {
        const end = this.follow(row, filter.steps)
        if (end === undefined || !TYPES.isA(end.type, filter.type)) return false
        return filter.filter === undefined || this.holds(filter.filter, end)
      }
    }
  }

  private members(row: Row, steps: readonly Step[], { field, of }: Step): readonly Row[] {
    const end = this.follow(row, steps)
    return end === undefined || !TYPES.isA(end.type, of) ? [] : this.related(end, field)
  }

  private valueOf(operand: Operand, row: Row): Comparable | null {
    switch (operand.kind) {
      case 'literal':
        return toComparable(operand.text, operand.like)
      case 'truth':
        return toComparable(this.holds(operand.filter, row), TRUTH)
      case 'count':
        return toComparable(this.members(row, operand.steps, operand.end).length, WHOLE)
      case 'attribute': {
        const end = this.follow(row, operand.steps)
        const { field, of } = operand.end
        if (end === undefined || !TYPES.isA(end.type, of)) return null
        const value = field === 'id' ? end.id : (end.values[field] ?? null)
        return value === null ? null : toComparable(value, operand.model)
      }
    }
  }

  private compareRows(one: Row, other: Row, keys: readonly SortKey[]): number {
    for (const { by, isDescending } of keys) {
      const [left, right] = [this.sortValueOf(by, one), this.sortValueOf(by, other)]
      if (left === null && right === null) continue
      // Nulls come last in both directions.
      if (left === null) return 1
      if (right === null) return -1
      const order = compareValues(left, right)
      if (order !== 0) return isDescending ? -order : order
    }
    return compareIds(one, other)
  }

  /** A row without the relationship lacks the key; in a filter it counts as 0. */
  private sortValueOf(operand: Operand, row: Row): Comparable | null {
    if (operand.kind !== 'count') return this.valueOf(operand, row)
    const end = this.follow(row, operand.steps)
    if (end === undefined || !TYPES.isA(end.type, operand.end.of)) return null
    return this.valueOf(operand, row)
  }
}

function compareIds(one: Row, other: Row): number {
  const model = TYPES.idModel(one.type)
  return compareValues(toComparable(one.id, model), toComparable(other.id, model))
}

/** Text, or a number without loss of precision; for a composite key each of its columns. */
type Comparable = string | bigint | readonly Comparable[]

const MICRO = 1_000_000n

function toComparable(value: unknown, { kind, values = [], parts = {} }: AttributeModel): Comparable {
  switch (kind) {
    case 'key': {
      const texts = partsOfId(String(value))
      return Object.values(parts).map((part, place) => toComparable(texts[place], part))
    }
    case 'integer':
    case 'bigint':
      return BigInt(String(value)) * MICRO * MICRO
    case 'float':
    case 'decimal':
      return toMicros(String(value))
    case 'boolean':
      return String(value) === 'true' ? 1n : 0n
    case 'moment':
      return BigInt(Date.parse(/Z|[+-]\d\d:\d\d$/.test(String(value)) ? String(value) : `${value}Z`))
    case 'enum':
      return BigInt(values.indexOf(String(value)))
    case 'time':
      return String(value).length === 5 ? `${value}:00` : String(value)
    default:
      return String(value)
  }
}

/** Prints the shortest digits of a number: `1.5`, `2e-3`. */
function toMicros(text: string): bigint {
  const [, sign, whole = '', part = '', exponent = '0'] = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i.exec(text) ?? []
  const places = 12 + Number(exponent) - part.length
  const digits = BigInt(whole + part) * (places >= 0 ? 10n ** BigInt(places) : 1n)
  const scaled = places >= 0 ? digits : digits / 10n ** BigInt(-places)
  return sign === '-' ? -scaled : scaled
}

function compareValues(left: Comparable, right: Comparable): number {
  if (typeof left === 'object' && typeof right === 'object')
    return left.map((part, place) => compareValues(part, right[place] ?? part)).find((order) => order !== 0) ?? 0
  if (typeof left === 'string' && typeof right === 'string') return compareTexts(left, right)
  return left < right ? -1 : left > right ? 1 : 0
}

/** By code points; JavaScript compares UTF-16 code units. */
export function compareTexts(left: string, right: string): number {
  return Buffer.compare(Buffer.from(left), Buffer.from(right))
}

const COMPARISONS: Readonly<Record<Comparing, (order: number) => boolean>> = {
  equals: (order) => order === 0,
  lessThan: (order) => order < 0,
  lessOrEqual: (order) => order <= 0,
  greaterThan: (order) => order > 0,
  greaterOrEqual: (order) => order >= 0,
}

const MATCHES = {
  contains: (value: string, text: string) => value.includes(text),
  startsWith: (value: string, text: string) => value.startsWith(text),
  endsWith: (value: string, text: string) => value.endsWith(text),
}
