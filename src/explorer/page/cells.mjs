/** @import { ElementChild, ResourceIdentifierObject, LinkValue, RelationshipObject } from './core/api-types' */

import { toApiPath } from './core/api-url'
import { element } from './dom.mjs'

/**
 * Shows the value of an attribute.
 *
 * @param {unknown} value `undefined`: the resource has no such attribute.
 * @returns {ElementChild}
 */
export function valueCell(value) {
  if (value === undefined) return element('span', { class: 'nothing', 'aria-label': 'none' }, '–')
  if (value === null) return element('span', { class: 'nothing' }, 'null')
  if (typeof value === 'object') return element('code', { class: 'json' }, JSON.stringify(value))
  if (value === '') return element('span', { class: 'nothing' }, '""')
  if (typeof value === 'string') return element('span', { class: 'text' }, value)
  return element('code', {}, String(value))
}

/**
 * Shows a relationship: its identifiers if known, otherwise a link.
 *
 * @param {RelationshipObject | undefined} relationship
 * @param {string} name
 * @returns {ElementChild}
 */
export function relationshipCell(relationship, name) {
  if (relationship === undefined) return valueCell(undefined)
  const { data, links } = relationship
  if (data === null) return valueCell(null)
  const known = /** @type {readonly ResourceIdentifierObject[]} */ (data === undefined ? [] : [data].flat())
  const related = safeHref(links?.related)
  return [
    known.length > 0 && element('span', { class: 'identifiers' }, known.map(identifierLink)),
    data !== undefined && known.length === 0 && element('span', { class: 'nothing' }, 'empty'),
    data === undefined &&
      related !== undefined &&
      element('a', { href: related, 'aria-label': `${name} (related)` }, `${name} →`),
  ]
}

/** @param {ResourceIdentifierObject} identifier */
export function identifierLink({ type, id }) {
  return element('a', { class: 'identifier', href: toApiPath(type, id) }, `${type} `, element('b', {}, id))
}

/**
 * Returns the URL of a link if it is safe to follow. Other values don't become links.
 *
 * @param {LinkValue | undefined} link
 * @returns {string | undefined}
 */
export function safeHref(link) {
  const href = typeof link === 'string' ? link : link?.href
  if (typeof href !== 'string' || !URL.canParse(href, location.href)) return undefined
  return /^https?:$/.test(new URL(href, location.href).protocol) ? href : undefined
}
