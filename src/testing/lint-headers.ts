import {
  type ContentType,
  hasAnyExtensionOrProfile,
  JSON_API_MEDIA_TYPE,
  type MediaTypeParameter,
} from './content-type'
import {
  createListWithOneFindingAtPointer,
  createSingleHeaderFindingList,
  type Finding,
  type LintOptions,
} from './exchange'
import { formatForMessage, isObject } from './json'
import type { ParsedExchange } from './parsed-exchange'
import type { RequirementId } from './requirements'

/** Checks media type, `Vary`, `Allow`, `Location`, and whether a body is required or forbidden. */
export function lintHeaders(context: ParsedExchange, options: LintOptions): readonly Finding[] {
  return [
    ...lintContentType(context),
    ...lintVary(context, options),
    ...lintPresence(context),
    ...lintFetched(context),
    ...lintAllow(context),
    ...lintCreated(context),
  ]
}

function lintContentType({ type, hasBody }: ParsedExchange): readonly Finding[] {
  if (type === undefined) return hasBody ? wrongMediaType('a body without Content-Type') : []
  if (type.name !== JSON_API_MEDIA_TYPE) return hasBody ? wrongMediaType(`'${type.name}'`) : []
  return [...lintParameterNames(type), ...type.parameters.filter(isOfJsonApi).flatMap(lintParameter)]
}

function wrongMediaType(found: string): readonly Finding[] {
  return createSingleHeaderFindingList('Content-Type', 'CN-1', `Expected '${JSON_API_MEDIA_TYPE}', found ${found}.`)
}

function isOfJsonApi({ name }: MediaTypeParameter): boolean {
  return name === 'ext' || name === 'profile'
}

function lintParameterNames({ parameters, rest }: ContentType): readonly Finding[] {
  const others = parameters
    .filter((each, index) => !isOfJsonApi(each) || parameters.findIndex(({ name }) => name === each.name) < index)
    .map(({ name }) => name)
  const unexpected = rest === '' || rest === ';' ? others : [...others, rest]
  return unexpected.flatMap((name) =>
    createSingleHeaderFindingList('Content-Type', 'MT-1', `Expected ext and profile, once each, found '${name}'.`),
  )
}

function lintParameter({ name, value, isQuoted }: MediaTypeParameter): readonly Finding[] {
  const uris = value.split(' ')
  const invalid = uris.filter((uri, index) => !ABSOLUTE_URI.test(uri) || uris.indexOf(uri) < index)
  return [
    ...invalid.flatMap((uri) =>
      createSingleHeaderFindingList('Content-Type', 'MT-2', `Expected distinct URIs in ${name}, found '${uri}'.`),
    ),
    ...(isQuoted
      ? []
      : createSingleHeaderFindingList('Content-Type', 'MT-3', `Expected ${name} in quotes, found ${value}.`)),
  ]
}

const ABSOLUTE_URI = /^[a-z][a-z\d+.-]*:[^\s]+$/i

/** A server without extensions and profiles has one media type, so it needs no `Vary`. */
function lintVary(
  { header, type }: ParsedExchange,
  { extensions = {}, profiles = [] }: LintOptions,
): readonly Finding[] {
  const isVaried =
    Object.keys(extensions).length + profiles.length > 0 || (type !== undefined && hasAnyExtensionOrProfile(type))
  const vary = header('vary')
  const names = (vary ?? '').split(',').map((name) => name.trim().toLowerCase())
  if (!isVaried || names.includes('accept') || names.includes('*')) return []
  return createSingleHeaderFindingList(
    'Vary',
    'CN-16',
    `Expected Accept among others, found ${formatForMessage(vary)}.`,
  )
}

function lintPresence(context: ParsedExchange): readonly Finding[] {
  const { method, status, hasBody } = context
  if (status === 204 || status === 304) return lintAbsence(context)
  if (method === 'HEAD')
    return hasBody ? createListWithOneFindingAtPointer('', 'HT-1', 'Expected no body, found one.') : []
  const requirement = status === 201 ? 'CR-7' : status === 200 ? DOCUMENT_OF[method] : undefined
  if (hasBody || requirement === undefined) return []
  return createListWithOneFindingAtPointer('', requirement, 'Expected a document, found no body.')
}

/** The requirement for a document with 200, by method. */
const DOCUMENT_OF: Readonly<Record<string, RequirementId>> = {
  GET: 'FR-2',
  POST: 'UP-12',
  PATCH: 'UP-12',
  DELETE: 'UP-12',
}

/** A 304 may have the `Content-Length` of the omitted response. */
function lintAbsence({ status, hasBody, header }: ParsedExchange): readonly Finding[] {
  const length = status === 204 ? Number(header('content-length') ?? 0) : 0
  const found = hasBody ? 'a body' : length > 0 ? `a Content-Length of ${length}` : header('content-type')
  return found === undefined
    ? []
    : createListWithOneFindingAtPointer('', 'HT-4', `Expected nothing with ${status}, found ${found}.`)
}

function lintFetched({ method, status }: ParsedExchange): readonly Finding[] {
  if (method !== 'GET' || status === 200 || status < 200 || status > 299) return []
  return createListWithOneFindingAtPointer('', 'FR-2', `Expected the status 200, found ${status}.`)
}

function lintAllow({ status, header }: ParsedExchange): readonly Finding[] {
  if (status !== 405 || header('allow') !== undefined) return []
  return createSingleHeaderFindingList('Allow', 'HT-2', 'Expected the methods that are allowed, found nothing.')
}

function lintCreated({ status, header, document }: ParsedExchange): readonly Finding[] {
  if (status !== 201) return []
  const location = header('location')
  if (location === undefined) return createSingleHeaderFindingList('Location', 'CR-8', 'Expected a URL, found nothing.')
  const self = selfOf(document)
  if (self === undefined || self === location) return []
  return createListWithOneFindingAtPointer(
    '/data/links/self',
    'CR-9',
    `Expected the URL in Location, ${formatForMessage(location)}, found ${formatForMessage(self)}.`,
  )
}

function selfOf(document: unknown): unknown {
  const data = isObject(document) ? document.data : undefined
  const links = isObject(data) ? data.links : undefined
  const self = isObject(links) ? links.self : undefined
  return isObject(self) ? self.href : self
}
