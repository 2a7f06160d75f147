import type { ComparisonOperator, Filter, ListQuery, Operand, SortKey, Step } from '../query/ast'
import type { AttributeModel } from '../shared/model'
import { type Row, splitId } from '../shared/rows'
import { TYPES } from './model'

// Evaluates filters, sort keys and pages over plain rows, independently of the library.

const INTEGER: AttributeModel = { kind: 'integer' }
const BOOLEAN: AttributeModel = { kind: 'boolean' }

export class Evaluator {
  private readonly rows: readonly Row[]
  private readonly byKey: ReadonlyMap<string, Row>
  private readonly links = new Map<Row, Map<string, readonly Row[]>>()

  constructor(rows: readonly Row[]) {
    this.rows = rows
    this.byKey = new Map(rows.map((row) => [`${TYPES.rootOf(row.type)} ${row.id}`, row]))
  }

  find(type: string, id: string): Row | undefined {
    const row = this.byKey.get(`${TYPES.rootOf(type)} ${id}`)
    return row !== undefined && TYPES.isSameOrDerivedType(row.type, type) ? row : undefined
  }

  rowsOf(type: string): readonly Row[] {
    return this.rows.filter((row) => TYPES.isSameOrDerivedType(row.type, type))
  }

  /** Returns related rows in unspecified order. */
  related(row: Row, field: string): readonly Row[] {
    const cache = this.links.get(row) ?? new Map<string, readonly Row[]>()
    this.links.set(row, cache)
    const found = cache.get(field) ?? this.lookUp(row, field)
    cache.set(field, found)
    return found
  }

  private lookUp(row: Row, field: string): readonly Row[] {
    const relationship = TYPES.relationships(row.type).get(field)
    if (relationship === undefined) return []
    const { kind, to, inverse = '' } = relationship
    if (kind === 'belongsTo' || kind === 'ownsOneToOne' || kind === 'manyToMany')
      return (row.links[field] ?? []).flatMap((id) => this.find(to, id) ?? [])
    return this.rowsOf(to).filter((other) => other.links[inverse]?.includes(row.id))
  }

  /** The row at the end of a path of to-one relationships. */
  follow(row: Row, steps: readonly Step[]): Row | undefined {
    let end: Row | undefined = row
    for (const { field, of } of steps) {
      if (end === undefined || !TYPES.isSameOrDerivedType(end.type, of)) return undefined
      end = this.related(end, field)[0]
    }
    return end
  }

  list(rows: readonly Row[], { filters, sort }: ListQuery): readonly Row[] {
    const found =
      filters.length === 0 ? rows : rows.filter((row) => filters.some((filter) => this.matches(filter, row)))
    return found.toSorted((one, other) => this.compareRows(one, other, sort))
  }

  matches(filter: Filter, row: Row): boolean {
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
      case 'and':
        return filter.terms.every((term) => this.matches(term, row))
      case 'or':
        return filter.terms.some((term) => this.matches(term, row))
      case 'not':
        return !this.matches(filter.term, row)
      case 'has':
        return this.members(row, filter.steps, filter.end).some(
          (member) => filter.filter === undefined || this.matches(filter.filter, member),
        )
      case 'isType': {
        const end = this.follow(row, filter.steps)
        if (end === undefined || !TYPES.isSameOrDerivedType(end.type, filter.type)) return false
        return filter.filter === undefined || this.matches(filter.filter, end)
      }
    }
  }

  private members(row: Row, steps: readonly Step[], { field, of }: Step): readonly Row[] {
    const end = this.follow(row, steps)
    return end === undefined || !TYPES.isSameOrDerivedType(end.type, of) ? [] : this.related(end, field)
  }

  private valueOf(operand: Operand, row: Row): Comparable | null {
    switch (operand.kind) {
      case 'literal':
        return toComparable(operand.text, operand.model)
      case 'filter':
        return toComparable(this.matches(operand.filter, row), BOOLEAN)
      case 'count':
        return toComparable(this.members(row, operand.steps, operand.end).length, INTEGER)
      case 'attribute': {
        const end = this.follow(row, operand.steps)
        const { field, of } = operand.end
        if (end === undefined || !TYPES.isSameOrDerivedType(end.type, of)) return null
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
    if (end === undefined || !TYPES.isSameOrDerivedType(end.type, operand.end.of)) return null
    return this.valueOf(operand, row)
  }
}

function compareIds(one: Row, other: Row): number {
  const model = TYPES.idModel(one.type)
  return compareValues(toComparable(one.id, model), toComparable(other.id, model))
}

/** Text, or a number without loss of precision; for a composite key each of its columns. */
type Comparable = string | bigint | readonly Comparable[]

const SCALE = 10n ** 12n

function toComparable(value: unknown, { kind, values = [], keyColumns: parts = {} }: AttributeModel): Comparable {
  switch (kind) {
    case 'key': {
      const texts = splitId(String(value))
      return Object.values(parts).map((part, index) => toComparable(texts[index], part))
    }
    case 'integer':
    case 'bigint':
      return BigInt(String(value)) * SCALE
    case 'float':
    case 'decimal':
      return toScaledInteger(String(value))
    case 'boolean':
      return String(value) === 'true' ? 1n : 0n
    case 'timestamp':
      return BigInt(Date.parse(/Z|[+-]\d\d:\d\d$/.test(String(value)) ? String(value) : `${value}Z`))
    case 'enum':
      return BigInt(values.indexOf(String(value)))
    case 'time':
      return String(value).length === 5 ? `${value}:00` : String(value)
    default:
      return String(value)
  }
}

/** Parses a decimal number such as `1.5` or `2e-3`, and multiplies it by 10^12. */
function toScaledInteger(text: string): bigint {
  const [, sign, integerDigits = '', part = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i.exec(text) ?? []
  const exponentOfTen = 12 + Number(exponent) - part.length
  const digits = BigInt(integerDigits + part) * (exponentOfTen >= 0 ? 10n ** BigInt(exponentOfTen) : 1n)
  const scaled = exponentOfTen >= 0 ? digits : digits / 10n ** BigInt(-exponentOfTen)
  return sign === '-' ? -scaled : scaled
}

function compareValues(left: Comparable, right: Comparable): number {
  if (typeof left === 'object' && typeof right === 'object')
    return (
      left
        .map((fractionDigits, index) => compareValues(fractionDigits, right[index] ?? fractionDigits))
        .find((order) => order !== 0) ?? 0
    )
  if (typeof left === 'string' && typeof right === 'string') return compareTexts(left, right)
  return left < right ? -1 : left > right ? 1 : 0
}

/** By code points; JavaScript compares UTF-16 code units. */
export function compareTexts(left: string, right: string): number {
  return Buffer.compare(Buffer.from(left), Buffer.from(right))
}

const COMPARISONS: Readonly<Record<ComparisonOperator, (order: number) => boolean>> = {
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
