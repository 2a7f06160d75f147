import { pointerTo, trimPointer } from '../document/pointer'
import type { ErrorCode } from '../errors/catalogue'
import { JsonApiError, type Problem, problem } from '../errors/json-api-error'
import { isWritable } from '../graph/capabilities'
import type { Field, Relationship, ResourceType } from '../graph/resource-graph'
import type { SentDocument } from './intent'

/**
 * Refuses to create what lacks a required field, once all who can give one have given theirs. What clients may not give is not demanded
 * of them: it is up to rules.
 */
export function checkRequired(type: ResourceType, present: ReadonlySet<Field>, sent: SentDocument): void {
  const problems = findMissing(type, present, sent)
  if (problems.length > 0) throw new JsonApiError(problems)
}

/** What it lacks. */
export function findMissing(type: ResourceType, present: ReadonlySet<Field>, sent: SentDocument): readonly Problem[] {
  const attributes = type.attributes.filter((each) => each.isRequired && isDemanded(each, present))
  const relationships = type.relationships.filter((each) => isRequired(each) && isDemanded(each, present))
  return [
    ...attributes.map(({ name }) => missing('attribute.required', ['attributes', name], sent)),
    ...relationships.map(({ name }) => missing('relationship.required', ['relationships', name], sent)),
  ]
}

function isDemanded(field: Field, present: ReadonlySet<Field>): boolean {
  return !present.has(field) && isWritable(field, 'create')
}

function isRequired(relationship: Relationship): boolean {
  return relationship.kind === 'toOne' && !relationship.isNullable
}

function missing(code: ErrorCode, [members, name]: readonly [string, string], sent: SentDocument): Problem {
  const pointer = trimPointer(pointerTo(sent.pointer, members, name), sent.document)
  return problem(code, `Expected '${name}' in '${members}', found nothing.`, { pointer })
}
