/** @import { ElementChild } from './core/api-types' */
import { element, newElementId, refill } from './dom.mjs'

/**
 * Announces a change of the page to screen readers.
 *
 * @param {string} text
 */
export function announce(text) {
  const region = document.getElementById('announcements')
  if (region !== null) refill(region, text)
}

/**
 * @typedef {object} Labelled
 * @property {string} label
 * @property {HTMLElement} control
 * @property {ElementChild} [hint]
 */

/**
 * Creates a control with its label and its error message.
 *
 * @param {Labelled} labelled
 */
export function labelled({ label, control, hint }) {
  const [id, hintId, mistakeId] = [newElementId(), newElementId(), newElementId()]
  control.id = id
  control.setAttribute('aria-describedby', hint === undefined ? mistakeId : `${hintId} ${mistakeId}`)
  const mistake = element('p', { class: 'input-error', id: mistakeId })
  const row = element(
    'div',
    { class: 'labelled' },
    element('label', { for: id }, label),
    control,
    hint !== undefined && element('p', { class: 'hint', id: hintId }, hint),
    mistake,
  )
  return { row, tell: /** @param {string} text */ (text) => tellMistake(control, mistake, text) }
}

/**
 * @param {Element} control
 * @param {Element} messageElement
 * @param {string} text `''` clears it.
 */
export function tellMistake(control, messageElement, text) {
  refill(messageElement, text)
  if (text === '') control.removeAttribute('aria-invalid')
  else control.setAttribute('aria-invalid', 'true')
}

/**
 * @param {readonly (readonly [value: string, text: string])[]} options
 * @param {string} [chosen]
 */
export function choice(options, chosen) {
  return element(
    'select',
    {},
    options.map(([value, text]) => element('option', { value, selected: value === chosen }, text)),
  )
}

/**
 * Creates a text with a copy button.
 *
 * @param {string} label
 * @param {string} text
 */
export function copyable(label, text) {
  const code = element('code', { tabindex: '0' }, text)
  const copy = async () => {
    await navigator.clipboard.writeText(code.textContent ?? '')
    announce(`${label} copied`)
  }
  const row = element(
    'div',
    { class: 'copyable' },
    element('span', { class: 'caption' }, label),
    code,
    element('button', { type: 'button', class: 'quiet', 'aria-label': `Copy ${label}`, onclick: copy }, 'Copy'),
  )
  return { row, show: /** @param {string} other */ (other) => refill(code, other) }
}

/**
 * Creates tabs. Arrow keys move between them. https://www.w3.org/WAI/ARIA/apg/patterns/tabs/
 *
 * @param {string} label
 * @param {readonly (readonly [name: string, panel: Element])[]} views
 */
export function tabs(label, views) {
  const panels = views.map(([, panel]) =>
    element('div', { role: 'tabpanel', id: newElementId(), tabindex: '0' }, panel),
  )
  const buttons = views.map(([name], index) => {
    const id = newElementId()
    panels[index]?.setAttribute('aria-labelledby', id)
    const controls = panels[index]?.id
    return element(
      'button',
      { type: 'button', role: 'tab', id, 'aria-controls': controls, onclick: () => show(index) },
      name,
    )
  })
  /** @param {number} chosen */
  const show = (chosen) => {
    for (const [index, button] of buttons.entries()) {
      button.setAttribute('aria-selected', String(index === chosen))
      button.tabIndex = index === chosen ? 0 : -1
      panels[index]?.toggleAttribute('hidden', index !== chosen)
    }
  }
  /** @param {KeyboardEvent} event */
  const move = ({ key }) => {
    const step = key === 'ArrowRight' ? 1 : key === 'ArrowLeft' ? -1 : 0
    if (step === 0) return
    const next = (buttons.findIndex((button) => button.tabIndex === 0) + step + buttons.length) % buttons.length
    show(next)
    buttons[next]?.focus()
  }
  show(0)
  const list = element('div', { role: 'tablist', 'aria-label': label, onkeydown: move }, buttons)
  return element('div', { class: 'tabs' }, list, panels)
}
