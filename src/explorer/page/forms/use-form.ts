import { useState } from 'preact/hooks'
import type { ApiErrorObject } from '../core/api-types'
import { formatApiErrorObject } from '../parts/response-errors'
import { type FormFieldDefinition, type FormFieldValue, isFormFieldToSubmit } from './form-fields'
import { describeInputMistake } from './values'

/** The state of a form: an entry and an error for each field. */
export interface FormController {
  readonly fields: readonly FormFieldDefinition[]
  readonly entryOf: (field: FormFieldDefinition) => FormFieldValue
  readonly errorOf: (field: FormFieldDefinition) => string
  readonly change: (field: FormFieldDefinition, entry: FormFieldValue) => void
  /** Shows what is wrong before the request. Returns true if nothing is. */
  readonly check: () => boolean
  /** Shows each error at its field. Returns the others. */
  readonly showErrors: (errors: readonly ApiErrorObject[]) => readonly ApiErrorObject[]
}

type Texts = Readonly<Record<string, string>>

export function useForm(fields: readonly FormFieldDefinition[]): FormController {
  const [entries, setEntries] = useState<Readonly<Record<string, FormFieldValue>>>({})
  const [errors, setErrors] = useState<Texts>({})
  const entryOf = (field: FormFieldDefinition) => entries[field.name] ?? field.initial
  return {
    fields,
    entryOf,
    errorOf: ({ name }) => errors[name] ?? '',
    change: ({ name }, entry) => {
      setEntries((all) => ({ ...all, [name]: entry }))
      setErrors(({ [name]: _corrected, ...others }) => others)
    },
    check: () => {
      const found = fields.map((field) => [field.name, mistakeIn(field, entryOf(field))] as const)
      const wrong = found.filter(([, text]) => text !== '')
      setErrors(Object.fromEntries(wrong))
      return wrong.length === 0
    },
    showErrors: (all) => {
      const placed = all.map((error) => ({ error, field: fields.find((field) => isAt(error, field)) }))
      const texts: Record<string, string> = {}
      for (const { error, field } of placed) {
        if (field !== undefined)
          texts[field.name] = [texts[field.name], formatApiErrorObject(error)].filter(Boolean).join(' ')
      }
      setErrors(texts)
      return placed.filter(({ field }) => field === undefined).map(({ error }) => error)
    },
  }
}

function mistakeIn(field: FormFieldDefinition, entry: FormFieldValue): string {
  const isEmpty = entry.state === 'omitted' || (entry.state === 'members' && entry.members.length === 0)
  if (field.isRequired && isEmpty) return 'This field is required.'
  return entry.state === 'text' && isFormFieldToSubmit(field, entry)
    ? describeInputMistake(entry.text, field.schema)
    : ''
}

/** `/data/attributes/name/first` belongs to the attribute `name`. */
function isAt({ source }: ApiErrorObject, { section, name }: FormFieldDefinition): boolean {
  if (source?.pointer === undefined) return false
  const path = source.pointer.replaceAll('~1', '/').replaceAll('~0', '~')
  return `${path}/`.startsWith(`/data/${section === 'id' ? '' : `${section}/`}${name}/`)
}
