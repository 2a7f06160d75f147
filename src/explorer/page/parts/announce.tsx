import { useEffect, useState } from 'preact/hooks'

let speak: (text: string) => void = () => {}

/** Announces a change of the page to screen readers. */
export function announce(text: string): void {
  speak(text)
}

/** The live region of `announce`. The shell contains it once. */
export function Announcements() {
  const [text, setText] = useState('')
  useEffect(() => {
    // A live region reads only changes, so the same text again needs another character.
    speak = (next) => setText((old) => (old === next ? `${next}\u00a0` : next))
  }, [])
  return (
    <div class="unseen" role="status" aria-live="polite">
      {text}
    </div>
  )
}
