import type { ErrorCode } from '../../errors/catalogue'
import { JsonApiError, problem } from '../../errors/json-api-error'
import type { Field, StoredType } from '../../graph/resource-graph'
import { findViolatedFields, isOwnKey } from './find-violated'
import type { Mapping } from './mapping'
import { type ViolationKind, violationIn } from './violation'

/**
 * What to throw for an error of a statement that wrote a row of this type: a `JsonApiError` where a constraint of the database refused
 * it, else the error itself.
 *
 * `UNIQUE constraint failed: humans.email` -> 409 `constraint.unique`, with the field `email`
 */
export function toProblem(error: unknown, mapping: Mapping, type: StoredType): unknown {
  const violation = violationIn(error)
  if (violation === undefined) return error
  if (isOwnKey(violation, mapping, type)) return new JsonApiError([{ ...problem(...SAID.primaryKey), field: 'id' }])
  const fields = findViolatedFields(violation, mapping, type)
  const [code, detail] = isMissingRight(violation.kind, fields[0]) ? MISSING_RIGHT : SAID[violation.kind]
  const names = fields.map(({ name }) => `'${name}'`).join(', ')
  const said = problem(code, names === '' ? detail : `${detail} (${names})`)
  return new JsonApiError([fields[0] === undefined ? said : { ...said, field: fields[0].name }])
}

/** Rights were found before they were linked: the row went in between. */
function isMissingRight(kind: ViolationKind, field: Field | undefined): boolean {
  return kind === 'missing' && field !== undefined && field.kind !== 'attribute'
}

type Saying = readonly [code: ErrorCode, detail: string]

const MISSING_RIGHT: Saying = ['related.not-found', 'A resource that was to be linked is not there any more.']

const SAID: Readonly<Record<ViolationKind, Saying>> = {
  primaryKey: ['resource.id-taken', 'There is a resource with this id already.'],
  unique: ['constraint.unique', 'Another resource has this value already.'],
  missing: ['constraint.reference', 'What it refers to is not there.'],
  referred: ['constraint.reference', 'Other resources refer to it.'],
  reference: ['constraint.reference', 'Other resources refer to it, or what it refers to is not there.'],
  notNull: ['constraint.not-null', 'A value has to be given.'],
  check: ['constraint.check', 'The value is not one that is allowed.'],
  range: ['constraint.range', 'The value is too long, out of range, or not of the right kind.'],
}
