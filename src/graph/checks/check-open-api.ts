import type { AttributeNotes } from '../../declarations/field-options'
import { isJsonObject } from '../../document/json'
import type { ConfigurationIssue } from '../../errors/configuration-error'
import { suggestName } from '../../errors/nearest-name'
import type { DeclaredType } from '../model/declared-type'
import { nameOf } from '../model/superclasses'
import type { OpenApiOptions } from '../options/options'

/** Whether the OpenAPI document can say what it is to say. The code may be JavaScript: any value can be here. */
export function checkOpenApi(options: OpenApiOptions): ConfigurationIssue[] {
  const { served, title, version, description, servers, securitySchemes, security } = options
  return [
    ...checkNames(options),
    ...checkThat(served === true || served === false, 'served', 'Give true or false.'),
    ...checkThat(isText(title), 'title', 'Give a text that is not empty.'),
    ...checkThat(isText(version), 'version', "Give a text like '1.0.0'."),
    ...checkThat(description === undefined || isText(description), 'description', 'Give a text, or leave it out.'),
    ...checkThat(servers === undefined || isList(servers, isServer), 'servers', "Give a list of { url: '…' }."),
    ...checkThat(
      securitySchemes === undefined || isJsonObject(securitySchemes),
      'securitySchemes',
      "Give an object: { bearer: { type: 'http', scheme: 'bearer' } }.",
    ),
    ...checkThat(
      security === undefined || isList(security, (each) => isKnownRequirement(each, securitySchemes)),
      'security',
      'Give a list of objects whose names are those of securitySchemes: [{ bearer: [] }].',
    ),
  ]
}

/** What a class and its fields say for those who read. */
export function checkNotes({ resourceClass, resource, fields }: DeclaredType): ConfigurationIssue[] {
  return [
    ...checkNote(nameOf(resourceClass), resource?.options ?? {}),
    ...fields.flatMap(({ declaredBy, declaration: { property, options } }) =>
      checkNote(`${nameOf(declaredBy)}.${property}`, options),
    ),
  ]
}

function checkNote(at: string, { description, deprecated }: AttributeNotes): ConfigurationIssue[] {
  return [
    ...(description === undefined || isText(description)
      ? []
      : [
          {
            location: at,
            message: 'its description is no text.',
            remedy: 'Give a text that is not empty, or leave it out.',
          },
        ]),
    ...(deprecated === undefined || typeof deprecated === 'boolean'
      ? []
      : [
          {
            location: at,
            message: `its deprecated is '${String(deprecated)}'.`,
            remedy: 'Give true, or leave it out.',
          },
        ]),
  ]
}

/** Of a text that is neither `true` nor `false` the letters are members. */
function checkNames(options: OpenApiOptions): ConfigurationIssue[] {
  const unknown = Object.keys(options).filter((name) => !NAMES.includes(name))
  if (unknown.length === 0) return []
  const [first = ''] = unknown
  const message = `its openApi has no '${unknown.join("', '")}'.${suggestName(first, NAMES)}`
  return [{ location: 'createJsonApi', message, remedy: OPEN_API_REMEDY }]
}

const NAMES = ['served', 'title', 'version', 'description', 'servers', 'securitySchemes', 'security']
export const OPEN_API_REMEDY = `Give some of ${NAMES.join(', ')}, or true or false.`

function checkThat(isRight: boolean, option: keyof OpenApiOptions, remedy: string): ConfigurationIssue[] {
  if (isRight) return []
  return [{ location: 'createJsonApi', message: `its openApi.${option} is not what it can be.`, remedy }]
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
