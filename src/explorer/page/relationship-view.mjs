/** @import { ApiModel } from './core/api-model' */
/** @import { ExplorerApiResponse, ExplorerApiDocument, ResourceIdentifierObject, ParsedApiUrl } from './core/api-types' */
import { identifierList, statusLine } from './answer-view.mjs'
import { send } from './core/requests'
import { isNullable } from './core/schema'
import { element, refill } from './dom.mjs'
import { identifierPicker, manyPicker } from './identifier-input.mjs'
import { announce } from './parts/announce'
import { problemList } from './problems.mjs'

/**
 * Shows the linkage of a relationship with its actions.
 *
 * @param {ExplorerApiDocument} document
 * @param {{ urlLocation: ParsedApiUrl, model: ApiModel, reload: () => Promise<void> }} at
 */
export function relationshipView({ data }, { urlLocation, model, reload }) {
  const { type, relationship, url } = urlLocation
  const result = element('div', { class: 'result' })
  /** @param {string} method @param {unknown} sent */
  const write = async (method, sent) => {
    const answer = await send({ method, url: url.split('?')[0] ?? url, body: { data: sent } })
    if (answer.status >= 300) return refill(result, refusal(answer))
    announce('The relationship is changed')
    await reload()
  }
  const known = /** @type {readonly ResourceIdentifierObject[]} */ ([data ?? []].flat())
  const field = model.fieldsAt(type).find(({ name }) => name === relationship)
  const can = /** @param {string} method */ (method) =>
    model.operation(method, type, '{id}', 'relationships', relationship) !== undefined
  const isMany = Array.isArray(data)
  /** @param {ResourceIdentifierObject} identifier */
  const remover = ({ type: each, id }) =>
    isMany && can('delete')
      ? element(
          'button',
          {
            type: 'button',
            class: 'quiet',
            'aria-label': `Remove ${each} ${id}`,
            onclick: () => write('DELETE', [{ type: each, id }]),
          },
          'Remove',
        )
      : undefined
  const target = field?.target ?? type
  const forms = isMany
    ? manyForm(relationship, { target, model, write, can })
    : oneForm(relationship, { target, model, write, can, isNullable: isNullable(field?.schema ?? {}) })
  return element('div', {}, identifierList(known, remover), forms, result)
}

/** @param {ExplorerApiResponse} answer */
function refusal(answer) {
  return [statusLine(answer), problemList(answer, answer.document?.errors ?? [])]
}

/**
 * @typedef {object} RelationshipForm
 * @property {string} target
 * @property {ApiModel} model
 * @property {(method: string, sent: unknown) => Promise<void>} write
 * @property {(method: string) => boolean} can
 */

/** @param {string} name @param {RelationshipForm} form */
function manyForm(name, { target, model, write, can }) {
  if (!can('post') && !can('patch')) return undefined
  const chosen = manyPicker(name, target, model)
  /** @param {Event} event */
  const submit = (event) => {
    event.preventDefault()
    void write(can('post') ? 'POST' : 'PATCH', chosen.read())
  }
  return element(
    'form',
    { class: 'relationship-form', 'aria-label': `Change ${name}`, onsubmit: submit },
    chosen.row,
    element(
      'div',
      { class: 'actions' },
      can('post') && element('button', { type: 'submit', class: 'main' }, 'Add to it'),
      can('patch') &&
        element('button', { type: 'button', onclick: () => write('PATCH', chosen.read()) }, 'Replace all'),
    ),
  )
}

/** @param {string} name @param {RelationshipForm & { isNullable: boolean }} form */
function oneForm(name, { target, model, write, can, isNullable: canBeNull }) {
  if (!can('patch')) return undefined
  const picker = identifierPicker(name, target, model)
  /** @param {Event} event */
  const submit = (event) => {
    event.preventDefault()
    void write('PATCH', picker.read())
  }
  return element(
    'form',
    { class: 'relationship-form', 'aria-label': `Change ${name}`, onsubmit: submit },
    picker.row,
    element(
      'div',
      { class: 'actions' },
      element('button', { type: 'submit', class: 'main' }, 'Set it'),
      canBeNull && element('button', { type: 'button', onclick: () => write('PATCH', null) }, 'Clear it'),
    ),
  )
}
