import type { ValueRange } from '../../../src/graph/value-type'
import type { Order } from './world'

/** A value, and what it is a value of. */
export interface Comparable {
  readonly value: unknown
  readonly range: ValueRange
}

/** Two values that are there. */
export function compareValues(left: Comparable, right: Comparable, order: Order): number {
  if (left.range.parts !== undefined) return compareParts(left, right, order)
  const { valueType, enumValues = [] } = left.range
  const [one, other] = [left.value, right.value]
  switch (valueType) {
    case 'string':
      return order.compareTexts(String(one), String(other))
    case 'uuid':
      return order.compareUuids(String(one), String(other))
    case 'boolean':
      return Number(one) - Number(other)
    case 'datetime':
      return (one as Date).getTime() - (other as Date).getTime()
    case 'date':
      return one === other ? 0 : String(one) < String(other) ? -1 : 1
    case 'time':
      return microseconds(String(one)) - microseconds(String(other))
    case 'enum':
      return enumValues.indexOf(one as never) - enumValues.indexOf(other as never)
    default:
      return right.range.valueType === 'float' || valueType === 'float'
        ? Number(one) - Number(other)
        : compareDigits(String(one), String(other))
  }
}

/** The parts of a value that has several. */
export function partsOf({ value, range }: Comparable): readonly Comparable[] {
  const values = value as readonly unknown[]
  return range.parts?.map((part, place) => ({ value: values[place], range: part })) ?? []
}

function compareParts(left: Comparable, right: Comparable, order: Order): number {
  const others = partsOf(right)
  const differences = partsOf(left).map((one, place) => compareValues(one, others[place] ?? one, order))
  return differences.find((difference) => difference !== 0) ?? 0
}

function microseconds(time: string): number {
  const [clock = '', fraction = ''] = time.split('.')
  const [hours = 0, minutes = 0, seconds = 0] = clock.split(':').map(Number)
  return ((hours * 60 + minutes) * 60 + seconds) * 1e6 + Number(fraction.padEnd(6, '0').slice(0, 6))
}

function compareDigits(one: string, other: string): number {
  const difference = scaled(one) - scaled(other)
  return difference === 0n ? 0 : difference < 0n ? -1 : 1
}

function scaled(digits: string): bigint {
  const [whole = '', fraction = ''] = digits.split('.')
  return BigInt(whole + fraction.padEnd(30, '0'))
}
