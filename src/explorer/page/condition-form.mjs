/** @import { ApiModel } from './core/api-model' */
/** @import { FieldInfo } from './core/api-types' */

import { operatorsFor, wrapInIsType } from './core/filter'
import { element, newElementId, refill } from './dom.mjs'
import { choice } from './parts.mjs'

/**
 * Creates a form that builds one condition without knowledge of the syntax.
 *
 * @param {string} type
 * @param {ApiModel} model
 * @param {(condition: string, joint: string) => void} add Called with each condition and how to join it to the others.
 */
export function conditionForm(type, model, add) {
  const fields = filterable(type, model)
  const joint = withLabel('Joined with', choice(['and', 'or'].map((each) => [each, each])))
  const field = withLabel('Field of the condition', choice(fields.map((each, index) => [String(index), nameOf(each)])))
  const operator = withLabel('Comparison', choice([]))
  const known = element('datalist', { id: newElementId() })
  const value = withLabel('Value', element('input', { type: 'text', autocomplete: 'off', list: known.id }))
  const chosen = () => fields[Number(field.value)] ?? ID
  const findOperator = () => operatorsFor(chosen().field).find(({ name }) => name === operator.value)
  const adaptValue = () => {
    value.disabled = findOperator()?.takes === 'nothing'
  }
  const adapt = () => {
    const { field: about } = chosen()
    refill(
      operator,
      operatorsFor(about).map(({ name }) => element('option', { value: name }, name)),
    )
    refill(
      known,
      valuesOf(about).map((each) => element('option', { value: each })),
    )
    adaptValue()
  }
  const press = () => {
    const { field: about, within } = chosen()
    const way = findOperator()
    if (way === undefined) return
    add(wrapInIsType(way.print(about.name, value.value), within), joint.value)
    value.value = ''
  }
  field.addEventListener('change', adapt)
  operator.addEventListener('change', adaptValue)
  value.addEventListener('keydown', onEnter(press))
  adapt()
  const button = element('button', { type: 'button', onclick: press }, 'Add condition')
  return element('div', { class: 'condition' }, joint, field, operator, value, known, button)
}

/**
 * @typedef {object} Filterable
 * @property {FieldInfo} field
 * @property {string | undefined} within The derived type that declares it, if any.
 */

/** @type {Filterable} */
const ID = {
  within: undefined,
  field: {
    name: 'id',
    kind: 'attribute',
    target: undefined,
    description: undefined,
    capabilities: ['filter'],
    schema: { type: 'integer' },
    isOwn: true,
  },
}

/**
 * @param {string} name
 * @param {ApiModel} model
 * @returns {readonly Filterable[]}
 */
function filterable(name, model) {
  const [type, ...below] = model.withDerived(name)
  const all = [
    ...(type?.fields ?? []).map((field) => ({ field, within: undefined })),
    ...below.flatMap(({ name: within, fields }) =>
      fields.filter(({ isOwn }) => isOwn).map((field) => ({ field, within })),
    ),
    ID,
  ]
  return all.filter(({ field }) => field.capabilities.includes('filter'))
}

/**
 * Returns the possible values, if there are few.
 *
 * @param {FieldInfo} field
 */
function valuesOf({ schema }) {
  const values = schema.enum ?? ([schema.type].flat().includes('boolean') ? [true, false] : [])
  return values.filter((each) => each !== null).map(String)
}

/** @param {Filterable} each */
function nameOf({ field, within }) {
  return within === undefined ? field.name : `${within}: ${field.name}`
}

/**
 * @template {Element} Control
 * @param {string} label
 * @param {Control} control
 */
function withLabel(label, control) {
  control.setAttribute('aria-label', label)
  return control
}

/**
 * Enter presses the button and does not submit the surrounding form.
 *
 * @param {() => void} press
 * @returns {(event: KeyboardEvent) => void}
 */
function onEnter(press) {
  return (event) => {
    if (event.key !== 'Enter') return
    event.preventDefault()
    press()
  }
}
