import { createListWithOneFindingAtPointer, type Finding } from './exchange'
import { appendToPointer, formatForMessage, isObject, type UnknownObject } from './json'
import { type AllowedMembers, lintAllowedMembers, lintMeta } from './lint-members'
import type { AppliedExtensionNamespaces } from './parsed-exchange'
import type { RequirementId } from './requirements'
import { relationshipObjectEntries, resourceObjectsInDocument } from './resources'

/** The links that an object may have, with or without pagination links. */
export interface AllowedLinks extends AllowedMembers {
  readonly pages: 'allowed' | 'misplaced'
}

export const PAGE_LINKS: readonly string[] = ['first', 'last', 'prev', 'next']

/** Wrong names for pagination links. */
const MISNOMERS: readonly string[] = ['previous', 'page', 'start', 'end']

/** https://jsonapi.org/format/1.1/#document-links */
export function lintLinks(
  links: unknown,
  pointer: string,
  rule: AllowedLinks,
  scope: AppliedExtensionNamespaces,
): readonly Finding[] {
  if (links === undefined) return []
  if (!isObject(links))
    return createListWithOneFindingAtPointer(pointer, 'LK-1', `Expected an object, found ${formatForMessage(links)}.`)
  const names = Object.keys(links)
  return [
    ...lintAllowedMembers(withoutPages(links, names), pointer, rule, scope),
    ...lintPageNames(names, pointer, rule),
    ...names.flatMap((name) =>
      name.startsWith('@') ? [] : lintLink(links[name], appendToPointer(pointer, name), scope),
    ),
  ]
}

function withoutPages(links: UnknownObject, names: readonly string[]): UnknownObject {
  const isOfPages = (name: string) => PAGE_LINKS.includes(name) || MISNOMERS.includes(name)
  return names.some(isOfPages) ? Object.fromEntries(Object.entries(links).filter(([name]) => !isOfPages(name))) : links
}

function lintPageNames(names: readonly string[], pointer: string, { pages }: AllowedLinks): readonly Finding[] {
  const misplaced = pages === 'allowed' ? [] : names.filter((name) => PAGE_LINKS.includes(name))
  return [
    ...misplaced.flatMap((name) =>
      createListWithOneFindingAtPointer(
        appendToPointer(pointer, name),
        'PG-3',
        `Expected links to pages beside a collection only, found '${name}'.`,
      ),
    ),
    ...names
      .filter((name) => MISNOMERS.includes(name))
      .flatMap((name) =>
        createListWithOneFindingAtPointer(
          appendToPointer(pointer, name),
          'PG-4',
          `Expected ${PAGE_LINKS.join(', ')}, found '${name}'.`,
        ),
      ),
  ]
}

function lintLink(link: unknown, pointer: string, scope: AppliedExtensionNamespaces): readonly Finding[] {
  if (link === null) return []
  if (typeof link === 'string') return lintUrl(link, pointer, 'LK-2')
  if (isObject(link)) return lintLinkObject(link, pointer, scope)
  return createListWithOneFindingAtPointer(
    pointer,
    'LK-2',
    `Expected a string, an object or null, found ${formatForMessage(link)}.`,
  )
}

const LINK_OBJECT: AllowedMembers = {
  names: new Set(['href', 'rel', 'describedby', 'title', 'type', 'hreflang', 'meta']),
  requirement: 'LK-8',
}

/** https://jsonapi.org/format/1.1/#document-links-link-object */
function lintLinkObject(link: UnknownObject, pointer: string, scope: AppliedExtensionNamespaces): readonly Finding[] {
  const { href, rel, describedby, title, type, hreflang, meta } = link
  return [
    ...lintAllowedMembers(link, pointer, LINK_OBJECT, scope),
    ...(typeof href === 'string'
      ? lintUrl(href, appendToPointer(pointer, 'href'), 'LK-3')
      : createListWithOneFindingAtPointer(
          pointer,
          'LK-3',
          `Expected a string as href, found ${formatForMessage(href)}.`,
        )),
    ...lintStringMember(rel, appendToPointer(pointer, 'rel'), RELATION),
    ...lintDescription(describedby, appendToPointer(pointer, 'describedby'), scope),
    ...lintStringMember(title, appendToPointer(pointer, 'title'), { requirement: 'LK-6' }),
    ...lintStringMember(type, appendToPointer(pointer, 'type'), MEDIA_TYPE),
    ...(Array.isArray(hreflang) ? hreflang : [hreflang]).flatMap((tag: unknown) =>
      lintStringMember(tag, appendToPointer(pointer, 'hreflang'), LANGUAGE),
    ),
    ...lintMeta(meta, appendToPointer(pointer, 'meta'), scope),
  ]
}

