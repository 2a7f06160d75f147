import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef } from 'preact/hooks'
import { Icon } from '../parts/icon'

interface ClosableSidePanelProps {
  readonly title: ComponentChildren
  readonly onClose: () => void
  /** Links beside the title. */
  readonly tools?: ComponentChildren
  readonly children: ComponentChildren
}

/** A panel at the side of the table; on small screens it covers the page. Escape closes it, but not from a form, which would lose its values. */
export function ClosableSidePanel({ title, onClose, tools, children }: ClosableSidePanelProps) {
  const panel = useRef<HTMLElement>(null)
  const id = useId()
  useEffect(() => panel.current?.focus({ preventScroll: true }), [])
  const closeByKey = (event: KeyboardEvent) => {
    const isInForm = event.target instanceof Element && event.target.closest('form') !== null
    if (event.key === 'Escape' && !event.defaultPrevented && !isInForm) onClose()
  }
  return (
    <aside class="side-panel" aria-labelledby={id} tabIndex={-1} ref={panel} onKeyDown={closeByKey}>
      <header class="side-panel-head">
        <h2 id={id}>{title}</h2>
        {tools}
        <button type="button" class="icon-button" aria-label="Close the panel" onClick={onClose}>
          <Icon name="close" />
        </button>
      </header>
      <div class="side-panel-content">{children}</div>
    </aside>
  )
}
