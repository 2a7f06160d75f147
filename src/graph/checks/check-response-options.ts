import { isOptionsObject } from '../../declarations/decorators'
import { ENDPOINT_NAMES } from '../../declarations/field-options'
import { ALL_LINKS_ENABLED } from '../../declarations/link-options'
import { ATOMIC_OPERATIONS_URI } from '../../document/media-type'
import type { ConfigurationIssue } from '../../errors/configuration-error'
import {
  type DeclaredField,
  formatFieldLocation,
  type RegisteredResourceClass,
} from '../model/registered-resource-class'
import { classNameForMessages } from '../model/superclasses'
import type { ResolvedApiOptions } from '../options/options'
import { ETAG_OPTION_VALUES } from '../options/response-options'
import type { OptionPlace } from './option-checks'
import {
  BOOLEAN_CONFIGURATION_VALUES,
  createSingleConfigurationIssueList,
  findDuplicates,
  findIssueIfValueIsNoFunction,
  findUnknownOptionNameIssues,
  findUnknownOptionValueIssues,
  formatOptionValue,
  isListOfObjects,
} from './option-checks'

/** Checks the options of `createJsonApi` for responses. */
export function findResponseOptionIssues(options: ResolvedApiOptions): ConfigurationIssue[] {
  const { base, ...switches } = options.links
  return [
    ...findBaseIssues(base),
    ...findSwitchIssues('createJsonApi', switches),
    ...findDescribedByIssues(options.describedBy),
    ...findUnknownOptionValueIssues(general('its etags is'), options.etags, ETAG_OPTION_VALUES),
    ...findUnknownOptionValueIssues(general('its serverTiming is'), options.serverTiming, BOOLEAN_CONFIGURATION_VALUES),
    ...findUnknownOptionValueIssues(general('its explorer is'), options.explorer, BOOLEAN_CONFIGURATION_VALUES),
    ...findStreamThresholdIssues(options.streamThreshold),
    ...findEtagSecretIssues(options.etagSecret),
    ...findIssueIfValueIsNoFunction(general('its meta is'), options.meta),
    ...findIssueIfValueIsNoFunction(general('its namingStrategy is'), options.namingStrategy),
    ...(typeof options.cacheControl === 'string'
      ? []
      : findIssueIfValueIsNoFunction(general('its cacheControl is'), options.cacheControl)),
    ...findAllExtensionIssues(options.extensions),
  ]
}

/** Checks the option `links` of a type and of its fields. */
export function findResourceLinkOptionIssues({
  resourceClass,
  resource,
  fields,
}: RegisteredResourceClass): ConfigurationIssue[] {
  const location = classNameForMessages(resourceClass)
  const links: unknown = resource?.options.links
  const message = `its links are ${formatOptionValue(links)}.`
  const remedy = `Give an object with some of ${Object.keys(ALL_LINKS_ENABLED).join(', ')}.`
  return [
    ...(links === undefined || isOptionsObject(links)
      ? findSwitchIssues(location, links ?? {})
      : createSingleConfigurationIssueList(location, message, remedy)),
    ...fields.flatMap(findFieldLinkIssues),
  ]
}

function findFieldLinkIssues(field: DeclaredField): ConfigurationIssue[] {
  const { declaration } = field
  if (declaration.kind === 'attribute') return []
  const { links } = declaration.options
  if (links === undefined || BOOLEAN_CONFIGURATION_VALUES.includes(links)) return []
  return createSingleConfigurationIssueList(
    formatFieldLocation(field),
    `its links are ${formatOptionValue(links)}.`,
    'Give true or false.',
  )
}

function findSwitchIssues(location: string, switches: object): ConfigurationIssue[] {
  return Object.entries(switches).flatMap(([name, value]: [string, unknown]) => {
    if (!Object.hasOwn(ALL_LINKS_ENABLED, name)) {
      const known = Object.keys(ALL_LINKS_ENABLED).join(', ')
      return createSingleConfigurationIssueList(location, `its links have no '${name}'.`, `Give one of ${known}.`)
    }
    if (value === undefined || BOOLEAN_CONFIGURATION_VALUES.some((each) => each === value)) return []
    return createSingleConfigurationIssueList(
      location,
      `its links.${name} is ${formatOptionValue(value)}.`,
      'Give true or false.',
    )
  })
}

function general(messageStart: string): OptionPlace {
  return { location: 'createJsonApi', messageStart }
}

