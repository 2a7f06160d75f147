import { pointerTo, trimPointer } from '../../document/pointer'
import type { ErrorCode } from '../../errors/catalogue'
import { createErrorDetails, type ErrorDetails, JsonApiError } from '../../errors/json-api-error'
import { type IsHidden, isWritable } from '../../graph/model/capabilities'
import type { Field, ResourceType } from '../../graph/model/resource-graph'
import type { SentDocument } from '../intent/intent'

/**
 * Throws if a required field is missing after the client and the rules have set theirs. Fields that clients can't write
 * are not required of them: rules set those.
 */
export function assertRequiredFields(
  type: ResourceType,
  present: ReadonlySet<Field>,
  sent: SentDocument,
  isHidden: IsHidden,
): void {
  const errors = findMissingFieldErrors(type, present, sent, isHidden)
  if (errors.length > 0) throw new JsonApiError(errors)
}

/** Returns an error for each required field that is missing. */
export function findMissingFieldErrors(
  type: ResourceType,
  present: ReadonlySet<Field>,
  sent: SentDocument,
  isHidden: IsHidden,
): readonly ErrorDetails[] {
  const isDemanded = (field: Field) => !present.has(field) && isWritable(field, 'create') && !isHidden(type, field)
  const attributes = type.attributes.filter((each) => each.isRequired && isDemanded(each))
  const relationships = type.relationships.filter(
    (each) => each.kind === 'toOne' && !each.isNullable && isDemanded(each),
  )
  return [
    ...attributes.map(({ name }) => missing('attribute.required', ['attributes', name], sent)),
    ...relationships.map(({ name }) => missing('relationship.required', ['relationships', name], sent)),
  ]
}

function missing(code: ErrorCode, [members, name]: readonly [string, string], sent: SentDocument): ErrorDetails {
  const pointer = trimPointer(pointerTo(sent.pointer, members, name), sent.document)
  return createErrorDetails(code, `Expected '${name}' in '${members}', found nothing.`, { pointer })
}
