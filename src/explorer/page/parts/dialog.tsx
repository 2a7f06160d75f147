import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef } from 'preact/hooks'
import { Icon } from './icon'

export interface DialogProps {
  readonly title: string
  /** Called by Escape, the button, and a click beside the dialog. */
  readonly onClose: () => void
  readonly children: ComponentChildren
  readonly class?: string
}

/** A modal dialog. It is open while it is drawn, and gives the focus back when it closes. */
export function Dialog({ title, onClose, children, class: name = '' }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  useEffect(() => {
    const focused = document.activeElement
    dialog.current?.showModal()
    return () => {
      if (focused instanceof HTMLElement) focused.focus()
    }
  }, [])
  const closeBeside = (event: MouseEvent) => {
    if (event.target === dialog.current) onClose()
  }
  const cancel = (event: Event) => {
    event.preventDefault()
    onClose()
  }
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes the dialog.
    <dialog ref={dialog} class={`dialog ${name}`} aria-labelledby={id} onCancel={cancel} onClick={closeBeside}>
      <div class="dialog-content">
        <div class="dialog-head">
          <h2 id={id}>{title}</h2>
          <button type="button" class="icon-button" aria-label="Close" onClick={onClose}>
            <Icon name="close" />
          </button>
        </div>
        {children}
      </div>
    </dialog>
  )
}
