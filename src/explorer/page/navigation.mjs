import { findPlace, ROOT } from './place.mjs'

/** @type {(address: string) => void} */
let show = () => {}

/**
 * Shows what is at URLs of the API without loading the page anew: links, the browser's own buttons, and `navigate`.
 *
 * @param {() => void} render
 */
export function startNavigation(render) {
  show = (address) => {
    history.pushState(null, '', address)
    render()
  }
  addEventListener('popstate', render)
  document.addEventListener('click', follow)
}

/**
 * Goes to another URL of the API.
 *
 * @param {string} address
 */
export function navigate(address) {
  show(address)
}

/** Whatever the browser would do otherwise with a link, it does: a new tab, a download, another host. @param {MouseEvent} event */
function follow(event) {
  const { target, button, defaultPrevented, metaKey, ctrlKey, shiftKey, altKey } = event
  if (defaultPrevented || button !== 0 || metaKey || ctrlKey || shiftKey || altKey || !(target instanceof Element))
    return
  const link = target.closest('a')
  const address = link?.getAttribute('href')
  if (address == null || address.startsWith('#') || link?.getAttribute('target') != null) return
  if (findPlace(address) === undefined || new URL(address, location.href).pathname === `${ROOT.pathname}openapi.json`)
    return
  event.preventDefault()
  navigate(address)
}
