/** @import { Input } from './attribute-input.mjs' */
/** @import { ApiModel } from './core/api-model' */
/** @import { FieldInfo, ResourceIdentifierObject, ResourceObject } from './core/api-types' */

import { omitNullOrValueSelect } from './attribute-input.mjs'
import { toApiPath } from './core/api-url'
import { send } from './core/requests'
import { isNullable } from './core/schema'
import { element, newElementId, refill } from './dom.mjs'
import { announce } from './parts/announce'
import { choice, tellMistake } from './parts.mjs'

/**
 * Creates an input for an identifier: the type if there are several, and the id, with existing ones as suggestions.
 *
 * @param {string} label
 * @param {string} target
 * @param {ApiModel} model
 */
export function identifierPicker(label, target, model) {
  const types = model.storedTypes(target).map(({ name }) => name)
  const type = choice(types.map((name) => [name, name]))
  type.setAttribute('aria-label', `${label}: type`)
  type.hidden = types.length < 2
  const known = element('datalist', { id: newElementId() })
  const id = element('input', {
    type: 'text',
    autocomplete: 'off',
    placeholder: 'id',
    'aria-label': `${label}: id`,
    list: known.id,
  })
  let shown = ''
  const suggest = async () => {
    if (shown === type.value || model.operation('get', type.value) === undefined) return
    shown = type.value
    refill(known, await optionsOf(type.value))
  }
  id.addEventListener('focus', suggest)
  return {
    row: element('span', { class: 'picker' }, type, id, known),
    id,
    /** @returns {ResourceIdentifierObject} */
    read: () => ({ type: type.value, id: id.value.trim() }),
    clear: () => {
      id.value = ''
    },
  }
}

/** Loads the first page of resources as suggestions, labelled with their first text attribute. @param {string} type */
async function optionsOf(type) {
  const { document: body } = await send({ method: 'GET', url: toApiPath(type) })
  const resources = /** @type {readonly ResourceObject[]} */ ([body?.data ?? []].flat())
  return resources.map(({ id, attributes = {} }) => {
    const text = Object.values(attributes).find((value) => typeof value === 'string')
    return element('option', { value: id }, text === undefined ? id : `${id}: ${text}`)
  })
}

/**
 * Creates the input of a relationship in a resource form.
 *
 * @param {{ field: FieldInfo, model: ApiModel, isNew: boolean }} relationship
 * @returns {Input}
 */
export function relationshipInput({ field, model, isNew }) {
  const { name, kind, target = '', schema } = field
  const mode = omitNullOrValueSelect(name, {
    isRequired: false,
    isNullable: kind === 'toOne' && isNullable(schema),
    isNew,
  })
  const chosen = kind === 'toOne' ? onePicker(field, model) : manyPicker(name, target, model)
  const mistake = element('p', { class: 'input-error', id: newElementId() })
  chosen.row.addEventListener('input', () => mode.choose('value'))
  const hint = element('p', { class: 'hint' }, kind === 'toOne' ? `one of ${target}` : `many ${target}`)
  const row = element(
    'fieldset',
    { class: 'labelled', 'aria-describedby': mistake.id },
    element('legend', {}, name),
    element('div', { class: 'inputs' }, mode.select, chosen.row),
    hint,
    mistake,
  )
  return {
    row,
    tell: (text) => tellMistake(chosen.id, mistake, text),
    read: () => {
      if (mode.select.value === 'out') return undefined
      return { value: mode.select.value === 'null' ? null : chosen.read() }
    },
  }
}

/** @param {FieldInfo} field @param {ApiModel} model */
function onePicker({ name, target = '' }, model) {
  return identifierPicker(name, target, model)
}

/**
 * Creates an input for several identifiers.
 *
 * @param {string} label
 * @param {string} target
 * @param {ApiModel} model
 */
export function manyPicker(label, target, model) {
  /** @type {ResourceIdentifierObject[]} */
  let chosen = []
  const picker = identifierPicker(label, target, model)
  const list = element('ul', { class: 'chosen', 'aria-label': `${label}: chosen` })
  const show = () =>
    refill(
      list,
      chosen.map((each) => element('li', {}, `${each.type} ${each.id}`, remover(each))),
    )
  /** @param {ResourceIdentifierObject} each */
  const remover = (each) => {
    const remove = () => {
      chosen = chosen.filter((other) => other !== each)
      show()
      picker.id.focus()
    }
    return element(
      'button',
      { type: 'button', class: 'quiet', 'aria-label': `Leave out ${each.type} ${each.id}`, onclick: remove },
      '×',
    )
  }
  const add = () => {
    const one = picker.read()
    if (one.id === '') return
    chosen = [...chosen, one]
    picker.clear()
    show()
    announce(`${one.type} ${one.id} is chosen`)
    list.dispatchEvent(new Event('input', { bubbles: true }))
  }
  const button = element('button', { type: 'button', 'aria-label': `${label}: add`, onclick: add }, 'Add')
  return {
    row: element('div', { class: 'many' }, list, picker.row, button),
    id: picker.id,
    read: () => {
      const last = picker.read()
      return last.id === '' ? chosen : [...chosen, last]
    },
  }
}
