import type { ComponentChildren } from 'preact'
import { useId, useState } from 'preact/hooks'
import { type Credential, forgetCredential, saveCredential } from '../core/credentials'
import { announce } from '../parts/announce'
import { describeCredentialMistake } from './header-values'

interface CredentialFormProps {
  readonly title: string
  readonly hint: string
  /** True if a value is stored. */
  readonly isSet: boolean
  /** Returns what to store, or a text about what is missing. */
  readonly read: () => Credential | string
  /** Called after the credential is stored or forgotten. */
  readonly onChange: () => void
  /** The scheme to forget. */
  readonly scheme: string
  readonly children: ComponentChildren
}

/** The inputs of one credential. */
export function CredentialForm({ title, hint, isSet, read, onChange, scheme, children }: CredentialFormProps) {
  const [mistake, setMistake] = useState('')
  const id = useId()
  const save = (event: Event) => {
    event.preventDefault()
    const credential = read()
    const found = typeof credential === 'string' ? credential : describeCredentialMistake(credential)
    setMistake(found)
    if (found !== '' || typeof credential === 'string') return
    saveCredential(credential)
    announce(`${title} is sent with each request from now on.`)
    onChange()
  }
  const forget = () => {
    forgetCredential(scheme)
    announce(`${title} is no longer sent.`)
    onChange()
  }
  return (
    <form class="authorize-form" aria-labelledby={id} autocomplete="off" onSubmit={save}>
      <h3 id={id}>
        {title} {isSet && <span class="authorize-set">in use</span>}
      </h3>
      <p class="hint">{hint}</p>
      {children}
      <p class="input-error" role="alert">
        {mistake}
      </p>
      <div class="actions">
        <button type="submit" class="primary">
          {isSet ? 'Replace' : 'Use'}
        </button>
        {isSet && (
          <button type="button" onClick={forget}>
            Forget
          </button>
        )}
      </div>
    </form>
  )
}

interface CredentialInputProps {
  readonly label: string
  readonly value: string
  readonly onInput: (value: string) => void
  /** Shows dots. Default: true */
  readonly isSecret?: boolean
  readonly placeholder?: string
}

export function CredentialInput({ label, value, onInput, isSecret = true, placeholder = '' }: CredentialInputProps) {
  const id = useId()
  const common = {
    id,
    autocomplete: 'off',
    spellcheck: false,
    placeholder,
    value,
    onInput: ({ currentTarget }: { readonly currentTarget: HTMLInputElement }) => onInput(currentTarget.value),
  } as const
  return (
    <div class="authorize-field">
      <label for={id}>{label}</label>
      {isSecret ? <input type="password" {...common} /> : <input type="text" {...common} />}
    </div>
  )
}
