import { rangeOfType } from '../../graph/model/query-function'
import type { Attribute } from '../../graph/model/resource-graph'
import type { AttributeType, ValueConstraints } from '../../graph/model/value-type'
import type { AttributePath, MemberPath, Operand } from './ast'

/** What the values of an operand are. */
export function rangeOf(operand: Operand): ValueConstraints {
  switch (operand.kind) {
    case 'attributePath':
      return endOf(operand).range
    case 'count':
      return { valueType: 'integer' }
    case 'truth':
      return { valueType: 'boolean' }
    case 'functionCall':
      return rangeOfType(operand.called.gives)
  }
}

/** What has the value that a path leads to. */
export function endOf({ attribute, member }: AttributePath): Attribute | MemberPath {
  return member ?? attribute
}

/** Whether a value can be equal to another at all. */
export function isComparable({ valueType, isOpaque }: ValueConstraints): boolean {
  return !OPAQUE.has(valueType) && isOpaque !== true
}

/** Whether one value can come before another. */
export function isOrderable(range: ValueConstraints): boolean {
  return isComparable(range) && range.valueType !== 'boolean'
}

/**
 * Whether values of the two ranges can be compared with each other: by the database, and without telling the keys behind ids, which
 * anybody could find who may compare them with numbers of their own.
 */
export function areComparable(one: ValueConstraints, other: ValueConstraints): boolean {
  if (one.codec !== other.codec || one.parts?.length !== other.parts?.length) return false
  if (one.parts !== undefined)
    return one.parts.every((part, place) => areComparable(part, other.parts?.[place] ?? other))
  if (one.databaseType !== other.databaseType) return false
  if (one.valueType === 'enum' && other.valueType === 'enum') return haveSameValues(one, other)
  return one.valueType === other.valueType || (NUMBERS.has(one.valueType) && NUMBERS.has(other.valueType))
}

/** Whether two values are text for clients, and for the database each of a type of its own. */
export function areOtherTexts(one: ValueConstraints, other: ValueConstraints): boolean {
  return one.valueType === 'string' && other.valueType === 'string' && one.databaseType !== other.databaseType
}

/** Whether it is an id that a transformer of the key's column makes, so that the column holds something else. */
export function isTransformedId(by: Operand): by is AttributePath {
  return by.kind === 'attributePath' && by.attribute === by.type.id && by.attribute.isTransformed
}

/** What a value of a range is called: nothing is told of the keys behind ids. */
export function kindOf({ valueType, codec }: ValueConstraints): string {
  return codec === undefined ? `one of type ${valueType}` : 'an id'
}

/** Whether values of a range can be given where a function takes this type. */
export function isAccepted({ valueType, codec }: ValueConstraints, taken: AttributeType): boolean {
  if (codec !== undefined) return false
  return valueType === taken || (NUMBERS.has(valueType) && WIDENING.indexOf(valueType) < WIDENING.indexOf(taken))
}

function haveSameValues(
  { enumValues: ones = [] }: ValueConstraints,
  { enumValues: others = [] }: ValueConstraints,
): boolean {
  return ones.length === others.length && ones.every((each) => others.includes(each))
}

const OPAQUE: ReadonlySet<AttributeType> = new Set(['list', 'binary', 'json'])
/** Databases make of each number one of the types behind it. */
const WIDENING: readonly AttributeType[] = ['integer', 'bigint', 'decimal', 'float']
const NUMBERS: ReadonlySet<AttributeType> = new Set(WIDENING)
