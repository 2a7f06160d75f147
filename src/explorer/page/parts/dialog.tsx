import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef } from 'preact/hooks'
import { Icon } from './icon'

interface DialogProps {
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
    const element = dialog.current
    const focused = document.activeElement
    element?.showModal()
    return () => {
      // An open dialog keeps the focus inside.
      element?.close()
      if (focused instanceof HTMLElement) focused.focus()
    }
  }, [])
  const closeBeside = (event: MouseEvent) => {
    if (event.target === dialog.current) onClose()
  }
  // A panel around the dialog must stay open.
  const keepKey = (event: KeyboardEvent) => event.key === 'Escape' && event.stopPropagation()
  const cancel = (event: Event) => {
    event.preventDefault()
    onClose()
  }
  return (
    <dialog
      ref={dialog}
      class={`dialog ${name}`}
      aria-labelledby={id}
      onCancel={cancel}
      onClick={closeBeside}
      onKeyDown={keepKey}
    >
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
