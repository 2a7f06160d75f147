import type { ConfigurationProblem } from '../errors/configuration-error'
import { JsonApiError } from '../errors/json-api-error'
import type { Attribute, ResourceGraph } from '../graph/resource-graph'
import { readAttributeValue } from '../request/read-attribute-value'

/** Examples of values that could never be sent would mislead those who read them. */
export function checkExamples({ types }: ResourceGraph): readonly ConfigurationProblem[] {
  const attributes = new Set([...types.values()].flatMap((type) => type.attributes))
  return [...attributes].flatMap(checkExample)
}

function checkExample(attribute: Attribute): readonly ConfigurationProblem[] {
  const { notes, declaringType, property } = attribute
  if (notes.example === undefined) return []
  const mistake = findMistake(attribute)
  if (mistake === undefined) return []
  const at = `${declaringType.resourceClass.name}.${property}`
  return [{ at, problem: `its example does not fit. ${mistake}`, remedy: 'Give a value as a document shows it.' }]
}

function findMistake(attribute: Attribute): string | undefined {
  const { example = null } = attribute.notes
  try {
    readAttributeValue(example, attribute, '')
    return undefined
  } catch (error) {
    if (error instanceof JsonApiError) return error.problems[0]?.detail
    throw error
  }
}
