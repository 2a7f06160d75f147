import { ENDPOINTS } from '../../declarations/field-options'
import { ALL_LINKS, LINK_SWITCHES } from '../../declarations/link-options'
import { ATOMIC_OPERATIONS } from '../../document/atomic-operations'
import type { ConfigurationIssue } from '../../errors/configuration-error'
import { unknownNames } from '../../errors/nearest-name'
import type { DeclaredField, DeclaredType } from '../model/declared-type'
import { nameOf } from '../model/superclasses'
import {
  ETAG_OPTIONS,
  type ResponseOptions,
  SERVER_TIMING_OPTIONS,
  type SupportedExtension,
} from '../options/response-options'
import { showChoice } from './show-choice'

/** Whether the options of `createJsonApi` that shape answers make sense. */
export function checkResponseOptions(options: ResponseOptions): ConfigurationIssue[] {
  const { base, ...switches } = options.links
  return [
    ...checkBase(base),
    ...checkSwitches('createJsonApi', switches),
    ...checkDescribedBy(options.describedBy),
    ...checkOneOf('its etags', options.etags, ETAG_OPTIONS),
    ...checkOneOf('its serverTiming', options.serverTiming, SERVER_TIMING_OPTIONS),
    ...checkStreamFrom(options.streamThreshold),
    ...checkEtagKey(options.etagSecret),
    ...checkFunction('its meta', options.meta),
    ...(typeof options.cacheControl === 'string' ? [] : checkFunction('its cacheControl', options.cacheControl)),
    ...checkExtensions(options.extensions),
  ]
}

/** What a type says of links; its fields as well. */
export function checkDeclaredLinks({ resourceClass, resource, fields }: DeclaredType): ConfigurationIssue[] {
  const at = nameOf(resourceClass)
  const links: unknown = resource?.options.links
  const isObject = links === undefined || (typeof links === 'object' && links !== null && !Array.isArray(links))
  const problem = `its links are ${showChoice(links)}.`
  const remedy = `Give an object with some of ${Object.keys(ALL_LINKS).join(', ')}.`
  return [
    ...(isObject ? checkSwitches(at, links ?? {}) : [{ location: at, message: problem, remedy }]),
    ...fields.flatMap(checkFieldLinks),
  ]
}

function checkFieldLinks({ declaredBy, declaration }: DeclaredField): ConfigurationIssue[] {
  if (declaration.kind === 'attribute') return []
  const { links } = declaration.options
  if (links === undefined || LINK_SWITCHES.includes(links)) return []
  const location = `${nameOf(declaredBy)}.${declaration.property}`
  return [{ location, message: `its links are ${showChoice(links)}.`, remedy: 'Give true or false.' }]
}

function checkSwitches(at: string, switches: object): ConfigurationIssue[] {
  return Object.entries(switches).flatMap(([name, value]: [string, unknown]) => {
    if (!Object.hasOwn(ALL_LINKS, name)) {
      const known = Object.keys(ALL_LINKS).join(', ')
      return [{ location: at, message: `its links have no '${name}'.`, remedy: `Give one of ${known}.` }]
    }
    if (value === undefined || LINK_SWITCHES.some((each) => each === value)) return []
    return [{ location: at, message: `its links.${name} is ${showChoice(value)}.`, remedy: 'Give true or false.' }]
  })
}

function checkBase(base: unknown): ConfigurationIssue[] {
  if (base === 'path' || base === 'request' || (typeof base === 'string' && isBaseUrl(base))) return []
  return [
    {
      location: 'createJsonApi',
      message: `its links.base is ${showChoice(base)}.`,
      remedy: "Give 'path', 'request' or a URL like 'https://api.example.com/v1', with no query.",
    },
  ]
}

