import { constraintsOfFunctionArgumentOrResult } from '../../graph/model/filter-or-sort-function'
import type { Attribute } from '../../graph/model/resource-graph'
import type { AttributeType, ValueConstraints } from '../../graph/model/value-type'
import type { AttributePath, EmbeddedMemberPath, NonLiteralOperand } from './ast'

/** Returns the value constraints of an operand. */
export function valueConstraintsOfOperand(operand: NonLiteralOperand): ValueConstraints {
  switch (operand.kind) {
    case 'attributePath':
      return getEndOfAttributePath(operand).constraints
    case 'count':
      return { valueType: 'integer' }
    case 'truth':
      return { valueType: 'boolean' }
    case 'functionCall':
      return constraintsOfFunctionArgumentOrResult(operand.called.returnType)
  }
}

/** Returns the attribute or member at the end of a path. */
export function getEndOfAttributePath({ attribute, member }: AttributePath): Attribute | EmbeddedMemberPath {
  return member ?? attribute
}

/** Returns true if values can be tested for equality. */
export function supportsEquality({ valueType, isOpaque }: ValueConstraints): boolean {
  return !OPAQUE.has(valueType) && isOpaque !== true
}

/** Returns true if values have an order. */
export function supportsOrdering(constraints: ValueConstraints): boolean {
  return supportsEquality(constraints) && constraints.valueType !== 'boolean'
}

/**
 * Returns true if values with these constraints can be compared. Coded ids are compared only with ids of the same codec: comparisons with
 * numbers would reveal the keys behind them.
 */
export function areComparable(one: ValueConstraints, other: ValueConstraints): boolean {
  if (one.codec !== other.codec || one.parts?.length !== other.parts?.length) return false
  if (one.parts !== undefined)
    return one.parts.every((part, index) => areComparable(part, other.parts?.[index] ?? other))
  if (one.databaseType !== other.databaseType) return false
  if (one.valueType === 'enum' && other.valueType === 'enum') return haveSameValues(one, other)
  return one.valueType === other.valueType || (NUMBERS.has(one.valueType) && NUMBERS.has(other.valueType))
}

/** Returns true if both values are text for clients, but have different types in the database. */
export function haveDifferentDatabaseTextTypes(one: ValueConstraints, other: ValueConstraints): boolean {
  return one.valueType === 'string' && other.valueType === 'string' && one.databaseType !== other.databaseType
}

/** Returns true for an id whose column has a transformer, so that the database stores other values than clients see. */
export function isTransformedIdOperand(by: NonLiteralOperand): by is AttributePath {
  return by.kind === 'attributePath' && by.attribute === by.type.id && by.attribute.isTransformed
}

/** Describes the type of a value for messages. Reveals nothing about the keys behind ids. */
export function formatTypeOfConstraintsForError({ valueType, codec }: ValueConstraints): string {
  return codec === undefined ? `one of type ${valueType}` : 'an id'
}

/** Returns true if a function that takes this type accepts values with these constraints. */
export function isAssignableToArgumentType(
  { valueType, codec }: ValueConstraints,
  argumentType: AttributeType,
): boolean {
  if (codec !== undefined) return false
  return (
    valueType === argumentType ||
    (NUMBERS.has(valueType) && WIDENING.indexOf(valueType) < WIDENING.indexOf(argumentType))
  )
}

function haveSameValues(
  { enumValues: values = [] }: ValueConstraints,
  { enumValues: otherValues = [] }: ValueConstraints,
): boolean {
  return values.length === otherValues.length && values.every((each) => otherValues.includes(each))
}

const OPAQUE: ReadonlySet<AttributeType> = new Set(['list', 'binary', 'json'])
/** Databases convert each number type to those after it. */
const WIDENING: readonly AttributeType[] = ['integer', 'bigint', 'decimal', 'float']
const NUMBERS: ReadonlySet<AttributeType> = new Set(WIDENING)
