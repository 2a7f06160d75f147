import { pointerTo, trimPointer } from '../document/pointer'
import type { ErrorCode } from '../errors/catalogue'
import { JsonApiError, type Problem, problem } from '../errors/json-api-error'
import type { Field, Relationship, ResourceType } from '../graph/resource-graph'
import type { SentDocument } from './intent'

/** Refuses to create what lacks a required field, once all who can give one have given theirs. */
export function checkRequired(type: ResourceType, present: ReadonlySet<Field>, sent: SentDocument): void {
  const attributes = type.attributes.filter((each) => each.isRequired && !present.has(each))
  const relationships = type.relationships.filter((each) => isRequired(each) && !present.has(each))
  const problems = [
    ...attributes.map(({ name }) => missing('attribute.required', ['attributes', name], sent)),
    ...relationships.map(({ name }) => missing('relationship.required', ['relationships', name], sent)),
  ]
  if (problems.length > 0) throw new JsonApiError(problems)
}

function isRequired(relationship: Relationship): boolean {
  return relationship.kind === 'toOne' && !relationship.isNullable
}

function missing(code: ErrorCode, [members, name]: readonly [string, string], sent: SentDocument): Problem {
  const pointer = trimPointer(pointerTo(sent.pointer, members, name), sent.document)
  return problem(code, `Expected '${name}' in '${members}', found nothing.`, { pointer })
}
