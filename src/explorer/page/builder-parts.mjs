/** @import { Asked, Part } from './builder.mjs' */
/** @import { TypeInfo } from './types' */

import { conditionForm } from './condition-form.mjs'
import { element, newId, refill } from './dom.mjs'
import { joinFilter } from './filter.mjs'
import { labelled } from './parts.mjs'

/**
 * Creates the filter input: the expression as text, and a form that adds conditions.
 *
 * @param {Asked} asked
 * @returns {Part}
 */
export function filterPart({ description, type, query, changed }) {
  const text = element('input', {
    type: 'text',
    value: query.filter,
    spellcheck: 'false',
    autocomplete: 'off',
    class: 'code',
  })
  const { row, tell } = labelled({ label: 'filter', control: text })
  const add = conditionForm(type, description, (condition, joint) => {
    text.value = joinFilter(text.value.trim(), condition, joint)
    changed()
  })
  row.append(add)
  return { row, tell, read: (all) => ({ ...all, filter: text.value.trim() }) }
}

/**
 * @param {Asked} asked
 * @returns {Part}
 */
export function sortPart({ description, type, query, changed }) {
  const text = element('input', {
    type: 'text',
    value: query.sort.join(','),
    spellcheck: 'false',
    autocomplete: 'off',
    class: 'code',
  })
  const { row, tell } = labelled({ label: 'sort', control: text })
  const keys = [
    'id',
    ...description
      .fieldsAt(type)
      .filter(({ capabilities }) => capabilities.includes('sort'))
      .map((each) => each.name),
  ]
  row.append(
    pills('Sort by', keys, (key) => {
      const parts = text.value
        .split(',')
        .map((each) => each.trim())
        .filter((each) => each !== '')
      text.value = turned(parts, key).join(',')
      changed()
    }),
  )
  return { row, tell, read: (all) => ({ ...all, sort: text.value.trim() === '' ? [] : [text.value.trim()] }) }
}

/**
 * Cycles a sort key: ascending, descending, removed.
 *
 * @param {readonly string[]} keys
 * @param {string} key
 */
export function turned(keys, key) {
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
 * @param {Asked} asked
 * @returns {Part}
 */
export function includePart({ description, type, query, changed }) {
  const text = element('input', {
    type: 'text',
    value: query.include.join(','),
    spellcheck: 'false',
    autocomplete: 'off',
    class: 'code',
  })
  const { row, tell } = labelled({ label: 'include', control: text, hint: 'Paths such as father.mother are allowed.' })
  const names = description
    .fieldsAt(type)
    .filter(({ capabilities }) => capabilities.includes('include'))
    .map((each) => each.name)
  row.append(
    pills('Include', names, (each) => {
      const parts = text.value
        .split(',')
        .map((part) => part.trim())
        .filter((part) => part !== '')
      text.value = (parts.includes(each) ? parts.filter((part) => part !== each) : [...parts, each]).join(',')
      changed()
    }),
  )
  return { row, tell, read: (all) => ({ ...all, include: text.value.trim() === '' ? [] : [text.value.trim()] }) }
}

/**
 * Lists the fields of each type that a response may contain. All are selected at first.
 *
 * @param {Asked} asked
 * @returns {Part}
 */
export function fieldsPart({ description, type, query }) {
  const first = description.storedTypes(type).map(({ name }) => name)
  const others = [...description.types.values()].filter(({ isAbstract, name }) => !isAbstract && !first.includes(name))
  const sets = [...description.storedTypes(type), ...others].map((each) => fieldset(each, query.fields[each.name]))
  const mistake = element('p', { class: 'mistake', id: newId() })
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
      const kept = Object.entries(all.fields).filter(([each]) => !known.includes(each))
      const said = sets.flatMap(({ name: each, chosen }) => {
        const names = chosen()
        return names === undefined ? [] : [/** @type {const} */ ([each, names])]
      })
      return { ...all, fields: Object.fromEntries([...kept, ...said]) }
    },
  }
}

/**
 * @param {TypeInfo} type
 * @param {readonly string[] | undefined} wanted
 */
function fieldset({ name: type, fields }, wanted) {
  const boxes = fields
    .filter(({ capabilities }) => capabilities.includes('view'))
    .map((field) => {
      const box = element('input', { type: 'checkbox', checked: wanted?.includes(field.name) ?? true })
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
 * @param {Asked} asked
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
  const mistake = element('p', { class: 'mistake', id: newId() })
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
