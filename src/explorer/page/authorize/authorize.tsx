import { useContext, useState } from 'preact/hooks'
import { ModelContext } from '../core/context'
import { savedCredentials } from '../core/credentials'
import { Dialog } from '../parts/dialog'
import { Icon } from '../parts/icon'
import { CredentialForms } from './credential-forms'
import { listDocumentedOrCommonAuthSchemes } from './schemes'

/** The button and dialog for the credentials of requests. `onChange`: called after they have changed. */
export function AuthorizeButton({ onChange }: { readonly onChange: () => void }) {
  const model = useContext(ModelContext)
  const [isOpen, setOpen] = useState(false)
  const count = savedCredentials().length
  return (
    <>
      <button type="button" class="bar-button" onClick={() => setOpen(true)}>
        <Icon name="key" />
        <span class="wide">Authorize</span>
        {count > 0 && <span class="authorize-count">{count} in use</span>}
      </button>
      {isOpen && (
        <Dialog title="Authorize" onClose={() => setOpen(false)}>
          <p class="hint">
            The browser keeps these values until you close this tab, and sends them only to this API. The page never
            shows them again.
          </p>
          <CredentialForms schemes={listDocumentedOrCommonAuthSchemes(model)} onChange={onChange} />
        </Dialog>
      )}
    </>
  )
}
