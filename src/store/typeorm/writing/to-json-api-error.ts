import type { ErrorCode } from '../../../errors/catalogue'
import { createErrorDetails, JsonApiError } from '../../../errors/json-api-error'
import { isViewable, isWritable, requiredWriteCapability } from '../../../graph/model/capabilities'
import type { Field, StoredType } from '../../../graph/model/resource-graph'
import { findViolation, type ViolationKind } from '../drivers/find-violation'
import type { Mapping } from '../mapping/mapping'
import { concernsPrimaryKey, findViolatedFields, isPrimaryKeyViolation } from './find-violated-fields'

/**
 * What to throw for an error of a statement that wrote a row of this type: a `JsonApiError` where a constraint of the database refused
 * it, else the error itself.
 *
 * `UNIQUE constraint failed: humans.email` -> 409 `constraint.unique`, with the field `email`
 */
export function toJsonApiError(error: unknown, mapping: Mapping, type: StoredType): unknown {
  const violation = findViolation(error)
  if (violation === undefined) return error
  if (isPrimaryKeyViolation(violation, mapping, type))
    return new JsonApiError([{ ...createErrorDetails(...MESSAGES.primaryKey), field: 'id' }])
  const fields = findViolatedFields(violation, mapping, type)
  if (violation.kind === 'notNull' && fields.length === 0 && concernsPrimaryKey(violation, mapping, type))
    return type.clientGeneratedIds === 'forbidden' ? error : missingId(type)
  // No rule has given what clients may not give: that is none of their mistakes.
  if (violation.kind === 'notNull' && fields.some((field) => !isWritable(field, 'create'))) return error
  const [code, detail] = isMissingRelated(violation.kind, fields[0]) ? MISSING_RELATED : MESSAGES[violation.kind]
  const names = fields.filter(isKnown).map(({ name }) => name)
  const said = createErrorDetails(
    code,
    names.length === 0 ? detail : `${detail} (${names.map((name) => `'${name}'`).join(', ')})`,
  )
  const [only, ...others] = names
  if (only === undefined) return new JsonApiError([said])
  return new JsonApiError([{ ...said, field: others.length === 0 ? only : names }])
}

/** The client may leave it out where something gives it: a default of the database, a listener. */
function missingId({ name }: StoredType): JsonApiError {
  const detail = `Expected an id for '${name}', found none: the server does not generate one.`
  return new JsonApiError([{ ...createErrorDetails('resource.id-value', detail), field: 'id' }])
}

/** Converts the error of a statement on rows of several types. The first type whose fields can have caused it counts. */
export function toJsonApiErrorOfTypes(error: unknown, mapping: Mapping, types: Iterable<StoredType>): unknown {
  const problems = [...types].map((type) => toJsonApiError(error, mapping, type))
  const isLocated = (each: unknown) =>
    each instanceof JsonApiError && each.errors.some(({ field }) => field !== undefined)
  return problems.find(isLocated) ?? problems[0] ?? error
}

/** Rights were found before they were linked: the row went in between. */
function isMissingRelated(kind: ViolationKind, field: Field | undefined): boolean {
  return kind === 'missingReference' && field !== undefined && field.kind !== 'attribute'
}

/** Clients must not see other details. */
function isKnown(field: Field): boolean {
  return (
    isViewable(field) ||
    isWritable(field, requiredWriteCapability(field, 'create')) ||
    isWritable(field, requiredWriteCapability(field, 'update'))
  )
}

type ErrorMessage = readonly [code: ErrorCode, detail: string]

const MISSING_RELATED: ErrorMessage = ['related.not-found', 'A resource to link no longer exists.']

const MESSAGES: Readonly<Record<ViolationKind, ErrorMessage>> = {
  primaryKey: ['resource.id-exists', 'A resource with this id exists already.'],
  unique: ['constraint.unique', 'Another resource has this value already.'],
  missingReference: ['constraint.reference', 'What it refers to is not there.'],
  stillReferenced: ['constraint.reference', 'Other resources refer to it.'],
  reference: ['constraint.reference', 'Other resources refer to it, or what it refers to is not there.'],
  notNull: ['constraint.not-null', 'A value has to be given.'],
  check: ['constraint.check', 'The value is not one that is allowed.'],
  range: ['constraint.range', 'The value is too long, out of range, or not of the right kind.'],
}
