import { formatSchemaType, inputKindOf } from '../core/schema'
import { type ControlAttributes, Labelled } from '../parts/labelled'
import { addMemberIfAbsent } from '../relationships/relationship-editor'
import { RelationshipMemberList } from '../relationships/relationship-member-list'
import { ResourcePicker } from '../relationships/resource-picker'
import { type FormFieldDefinition, type FormFieldValue, isFormFieldToSubmit } from './form-fields'

interface FieldInputProps {
  readonly field: FormFieldDefinition
  readonly entry: FormFieldValue
  /** `''`: no error. */
  readonly error: string
  readonly onChange: (entry: FormFieldValue) => void
}

/** The control of a field, with buttons to send `null` and to leave it as it was. */
export function FieldInput({ field, entry, error, onChange }: FieldInputProps) {
  const { name, section, isRequired, canBeNull, initial } = field
  const isChanged = isFormFieldToSubmit(field, entry)
  const aside = (
    <span class="field-aside">
      {canBeNull && section === 'attributes' && entry.state !== 'null' && (
        <button type="button" class="quiet" aria-label={`${name}: null`} onClick={() => onChange({ state: 'null' })}>
          null
        </button>
      )}
      {isChanged && (
        <button type="button" class="quiet" aria-label={`${name}: undo`} onClick={() => onChange(initial)}>
          {initial.state === 'omitted' ? 'Do not send' : 'Undo'}
        </button>
      )}
    </span>
  )
  return (
    <div class={`form-field${isChanged ? ' form-changed' : ''}`}>
      <Labelled label={name} isRequired={isRequired} hint={hintOf(field)} error={error} aside={aside}>
        {(controlAttributes) =>
          section === 'relationships' ? (
            <RelationshipInput field={field} entry={entry} controlAttributes={controlAttributes} onChange={onChange} />
          ) : (
            <AttributeInput field={field} entry={entry} controlAttributes={controlAttributes} onChange={onChange} />
          )
        }
      </Labelled>
    </div>
  )
}

function hintOf({ section, schema, info }: FormFieldDefinition): string {
  if (section === 'relationships') return `${info?.kind === 'toMany' ? 'many' : 'one of'} ${info?.target ?? ''}`
  const kind = inputKindOf(schema)
  const type =
    kind === 'dateTime' ? 'date and time, in your time zone' : kind === 'enum' ? '' : formatSchemaType(schema)
  // The description of a moment explains its format, which the control takes care of.
  const explained = kind === 'dateTime' ? undefined : schema.description
  return [type, info?.description ?? explained].filter((part) => part !== undefined && part !== '').join('. ')
}

interface InputProps extends Omit<FieldInputProps, 'error'> {
  readonly controlAttributes: ControlAttributes
}

function AttributeInput({ field: { schema, initial, isRequired }, entry, controlAttributes, onChange }: InputProps) {
  const text = entry.state === 'text' ? entry.text : ''
  const change = ({ currentTarget: { value } }: { readonly currentTarget: { readonly value: string } }) =>
    onChange({ state: 'text', text: value })
  const placeholder =
    entry.state === 'null' ? 'null' : initial.state === 'omitted' && !isRequired ? 'not sent' : undefined
  const common = { ...controlAttributes, value: text, placeholder, autocomplete: 'off', onInput: change } as const
  const kind = inputKindOf(schema)
  switch (kind) {
    case 'boolean':
    case 'enum': {
      const values = kind === 'boolean' ? ['true', 'false'] : (schema.enum ?? []).filter((value) => value !== null)
      return (
        <select {...controlAttributes} value={text} onChange={change}>
          {entry.state !== 'text' && <option value="">{placeholder ?? 'Choose …'}</option>}
          {values.map((value) => (
            <option key={String(value)}>{String(value)}</option>
          ))}
        </select>
      )
    }
    case 'number':
      return <input {...common} type="text" inputMode="decimal" />
    case 'date':
      return <input {...common} type="date" />
    case 'dateTime':
      return <input {...common} type="datetime-local" step="any" />
    case 'json':
      return <textarea {...common} class="code" rows={4} spellcheck={false} />
    case 'text':
      return schema.format === undefined &&
        (schema.maxLength ?? Number.POSITIVE_INFINITY) > 255 &&
        schema.pattern === undefined ? (
        <textarea {...common} rows={2} />
      ) : (
        <input {...common} type="text" />
      )
  }
}

function RelationshipInput({ field: { name, info }, entry, controlAttributes, onChange }: InputProps) {
  const members = entry.state === 'members' ? entry.members : []
  const isMany = info?.kind === 'toMany'
  return (
    <div class="form-relationship">
      <RelationshipMemberList
        label={`${name}: chosen`}
        members={members}
        onRemove={(member) => onChange({ state: 'members', members: members.filter((each) => each !== member) })}
      />
      {(isMany || members.length === 0) && (
        <ResourcePicker
          label={name}
          target={info?.target ?? ''}
          controlAttributes={controlAttributes}
          onPick={(picked) => onChange({ state: 'members', members: addMemberIfAbsent(members, picked) })}
        />
      )}
    </div>
  )
}
