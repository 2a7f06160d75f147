/** @import { ApiModel } from './core/api-model' */
/** @import { ExplorerApiResponse, ExplorerApiErrorObject, ParsedApiUrl, ResourceObject, TypeInfo } from './core/api-types' */
import { answerView, collectionView, statusLine } from './answer-view.mjs'
import { builder } from './builder.mjs'
import { toApiPath } from './core/api-url'
import { send } from './core/requests'
import { element, refill } from './dom.mjs'
import { announce } from './parts/announce'
import { problemList } from './problems.mjs'
import { relationshipView } from './relationship-view.mjs'
import { resourceView } from './resource-view.mjs'
import { sortKeysOf } from './table.mjs'
import { fieldTable, typeBadges } from './type-view.mjs'
import { createForm } from './write-forms.mjs'

/**
 * Shows a URL: its query form, the response, and its write forms.
 *
 * @param {ParsedApiUrl} urlLocation
 * @param {ApiModel} model
 */
export function locationView(urlLocation, model) {
  const type = model.types.get(urlLocation.type)
  const target = primaryType(urlLocation, model)
  const parameters = model.parametersOf(operationAt(urlLocation, model))
  const { form, tell } = builder(urlLocation, { model, type: target, parameters })
  const answers = element('div', { class: 'answers' }, element('p', { class: 'hint' }, 'Asking…'))
  const load = async () => {
    const answer = await send({ method: 'GET', url: urlLocation.url })
    const errors = answer.document?.errors
    const isGood = answer.status < 300
    const rest = isGood ? [] : tell(errors ?? [])
    refill(
      answers,
      isGood ? goodAnswer(answer) : badAnswer(answer, errors !== undefined && rest.length === 0 ? undefined : rest),
    )
    announce(isGood ? 'The response is shown' : `The response is ${answer.status} ${answer.statusText}`)
  }
  /** @param {ExplorerApiResponse} answer */
  const goodAnswer = (answer) =>
    answerView(answer, {
      title: Array.isArray(answer.document?.data) ? 'Table' : 'Fields',
      primary: primaryView(answer, { urlLocation, model, target, reload: load }),
    })
  void load()
  return [
    heading(urlLocation, type),
    urlLocation.shape === 'collection' && collectionPanels(urlLocation.type, model),
    parameters.size > 0 && requestPanel(urlLocation, form),
    answers,
  ]
}

/**
 * Collapses the query form for a single resource, which has few parameters.
 *
 * @param {ParsedApiUrl} urlLocation
 * @param {Element} form
 */
function requestPanel({ shape, search }, form) {
  if (shape === 'collection' || search !== '') return form
  return element('details', { class: 'request' }, element('summary', {}, 'Request'), form)
}

/**
 * @param {string} name
 * @param {ApiModel} model
 */
function collectionPanels(name, model) {
  const type = model.types.get(name)
  if (type === undefined) return undefined
  return [
    type.description !== undefined && element('p', { class: 'lead' }, type.description),
    element(
      'div',
      { class: 'panels' },
      element('details', { class: 'panel' }, element('summary', {}, 'Fields'), fieldTable(type)),
      createForm(name, model),
    ),
  ]
}

/**
 * Shows the location as breadcrumbs.
 *
 * @param {ParsedApiUrl} urlLocation
 * @param {TypeInfo | undefined} found
 */
function heading({ shape, type, id, relationship }, found) {
  const steps = [
    shape === 'collection' ? type : element('a', { href: toApiPath(type) }, type),
    id !== '' && (shape === 'individual' ? id : element('a', { href: toApiPath(type, id) }, id)),
    relationship !== '' && relationship,
  ].filter((step) => step !== false)
  const path = steps.flatMap((step, index) =>
    index === 0 ? [step] : [element('span', { class: 'slash' }, ' / '), step],
  )
  return element(
    'div',
    { class: 'heading' },
    element('h1', {}, path),
    shape === 'relationship' && element('span', { class: 'badge' }, 'linkage'),
    shape === 'collection' && found !== undefined && typeBadges(found),
  )
}

/**
 * Returns the type of the response, as far as it is known before the request.
 *
 * @param {ParsedApiUrl} urlLocation
 * @param {ApiModel} model
 */
function primaryType({ type, relationship }, model) {
  if (relationship === '') return type
  return model.fieldsAt(type).find(({ name }) => name === relationship)?.target ?? type
}

/**
 * @param {ParsedApiUrl} urlLocation
 * @param {ApiModel} model
 */
function operationAt({ shape, type, relationship }, model) {
  if (shape === 'collection') return model.operation('get', type)
  if (shape === 'individual') return model.operation('get', type, '{id}')
  if (shape === 'related') return model.operation('get', type, '{id}', relationship)
  return model.operation('get', type, '{id}', 'relationships', relationship)
}

/**
 * @param {ExplorerApiResponse} answer
 * @param {{ urlLocation: ParsedApiUrl, model: ApiModel, target: string, reload: () => Promise<void> }} at
 */
function primaryView({ document: body = {} }, { urlLocation, model, target, reload }) {
  if (urlLocation.shape === 'relationship') return relationshipView(body, { urlLocation, model, reload })
  const { data } = body
  if (data === null || data === undefined) return element('p', { class: 'nothing' }, 'The relationship is empty.')
  if (!Array.isArray(data)) return resourceView(/** @type {ResourceObject} */ (data), { model, reload })
  return collectionView(body, { caption: target, sorting: { url: urlLocation.url, keys: sortKeysOf(target, model) } })
}

/**
 * @param {ExplorerApiResponse} answer
 * @param {readonly ExplorerApiErrorObject[] | undefined} errors `undefined` if each error is shown at its field.
 */
function badAnswer(answer, errors) {
  return element(
    'section',
    { class: 'answer', 'aria-label': 'Answer' },
    statusLine(answer),
    errors !== undefined && problemList(answer, errors),
  )
}
