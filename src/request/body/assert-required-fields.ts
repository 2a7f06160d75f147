import { getOrCompute } from '../../cache/get-or-compute'
import { appendToPointer, trimPointerToExistingMember } from '../../document/pointer'
import type { ErrorCode } from '../../errors/catalogue'
import { createErrorDetails, type ErrorDetails, JsonApiError } from '../../errors/json-api-error'
import { type IsFieldHidden, isFieldWritable } from '../../graph/model/capabilities'
import type { Field, ResourceType } from '../../graph/model/resource-graph'
import type { DocumentWithDataPointer } from '../intent/intent'

/**
 * Throws if a required field is missing after the client and the rules have set values. Fields that clients can't write are not required,
 * because rules set them.
 */
export function assertRequiredFields(
  type: ResourceType,
  present: ReadonlySet<Field>,
  sent: DocumentWithDataPointer,
  isHidden: IsFieldHidden,
): void {
  const errors = findMissingFieldErrors(type, present, sent, isHidden)
  if (errors.length > 0) throw new JsonApiError(errors)
}

/** Returns an error for each required field that is missing. */
export function findMissingFieldErrors(
  type: ResourceType,
  present: ReadonlySet<Field>,
  sent: DocumentWithDataPointer,
  isHidden: IsFieldHidden,
): readonly ErrorDetails[] {
  return requiredFieldsOf(type)
    .filter((field) => !present.has(field) && !isHidden(type, field))
    .map(({ kind, name }) =>
      kind === 'attribute'
        ? missingFieldError('attribute.required', ['attributes', name], sent)
        : missingFieldError('relationship.required', ['relationships', name], sent),
    )
}

/** Finds the fields once for each type. */
function requiredFieldsOf(type: ResourceType): readonly Field[] {
  return getOrCompute(REQUIRED_FIELDS, type, () => {
    const relationships = type.relationships.filter((each) => each.kind === 'toOne' && each.isRequired)
    const attributes = type.attributes.filter(({ isRequired }) => isRequired)
    return [...attributes, ...relationships].filter((field) => isFieldWritable(field, 'create'))
  })
}

const REQUIRED_FIELDS = new WeakMap<ResourceType, readonly Field[]>()

function missingFieldError(
  code: ErrorCode,
  [members, name]: readonly [string, string],
  sent: DocumentWithDataPointer,
): ErrorDetails {
  const pointer = trimPointerToExistingMember(appendToPointer(sent.pointer, members, name), sent.document)
  return createErrorDetails(code, `Expected '${name}' in '${members}', found nothing.`, { pointer })
}
