import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'
import { TextWithInlineCode } from './text-with-inline-code'

/** What a control needs to be read out with its label, hint and error. */
export interface ControlAttributes {
  readonly id: string
  readonly 'aria-describedby': string
  readonly 'aria-invalid': 'true' | undefined
  readonly 'aria-required': 'true' | undefined
}

interface LabelledProps {
  readonly label: string
  readonly isRequired?: boolean
  readonly hint?: string | undefined
  /** `''`: no error. */
  readonly error?: string
  /** Beside the label, such as a button to reset the value. */
  readonly aside?: ComponentChildren
  readonly children: (controlAttributes: ControlAttributes) => ComponentChildren
}

/** A control with its label, its hint, and the error of its value. */
export function Labelled({ label, isRequired = false, hint, error = '', aside, children }: LabelledProps) {
  const id = useId()
  return (
    <div class="labelled">
      <div class="labelled-head">
        <label for={id}>
          {label}
          {isRequired && <span class="required"> required</span>}
        </label>
        {aside}
      </div>
      {children({
        id,
        'aria-describedby': `${id}-hint ${id}-error`,
        'aria-invalid': error === '' ? undefined : 'true',
        'aria-required': isRequired ? 'true' : undefined,
      })}
      <p class="hint" id={`${id}-hint`}>
        <TextWithInlineCode text={hint} />
      </p>
      <p class="input-error" id={`${id}-error`}>
        {error}
      </p>
    </div>
  )
}
