import type { AttributeAnnotations } from '../../declarations/field-options'
import { isJsonObject } from '../../document/json'
import type { ConfigurationIssue } from '../../errors/configuration-error'
import { formatFieldLocation, type RegisteredResourceClass } from '../model/registered-resource-class'
import { classNameForMessages } from '../model/superclasses'
import type { OpenApiOptions } from '../options/options'
import { createSingleConfigurationIssueList, findUnknownOptionNameIssues, formatOptionValue } from './option-checks'

/** Checks the members of the option `openApi`. */
export function findOpenApiOptionIssues(options: OpenApiOptions): ConfigurationIssue[] {
  const { served, title, version, description, servers, securitySchemes, security } = options
  return [
    ...findUnknownOptionNameIssues(
      { location: 'createJsonApi', messageStart: 'its openApi has' },
      options,
      NAMES,
      OPEN_API_OPTION_REMEDY,
    ),
    ...findIssuesUnless(served === true || served === false, 'served', 'Give true or false.'),
    ...findIssuesUnless(isText(title), 'title', 'Give a text that is not empty.'),
    ...findIssuesUnless(isText(version), 'version', "Give a text like '1.0.0'."),
    ...findIssuesUnless(
      description === undefined || isText(description),
      'description',
      'Give a text, or leave it out.',
    ),
    ...findIssuesUnless(servers === undefined || isList(servers, isServer), 'servers', "Give a list of { url: '…' }."),
    ...findIssuesUnless(
      securitySchemes === undefined || isJsonObject(securitySchemes),
      'securitySchemes',
      "Give an object: { bearer: { type: 'http', scheme: 'bearer' } }.",
    ),
    ...findIssuesUnless(
      security === undefined || isList(security, (each) => isKnownRequirement(each, securitySchemes)),
      'security',
      'Give a list of objects whose names are those of securitySchemes: [{ bearer: [] }].',
    ),
  ]
}

const NAMES = ['served', 'title', 'version', 'description', 'servers', 'securitySchemes', 'security']
export const OPEN_API_OPTION_REMEDY = `Give some of ${NAMES.join(', ')}, or true or false.`

/** Checks the descriptions and deprecations of a class and its fields. */
export function findDescriptionAndDeprecationIssues({
  resourceClass,
  resource,
  fields,
}: RegisteredResourceClass): ConfigurationIssue[] {
  return [
    ...findAnnotationIssues(classNameForMessages(resourceClass), resource?.options ?? {}),
    ...fields.flatMap((field) => findAnnotationIssues(formatFieldLocation(field), field.declaration.options)),
  ]
}

function findAnnotationIssues(
  location: string,
  { description, deprecated }: AttributeAnnotations,
): ConfigurationIssue[] {
  const issues: ConfigurationIssue[] = []
  if (description !== undefined && !isText(description)) {
    const remedy = 'Give a text that is not empty, or leave it out.'
    issues.push({ location, message: 'its description is not a text.', remedy })
  }
  if (deprecated !== undefined && typeof deprecated !== 'boolean') {
    const message = `its deprecated is ${formatOptionValue(deprecated)}.`
    issues.push({ location, message, remedy: 'Give true, or leave it out.' })
  }
  return issues
}

function findIssuesUnless(isValid: boolean, option: keyof OpenApiOptions, remedy: string): ConfigurationIssue[] {
  if (isValid) return []
  return createSingleConfigurationIssueList('createJsonApi', `its openApi.${option} is invalid.`, remedy)
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== ''
}

function isList(value: unknown, isMember: (member: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every(isMember)
}

function isServer(value: unknown): boolean {
  return isJsonObject(value) && isText(value.url)
}

function isKnownRequirement(value: unknown, schemes: unknown): boolean {
  const known = isJsonObject(schemes) ? schemes : {}
  return isJsonObject(value) && Object.keys(value).every((name) => Object.hasOwn(known, name))
}
