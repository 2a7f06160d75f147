/** @import { ExplorerApiResponse, ExplorerApiDocument, LinksObject, ResourceObject } from './core/api-types' */
/** @import { Sorting } from './table.mjs' */
import { identifierLink, safeHref, valueCell } from './cells.mjs'
import { documentView } from './document-view.mjs'
import { element } from './dom.mjs'
import { tabs } from './parts.mjs'
import { resourceTable } from './table.mjs'

/**
 * Shows a response as tables and as text.
 *
 * @param {ExplorerApiResponse} answer
 * @param {{ title: string, primary: Element }} shown `title`: the title of the table view.
 */
export function answerView(answer, { title, primary }) {
  const { document: body } = answer
  const raw =
    body === undefined ? element('pre', { class: 'document', tabindex: '0' }, answer.text) : documentView(body)
  return element(
    'section',
    { class: 'answer', 'aria-label': 'Answer' },
    statusLine(answer),
    tabs('Views of the answer', [
      [
        title,
        element('div', {}, primary, body !== undefined && includedView(body), body !== undefined && metaView(body)),
      ],
      ['Document', raw],
    ]),
  )
}

/** @param {ExplorerApiResponse} answer */
export function statusLine({ status, statusText, milliseconds, size }) {
  const kind = status < 300 ? 'good' : 'bad'
  return element(
    'p',
    { class: 'status' },
    element('span', { class: `code ${kind}` }, `${status} ${statusText}`),
    ` ${Math.max(1, Math.round(milliseconds))} ms, ${toSize(size)}`,
  )
}

/** @param {number} bytes */
function toSize(bytes) {
  return bytes < 1000 ? `${bytes} B` : `${(bytes / 1000).toFixed(1)} kB`
}

/**
 * @param {ExplorerApiDocument} document
 * @param {{ caption: string, sorting?: Sorting | undefined }} options
 */
export function collectionView({ data, links, meta }, options) {
  const resources = /** @type {readonly ResourceObject[]} */ ([data ?? []].flat())
  const total = typeof meta?.total === 'number' ? ` of ${meta.total}` : ''
  return element(
    'div',
    {},
    resources.length === 0 ? element('p', { class: 'nothing' }, 'No resources.') : resourceTable(resources, options),
    element('div', { class: 'pages' }, element('span', {}, `${resources.length}${total}`), pageLinks(links)),
  )
}

/** @param {LinksObject | undefined} links */
function pageLinks(links) {
  const names = { first: 'First', prev: 'Previous', next: 'Next', last: 'Last' }
  const known = Object.entries(names).filter(([name]) => links?.[name] !== undefined)
  if (known.length === 0) return undefined
  return element(
    'nav',
    { 'aria-label': 'Pages' },
    known.map(([name, text]) => {
      const href = safeHref(links?.[name])
      return href === undefined
        ? element('span', { class: 'button off', 'aria-disabled': 'true' }, text)
        : element('a', { class: 'button', href, rel: name }, text)
    }),
  )
}

/** Returns a table for each included type. @param {ExplorerApiDocument} document */
function includedView({ included = [] }) {
  const types = [...new Set(included.map(({ type }) => type))]
  return types.map((type) =>
    element(
      'section',
      { class: 'included' },
      element('h2', {}, 'Included ', element('span', { class: 'typename' }, type)),
      resourceTable(
        included.filter((each) => each.type === type),
        { caption: `Included ${type}` },
      ),
    ),
  )
}

/** @param {ExplorerApiDocument} document */
function metaView({ meta = {} }) {
  const members = Object.entries(meta)
  if (members.length === 0) return undefined
  return element(
    'dl',
    { class: 'members' },
    members.flatMap(([name, value]) => [element('dt', {}, `meta.${name}`), element('dd', {}, valueCell(value))]),
  )
}

/**
 * Lists identifiers with an action for each.
 *
 * @param {readonly { readonly type: string, readonly id: string }[]} identifiers
 * @param {(identifier: { readonly type: string, readonly id: string }) => Element | undefined} action
 */
export function identifierList(identifiers, action) {
  if (identifiers.length === 0) return element('p', { class: 'nothing' }, 'The relationship is empty.')
  return element(
    'ul',
    { class: 'identifier-list' },
    identifiers.map((identifier) => element('li', {}, identifierLink(identifier), action(identifier))),
  )
}
