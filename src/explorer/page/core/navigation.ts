import { API_ROOT_URL, parseApiUrl } from './api-url'

const listeners = new Set<() => void>()

/** Calls a function after each navigation. Returns a function that ends this. */
export function onNavigate(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Shows another URL of the API, without loading the page again. */
export function navigate(address: string): void {
  history.pushState(null, '', address)
  tell()
}

/** The same for links and for the browser's buttons. */
export function startNavigation(): void {
  addEventListener('popstate', tell)
  document.addEventListener('click', follow)
}

function tell(): void {
  for (const listener of listeners) listener()
}

/** Leaves special link handling to the browser: a new tab, a download, another host. */
function follow(event: MouseEvent): void {
  const { target, button, defaultPrevented, metaKey, ctrlKey, shiftKey, altKey } = event
  if (defaultPrevented || button !== 0 || metaKey || ctrlKey || shiftKey || altKey) return
  const link = target instanceof Element ? target.closest('a') : null
  const address = link?.getAttribute('href')
  if (address == null || address.startsWith('#') || link?.getAttribute('target') != null) return
  const { pathname } = new URL(address, location.href)
  if (parseApiUrl(address) === undefined || pathname === `${API_ROOT_URL.pathname}openapi.json`) return
  event.preventDefault()
  navigate(address)
}
