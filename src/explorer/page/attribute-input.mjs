/** @import { ExplorerOpenApiSchema } from './core/api-types' */
import { formatSchemaType, isNullable } from './core/schema'
import { element } from './dom.mjs'
import { choice, labelled } from './parts.mjs'

/**
 * A field of a form.
 *
 * @typedef {object} Input
 * @property {HTMLElement} row
 * @property {(text: string) => void} tell Shows an error; `''` clears it.
 * @property {() => { readonly value: unknown } | undefined} read `undefined` if it is not sent.
 */

/**
 * Creates the input of an attribute: omitted, null, or a value of its type.
 *
 * @param {{ name: string, schema: ExplorerOpenApiSchema, isRequired: boolean, current: unknown }} attribute `current`: `undefined` for a new resource.
 * @returns {Input}
 */
export function attributeInput({ name, schema, isRequired, current }) {
  const kind = kindOf(schema)
  const control = controlFor(kind, schema, current)
  const mode = omitNullOrValueSelect(name, { isRequired, isNullable: isNullable(schema), isNew: current === undefined })
  const hint = [formatSchemaType(schema), schema.description].filter((part) => part !== undefined).join('. ')
  const { row, tell } = labelled({ label: isRequired ? `${name} (required)` : name, control, hint })
  if (isRequired) control.setAttribute('aria-required', 'true')
  control.addEventListener('input', () => mode.choose('value'))
  control.before(mode.select)
  return {
    row,
    tell,
    read: () => {
      if (mode.select.value === 'out') return undefined
      return { value: mode.select.value === 'null' ? null : toValue(control.value, kind) }
    },
  }
}

/**
 * Creates the choice between omitting a field, null and a value.
 *
 * @param {string} name
 * @param {{ isRequired: boolean, isNullable: boolean, isNew: boolean }} facts
 */
export function omitNullOrValueSelect(name, { isRequired, isNullable: canBeNull, isNew }) {
  const select = choice(
    [
      ['out', isNew ? 'not sent' : 'unchanged'],
      ['value', 'value'],
      ...(canBeNull ? [/** @type {const} */ (['null', 'null'])] : []),
    ],
    isRequired ? 'value' : 'out',
  )
  select.className = 'mode'
  select.setAttribute('aria-label', `${name}: what is sent`)
  return {
    select,
    choose: /** @param {string} mode */ (mode) => {
      select.value = mode
    },
  }
}

/** @typedef {'boolean' | 'enum' | 'number' | 'text' | 'json'} Kind */

/**
 * @param {ExplorerOpenApiSchema} schema
 * @returns {Kind}
 */
function kindOf({ type, enum: values }) {
  const types = [type].flat()
  if (values !== undefined) return 'enum'
  if (types.includes('boolean')) return 'boolean'
  if (types.includes('integer') || types.includes('number')) return 'number'
  return types.includes('string') ? 'text' : 'json'
}

/**
 * @param {Kind} kind
 * @param {ExplorerOpenApiSchema} schema
 * @param {unknown} current
 * @returns {HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement}
 */
function controlFor(kind, { enum: values = [], format, maxLength = Infinity }, current) {
  const text = toText(current, kind)
  switch (kind) {
    case 'boolean':
      return choice(
        [
          ['false', 'false'],
          ['true', 'true'],
        ],
        text,
      )
    case 'enum':
      return choice(
        values.filter((value) => value !== null).map((value) => [String(value), String(value)]),
        text,
      )
    case 'number':
      return element('input', { type: 'text', inputmode: 'decimal', autocomplete: 'off', value: text })
    case 'json':
      return element('textarea', { rows: '2', class: 'code', spellcheck: 'false' }, text)
    case 'text':
      return format === undefined && maxLength > 255
        ? element('textarea', { rows: '2' }, text)
        : element('input', { type: 'text', autocomplete: 'off', value: text })
  }
}

/**
 * @param {unknown} value
 * @param {Kind} kind
 */
function toText(value, kind) {
  if (value === undefined || value === null) return ''
  return kind === 'json' ? JSON.stringify(value) : String(value)
}

/**
 * Sends an unparsable value as text, because the API returns the better error message.
 *
 * @param {string} text
 * @param {Kind} kind
 */
function toValue(text, kind) {
  if (kind === 'boolean') return text === 'true'
  if (kind === 'number') return text.trim() === '' || Number.isNaN(Number(text)) ? text : Number(text)
  if (kind === 'json') return parseJson(text)
  return text
}

/** @param {string} text */
function parseJson(text) {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
