import { API_ROOT_URL, parseApiUrl } from './api-url.mjs'

/** @type {(address: string) => void} */
let show = () => {}

/**
 * Renders URLs of the API without a page load: for links, the browser's buttons, and `navigate`.
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
 * Navigates to another URL of the API.
 *
 * @param {string} address
 */
export function navigate(address) {
  show(address)
}

/** Leaves special link handling to the browser: a new tab, a download, another host. @param {MouseEvent} event */
function follow(event) {
  const { target, button, defaultPrevented, metaKey, ctrlKey, shiftKey, altKey } = event
  if (defaultPrevented || button !== 0 || metaKey || ctrlKey || shiftKey || altKey || !(target instanceof Element))
    return
  const link = target.closest('a')
  const address = link?.getAttribute('href')
  if (address == null || address.startsWith('#') || link?.getAttribute('target') != null) return
  if (
    parseApiUrl(address) === undefined ||
    new URL(address, location.href).pathname === `${API_ROOT_URL.pathname}openapi.json`
  )
    return
  event.preventDefault()
  navigate(address)
}
