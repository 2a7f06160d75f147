/** @import { Input } from './attribute-input.mjs' */
/** @import { ApiModel } from './core/api-model' */
/** @import { ExplorerApiResponse, ResourceObject, ExplorerOpenApiSchema } from './core/api-types' */
import { statusLine } from './answer-view.mjs'
import { attributeInput } from './attribute-input.mjs'
import { toApiPath } from './core/api-url'
import { toCurl } from './core/curl'
import { navigate } from './core/navigation'
import { send } from './core/requests'
import { element, newElementId, refill } from './dom.mjs'
import { relationshipInput } from './identifier-input.mjs'
import { announce } from './parts/announce'
import { choice, copyable, labelled } from './parts.mjs'
import { problemList, showErrorsAtControls } from './problems.mjs'

/**
 * Creates a form for a new resource. Its fields depend on the chosen type.
 *
 * @param {string} type The URL of the collection.
 * @param {ApiModel} model
 */
export function createForm(type, model) {
  const bodies = model.bodiesOf(model.operation('post', type))
  if (bodies.size === 0) return undefined
  const container = element('div', {})
  const chosen = choice([...bodies.keys()].map((name) => [name, name]))
  const show = () =>
    refill(
      container,
      newResourceForm(chosen.value, { url: toApiPath(type), schema: bodies.get(chosen.value) ?? {}, model }),
    )
  chosen.addEventListener('change', show)
  show()
  const { row } = labelled({ label: 'type', control: chosen })
  return element('details', { class: 'panel' }, element('summary', {}, 'Create'), bodies.size > 1 && row, container)
}

/**
 * @param {string} type
 * @param {{ url: string, schema: ExplorerOpenApiSchema, model: ApiModel }} at
 */
function newResourceForm(type, { url, schema, model }) {
  const clientId = schema.properties?.id === undefined ? undefined : clientIdInput(schema)
  const fields = fieldInputs(type, { schema, model, current: undefined })
  return resourceForm({
    label: `Create ${type}`,
    rows: clientId === undefined ? fields : [['id', clientId], ...fields],
    sending: () => {
      const id = clientId?.read()
      return {
        method: 'POST',
        url,
        body: { data: { type, ...(id !== undefined && { id: id.value }), ...membersOf(fields) } },
      }
    },
    done: ({ document: body }) => {
      const created = /** @type {ResourceObject | undefined} */ (body?.data)
      if (created?.id !== undefined && model.operation('get', created.type, '{id}') !== undefined)
        navigate(toApiPath(created.type, created.id))
    },
  })
}

/** @param {ExplorerOpenApiSchema} schema @returns {Input} */
function clientIdInput({ required = [] }) {
  const isRequired = required.includes('id')
  return attributeInput({ name: 'id', schema: { type: 'string' }, isRequired, current: undefined })
}

/**
 * Creates a form to update a resource, filled with its current values.
 *
 * @param {ResourceObject} resource With all of its attributes.
 * @param {{ model: ApiModel, etag: string | null, done: () => void }} at
 */
export function updateForm(resource, { model, etag, done }) {
  const { type, id } = resource
  const schema = model.bodiesOf(model.operation('patch', type, '{id}')).get(type)
  if (schema === undefined) return undefined
  const fields = fieldInputs(type, { schema, model, current: resource })
  const url = toApiPath(type, id)
  return resourceForm({
    label: `Change ${type} ${id}`,
    rows: fields,
    sending: () => ({ method: 'PATCH', url, etag, body: { data: { type, id, ...membersOf(fields) } } }),
    done,
  })
}

/** @typedef {readonly [pointer: string, input: Input]} Row A field with the pointer of its value in `data`. */

/**
 * @param {string} type
 * @param {{ schema: ExplorerOpenApiSchema, model: ApiModel, current: ResourceObject | undefined }} facts
 * @returns {Row[]}
 */
function fieldInputs(type, { schema, model, current }) {
  const { attributes, relationships } = schema.properties ?? {}
  const fields = model.types.get(type)?.fields ?? []
  const isNew = current === undefined
  return [
    ...Object.entries(attributes?.properties ?? {}).map(([name, each]) => {
      const isRequired = isNew && (attributes?.required ?? []).includes(name)
      const known = isNew ? undefined : (current.attributes?.[name] ?? null)
      return /** @type {Row} */ ([
        `attributes/${name}`,
        attributeInput({ name, schema: each, isRequired, current: known }),
      ])
    }),
    ...Object.keys(relationships?.properties ?? {}).flatMap((name) => {
      const field = fields.find((each) => each.name === name)
      if (field === undefined) return []
      return [/** @type {Row} */ ([`relationships/${name}`, relationshipInput({ field, model, isNew })])]
    }),
  ]
}

/** Returns the attributes and relationships to send. @param {readonly Row[]} fields */
function membersOf(fields) {
  /** @type {Record<string, Record<string, unknown>>} */
  const members = {}
  for (const [pointer, { read }] of fields) {
    const sent = read()
    const [section = '', name = ''] = pointer.split(/\/(.*)/s)
    if (sent !== undefined)
      members[section] = { ...members[section], [name]: section === 'attributes' ? sent.value : { data: sent.value } }
  }
  return members
}

/**
 * @typedef {object} ResourceForm
 * @property {string} label
 * @property {readonly Row[]} rows
 * @property {() => import('./core/requests').Sending} sending
 * @property {(answer: ExplorerApiResponse) => void} done
 */

/** @param {ResourceForm} form */
function resourceForm({ label, rows, sending, done }) {
  const result = element('div', { class: 'result' })
  const curl = copyable('curl', '')
  const changed = () => curl.show(toCurl(sending()))
  /** @param {Event} event */
  const submit = async (event) => {
    event.preventDefault()
    for (const [, { tell }] of rows) tell('')
    const answer = await send(sending())
    const isGood = answer.status < 300
    refill(result, statusLine(answer), !isGood && mistakes(answer, rows))
    announce(isGood ? 'Done' : 'The write failed. See the errors in the form.')
    if (isGood) done(answer)
    else focusFirstMistake(form)
  }
  const form = element(
    'form',
    {
      class: 'fields-form',
      'aria-label': label,
      id: newElementId(),
      novalidate: true,
      onsubmit: submit,
      oninput: changed,
      onchange: changed,
    },
    rows.map(([, { row }]) => row),
    element('details', { class: 'request-lines' }, element('summary', {}, 'Request'), curl.row),
    element('div', { class: 'actions' }, element('button', { type: 'submit', class: 'main' }, label)),
    result,
  )
  changed()
  return form
}

/**
 * Shows each error at its field. Returns the others.
 *
 * @param {ExplorerApiResponse} answer
 * @param {readonly Row[]} inputs
 */
function mistakes(answer, inputs) {
  const errors = answer.document?.errors ?? []
  const remaining = showErrorsAtControls(errors, ({ source }) => findInput(source?.pointer, inputs)?.tell)
  return (remaining.length > 0 || errors.length === 0) && problemList(answer, remaining)
}

/**
 * @param {string | undefined} pointer `/data/attributes/name`
 * @param {readonly Row[]} inputs
 */
function findInput(pointer, inputs) {
  if (pointer === undefined) return undefined
  const path = pointer.replaceAll('~1', '/').replaceAll('~0', '~')
  return inputs.find(([fieldPointer]) => `${path}/`.startsWith(`/data/${fieldPointer}/`))?.[1]
}

/** @param {Element} form */
function focusFirstMistake(form) {
  const first = form.querySelector('[aria-invalid=true]')
  if (first instanceof HTMLElement) first.focus()
}
