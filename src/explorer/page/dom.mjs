/** @import { ElementChild } from './core/api-types' */

/** @typedef {Readonly<Record<string, unknown>>} Attributes */

/**
 * Creates an element. Functions become listeners. Strings become text nodes and are never parsed as HTML.
 *
 * `element('a', { href: '/men', onclick: go }, 'men')`
 *
 * @template {keyof HTMLElementTagNameMap} Name
 * @param {Name} name
 * @param {Attributes} [attributes]
 * @param {...ElementChild} children
 * @returns {HTMLElementTagNameMap[Name]}
 */
export function element(name, attributes = {}, ...children) {
  return fill(document.createElement(name), attributes, children)
}

/**
 * Creates an SVG element in the same way.
 *
 * @template {keyof SVGElementTagNameMap} Name
 * @param {Name} name
 * @param {Attributes} [attributes]
 * @param {...ElementChild} children
 * @returns {SVGElementTagNameMap[Name]}
 */
export function drawing(name, attributes = {}, ...children) {
  return fill(document.createElementNS('http://www.w3.org/2000/svg', name), attributes, children)
}

/**
 * @template {Element} Made
 * @param {Made} node
 * @param {Attributes} attributes
 * @param {readonly ElementChild[]} children
 */
function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') node.addEventListener(name.slice(2), /** @type {EventListener} */ (value))
    else if (value !== undefined && value !== false) node.setAttribute(name, value === true ? '' : String(value))
  }
  node.append(...toNodes(children))
  return node
}

/**
 * @param {readonly ElementChild[]} children
 * @returns {(Node | string)[]}
 */
function toNodes(children) {
  return children.flatMap((child) => {
    if (Array.isArray(child)) return toNodes(child)
    if (child === null || child === undefined || child === false) return []
    return [child instanceof Node ? child : String(child)]
  })
}

/**
 * Replaces the children of an element.
 *
 * @param {Element} parent
 * @param {...ElementChild} children
 */
export function refill(parent, ...children) {
  parent.replaceChildren(...toNodes(children))
}

let count = 0

/** Returns a unique id, to connect labels with their controls. */
export function newElementId() {
  count += 1
  return `part-${count}`
}