function isBaseUrl(text: string): boolean {
  return /^https?:\/\/[^/?#]/i.test(text) && !/[?#]/.test(text) && isUrl(text)
}

/** A path that is relative to the document would lead somewhere else from each of them. */
function checkDescribedBy(describedBy: unknown): ConfigurationIssue[] {
  if (describedBy === undefined || (typeof describedBy === 'string' && isPlace(describedBy))) return []
  return [
    {
      location: 'createJsonApi',
      message: `its describedBy is ${showChoice(describedBy)}.`,
      remedy: "Give a path from the root, like '/openapi.json', or a URL.",
    },
  ]
}

function isPlace(text: string): boolean {
  return isUrl(/^\/(?!\/)/.test(text) ? `http://localhost${text}` : text)
}

/** With nothing in it that a URL has only percent-encoded. https://www.rfc-editor.org/rfc/rfc3986#section-2 */
function isUrl(text: string): boolean {
  return /^[a-z][a-z\d+.-]*:[\w\-.~:/?#@!$&'()*+,;=%]+$/i.test(text) && URL.canParse(text)
}

export function checkOneOf(what: string, value: unknown, known: readonly (string | boolean)[]): ConfigurationIssue[] {
  if (known.some((each) => each === value)) return []
  const remedy = `Give one of ${known.map(showChoice).join(', ')}.`
  return [{ location: 'createJsonApi', message: `${what} is ${showChoice(value)}.`, remedy }]
}

function checkStreamFrom(length: unknown): ConfigurationIssue[] {
  if (length === null || (typeof length === 'number' && length >= 0)) return []
  const remedy = 'Give a number of characters, or null.'
  return [{ location: 'createJsonApi', message: `its streamThreshold is ${showChoice(length)}.`, remedy }]
}

/** The secret itself is not to be in a log. */
function checkEtagKey(key: unknown): ConfigurationIssue[] {
  if (key === undefined || (typeof key === 'string' && key.length >= 16)) return []
  const message = 'its etagSecret is no text of at least 16 characters.'
  return [{ location: 'createJsonApi', message, remedy: 'Give a secret, the same in all processes, or leave it out.' }]
}

export function checkFunction(what: string, value: unknown): ConfigurationIssue[] {
  if (value === undefined || typeof value === 'function') return []
  return [
    {
      location: 'createJsonApi',
      message: `${what} is ${showChoice(value)}.`,
      remedy: 'Give a function, or leave it out.',
    },
  ]
}

function checkExtensions(extensions: readonly SupportedExtension[]): ConfigurationIssue[] {
  const uris = extensions.map(({ uri }) => uri)
  const repeated = new Set(uris.filter((uri, index) => uris.indexOf(uri) !== index))
  return [
    ...extensions.flatMap(checkExtension),
    ...[...repeated].map((uri) => ({
      location: 'createJsonApi',
      message: `its extension ${showChoice(uri)} is there more than once.`,
      remedy: 'Name it once, with all of its endpoints.',
    })),
  ]
}

function checkExtension({ uri, endpoints = [], ...others }: SupportedExtension): ConfigurationIssue[] {
  const location = 'createJsonApi'
  const unknown = endpoints.filter((endpoint) => !ENDPOINTS.includes(endpoint))
  const problems = [
    ...unknown.map((endpoint) => ({
      location: location,
      message: `its extension ${showChoice(uri)} has the endpoint ${showChoice(endpoint)}.`,
      remedy: `Give some of ${ENDPOINTS.join(', ')}.`,
    })),
    ...unknownNames(others, ['uri', 'endpoints']).map(({ name, hint }) => ({
      location: location,
      message: `its extension ${showChoice(uri)} has no '${name}'.${hint}`,
      remedy: 'Correct the name, or leave it out.',
    })),
  ]
  if (uri === ATOMIC_OPERATIONS) {
    const remedy = "Leave it out: the option 'operations' switches it on and off."
    return [...problems, { location, message: `its extension ${showChoice(uri)} is the library's own.`, remedy }]
  }
  if (typeof uri === 'string' && isUrl(uri)) return problems
  return [
    ...problems,
    { location, message: `its extension ${showChoice(uri)} has no URI.`, remedy: 'Give an absolute URI.' },
  ]
}
