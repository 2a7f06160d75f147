const CONTROLS = 'a[href], button:not(:disabled), input, select, textarea, [tabindex]'

/** Longer than the page needs to set the focus by itself, after a navigation or in a dialog. */
const PAUSE = 100

/**
 * Gives the focus to a control nearby when the focused one is removed, such as a button that becomes a form. Otherwise users of the keyboard
 * and of screen readers start at the top again. Returns a function that ends this.
 */
export function observeRemovalsToKeepFocus(): () => void {
  let path: readonly EventTarget[] = []
  const remember = (event: Event) => {
    path = event.composedPath()
  }
  const observer = new MutationObserver((records) => {
    const [focused, ...above] = path.filter((each) => each instanceof HTMLElement)
    const isRemoved = (node: Node) => focused !== undefined && node.contains(focused)
    if (records.some(({ removedNodes }) => [...removedNodes].some(isRemoved))) {
      setTimeout(() => focusNear([focused, ...above]), PAUSE)
    }
  })
  document.addEventListener('focusin', remember)
  observer.observe(document.body, { childList: true, subtree: true })
  return () => {
    document.removeEventListener('focusin', remember)
    observer.disconnect()
  }
}

function focusNear(elements: readonly (HTMLElement | undefined)[]): void {
  for (const element of elements) {
    if (document.activeElement !== document.body || element === document.body) return
    const inside = element?.isConnected === true ? element.querySelectorAll<HTMLElement>(CONTROLS) : []
    const control = element?.matches(CONTROLS) === true ? element : [...inside].find((each) => each.checkVisibility())
    control?.focus({ preventScroll: true })
  }
}
