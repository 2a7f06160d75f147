import { useState } from 'preact/hooks'
import { type Credential, forgetCredential, savedCredentials } from '../core/credentials'
import { announce } from '../parts/announce'
import { CredentialForm, CredentialInput } from './credential-form'
import { toBasicAuthorization } from './header-values'
import type { AuthenticationScheme } from './schemes'

interface CredentialFormsProps {
  readonly schemes: readonly AuthenticationScheme[]
  /** Called after a credential has changed. */
  readonly onChange: () => void
}

/** A form for each way to authenticate, and one for any other header. */
export function CredentialForms({ schemes, onChange }: CredentialFormsProps) {
  const [, setVersion] = useState(0)
  const change = () => {
    setVersion((version) => version + 1)
    onChange()
  }
  const saved = savedCredentials()
  const isSet = (name: string) => saved.some(({ scheme }) => scheme === name)
  const others = saved.filter(({ scheme }) => !schemes.some(({ name }) => name === scheme))
  return (
    <div class="authorize">
      {schemes.map((scheme) => (
        <SchemeForm key={scheme.name} scheme={scheme} isSet={isSet(scheme.name)} onChange={change} />
      ))}
      {others.map(({ scheme }) => (
        <StoredCredential key={scheme} scheme={scheme} onChange={change} />
      ))}
      <OtherForm onChange={change} />
    </div>
  )
}

interface SchemeFormProps {
  readonly scheme: AuthenticationScheme
  readonly isSet: boolean
  readonly onChange: () => void
}

function SchemeForm({ scheme, ...props }: SchemeFormProps) {
  switch (scheme.kind) {
    case 'bearer':
      return <SecretForm {...{ scheme, ...props }} label="Token" missing="Enter a token." send={toBearer} />
    case 'basic':
      return <BasicForm scheme={scheme} {...props} />
    case 'key':
      return (
        <SecretForm
          {...{ scheme, ...props }}
          label={scheme.parameter}
          missing="Enter a key."
          send={(value) => ({ in: scheme.in, name: scheme.parameter, value })}
        />
      )
    case 'explained':
      return (
        <section class="authorize-form">
          <h3>{scheme.name}</h3>
          <p class="hint">{scheme.hint}</p>
        </section>
      )
  }
}

interface SecretFormProps extends SchemeFormProps {
  readonly label: string
  readonly missing: string
  /** Where and how the text is sent. */
  readonly send: (text: string) => Omit<Credential, 'scheme'>
}

/** A form with one secret. */
function SecretForm({ scheme: { name, hint }, isSet, onChange, label, missing, send }: SecretFormProps) {
  const [text, setText] = useState('')
  const read = () => {
    const { value, ...place } = send(text.trim())
    return value === '' ? missing : { scheme: name, value, ...place }
  }
  return (
    <CredentialForm
      {...{ title: name, hint, scheme: name, isSet, read }}
      onChange={() => {
        setText('')
        onChange()
      }}
    >
      <CredentialInput label={label} value={text} onInput={setText} />
    </CredentialForm>
  )
}

function toBearer(text: string): Omit<Credential, 'scheme'> {
  const token = text.replace(/^bearer(\s+|$)/i, '')
  return { in: 'header', name: 'Authorization', value: token === '' ? '' : `Bearer ${token}` }
}

function BasicForm({ scheme: { name, hint }, isSet, onChange }: SchemeFormProps) {
  const [user, setUser] = useState('')
  const [password, setPassword] = useState('')
  const read = () => {
    if (user === '') return 'Enter a user name.'
    if (user.includes(':')) return 'A user name cannot contain a colon.'
    return { scheme: name, in: 'header', name: 'Authorization', value: toBasicAuthorization(user, password) } as const
  }
  return (
    <CredentialForm
      {...{ title: name, hint, scheme: name, isSet, read }}
      onChange={() => {
        setPassword('')
        onChange()
      }}
    >
      <CredentialInput label="User name" isSecret={false} value={user} onInput={setUser} />
      <CredentialInput label="Password" value={password} onInput={setPassword} />
    </CredentialForm>
  )
}

interface StoredCredentialProps {
  readonly scheme: string
  readonly onChange: () => void
}

/** A credential that belongs to none of the forms. */
function StoredCredential({ scheme, onChange }: StoredCredentialProps) {
  const forget = () => {
    forgetCredential(scheme)
    announce(`${scheme} is no longer sent.`)
    onChange()
  }
  return (
    <section class="authorize-form" aria-label={scheme}>
      <h3>
        {scheme} <span class="authorize-set">in use</span>
      </h3>
      <div class="actions">
        <button type="button" onClick={forget}>
          Forget
        </button>
      </div>
    </section>
  )
}

/** Any header, such as an API key that the API does not document. */
function OtherForm({ onChange }: Pick<SchemeFormProps, 'onChange'>) {
  const [name, setName] = useState('')
  const [value, setValue] = useState('')
  const read = () => {
    if (name.trim() === '') return 'Enter the name of the header.'
    return { scheme: `Header ${name.trim()}`, in: 'header', name: name.trim(), value: value.trim() } as const
  }
  return (
    <CredentialForm
      {...{ title: 'Another header', hint: 'An API key, for example.', scheme: '', isSet: false, read }}
      onChange={() => {
        setName('')
        setValue('')
        onChange()
      }}
    >
      <CredentialInput label="Header" isSecret={false} placeholder="X-Api-Key" value={name} onInput={setName} />
      <CredentialInput label="Value" value={value} onInput={setValue} />
    </CredentialForm>
  )
}
