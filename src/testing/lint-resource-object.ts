import { createListWithOneFindingAtPointer, type Finding } from './exchange'
import { appendToPointer, formatForMessage, isObject, type UnknownObject } from './json'
import { type AllowedLinks, lintLinks, PAGE_LINKS } from './lint-links'
import {
  type AllowedMembers,
  isLegalMemberName,
  lintAllowedMembers,
  lintMemberNamesOfObject,
  lintMeta,
} from './lint-members'
import type { AppliedExtensionNamespaces, ParsedExchange } from './parsed-exchange'
import type { RequirementId } from './requirements'

const RESOURCE: AllowedMembers = {
  names: new Set(['type', 'id', 'lid', 'attributes', 'relationships', 'links', 'meta']),
  requirement: 'RO-3',
}
const RESOURCE_LINKS: AllowedLinks = { names: new Set(['self']), requirement: 'DS-3', pages: 'misplaced' }

/** Checks a resource object, or a resource identifier in its place. https://jsonapi.org/format/1.1/#document-resource-objects */
export function lintResourceObject(
  resource: UnknownObject,
  pointer: string,
  scope: AppliedExtensionNamespaces,
): readonly Finding[] {
  const { attributes, relationships, links, meta } = resource
  return [
    ...lintAllowedMembers(resource, pointer, RESOURCE, scope),
    ...lintIdentity(resource, pointer, { missing: 'RO-1', wrong: 'RO-4' }),
    ...lintFieldNames(attributes, relationships, pointer),
    ...lintAttributes(attributes, appendToPointer(pointer, 'attributes'), scope),
    ...lintRelationships(relationships, appendToPointer(pointer, 'relationships'), scope),
    ...lintLinks(links, appendToPointer(pointer, 'links'), RESOURCE_LINKS, scope),
    ...lintMeta(meta, appendToPointer(pointer, 'meta'), scope),
  ]
}

interface Breach {
  readonly missing: RequirementId
  readonly wrong: RequirementId
}

function lintIdentity(object: UnknownObject, pointer: string, { missing, wrong }: Breach): readonly Finding[] {
  const { type, id, lid } = object
  if (typeof type === 'string' && typeof id === 'string' && lid === undefined && isLegalMemberName(type)) return []
  const missingNames = ['type', 'id'].filter((name) => object[name] === undefined)
  const notStrings = ['type', 'id', 'lid'].filter(
    (name) => object[name] !== undefined && typeof object[name] !== 'string',
  )
  return [
    ...missingNames.flatMap((name) =>
      createListWithOneFindingAtPointer(pointer, missing, `Expected a member '${name}', found none.`),
    ),
    ...notStrings.flatMap((name) =>
      createListWithOneFindingAtPointer(
        appendToPointer(pointer, name),
        wrong,
        `Expected a string, found ${formatForMessage(object[name])}.`,
      ),
    ),
    ...(typeof type !== 'string' || isLegalMemberName(type)
      ? []
      : createListWithOneFindingAtPointer(
          appendToPointer(pointer, 'type'),
          'RO-6',
          `Expected a legal member name, found '${type}'.`,
        )),
  ]
}

/** https://jsonapi.org/format/1.1/#document-resource-object-fields */
function lintFieldNames(attributes: unknown, relationships: unknown, pointer: string): readonly Finding[] {
  const sets = Object.entries({ attributes, relationships }).flatMap(([member, fields]) =>
    isObject(fields) ? [[appendToPointer(pointer, member), fields] as const] : [],
  )
  const reserved = sets.flatMap(([member, fields]) =>
    ['type', 'id']
      .filter((name) => Object.hasOwn(fields, name))
      .flatMap((name) => duplicateName(appendToPointer(member, name), name)),
  )
  if (!isObject(attributes) || !isObject(relationships)) return reserved
  const repeatedNames = Object.keys(relationships).filter(
    (name) => Object.hasOwn(attributes, name) && !name.startsWith('@'),
  )
  return [
    ...reserved,
    ...repeatedNames.flatMap((name) => duplicateName(appendToPointer(pointer, 'relationships', name), name)),
  ]
}

function duplicateName(pointer: string, name: string): readonly Finding[] {
  return createListWithOneFindingAtPointer(pointer, 'RO-7', `Expected a unique name, found '${name}' again.`)
}

function lintAttributes(attributes: unknown, pointer: string, scope: AppliedExtensionNamespaces): readonly Finding[] {
  if (attributes === undefined) return []
  if (!isObject(attributes))
    return createListWithOneFindingAtPointer(
      pointer,
      'RO-8',
      `Expected an object, found ${formatForMessage(attributes)}.`,
    )
  return [...lintMemberNamesOfObject(attributes, pointer, scope), ...lintDates(attributes, pointer)]
}

/** https://jsonapi.org/recommendations/#date-and-time-fields */
function lintDates(attributes: UnknownObject, pointer: string): readonly Finding[] {
  const found = Object.keys(attributes).filter((name) => isOtherDateFormat(attributes[name]))
  return found.flatMap((name) =>
    createListWithOneFindingAtPointer(
      appendToPointer(pointer, name),
      'RC-6',
      `Expected a date of ISO 8601, found ${formatForMessage(attributes[name])}.`,
    ),
  )
}

