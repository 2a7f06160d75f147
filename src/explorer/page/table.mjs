/** @import { ApiModel } from './core/api-model' */
/** @import { ResourceObject } from './core/api-types' */

import { relationshipCell, safeHref, valueCell } from './cells.mjs'
import { toApiPath } from './core/api-url'
import { parseQuery, toQueryString } from './core/query'
import { element } from './dom.mjs'

/**
 * @typedef {object} Sorting
 * @property {string} url The URL of the collection.
 * @property {ReadonlySet<string>} keys The sortable columns.
 */

/**
 * Creates a table with one row per resource and a column for each field that any of them has.
 *
 * @param {readonly ResourceObject[]} resources
 * @param {{ caption: string, sorting?: Sorting | undefined }} options
 */
export function resourceTable(resources, { caption, sorting }) {
  const attributes = namesIn(resources, ({ attributes: all }) => all)
  const relationships = namesIn(resources, ({ relationships: all }) => all)
  const head = element(
    'tr',
    {},
    columnHead('type', undefined),
    columnHead('id', sorting),
    [...attributes].map((name) => columnHead(name, sorting)),
    [...relationships].map((name) => element('th', { scope: 'col', class: 'relation' }, name)),
  )
  const rows = resources.map((resource) =>
    element(
      'tr',
      {},
      element('td', { class: 'type' }, String(resource.type)),
      element('th', { scope: 'row' }, resourceLink(resource)),
      [...attributes].map((name) => element('td', {}, valueCell(resource.attributes?.[name]))),
      [...relationships].map((name) => element('td', {}, relationshipCell(resource.relationships?.[name], name))),
    ),
  )
  const table = element(
    'table',
    {},
    element('caption', { class: 'unseen' }, caption),
    element('thead', {}, head),
    element('tbody', {}, rows),
  )
  return element('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': caption }, table)
}

/** @param {ResourceObject} resource */
function resourceLink({ type, id, links }) {
  return element('a', { href: safeHref(links?.self) ?? toApiPath(type, id), 'aria-label': `${type} ${id}` }, String(id))
}

/**
 * @param {readonly ResourceObject[]} resources
 * @param {(resource: ResourceObject) => object | undefined} read
 * @returns {ReadonlySet<string>}
 */
function namesIn(resources, read) {
  return new Set(resources.flatMap((resource) => Object.keys(read(resource) ?? {})))
}

/**
 * Creates a column header, which sorts if the column is sortable.
 *
 * @param {string} name
 * @param {Sorting | undefined} sorting
 */
function columnHead(name, sorting) {
  if (sorting === undefined || !sorting.keys.has(name)) return element('th', { scope: 'col' }, name)
  const [path = '', search = ''] = sorting.url.split('?')
  const query = parseQuery(search)
  const [first] = query.sort
  const [isUp, isDown] = [first === name, first === `-${name}`]
  const url = path + toQueryString({ ...query, sort: [isUp ? `-${name}` : name], page: withoutPlace(query.page) })
  const order = isUp ? 'ascending' : isDown ? 'descending' : undefined
  const sign = element('span', { class: 'sign', 'aria-hidden': 'true' }, isUp ? '↑' : isDown ? '↓' : '')
  return element('th', { scope: 'col', 'aria-sort': order }, element('a', { href: url }, name), sign)
}

/**
 * A new order starts at the first page.
 *
 * @param {Readonly<Record<string, string>>} page
 * @returns {Record<string, string>}
 */
function withoutPlace({ size }) {
  return size === undefined ? {} : { size }
}

/**
 * @param {string} type
 * @param {ApiModel} model
 * @returns {ReadonlySet<string>}
 */
export function sortKeysOf(type, model) {
  const fields = model.fieldsAt(type).filter(({ capabilities }) => capabilities.includes('sort'))
  return new Set(['id', ...fields.map(({ name }) => name)])
}