function findBaseIssues(base: unknown): ConfigurationIssue[] {
  if (base === 'path' || base === 'request' || (typeof base === 'string' && isBaseUrl(base))) return []
  return createSingleConfigurationIssueList(
    'createJsonApi',
    `its links.base is ${formatOptionValue(base)}.`,
    "Give 'path', 'request' or a URL like 'https://api.example.com/v1', with no query.",
  )
}

function isBaseUrl(text: string): boolean {
  return /^https?:\/\/[^/?#]/i.test(text) && !/[?#]/.test(text) && isUrl(text)
}

/** Checks `describedBy`. A relative path is invalid, because it would resolve differently in each document. */
function findDescribedByIssues(describedBy: unknown): ConfigurationIssue[] {
  if (describedBy === undefined || (typeof describedBy === 'string' && isPathOrUrl(describedBy))) return []
  return createSingleConfigurationIssueList(
    'createJsonApi',
    `its describedBy is ${formatOptionValue(describedBy)}.`,
    "Give a path from the root, like '/openapi.json', or a URL.",
  )
}

function isPathOrUrl(text: string): boolean {
  return isUrl(/^\/(?!\/)/.test(text) ? `http://localhost${text}` : text)
}

/** Returns true for an absolute URL without characters that must be percent-encoded. https://www.rfc-editor.org/rfc/rfc3986#section-2 */
function isUrl(text: string): boolean {
  return /^[a-z][a-z\d+.-]*:[\w\-.~:/?#@!$&'()*+,;=%]+$/i.test(text) && URL.canParse(text)
}

function findStreamThresholdIssues(length: unknown): ConfigurationIssue[] {
  if (length === null || (typeof length === 'number' && length >= 0)) return []
  const remedy = 'Give a number of characters, or null.'
  return createSingleConfigurationIssueList(
    'createJsonApi',
    `its streamThreshold is ${formatOptionValue(length)}.`,
    remedy,
  )
}

/** Checks `etagSecret`. The message does not contain the secret, because messages are logged. */
function findEtagSecretIssues(key: unknown): ConfigurationIssue[] {
  if (key === undefined || (typeof key === 'string' && key.length >= 16)) return []
  const message = 'its etagSecret is not a text of at least 16 characters.'
  return createSingleConfigurationIssueList(
    'createJsonApi',
    message,
    'Give a secret, the same in all processes, or leave it out.',
  )
}

function findAllExtensionIssues(extensions: unknown): ConfigurationIssue[] {
  if (!isListOfObjects(extensions)) {
    const remedy = "Give a list: extensions: [{ uri: 'https://…' }]."
    return createSingleConfigurationIssueList('createJsonApi', 'its extensions are not a list of objects.', remedy)
  }
  return [
    ...extensions.flatMap(findExtensionIssues),
    ...findDuplicates(extensions.map(({ uri }) => uri)).flatMap((uri) =>
      createSingleConfigurationIssueList(
        'createJsonApi',
        `its extension ${formatOptionValue(uri)} is listed more than once.`,
        'Name it once, with all of its endpoints.',
      ),
    ),
  ]
}

function findExtensionIssues({
  uri,
  endpoints = [],
  ...others
}: Readonly<Record<string, unknown>>): ConfigurationIssue[] {
  const location = 'createJsonApi'
  const known: readonly unknown[] = ENDPOINT_NAMES
  const unknown = Array.isArray(endpoints) ? endpoints.filter((each: unknown) => !known.includes(each)) : [endpoints]
  const issues = [
    ...unknown.flatMap((endpoint) =>
      createSingleConfigurationIssueList(
        location,
        `its extension ${formatOptionValue(uri)} has the endpoint ${formatOptionValue(endpoint)}.`,
        `Give some of ${ENDPOINT_NAMES.join(', ')}.`,
      ),
    ),
    ...findUnknownOptionNameIssues({ location, messageStart: `its extension ${formatOptionValue(uri)} has` }, others, [
      'uri',
      'endpoints',
    ]),
  ]
  if (uri === ATOMIC_OPERATIONS_URI) {
    const remedy = "Leave it out. The option 'operations' switches it on and off."
    return [...issues, { location, message: `its extension ${formatOptionValue(uri)} is built in.`, remedy }]
  }
  if (typeof uri === 'string' && isUrl(uri)) return issues
  return [
    ...issues,
    { location, message: `its extension ${formatOptionValue(uri)} has no URI.`, remedy: 'Give an absolute URI.' },
  ]
}
