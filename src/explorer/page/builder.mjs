/** @import { ApiModel } from './core/api-model' */
/** @import { ExplorerApiErrorObject, ExplorerOpenApiParameter, ParsedApiUrl, ExplorerQueryParameters } from './core/api-types' */
import { fieldsPart, filterPart, includePart, pagePart, sortPart } from './builder-parts.mjs'
import { toCurl } from './core/curl'
import { navigate } from './core/navigation'
import { parseQuery, toQueryString } from './core/query'
import { element } from './dom.mjs'
import { copyable } from './parts.mjs'
import { showErrorsAtControls } from './problems.mjs'

/**
 * One part of a query.
 *
 * @typedef {object} Part
 * @property {HTMLElement} row
 * @property {(query: ExplorerQueryParameters) => ExplorerQueryParameters} read Adds this part to the query.
 * @property {(text: string) => void} tell Shows an error; `''` clears it.
 */

/**
 * The data that the parts need.
 *
 * @typedef {object} BuilderContext
 * @property {ApiModel} model
 * @property {string} type The type of the primary data, if known.
 * @property {ReadonlyMap<string, ExplorerOpenApiParameter>} parameters
 * @property {ExplorerQueryParameters} query
 * @property {() => void} changed
 */

/** @type {readonly (readonly [parameter: string, make: (context: BuilderContext) => Part])[]} */
const PARTS = [
  ['filter', filterPart],
  ['sort', sortPart],
  ['include', includePart],
  ['fields', fieldsPart],
  ['page', pagePart],
]

/**
 * Creates a form for the query parameters of a URL, filled with their current values.
 *
 * @param {ParsedApiUrl} urlLocation
 * @param {Pick<BuilderContext, 'model' | 'type' | 'parameters'>} context
 */
export function builder(urlLocation, { model, type, parameters }) {
  const [path = ''] = urlLocation.url.split('?')
  const query = parseQuery(urlLocation.search)
  const url = copyable('URL', '')
  const curl = copyable('curl', '')
  const changed = () => {
    const queryUrl = path + toQueryString(read())
    url.show(queryUrl)
    curl.show(toCurl({ method: 'GET', url: queryUrl }))
  }
  const parts = new Map(
    PARTS.filter(([name]) => parameters.has(name)).map(([name, make]) => [
      name,
      make({ model, type, parameters, query, changed }),
    ]),
  )
  const read = () => [...parts.values()].reduce((all, part) => part.read(all), query)
  const submit = /** @param {Event} event */ (event) => {
    event.preventDefault()
    navigate(path + toQueryString(read()))
  }
  const form = element(
    'form',
    { class: 'builder', 'aria-label': 'Request', onsubmit: submit, oninput: changed, onchange: changed },
    [...parts.values()].map(({ row }) => row),
    element('div', { class: 'request-lines' }, url.row, curl.row),
    element(
      'div',
      { class: 'actions' },
      element('button', { type: 'submit', class: 'main' }, 'Send'),
      urlLocation.search !== '' && element('a', { href: path, class: 'button' }, 'Clear'),
    ),
  )
  changed()
  return { form, tell: /** @param {readonly ExplorerApiErrorObject[]} errors */ (errors) => tellAll(errors, parts) }
}

/**
 * Finds the part of an error by its parameter: `fields[men]` belongs to `fields`.
 *
 * @param {readonly ExplorerApiErrorObject[]} errors
 * @param {ReadonlyMap<string, Part>} parts
 */
function tellAll(errors, parts) {
  for (const { tell } of parts.values()) tell('')
  return showErrorsAtControls(errors, ({ source }) => parts.get((source?.parameter ?? '').replace(/\[.*$/, ''))?.tell)
}
