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
    speak = setText
  }, [])
  return (
    <div class="unseen" role="status" aria-live="polite">
      {text}
    </div>
  )
}
