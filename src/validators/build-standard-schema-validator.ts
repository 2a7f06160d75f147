import type { StandardSchema, StandardSchemaIssue } from '../declarations/standard-schema'
import type { ResourceType } from '../graph/model/resource-graph'
import { attributeToJson } from '../records/attribute-to-json'
import type { AttributesValidator, ValidationIssue } from './validation-issue'

/** Builds a validator that passes the attributes to a schema as they appear in a document. Values that the schema transforms are not stored. */
export function buildStandardSchemaValidator(schema: StandardSchema, type: ResourceType): AttributesValidator {
  return async (values) => {
    const attributes = [...values].filter(([attribute]) => type.attributes.includes(attribute))
    const document = Object.fromEntries(attributes.map(([each, value]) => [each.name, attributeToJson(each, value)]))
    const { issues = [] } = await schema['~standard'].validate(document)
    return issues.map(toIssue)
  }
}

function toIssue({ message, path = [] }: StandardSchemaIssue): ValidationIssue {
  return { message, path: path.map((step) => toMember(typeof step === 'object' ? step.key : step)) }
}

function toMember(key: PropertyKey): string | number {
  return typeof key === 'symbol' ? String(key) : key
}