function lintDescription(link: unknown, pointer: string, scope: AppliedExtensionNamespaces): readonly Finding[] {
  if (link === undefined || link === null || typeof link === 'string' || isObject(link))
    return link === undefined ? [] : lintLink(link, pointer, scope)
  return createListWithOneFindingAtPointer(
    pointer,
    'LK-5',
    `Expected a string, an object or null, found ${formatForMessage(link)}.`,
  )
}

/** A rule for a member that is a string. */
export interface StringMemberRequirement {
  readonly requirement: RequirementId
  /** Default: any string. */
  readonly pattern?: RegExp
  /** Default: `a string`. */
  readonly expected?: string
}

const RELATION: StringMemberRequirement = {
  requirement: 'LK-4',
  pattern: /^[a-z][a-z\d.-]*$|^[a-z][a-z\d+.-]*:\S+$/i,
  expected: 'a relation type or a URI',
}
const MEDIA_TYPE: StringMemberRequirement = {
  requirement: 'LK-6',
  pattern: /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+\s*(?:;.*)?$/,
  expected: 'a media type',
}
const LANGUAGE: StringMemberRequirement = {
  requirement: 'LK-7',
  pattern: /^[a-z]{1,8}(?:-[a-z\d]{1,8})*$/i,
  expected: 'a language tag',
}

/** Checks that an optional member is a string that matches a pattern. */
export function lintStringMember(value: unknown, pointer: string, rule: StringMemberRequirement): readonly Finding[] {
  const { requirement, pattern = /^/, expected = 'a string' } = rule
  if (value === undefined || (typeof value === 'string' && pattern.test(value))) return []
  return createListWithOneFindingAtPointer(
    pointer,
    requirement,
    `Expected ${expected}, found ${formatForMessage(value)}.`,
  )
}

function lintUrl(url: string, pointer: string, requirement: RequirementId): readonly Finding[] {
  if (PLAIN_PATH.test(url)) return []
  if (!isFormEncoded(url))
    return createListWithOneFindingAtPointer(
      pointer,
      'QP-9',
      `Expected a query string encoded as forms are, found '${url}'.`,
    )
  if (URI_REFERENCE.test(url)) return []
  return createListWithOneFindingAtPointer(pointer, requirement, `Expected a URI reference, found '${url}'.`)
}

/** Matches nearly all links, so that most skip the slower checks. */
const PLAIN_PATH = /^\/[\w\-./]*$/

/** https://jsonapi.org/format/1.1/#appendix-query-details-parsing */
function isFormEncoded(url: string): boolean {
  const start = url.indexOf('?')
  if (start < 0) return true
  const query = url.slice(start).split('#', 1).join()
  if (/[[\]]/.test(query)) return false
  try {
    decodeURIComponent(query)
    return true
  } catch {
    return false
  }
}

/** Excludes characters that must be encoded, and a colon that would end a scheme. https://www.rfc-editor.org/rfc/rfc3986#section-4.1 */
const CHARACTERS = "(?:[\\w\\-.~!$&'()*+,;=:@/?]|%[\\da-f]{2})*"
const URI_REFERENCE = new RegExp(
  `^(?:[a-z][a-z\\d+.-]*:|(?![^/?#]*:))(?://[\\w\\-.~%:@]*(?:\\[[\\da-f:.]+\\](?::\\d*)?)?(?=[/?#]|$))?${CHARACTERS}(?:#${CHARACTERS})?$`,
  'i',
)

/** https://jsonapi.org/recommendations/#including-links */
export function lintRecommendedLinks(document: UnknownObject): readonly Finding[] {
  if (document.data === undefined) return []
  return [
    ...lintHasLinks(document, ''),
    ...resourceObjectsInDocument(document)
      .filter(({ object: { attributes, relationships } }) => attributes !== undefined || relationships !== undefined)
      .flatMap(({ object, pointer }) => [
        ...lintHasLinks(object, pointer),
        ...relationshipObjectEntries(object).flatMap(([name, relationship]) =>
          lintHasLinks(relationship, appendToPointer(pointer, 'relationships', name)),
        ),
      ]),
  ]
}

function lintHasLinks({ links }: UnknownObject, pointer: string): readonly Finding[] {
  const isLinked = isObject(links) && (links.self !== undefined || links.related !== undefined)
  return isLinked
    ? []
    : createListWithOneFindingAtPointer(pointer, 'RC-4', 'Expected links, found neither self nor related.')
}
