/** @import { ExplorerApiErrorObject, ExplorerApiResponse } from './core/api-types' */
import { element } from './dom.mjs'

/**
 * Shows the errors that belong to no control of the page.
 *
 * @param {Pick<ExplorerApiResponse, 'status' | 'statusText'>} answer
 * @param {readonly ExplorerApiErrorObject[]} errors
 */
export function problemList({ status, statusText }, errors) {
  if (errors.length === 0) return element('p', { class: 'problems', role: 'alert' }, `${status} ${statusText}`)
  const list = element(
    'ul',
    {},
    errors.map((error) =>
      element(
        'li',
        {},
        element('strong', {}, error.title ?? `${status} ${statusText}`),
        error.detail !== undefined && element('span', {}, ` ${error.detail}`),
        error.code !== undefined && element('code', {}, error.code),
      ),
    ),
  )
  return element('div', { class: 'problems', role: 'alert' }, list)
}

/**
 * Shows each error at its control. Returns the errors without one.
 *
 * @param {readonly ExplorerApiErrorObject[]} errors
 * @param {(error: ExplorerApiErrorObject) => ((text: string) => void) | undefined} findControl
 * @returns {readonly ExplorerApiErrorObject[]}
 */
export function showErrorsAtControls(errors, findControl) {
  /** @type {Map<(text: string) => void, string[]>} */
  const messages = new Map()
  const remaining = errors.filter((error) => {
    const tell = findControl(error)
    if (tell === undefined) return true
    messages.set(tell, [...(messages.get(tell) ?? []), errorText(error)])
    return false
  })
  for (const [tell, texts] of messages) tell(texts.join(' '))
  return remaining
}

/**
 * Formats an error: what is wrong, and what is expected.
 *
 * @param {ExplorerApiErrorObject} error
 */
function errorText({ title, detail, code }) {
  return [title, detail].filter((part) => part !== undefined).join(' ') || code || 'Something is wrong.'
}