/** Returns true for a date in the format of JavaScript or HTTP. */
function isOtherDateFormat(value: unknown): boolean {
  return (
    typeof value === 'string' &&
    value.length < 80 &&
    /^[A-Z][a-z]{2},? (?:\d|[A-Z][a-z]{2} \d).*\d\d:\d\d:\d\d/.test(value)
  )
}

function lintRelationships(
  relationships: unknown,
  pointer: string,
  scope: AppliedExtensionNamespaces,
): readonly Finding[] {
  if (relationships === undefined) return []
  if (!isObject(relationships)) {
    return createListWithOneFindingAtPointer(
      pointer,
      'RO-11',
      `Expected an object, found ${formatForMessage(relationships)}.`,
    )
  }
  const names = Object.keys(relationships).filter((name) => !name.startsWith('@'))
  return [
    ...lintMemberNamesOfObject(relationships, pointer, scope),
    ...names.flatMap((name) => lintRelationship(relationships[name], appendToPointer(pointer, name), scope)),
  ]
}

const RELATIONSHIP: AllowedMembers = { names: new Set(['links', 'data', 'meta']), requirement: 'DS-3' }
const RELATIONSHIP_LINKS: AllowedLinks = {
  names: new Set(['self', 'related', ...PAGE_LINKS]),
  requirement: 'DS-3',
  pages: 'allowed',
}

/** https://jsonapi.org/format/1.1/#document-resource-object-relationships */
function lintRelationship(
  relationship: unknown,
  pointer: string,
  scope: AppliedExtensionNamespaces,
): readonly Finding[] {
  if (!isObject(relationship)) {
    return createListWithOneFindingAtPointer(
      pointer,
      'RO-11',
      `Expected an object, found ${formatForMessage(relationship)}.`,
    )
  }
  const { links, data, meta } = relationship
  const pages = data === undefined || Array.isArray(data) ? 'allowed' : 'misplaced'
  return [
    ...lintAllowedMembers(relationship, pointer, RELATIONSHIP, scope),
    ...lintContent(relationship, pointer),
    ...lintLinks(links, appendToPointer(pointer, 'links'), { ...RELATIONSHIP_LINKS, pages }, scope),
    ...lintRelatedLink(links, appendToPointer(pointer, 'links')),
    ...(data === undefined ? [] : lintLinkage(data, appendToPointer(pointer, 'data'), scope)),
    ...lintMeta(meta, appendToPointer(pointer, 'meta'), scope),
  ]
}

function lintContent({ links, data, meta, ...others }: UnknownObject, pointer: string): readonly Finding[] {
  const isLinked = isObject(links) && Object.keys(links).some((name) => /^(?:self|related)$|:/.test(name))
  if (isLinked || data !== undefined || meta !== undefined) return []
  if (Object.keys(others).some((name) => name.includes(':'))) return []
  return createListWithOneFindingAtPointer(
    pointer,
    'RO-12',
    'Expected data, meta, or links with self or related, found none of them.',
  )
}

/** The related resource may be missing. https://jsonapi.org/format/1.1/#document-resource-object-related-resource-links */
function lintRelatedLink(links: unknown, pointer: string): readonly Finding[] {
  if (!isObject(links) || links.related !== null) return []
  return createListWithOneFindingAtPointer(appendToPointer(pointer, 'related'), 'RO-15', 'Expected a URL, found null.')
}

/** https://jsonapi.org/format/1.1/#document-resource-object-linkage */
function lintLinkage(data: unknown, pointer: string, scope: AppliedExtensionNamespaces): readonly Finding[] {
  if (data === null) return []
  if (Array.isArray(data)) {
    return data.flatMap((identifier: unknown, index) =>
      lintIdentifier(identifier, appendToPointer(pointer, index), scope),
    )
  }
  return lintIdentifier(data, pointer, scope)
}

const IDENTIFIER: AllowedMembers = { names: new Set(['type', 'id', 'lid', 'meta']), requirement: 'RI-3' }

/** https://jsonapi.org/format/1.1/#document-resource-identifier-objects */
function lintIdentifier(identifier: unknown, pointer: string, scope: AppliedExtensionNamespaces): readonly Finding[] {
  if (!isObject(identifier)) {
    return createListWithOneFindingAtPointer(
      pointer,
      'RO-17',
      `Expected a resource identifier, found ${formatForMessage(identifier)}.`,
    )
  }
  return [
    ...lintAllowedMembers(identifier, pointer, IDENTIFIER, scope),
    ...lintIdentity(identifier, pointer, { missing: 'RI-1', wrong: 'RI-2' }),
    ...lintMeta(identifier.meta, appendToPointer(pointer, 'meta'), scope),
  ]
}

/** Checks `data`. https://jsonapi.org/format/1.1/#document-top-level */
export function lintPrimaryData(data: unknown, pointer: string, { scope }: ParsedExchange): readonly Finding[] {
  if (data === undefined || data === null) return []
  if (isObject(data)) return lintResourceObject(data, pointer, scope)
  if (!Array.isArray(data)) {
    return createListWithOneFindingAtPointer(
      pointer,
      'DS-14',
      `Expected null, an object or an array, found ${formatForMessage(data)}.`,
    )
  }
  return data.flatMap((each: unknown, index) => {
    const itemPointer = appendToPointer(pointer, index)
    if (isObject(each)) return lintResourceObject(each, itemPointer, scope)
    return createListWithOneFindingAtPointer(
      itemPointer,
      'DS-15',
      `Expected an object, found ${formatForMessage(each)}.`,
    )
  })
}
