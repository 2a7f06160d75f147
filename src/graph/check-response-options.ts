import { ENDPOINTS } from '../declarations/field-options'
import { ALL_LINKS, LINK_SWITCHES } from '../declarations/link-options'
import { ATOMIC_OPERATIONS } from '../document/atomic-operations'
import type { ConfigurationProblem } from '../errors/configuration-error'
import { unknownNames } from '../errors/nearest-name'
import { nameOf } from './class-chain'
import type { DeclaredField, DeclaredType } from './declared-type'
import { ETAG_OPTIONS, type Extension, type ResponseOptions, SERVER_TIMING_OPTIONS } from './response-options'

/** Whether the options of `createJsonApi` that shape answers make sense. */
export function checkResponseOptions(options: ResponseOptions): ConfigurationProblem[] {
  const { base, ...switches } = options.links
  return [
    ...checkBase(base),
    ...checkSwitches('createJsonApi', switches),
    ...checkDescribedBy(options.describedBy),
    ...checkOneOf('its etags', options.etags, ETAG_OPTIONS),
    ...checkOneOf('its serverTiming', options.serverTiming, SERVER_TIMING_OPTIONS),
    ...checkStreamFrom(options.streamFrom),
    ...checkEtagKey(options.etagKey),
    ...checkFunction('its meta', options.meta),
    ...(typeof options.cacheControl === 'string' ? [] : checkFunction('its cacheControl', options.cacheControl)),
    ...checkExtensions(options.extensions),
  ]
}

/** What a type says of links; its fields as well. */
export function checkDeclaredLinks({ resourceClass, resource, fields }: DeclaredType): ConfigurationProblem[] {
  const at = nameOf(resourceClass)
  const links: unknown = resource?.options.links
  const isObject = links === undefined || (typeof links === 'object' && links !== null && !Array.isArray(links))
  const problem = `its links are ${show(links)}.`
  const remedy = `Give an object with some of ${Object.keys(ALL_LINKS).join(', ')}.`
  return [
    ...(isObject ? checkSwitches(at, links ?? {}) : [{ at, problem, remedy }]),
    ...fields.flatMap(checkFieldLinks),
  ]
}

function checkFieldLinks({ declaredBy, declaration }: DeclaredField): ConfigurationProblem[] {
  if (declaration.kind === 'attribute') return []
  const { links } = declaration.options
  if (links === undefined || LINK_SWITCHES.includes(links)) return []
  const at = `${nameOf(declaredBy)}.${declaration.property}`
  return [{ at, problem: `its links are ${show(links)}.`, remedy: "Give 'on' or 'off'." }]
}

function checkSwitches(at: string, switches: object): ConfigurationProblem[] {
  return Object.entries(switches).flatMap(([name, value]: [string, unknown]) => {
    if (!Object.hasOwn(ALL_LINKS, name)) {
      const known = Object.keys(ALL_LINKS).join(', ')
      return [{ at, problem: `its links have no '${name}'.`, remedy: `Give one of ${known}.` }]
    }
    if (value === undefined || LINK_SWITCHES.some((each) => each === value)) return []
    return [{ at, problem: `its links.${name} is ${show(value)}.`, remedy: "Give 'on' or 'off'." }]
  })
}

function checkBase(base: unknown): ConfigurationProblem[] {
  if (base === 'path' || base === 'request' || (typeof base === 'string' && isBaseUrl(base))) return []
  return [
    {
      at: 'createJsonApi',
      problem: `its links.base is ${show(base)}.`,
      remedy: "Give 'path', 'request' or a URL like 'https://api.example.com/v1', with no query.",
    },
  ]
}

function isBaseUrl(text: string): boolean {
  return /^https?:\/\/[^/?#]/i.test(text) && !/[?#]/.test(text) && isUrl(text)
}

/** A path that is relative to the document would lead somewhere else from each of them. */
function checkDescribedBy(describedBy: unknown): ConfigurationProblem[] {
  if (describedBy === undefined || (typeof describedBy === 'string' && isPlace(describedBy))) return []
  return [
    {
      at: 'createJsonApi',
      problem: `its describedBy is ${show(describedBy)}.`,
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

export function checkOneOf(what: string, value: unknown, known: readonly string[]): ConfigurationProblem[] {
  if (known.some((each) => each === value)) return []
  const remedy = `Give one of ${known.map((each) => `'${each}'`).join(', ')}.`
  return [{ at: 'createJsonApi', problem: `${what} is ${show(value)}.`, remedy }]
}

function checkStreamFrom(length: unknown): ConfigurationProblem[] {
  if (length === null || (typeof length === 'number' && length >= 0)) return []
  const remedy = 'Give a number of characters, or null.'
  return [{ at: 'createJsonApi', problem: `its streamFrom is ${show(length)}.`, remedy }]
}

/** The secret itself is not to be in a log. */
function checkEtagKey(key: unknown): ConfigurationProblem[] {
  if (key === undefined || (typeof key === 'string' && key.length >= 16)) return []
  const problem = 'its etagKey is no text of at least 16 characters.'
  return [{ at: 'createJsonApi', problem, remedy: 'Give a secret, the same in all processes, or leave it out.' }]
}

export function checkFunction(what: string, value: unknown): ConfigurationProblem[] {
  if (value === undefined || typeof value === 'function') return []
  return [{ at: 'createJsonApi', problem: `${what} is ${show(value)}.`, remedy: 'Give a function, or leave it out.' }]
}

function checkExtensions(extensions: readonly Extension[]): ConfigurationProblem[] {
  const uris = extensions.map(({ uri }) => uri)
  const repeated = new Set(uris.filter((uri, index) => uris.indexOf(uri) !== index))
  return [
    ...extensions.flatMap(checkExtension),
    ...[...repeated].map((uri) => ({
      at: 'createJsonApi',
      problem: `its extension ${show(uri)} is there more than once.`,
      remedy: 'Name it once, with all of its endpoints.',
    })),
  ]
}

function checkExtension({ uri, endpoints = [], ...others }: Extension): ConfigurationProblem[] {
  const at = 'createJsonApi'
  const unknown = endpoints.filter((endpoint) => !ENDPOINTS.includes(endpoint))
  const problems = [
    ...unknown.map((endpoint) => ({
      at,
      problem: `its extension ${show(uri)} has the endpoint ${show(endpoint)}.`,
      remedy: `Give some of ${ENDPOINTS.join(', ')}.`,
    })),
    ...unknownNames(others, ['uri', 'endpoints']).map(({ name, hint }) => ({
      at,
      problem: `its extension ${show(uri)} has no '${name}'.${hint}`,
      remedy: 'Correct the name, or leave it out.',
    })),
  ]
  if (uri === ATOMIC_OPERATIONS) {
    const remedy = "Leave it out: the option 'operations' switches it on and off."
    return [...problems, { at, problem: `its extension ${show(uri)} is the library's own.`, remedy }]
  }
  if (typeof uri === 'string' && isUrl(uri)) return problems
  return [...problems, { at, problem: `its extension ${show(uri)} has no URI.`, remedy: 'Give an absolute URI.' }]
}

function show(value: unknown): string {
  return typeof value === 'string' ? `'${value}'` : String(value)
}
