/** @import { ApiError, Answer } from './types' */
import { element } from './dom.mjs'

/**
 * A mistake in words: what is wrong, and what would be right.
 *
 * @param {ApiError} error
 */
export function textOf({ title, detail, code }) {
  return [title, detail].filter((part) => part !== undefined).join(' ') || code || 'Something is wrong.'
}

/**
 * The mistakes that nothing on the page is to blame for.
 *
 * @param {Pick<Answer, 'status' | 'statusText'>} answer
 * @param {readonly ApiError[]} errors
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
 * Tells each mistake where it belongs; gives those that belong nowhere.
 *
 * @param {readonly ApiError[]} errors
 * @param {(error: ApiError) => ((text: string) => void) | undefined} findPlace
 * @returns {readonly ApiError[]}
 */
export function distribute(errors, findPlace) {
  /** @type {Map<(text: string) => void, string[]>} */
  const told = new Map()
  const others = errors.filter((error) => {
    const tell = findPlace(error)
    if (tell === undefined) return true
    told.set(tell, [...(told.get(tell) ?? []), textOf(error)])
    return false
  })
  for (const [tell, texts] of told) tell(texts.join(' '))
  return others
}
