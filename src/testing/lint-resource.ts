import { documentFinding, type Finding, NO_FINDINGS } from './exchange'
import { appendPointer, isObject, printValue, type UnknownObject } from './json'
import type { LintContext, MemberScope } from './lint-context'
import { type KnownLinks, lintLinks, PAGE_LINKS } from './lint-links'
import { isLegalMemberName, type KnownMembers, lintMemberNames, lintMembers, lintMeta } from './lint-names'
import type { RequirementId } from './requirements'

const RESOURCE: KnownMembers = {
  names: new Set(['type', 'id', 'lid', 'attributes', 'relationships', 'links', 'meta']),
  requirement: 'RO-3',
}
const RESOURCE_LINKS: KnownLinks = { names: new Set(['self']), requirement: 'DS-3', pages: 'misplaced' }

/** Checks a resource object, or a resource identifier in its place. https://jsonapi.org/format/1.1/#document-resource-objects */
export function lintResource(resource: UnknownObject, pointer: string, scope: MemberScope): readonly Finding[] {
  const { attributes, relationships, links, meta } = resource
  return [
    ...lintMembers(resource, pointer, RESOURCE, scope),
    ...lintIdentity(resource, pointer, { missing: 'RO-1', wrong: 'RO-4' }),
    ...lintFieldNames(attributes, relationships, pointer),
    ...lintAttributes(attributes, appendPointer(pointer, 'attributes'), scope),
    ...lintRelationships(relationships, appendPointer(pointer, 'relationships'), scope),
    ...lintLinks(links, appendPointer(pointer, 'links'), RESOURCE_LINKS, scope),
    ...lintMeta(meta, appendPointer(pointer, 'meta'), scope),
  ]
}

interface Breach {
  readonly missing: RequirementId
  readonly wrong: RequirementId
}

function lintIdentity(object: UnknownObject, pointer: string, { missing, wrong }: Breach): readonly Finding[] {
  const { type, id, lid } = object
  if (typeof type === 'string' && typeof id === 'string' && lid === undefined && isLegalMemberName(type))
    return NO_FINDINGS
  const absent = ['type', 'id'].filter((name) => object[name] === undefined)
  const odd = ['type', 'id', 'lid'].filter((name) => object[name] !== undefined && typeof object[name] !== 'string')
  return [
    ...absent.flatMap((name) => documentFinding(pointer, missing, `Expected a member '${name}', found none.`)),
    ...odd.flatMap((name) =>
      documentFinding(appendPointer(pointer, name), wrong, `Expected a string, found ${printValue(object[name])}.`),
    ),
    ...(typeof type !== 'string' || isLegalMemberName(type)
      ? NO_FINDINGS
      : documentFinding(appendPointer(pointer, 'type'), 'RO-6', `Expected a legal member name, found '${type}'.`)),
  ]
}

/** https://jsonapi.org/format/1.1/#document-resource-object-fields */
function lintFieldNames(attributes: unknown, relationships: unknown, pointer: string): readonly Finding[] {
  const sets = Object.entries({ attributes, relationships }).flatMap(([place, fields]) =>
    isObject(fields) ? [[appendPointer(pointer, place), fields] as const] : [],
  )
  const reserved = sets.flatMap(([place, fields]) =>
    ['type', 'id']
      .filter((name) => Object.hasOwn(fields, name))
      .flatMap((name) => clash(appendPointer(place, name), name)),
  )
  if (!isObject(attributes) || !isObject(relationships)) return reserved
  const twice = Object.keys(relationships).filter((name) => Object.hasOwn(attributes, name) && !name.startsWith('@'))
  return [
    ...reserved,
    ...twice.flatMap((name) => clash(appendPointer(appendPointer(pointer, 'relationships'), name), name)),
  ]
}

function clash(pointer: string, name: string): readonly Finding[] {
  return documentFinding(pointer, 'RO-7', `Expected a name of its own, found '${name}' again.`)
}

function lintAttributes(attributes: unknown, pointer: string, scope: MemberScope): readonly Finding[] {
  if (attributes === undefined) return NO_FINDINGS
  if (!isObject(attributes))
    return documentFinding(pointer, 'RO-8', `Expected an object, found ${printValue(attributes)}.`)
  return [...lintMemberNames(attributes, pointer, scope), ...lintDates(attributes, pointer)]
}

/** https://jsonapi.org/recommendations/#date-and-time-fields */
function lintDates(attributes: UnknownObject, pointer: string): readonly Finding[] {
  const found = Object.keys(attributes).filter((name) => isForeignDate(attributes[name]))
  return found.flatMap((name) =>
    documentFinding(
      appendPointer(pointer, name),
      'RC-6',
      `Expected a date of ISO 8601, found ${printValue(attributes[name])}.`,
    ),
  )
}

/** The formats that JavaScript and HTTP print. */
function isForeignDate(value: unknown): boolean {
  return (
    typeof value === 'string' &&
    value.length < 80 &&
    /^[A-Z][a-z]{2},? (?:\d|[A-Z][a-z]{2} \d).*\d\d:\d\d:\d\d/.test(value)
  )
}

