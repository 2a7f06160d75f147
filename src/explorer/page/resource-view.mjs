/** @import { ApiModel } from './core/api-model' */
/** @import { ResourceObject } from './core/api-types' */

import { identifierLink, relationshipCell, safeHref, valueCell } from './cells.mjs'
import { toApiPath } from './core/api-url'
import { navigate } from './core/navigation'
import { send } from './core/requests'
import { element, refill } from './dom.mjs'
import { announce } from './parts/announce'
import { problemList } from './problems.mjs'
import { updateForm } from './write-forms.mjs'

/**
 * Shows a resource: its fields, relationships and actions.
 *
 * @param {ResourceObject} resource
 * @param {{ model: ApiModel, reload: () => Promise<void> }} at
 */
export function resourceView(resource, { model, reload }) {
  const { type, id, attributes = {}, relationships = {} } = resource
  const canDelete = model.operation('delete', type, '{id}') !== undefined
  return element(
    'article',
    { class: 'resource', 'aria-label': `${type} ${id}` },
    element(
      'p',
      { class: 'badges' },
      identifierLink(resource),
      model.types.get(type)?.base !== undefined &&
        element('span', { class: 'badge' }, 'derived from ', model.types.get(type)?.base),
    ),
    Object.keys(attributes).length > 0 &&
      element(
        'dl',
        { class: 'members' },
        Object.entries(attributes).map(([name, value]) => [
          element('dt', {}, name),
          element('dd', {}, valueCell(value)),
        ]),
      ),
    Object.keys(relationships).length > 0 && element('h2', {}, 'Relationships'),
    Object.keys(relationships).length > 0 && relationshipList(relationships),
    changePanel(resource, { model, reload }),
    canDelete && deleteButton(resource),
  )
}

/** @param {NonNullable<ResourceObject['relationships']>} relationships */
function relationshipList(relationships) {
  return element(
    'dl',
    { class: 'members' },
    Object.entries(relationships).map(([name, relationship]) => {
      const [self, related] = [safeHref(relationship.links?.self), safeHref(relationship.links?.related)]
      const links = [
        related !== undefined && element('a', { href: related, 'aria-label': `${name}: related` }, 'related'),
        self !== undefined && element('a', { href: self, 'aria-label': `${name}: linkage` }, 'linkage'),
      ]
      return [
        element('dt', {}, name),
        element(
          'dd',
          {},
          relationship.data !== undefined && relationshipCell(relationship, name),
          element('span', { class: 'ways' }, links),
        ),
      ]
    }),
  )
}

/**
 * Loads the resource before editing, since the view may show only some fields, or an older version.
 *
 * @param {ResourceObject} resource
 * @param {{ model: ApiModel, reload: () => Promise<void> }} at
 */
function changePanel({ type, id }, { model, reload }) {
  if (model.operation('patch', type, '{id}') === undefined) return undefined
  const container = element('div', {})
  const open = async () => {
    if (!panel.open || container.hasChildNodes()) return
    const { document: body, headers } = await send({ method: 'GET', url: toApiPath(type, id) })
    const current = /** @type {ResourceObject} */ (body?.data ?? { type, id })
    refill(container, updateForm(current, { model, etag: headers.get('etag'), done: () => void reload() }))
  }
  const panel = element('details', { class: 'panel', ontoggle: open }, element('summary', {}, 'Change'), container)
  return panel
}

/** Asks for confirmation before the deletion. @param {ResourceObject} resource */
function deleteButton({ type, id }) {
  const result = element('div', {})
  const confirm = async () => {
    const answer = await send({ method: 'DELETE', url: toApiPath(type, id) })
    if (answer.status >= 300) {
      refill(result, problemList(answer, answer.document?.errors ?? []))
      return
    }
    dialog.close()
    announce(`${type} ${id} is deleted`)
    navigate(toApiPath(type))
  }
  const keep = element('button', { type: 'button', onclick: () => dialog.close() }, 'Keep it')
  const dialog = element(
    'dialog',
    { 'aria-label': `Delete ${type} ${id}` },
    element('h2', {}, `Delete ${type} ${id}?`),
    element('p', {}, 'This also deletes the rows that the database deletes with it.'),
    result,
    element(
      'div',
      { class: 'actions' },
      element('button', { type: 'button', class: 'danger', onclick: confirm }, 'Delete it'),
      keep,
    ),
  )
  const ask = () => {
    refill(result)
    dialog.showModal()
    keep.focus()
  }
  return element(
    'div',
    { class: 'actions' },
    element('button', { type: 'button', class: 'danger', onclick: ask }, 'Delete …'),
    dialog,
  )
}
