import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { Icon, type IconName } from './icon'

interface PopoverButtonProps {
  readonly label: string
  readonly icon: IconName
  readonly children: ComponentChildren
}

/** A button that shows a small panel. Escape, a click beside it, and leaving it with Tab close the panel. */
export function PopoverButton({ label, icon, children }: PopoverButtonProps) {
  const [isOpen, setOpen] = useState(false)
  const root = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (!isOpen) return
    const closeBeside = ({ target }: Event) => {
      if (target instanceof Node && root.current?.contains(target) !== true) setOpen(false)
    }
    document.addEventListener('pointerdown', closeBeside)
    document.addEventListener('focusin', closeBeside)
    return () => {
      document.removeEventListener('pointerdown', closeBeside)
      document.removeEventListener('focusin', closeBeside)
    }
  }, [isOpen])
  const closeByKey = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || !isOpen) return
    event.stopPropagation()
    setOpen(false)
    button.current?.focus()
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape closes the panel from every control in it.
    <div class="popover" ref={root} onKeyDown={closeByKey}>
      <button ref={button} type="button" class="quiet" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <Icon name={icon} />
        {label}
      </button>
      {isOpen && <div class="popover-panel">{children}</div>}
    </div>
  )
}
