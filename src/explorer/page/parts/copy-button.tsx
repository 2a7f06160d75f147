import { announce } from './announce'
import { Icon } from './icon'

interface CopyButtonProps {
  /** What is copied: `URL`, `curl command`. */
  readonly label: string
  readonly text: string
}

/** Copies a text. Pages without HTTPS have no clipboard, so the text should also be visible. */
export function CopyButton({ label, text }: CopyButtonProps) {
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text)
      announce(`The ${label} is copied.`)
    } catch {
      announce(`The browser does not allow copying. Select the ${label} and copy it.`)
    }
  }
  return (
    <button type="button" aria-label={`Copy ${label}`} onClick={() => void copy()}>
      <Icon name="copy" /> Copy
    </button>
  )
}
