/** @import { BuilderContext, Part } from './builder.mjs' */
/** @import { TypeInfo } from './core/api-types' */

import { conditionForm } from './condition-form.mjs'
import { joinFilter } from './core/filter'
import { element, newElementId, refill } from './dom.mjs'
import { labelled } from './parts.mjs'

/**
 * Creates the filter input: the expression as text, and a form that adds conditions.
 *
 * @param {BuilderContext} context
 * @returns {Part}
 */
export function filterPart({ model, type, query, changed }) {
  const text = codeInput(query.filter)
  const { row, tell } = labelled({ label: 'filter', control: text })
  const add = conditionForm(type, model, (condition, joint) => {
    text.value = joinFilter(text.value.trim(), condition, joint)
    changed()
  })
  row.append(add)
  return { row, tell, read: (all) => ({ ...all, filter: text.value.trim() }) }
}

/** @param {string} value */
function codeInput(value) {
  return element('input', { type: 'text', value, spellcheck: 'false', autocomplete: 'off', class: 'code' })
}

/** @param {BuilderContext} context */
export function sortPart(context) {
  return listPart('sort', context, {
    label: 'Sort by',
    names: ['id', ...namesWith('sort', context)],
    press: cycleSortKey,
  })
}

/** @param {BuilderContext} context */
export function includePart(context) {
  const hint = 'Paths such as father.mother are allowed.'
  return listPart('include', context, { label: 'Include', names: namesWith('include', context), press: toggled, hint })
}

/**
 * Returns the names of the fields with a capability.
 *
 * @param {string} capability
 * @param {BuilderContext} context
 */
function namesWith(capability, { model, type }) {
  return model.fieldsAt(type).flatMap(({ name, capabilities }) => (capabilities.includes(capability) ? name : []))
}

/**
 * Creates the input for a list of names: the list as text, and a button for each name.
 *
 * @param {'sort' | 'include'} name
 * @param {BuilderContext} context
 * @param {{ label: string, names: readonly string[], press: (list: readonly string[], name: string) => readonly string[], hint?: string }} choices
 * @returns {Part}
 */
function listPart(name, { query, changed }, { label, names, press, hint }) {
  const text = codeInput(query[name].join(','))
  const { row, tell } = labelled({ label: name, control: text, ...(hint !== undefined && { hint }) })
  row.append(
    pills(label, names, (each) => {
      const parts = text.value.split(',').map((part) => part.trim())
      text.value = press(
        parts.filter((part) => part !== ''),
        each,
      ).join(',')
      changed()
    }),
  )
  return { row, tell, read: (all) => ({ ...all, [name]: text.value.trim() === '' ? [] : [text.value.trim()] }) }
}

/** @param {readonly string[]} list @param {string} name */
function toggled(list, name) {
  return list.includes(name) ? list.filter((each) => each !== name) : [...list, name]
}

/**
 * Cycles a sort key: ascending, descending, removed.
 *
 * @param {readonly string[]} keys
 * @param {string} key
 */
function cycleSortKey(keys, key) {
  if (keys.includes(key)) return keys.map((each) => (each === key ? `-${key}` : each))
  if (keys.includes(`-${key}`)) return keys.filter((each) => each !== `-${key}`)
  return [...keys, key]
}

/**
 * @param {string} label
 * @param {readonly string[]} names
 * @param {(name: string) => void} press
 */
function pills(label, names, press) {
  return element(
    'div',
    { class: 'pills', role: 'group', 'aria-label': label },
    names.map((each) => element('button', { type: 'button', class: 'pill', onclick: () => press(each) }, each)),
  )
}

/**
 * Lists the fields of each type that a response may contain. All are selected at first.
 *
 * @param {BuilderContext} context
 * @returns {Part}
 */
export function fieldsPart({ model, type, query }) {
  const first = model.storedTypes(type).map(({ name }) => name)
  const others = [...model.types.values()].filter(({ isAbstract, name }) => !isAbstract && !first.includes(name))
  const sets = [...model.storedTypes(type), ...others].map((each) => fieldset(each, query.fields[each.name]))
  const mistake = element('p', { class: 'input-error', id: newElementId() })
  const row = element(
    'div',
    { class: 'labelled' },
    element('span', { class: 'caption' }, 'fields'),
    element(
      'details',
      { open: Object.keys(query.fields).length > 0, 'aria-describedby': mistake.id },
      element('summary', {}, 'Choose fields'),
      sets.map((each) => each.row),
    ),
    mistake,
  )
  const known = sets.map(({ name }) => name)
  return {
    row,
    tell: (text) => refill(mistake, text),
    read: (all) => {
      const otherFieldsets = Object.entries(all.fields).filter(([each]) => !known.includes(each))
      const chosenFieldsets = sets.flatMap(({ name: each, chosen }) => {
        const names = chosen()
        return names === undefined ? [] : [/** @type {const} */ ([each, names])]
      })
      return { ...all, fields: Object.fromEntries([...otherFieldsets, ...chosenFieldsets]) }
    },
  }
}

/**
 * @param {TypeInfo} type
 * @param {readonly string[] | undefined} selected
 */
function fieldset({ name: type, fields }, selected) {
  const boxes = fields
    .filter(({ capabilities }) => capabilities.includes('view'))
    .map((field) => {
      const box = element('input', { type: 'checkbox', checked: selected?.includes(field.name) ?? true })
      return { name: field.name, box, label: element('label', { class: 'check' }, box, field.name) }
    })
  const chosen = () => {
    const names = boxes.filter(({ box }) => box.checked).map((each) => each.name)
    return names.length === boxes.length ? undefined : names
  }
  return {
    name: type,
    chosen,
    row: element(
      'fieldset',
      {},
      element('legend', {}, type),
      boxes.map(({ label }) => label),
    ),
  }
}

/**
 * @param {BuilderContext} context
 * @returns {Part}
 */
export function pagePart({ parameters, query }) {
  const names = Object.keys(parameters.get('page')?.schema?.properties ?? {})
  const inputs = names.map((each) => {
    const input = element('input', {
      type: 'text',
      value: query.page[each] ?? '',
      autocomplete: 'off',
      class: each.length > 4 ? 'code' : 'code short',
    })
    return { name: each, input, label: element('label', { class: 'inline' }, each, input) }
  })
  const mistake = element('p', { class: 'input-error', id: newElementId() })
  const row = element(
    'fieldset',
    { class: 'labelled', 'aria-describedby': mistake.id },
    element('legend', { class: 'caption' }, 'page'),
    element(
      'div',
      { class: 'inputs' },
      inputs.map(({ label }) => label),
    ),
    mistake,
  )
  return {
    row,
    tell: (text) => refill(mistake, text),
    read: (all) => ({
      ...all,
      page: { ...all.page, ...Object.fromEntries(inputs.map(({ name: each, input }) => [each, input.value.trim()])) },
    }),
  }
}