function lintRelationships(relationships: unknown, pointer: string, scope: MemberScope): readonly Finding[] {
  if (relationships === undefined) return NO_FINDINGS
  if (!isObject(relationships)) {
    return documentFinding(pointer, 'RO-11', `Expected an object, found ${printValue(relationships)}.`)
  }
  const names = Object.keys(relationships).filter((name) => !name.startsWith('@'))
  return [
    ...lintMemberNames(relationships, pointer, scope),
    ...names.flatMap((name) => lintRelationship(relationships[name], appendPointer(pointer, name), scope)),
  ]
}

const RELATIONSHIP: KnownMembers = { names: new Set(['links', 'data', 'meta']), requirement: 'DS-3' }
const RELATIONSHIP_LINKS: KnownLinks = {
  names: new Set(['self', 'related', ...PAGE_LINKS]),
  requirement: 'DS-3',
  pages: 'allowed',
}

/** https://jsonapi.org/format/1.1/#document-resource-object-relationships */
function lintRelationship(relationship: unknown, pointer: string, scope: MemberScope): readonly Finding[] {
  if (!isObject(relationship)) {
    return documentFinding(pointer, 'RO-11', `Expected an object, found ${printValue(relationship)}.`)
  }
  const { links, data, meta } = relationship
  const pages = data === undefined || Array.isArray(data) ? 'allowed' : 'misplaced'
  return [
    ...lintMembers(relationship, pointer, RELATIONSHIP, scope),
    ...lintContent(relationship, pointer),
    ...lintLinks(links, appendPointer(pointer, 'links'), { ...RELATIONSHIP_LINKS, pages }, scope),
    ...lintRelatedLink(links, appendPointer(pointer, 'links')),
    ...(data === undefined ? NO_FINDINGS : lintLinkage(data, appendPointer(pointer, 'data'), scope)),
    ...lintMeta(meta, appendPointer(pointer, 'meta'), scope),
  ]
}

function lintContent({ links, data, meta, ...others }: UnknownObject, pointer: string): readonly Finding[] {
  const isLinked = isObject(links) && Object.keys(links).some((name) => /^(?:self|related)$|:/.test(name))
  if (isLinked || data !== undefined || meta !== undefined) return NO_FINDINGS
  if (Object.keys(others).some((name) => name.includes(':'))) return NO_FINDINGS
  return documentFinding(pointer, 'RO-12', 'Expected data, meta, or links with self or related, found none of them.')
}

/** The related resource may be missing. https://jsonapi.org/format/1.1/#document-resource-object-related-resource-links */
function lintRelatedLink(links: unknown, pointer: string): readonly Finding[] {
  if (!isObject(links) || links.related !== null) return NO_FINDINGS
  return documentFinding(appendPointer(pointer, 'related'), 'RO-15', 'Expected a URL, found null.')
}

/** https://jsonapi.org/format/1.1/#document-resource-object-linkage */
function lintLinkage(data: unknown, pointer: string, scope: MemberScope): readonly Finding[] {
  if (data === null) return NO_FINDINGS
  if (Array.isArray(data)) {
    return data.flatMap((identifier: unknown, index) =>
      lintIdentifier(identifier, appendPointer(pointer, index), scope),
    )
  }
  return lintIdentifier(data, pointer, scope)
}

const IDENTIFIER: KnownMembers = { names: new Set(['type', 'id', 'lid', 'meta']), requirement: 'RI-3' }

/** https://jsonapi.org/format/1.1/#document-resource-identifier-objects */
function lintIdentifier(identifier: unknown, pointer: string, scope: MemberScope): readonly Finding[] {
  if (!isObject(identifier)) {
    return documentFinding(pointer, 'RO-17', `Expected a resource identifier, found ${printValue(identifier)}.`)
  }
  return [
    ...lintMembers(identifier, pointer, IDENTIFIER, scope),
    ...lintIdentity(identifier, pointer, { missing: 'RI-1', wrong: 'RI-2' }),
    ...lintMeta(identifier.meta, appendPointer(pointer, 'meta'), scope),
  ]
}

/** Checks `data`. https://jsonapi.org/format/1.1/#document-top-level */
export function lintPrimaryData(data: unknown, pointer: string, { scope }: LintContext): readonly Finding[] {
  if (data === undefined || data === null) return NO_FINDINGS
  if (isObject(data)) return lintResource(data, pointer, scope)
  if (!Array.isArray(data)) {
    return documentFinding(pointer, 'DS-14', `Expected null, an object or an array, found ${printValue(data)}.`)
  }
  return data.flatMap((each: unknown, index) => {
    const place = appendPointer(pointer, index)
    if (isObject(each)) return lintResource(each, place, scope)
    return documentFinding(place, 'DS-15', `Expected an object, found ${printValue(each)}.`)
  })
}
