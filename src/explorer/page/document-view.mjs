/** @import { ElementChild } from './core/api-types' */

import { safeHref } from './cells.mjs'
import { element } from './dom.mjs'

/**
 * Shows a document as indented JSON with clickable links.
 *
 * @param {unknown} value
 */
export function documentView(value) {
  return element(
    'pre',
    { class: 'document', tabindex: '0', role: 'region', 'aria-label': 'Document' },
    print(value, 0, false),
  )
}

/**
 * @param {unknown} value
 * @param {number} depth
 * @param {boolean} isLink Whether strings in it are links.
 * @returns {ElementChild[]}
 */
function print(value, depth, isLink) {
  if (Array.isArray(value))
    return printAll(
      '[]',
      value.map((each) => print(each, depth + 1, isLink)),
      depth,
    )
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).map(([name, each]) => [
      element('span', { class: 'member' }, JSON.stringify(name)),
      ': ',
      ...print(each, depth + 1, name === 'links' || (isLink && name !== 'meta')),
    ])
    return printAll('{}', members, depth)
  }
  const href = isLink && typeof value === 'string' ? safeHref(value) : undefined
  const text = JSON.stringify(value)
  return [
    href === undefined
      ? element('span', { class: value === null ? 'null' : typeof value }, text)
      : element('a', { href }, text),
  ]
}

/**
 * @param {string} brackets
 * @param {readonly ElementChild[][]} parts
 * @param {number} depth
 * @returns {ElementChild[]}
 */
function printAll(brackets, parts, depth) {
  const [open = '', close = ''] = brackets
  if (parts.length === 0) return [brackets]
  const indent = '  '.repeat(depth + 1)
  const lines = parts.flatMap((part, index) => [index === 0 ? `\n${indent}` : `,\n${indent}`, ...part])
  return [open, ...lines, `\n${'  '.repeat(depth)}`, close]
}
