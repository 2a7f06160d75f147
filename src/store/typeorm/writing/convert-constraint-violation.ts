import type { ErrorCode } from '../../../errors/catalogue'
import { createErrorDetails, JsonApiError } from '../../../errors/json-api-error'
import {
  hasViewCapability,
  type IsFieldHidden,
  isFieldWritable,
  requiredFieldWriteCapability,
} from '../../../graph/model/capabilities'
import type { Field, StoredType } from '../../../graph/model/resource-graph'
import type { WritePlan } from '../../../plan/write-plan'
import { type ConstraintViolationKind, findConstraintViolation } from '../drivers/find-violation'
import type { DatabaseMapping } from '../mapping/database-mapping'
import { areAllViolatedColumnsInPrimaryKey, findViolatedFields, isPrimaryKeyViolation } from './find-violated-fields'

/**
 * Converts the error of a statement that wrote a row of this type to a `JsonApiError` if a constraint of the database was violated. Returns other errors
 * unchanged. Names no field that is hidden from the client.
 *
 * `UNIQUE constraint failed: humans.email` -> 409 `constraint.unique`, with the field `email`
 */
export function convertConstraintViolation(
  error: unknown,
  mapping: DatabaseMapping,
  type: StoredType,
  isHidden: IsFieldHidden,
  written: WritePlan['kind'] = 'update',
): unknown {
  const violation = findConstraintViolation(error)
  if (violation === undefined) return error
  if (isPrimaryKeyViolation(violation, mapping, type))
    return new JsonApiError([{ ...createErrorDetails(...MESSAGES.primaryKey), field: 'id' }])
  const found = findViolatedFields(violation, mapping, type)
  // An insert clears no foreign key of other rows, so the column is one of its own row, also if a sibling in the same table has declared it.
  const isMissingInOwnRow = violation.kind === 'notNull' && written === 'create'
  const fields = isMissingInOwnRow ? found.filter((field) => isStoredInRow(field, mapping)) : found
  if (
    violation.kind === 'notNull' &&
    fields.length === 0 &&
    areAllViolatedColumnsInPrimaryKey(violation, mapping, type)
  )
    return type.clientGeneratedIds === 'forbidden' ? error : missingId(type)
  // Clients can't write these fields, so a missing value is a mistake of the server.
  if (
    violation.kind === 'notNull' &&
    fields.some((field) => isHidden(type, field) || !isFieldWritable(field, 'create'))
  )
    return error
  // SQLite does not tell which end is missing. A deletion links nothing.
  const kind = violation.kind === 'reference' && written === 'delete' ? 'stillReferenced' : violation.kind
  const [code, detail] = isMissingRelated(kind, fields[0]) ? MISSING_RELATED : MESSAGES[kind]
  const visible = fields.filter((field) => isVisibleToClients(field) && !isHidden(type, field))
  const names = visible.map(({ name }) => name)
  const details = createErrorDetails(
    code,
    names.length === 0 ? detail : `${detail} (${names.map((name) => `'${name}'`).join(', ')})`,
  )
  const [only, ...rest] = names
  if (only === undefined) return new JsonApiError([details])
  return new JsonApiError([{ ...details, field: rest.length === 0 ? only : names }])
}

function isStoredInRow(field: Field, mapping: DatabaseMapping): boolean {
  return field.kind === 'attribute' || mapping.relationOf(field).kind === 'owning'
}

/** Creates an error for a missing id. An id may be omitted only if the database or a listener generates it. */
function missingId({ name }: StoredType): JsonApiError {
  const detail = `Expected an id for '${name}', found none: the server does not generate one.`
  return new JsonApiError([{ ...createErrorDetails('resource.id-value', detail), field: 'id' }])
}

/** Converts the error of a statement on rows of several types. Returns the error of the first type with a field that can have caused it. */
export function convertConstraintViolationOfTypes(
  error: unknown,
  mapping: DatabaseMapping,
  types: Iterable<StoredType>,
  isHidden: IsFieldHidden,
): unknown {
  const converted = [...types].map((type) => convertConstraintViolation(error, mapping, type, isHidden))
  const hasField = (candidate: unknown) =>
    candidate instanceof JsonApiError && candidate.errors.some(({ field }) => field !== undefined)
  return converted.find(hasField) ?? converted[0] ?? error
}

/** Returns true if a related resource was deleted between the lookup and the write of its key. */
function isMissingRelated(kind: ConstraintViolationKind, field: Field | undefined): boolean {
  return kind === 'missingReference' && field !== undefined && field.kind !== 'attribute'
}

/** Returns true if clients may see or write the field, so that errors may name it. */
function isVisibleToClients(field: Field): boolean {
  return (
    hasViewCapability(field) ||
    isFieldWritable(field, requiredFieldWriteCapability(field, 'create')) ||
    isFieldWritable(field, requiredFieldWriteCapability(field, 'update'))
  )
}

type ErrorMessage = readonly [code: ErrorCode, detail: string]

const MISSING_RELATED: ErrorMessage = ['related.not-found', 'A resource to link no longer exists.']

const MESSAGES: Readonly<Record<ConstraintViolationKind, ErrorMessage>> = {
  primaryKey: ['resource.id-exists', 'A resource with this id already exists.'],
  unique: ['constraint.unique', 'Another resource already has this value.'],
  exclusion: ['constraint.unique', 'The value conflicts with that of another resource.'],
  missingReference: ['constraint.reference', 'The related resource does not exist.'],
  stillReferenced: ['constraint.reference', 'Other resources still refer to this one.'],
  reference: [
    'constraint.reference',
    'Other resources still refer to this one, or the related resource does not exist.',
  ],
  notNull: ['constraint.not-null', 'Expected a value, found none.'],
  check: ['constraint.check', 'The database does not allow this value.'],
  range: ['constraint.range', 'The value is too long, out of range, or not of the right kind.'],
}
