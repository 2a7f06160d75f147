import type { ComponentChildren } from 'preact'
import { useRef, useState } from 'preact/hooks'
import { CopyAs } from '../copy/copy-as'
import type { OutgoingRequest, ReceivedApiResponse } from '../core/api-types'
import { hasSuccessStatus, send } from '../core/requests'
import { useUnsavedChanges } from '../core/unsaved-changes'
import { announceWriteToScreenReader } from '../parts/accepted-notice'
import { announce } from '../parts/announce'
import { ResponseErrors } from '../parts/response-errors'
import { FieldInput } from './field-input'
import { isFormFieldToSubmit } from './form-fields'
import type { FormController } from './use-form'

interface ResourceFormProps {
  readonly label: string
  readonly form: FormController
  readonly request: () => OutgoingRequest
  readonly onDone: (response: ReceivedApiResponse) => void
  readonly onCancel: () => void
  /** Handles a response in a way of its own, and returns true if it has. */
  readonly handle?: (response: ReceivedApiResponse) => Promise<boolean>
  readonly children?: ComponentChildren
}

/** A form that sends a resource, and shows each error at its field. */
export function ResourceForm({ label, form, onCancel, children, ...sending }: ResourceFormProps) {
  const element = useRef<HTMLFormElement>(null)
  const endChanges = useUnsavedChanges(form.fields.some((field) => isFormFieldToSubmit(field, form.entryOf(field))))
  const { submit, isSending, failure } = useSubmit(form, { ...sending, endChanges })
  const sendForm = async (event: Event) => {
    event.preventDefault()
    await submit()
    // After the errors are drawn.
    setTimeout(() => element.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus())
  }
  const relationships = form.fields.filter(({ section }) => section === 'relationships')
  const others = form.fields.filter(({ section }) => section !== 'relationships')
  return (
    <form class="form" aria-label={label} noValidate ref={element} onSubmit={(event) => void sendForm(event)}>
      {others.map((field) => (
        <Field key={field.name} form={form} field={field} />
      ))}
      {children}
      {relationships.length > 0 && (
        <fieldset class="form-section">
          <legend>Relationships</legend>
          {relationships.map((field) => (
            <Field key={field.name} form={form} field={field} />
          ))}
        </fieldset>
      )}
      <ResponseErrors response={failure} />
      <details>
        <summary>Copy the request as code</summary>
        <CopyAs request={sending.request()} />
      </details>
      <div class="form-foot actions">
        <button
          type="button"
          onClick={() => {
            endChanges()
            onCancel()
          }}
        >
          Cancel
        </button>
        <button type="submit" class="primary" disabled={isSending}>
          {label}
        </button>
      </div>
    </form>
  )
}

type Sending = Pick<ResourceFormProps, 'request' | 'onDone' | 'handle'> & { readonly endChanges: () => void }

/** Checks and sends the form. `failure`: the response, if it has errors without a field. */
function useSubmit(form: FormController, { request, onDone, handle, endChanges }: Sending) {
  const [failure, setFailure] = useState<ReceivedApiResponse>()
  const [isSending, setSending] = useState(false)
  const submit = async () => {
    setFailure(undefined)
    if (!form.check()) {
      announce('Some fields have errors. Nothing was sent.')
      return
    }
    setSending(true)
    const response = await send(request())
    setSending(false)
    if ((await handle?.(response)) === true) return
    announceWriteToScreenReader(response, 'Saved', 'The request failed. See the errors in the form.')
    if (!hasSuccessStatus(response)) return showFailure(response)
    endChanges()
    onDone(response)
  }
  const showFailure = (response: ReceivedApiResponse) => {
    const errors = response.document?.errors ?? []
    const others = form.showErrors(errors)
    const isPlaced = errors.length > 0 && others.length === 0
    setFailure(isPlaced ? undefined : { ...response, document: { ...response.document, errors: others } })
  }
  return { submit, isSending, failure }
}

function Field({ form, field }: { readonly form: FormController; readonly field: FormController['fields'][number] }) {
  return (
    <FieldInput
      field={field}
      entry={form.entryOf(field)}
      error={form.errorOf(field)}
      onChange={(entry) => form.change(field, entry)}
    />
  )
}
