import type { ConfigurationIssue } from '../errors/configuration-error'
import { JsonApiError } from '../errors/json-api-error'
import type { Attribute, ResourceGraph } from '../graph/model/resource-graph'
import { createRequestAttributeValueReader } from '../request/values/read-json-value'

/** Reports examples that a client could not send. */
export function findAttributeExampleIssues({ types }: ResourceGraph): readonly ConfigurationIssue[] {
  const attributes = new Set([...types.values()].flatMap((type) => type.attributes))
  return [...attributes].flatMap(findExampleIssues)
}

function findExampleIssues(attribute: Attribute): readonly ConfigurationIssue[] {
  const { annotations, declaringType, property } = attribute
  if (annotations.example === undefined) return []
  const issue = findIssue(attribute)
  if (issue === undefined) return []
  const location = `${declaringType.resourceClass.name}.${property}`
  return [
    {
      location,
      message: `its example is not a valid value. ${issue}`,
      remedy: 'Set a value as it appears in a document.',
    },
  ]
}

function findIssue(attribute: Attribute): string | undefined {
  const { example = null } = attribute.annotations
  try {
    createRequestAttributeValueReader(attribute)(example, '')
    return undefined
  } catch (error) {
    if (error instanceof JsonApiError) return error.errors[0]?.detail
    throw error
  }
}
