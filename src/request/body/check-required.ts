import { pointerTo, trimPointer } from '../../document/pointer'
import type { ErrorCode } from '../../errors/catalogue'
import { clientError, type ErrorDetails, JsonApiError } from '../../errors/json-api-error'
import { type IsHidden, isWritable } from '../../graph/model/capabilities'
import type { Field, Relationship, ResourceType } from '../../graph/model/resource-graph'
import type { SentDocument } from '../intent/intent'

/**
 * Refuses to create what lacks a required field, once all who can give one have given theirs. What clients may not give is not demanded
 * of them: it is up to rules.
 */
export function checkRequired(
  type: ResourceType,
  present: ReadonlySet<Field>,
  sent: SentDocument,
  isHidden: IsHidden,
): void {
  const problems = findMissing(type, present, sent, isHidden)
  if (problems.length > 0) throw new JsonApiError(problems)
}

/** What it lacks. */
export function findMissing(
  type: ResourceType,
  present: ReadonlySet<Field>,
  sent: SentDocument,
  isHidden: IsHidden,
): readonly ErrorDetails[] {
  const isDemanded = (field: Field) => !present.has(field) && isWritable(field, 'create') && !isHidden(type, field)
  const attributes = type.attributes.filter((each) => each.isRequired && isDemanded(each))
  const relationships = type.relationships.filter((each) => isRequired(each) && isDemanded(each))
  return [
    ...attributes.map(({ name }) => missing('attribute.required', ['attributes', name], sent)),
    ...relationships.map(({ name }) => missing('relationship.required', ['relationships', name], sent)),
  ]
}

function isRequired(relationship: Relationship): boolean {
  return relationship.kind === 'toOne' && !relationship.isNullable
}

function missing(code: ErrorCode, [members, name]: readonly [string, string], sent: SentDocument): ErrorDetails {
  const pointer = trimPointer(pointerTo(sent.pointer, members, name), sent.document)
  return clientError(code, `Expected '${name}' in '${members}', found nothing.`, { pointer })
}
