import {
  contentTypesMatch,
  extensionOrProfileUrisOf,
  hasAnyExtensionOrProfile,
  isSameSet,
  parseContentType,
} from './content-type'
import { createListWithOneFindingAtPointer, type Finding } from './exchange'
import { appendToPointer, formatForMessage, isObject, type UnknownObject } from './json'
import { lintErrorObjects } from './lint-errors'
import { type AllowedLinks, lintLinks, PAGE_LINKS } from './lint-links'
import { type AllowedMembers, lintAllowedMembers, lintMeta } from './lint-members'
import { lintOperationResults } from './lint-operation-results'
import { lintPrimaryData, lintResourceObject } from './lint-resource-object'
import type { ParsedExchange } from './parsed-exchange'

const TOP_LEVEL: AllowedMembers = {
  names: new Set(['data', 'errors', 'meta', 'jsonapi', 'links', 'included']),
  requirement: 'DS-3',
}
const TOP_LEVEL_LINKS: AllowedLinks = {
  names: new Set(['self', 'related', 'describedby', ...PAGE_LINKS]),
  requirement: 'DS-9',
  pages: 'allowed',
}

/** Checks the top-level members of a document. https://jsonapi.org/format/1.1/#document-top-level */
export function lintDocument(document: UnknownObject, context: ParsedExchange): readonly Finding[] {
  const { links, meta, jsonapi, data, included } = document
  const { scope } = context
  const pages = Array.isArray(data) && document.errors === undefined ? 'allowed' : 'misplaced'
  return [
    ...lintAllowedMembers(document, '', TOP_LEVEL, scope),
    ...lintCombination(document),
    ...lintLinks(links, '/links', { ...TOP_LEVEL_LINKS, pages }, scope),
    ...lintSelfType(links, context),
    ...lintMeta(meta, '/meta', scope),
    ...lintJsonApi(jsonapi, context),
    ...lintPrimaryData(data, '/data', context),
    ...lintIncluded(included, context),
    ...lintErrorObjects(document, context),
    ...lintOperationResults(document, context),
  ]
}

function lintCombination(document: UnknownObject): readonly Finding[] {
  const { data, errors, meta, included } = document
  const hasContent = [data, errors, meta].some((each) => each !== undefined)
  const isEmpty = !hasContent && !Object.keys(document).some((name) => name.includes(':'))
  const isIncluding = included !== undefined && data === undefined && errors === undefined
  return [
    ...(isEmpty
      ? createListWithOneFindingAtPointer('', 'DS-5', 'Expected data, errors or meta, found none of them.')
      : []),
    ...(data !== undefined && errors !== undefined
      ? createListWithOneFindingAtPointer('/errors', 'DS-6', 'Expected no errors beside data, found both.')
      : []),
    ...(isIncluding
      ? createListWithOneFindingAtPointer('/included', 'DS-7', 'Expected data, found included without it.')
      : []),
  ]
}

function lintSelfType(links: unknown, { type }: ParsedExchange): readonly Finding[] {
  const self = isObject(links) ? links.self : undefined
  if (self === undefined || self === null || type === undefined || !hasAnyExtensionOrProfile(type)) return []
  if (isObject(self) && typeof self.type === 'string' && contentTypesMatch(parseContentType(self.type), type)) return []
  return createListWithOneFindingAtPointer(
    '/links/self',
    'DS-10',
    `Expected a link object with the type of the answer, found ${formatForMessage(self)}.`,
  )
}

function lintJsonApi(jsonapi: unknown, context: ParsedExchange): readonly Finding[] {
  if (jsonapi === undefined) return []
  if (!isObject(jsonapi))
    return createListWithOneFindingAtPointer(
      '/jsonapi',
      'JA-1',
      `Expected an object, found ${formatForMessage(jsonapi)}.`,
    )
  const { version, meta } = jsonapi
  const isVersion = version === undefined || (typeof version === 'string' && /^\d+\.\d+$/.test(version))
  return [
    ...lintAllowedMembers(jsonapi, '/jsonapi', JSON_API_OBJECT, context.scope),
    ...(isVersion
      ? []
      : createListWithOneFindingAtPointer(
          '/jsonapi/version',
          'JA-2',
          `Expected "1.1", found ${formatForMessage(version)}.`,
        )),
    ...(['ext', 'profile'] as const).flatMap((name) => lintApplied(jsonapi[name], name, context)),
    ...lintMeta(meta, '/jsonapi/meta', context.scope),
  ]
}

const JSON_API_OBJECT: AllowedMembers = { names: new Set(['version', 'ext', 'profile', 'meta']), requirement: 'JA-1' }

function lintApplied(uris: unknown, name: 'ext' | 'profile', { type }: ParsedExchange): readonly Finding[] {
  const applied = type === undefined ? [] : extensionOrProfileUrisOf(type, name)
  if (uris === undefined || (Array.isArray(uris) && isSameSet(uris, applied))) return []
  const message = `Expected the URIs of Content-Type, ${formatForMessage(applied)}, found ${formatForMessage(uris)}.`
  return createListWithOneFindingAtPointer(appendToPointer('/jsonapi', name), 'JA-3', message)
}

function lintIncluded(included: unknown, { scope }: ParsedExchange): readonly Finding[] {
  if (included === undefined) return []
  if (!Array.isArray(included))
    return createListWithOneFindingAtPointer(
      '/included',
      'CD-1',
      `Expected an array, found ${formatForMessage(included)}.`,
    )
  return included.flatMap((each: unknown, index) => {
    const pointer = appendToPointer('/included', index)
    if (isObject(each)) return lintResourceObject(each, pointer, scope)
    return createListWithOneFindingAtPointer(
      pointer,
      'CD-1',
      `Expected a resource object, found ${formatForMessage(each)}.`,
    )
  })
}
