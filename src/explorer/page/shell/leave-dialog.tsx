import { useEffect, useState } from 'preact/hooks'
import { setLeaveConfirmationHandler } from '../core/navigation'
import { Dialog } from '../parts/dialog'

/** Asks before a navigation that would lose the values of a form. */
export function LeaveDialog() {
  const [leave, setLeave] = useState<() => void>()
  const stay = () => setLeave(undefined)
  useEffect(() => setLeaveConfirmationHandler((next) => setLeave(() => next)), [])
  if (leave === undefined) return null
  return (
    <Dialog title="Discard the changes?" onClose={stay}>
      <p>The values that you entered are not saved.</p>
      <div class="actions">
        <button type="button" onClick={stay}>
          Keep editing
        </button>
        <button
          type="button"
          class="danger"
          onClick={() => {
            stay()
            leave()
          }}
        >
          Discard them
        </button>
      </div>
    </Dialog>
  )
}
