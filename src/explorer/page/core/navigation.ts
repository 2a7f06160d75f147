import { API_ROOT_URL, parseApiUrl } from './api-url'
import { anyFormHasUnsavedChanges, forgetUnsavedChanges } from './unsaved-changes'

const listeners = new Set<() => void>()

/** Calls a function after each navigation. Returns a function that ends this. */
export function addNavigationListener(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

let ask: (leave: () => void) => void = (leave) => leave()

/** Sets how the user is asked before changed forms are left. `leave`: continues the navigation. */
export function setLeaveConfirmationHandler(question: (leave: () => void) => void): void {
  ask = question
}

/** The shown URL, and the position of its entry in the history of the browser. */
let shown = { url: location.href, index: indexOf(history.state) ?? 0 }

/** Shows another URL of the API, without loading the page again. Asks first if changed forms would be lost. `then` is called afterwards. */
export function navigate(address: string, then = () => {}): void {
  const url = new URL(address, location.href).href
  const leave = () => {
    const index = shown.index + 1
    history.pushState({ index }, '', url)
    show(url, index)
    then()
  }
  if (losesChanges(url)) askAndDiscard(leave)
  else leave()
}

/** The same for links and for the browser's buttons. Closing the page asks too. */
export function startNavigation(): void {
  history.replaceState({ index: shown.index }, '')
  addEventListener('popstate', followHistory)
  document.addEventListener('click', follow)
  addEventListener('beforeunload', (event) => {
    if (anyFormHasUnsavedChanges()) event.preventDefault()
  })
}

let isReturning = false

/** Follows the browser, which has moved already. If changed forms would be lost, it first moves back. */
function followHistory({ state }: PopStateEvent): void {
  if (isReturning) {
    isReturning = false
    return
  }
  const index = indexOf(state) ?? shown.index + 1
  if (indexOf(state) === undefined) history.replaceState({ index }, '')
  const steps = index - shown.index
  if (steps === 0 || !losesChanges(location.href)) {
    show(location.href, index)
    return
  }
  isReturning = true
  history.go(-steps)
  askAndDiscard(() => history.go(steps))
}

function indexOf(state: unknown): number | undefined {
  const { index } = Object(state)
  return typeof index === 'number' ? index : undefined
}

/** Another query leaves the forms of the page as they are. */
function losesChanges(next: string): boolean {
  const [from, to] = [new URL(shown.url), new URL(next)]
  return anyFormHasUnsavedChanges() && (from.pathname !== to.pathname || from.hash !== to.hash)
}

function askAndDiscard(leave: () => void): void {
  ask(() => {
    forgetUnsavedChanges()
    leave()
  })
}

function show(url: string, index: number): void {
  shown = { url, index }
  for (const listener of listeners) listener()
}

/** Leaves special link handling to the browser: a new tab, a download, another host. */
function follow(event: MouseEvent): void {
  const { target, button, defaultPrevented, metaKey, ctrlKey, shiftKey, altKey } = event
  if (defaultPrevented || button !== 0 || metaKey || ctrlKey || shiftKey || altKey) return
  const link = target instanceof Element ? target.closest('a') : null
  const address = link?.getAttribute('href')
  if (address == null || link?.getAttribute('target') != null) return
  const { pathname } = new URL(address, location.href)
  if (parseApiUrl(address) === undefined || pathname === `${API_ROOT_URL.pathname}openapi.json`) return
  event.preventDefault()
  navigate(address)
}
