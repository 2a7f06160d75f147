import { useId, useState } from 'preact/hooks'
import { savedHeaderText, saveHeaderText } from '../core/credentials'
import { announce } from '../parts/announce'
import { Dialog } from '../parts/dialog'
import { Icon } from '../parts/icon'

/** The button and dialog for the credentials of requests. `onChange`: called after they have changed. */
export function Authorize({ onChange }: { readonly onChange: () => void }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <button type="button" class="bar-button" onClick={() => setOpen(true)}>
        <Icon name="key" />
        <span class="wide">Headers</span>
      </button>
      {isOpen && (
        <Dialog title="Headers" onClose={() => setOpen(false)}>
          <HeadersForm
            onSave={() => {
              setOpen(false)
              announce('The headers are sent with each request from now on.')
              onChange()
            }}
          />
        </Dialog>
      )}
    </>
  )
}

function HeadersForm({ onSave }: { readonly onSave: () => void }) {
  const [text, setText] = useState(savedHeaderText)
  const id = useId()
  const save = (event: Event) => {
    event.preventDefault()
    saveHeaderText(text)
    onSave()
  }
  return (
    <form class="stack" onSubmit={save} aria-label="Headers">
      <label for={id}>Sent with every request, one in each line</label>
      <textarea
        id={id}
        rows={3}
        class="code"
        spellcheck={false}
        placeholder="Authorization: Bearer …"
        value={text}
        onInput={({ currentTarget }) => setText(currentTarget.value)}
      />
      <div class="actions">
        <button type="submit" class="primary">
          Use
        </button>
      </div>
    </form>
  )
}
