import { useId } from 'preact/hooks'
import type { FieldInfo } from '../core/api-types'
import type { ExplorerApiModel } from '../core/explorer-api-model'
import { inputKindOf, schemaAllowsNull } from '../core/schema'
import { Icon } from '../parts/icon'
import {
  emptyFieldDraft,
  type FieldDraft,
  type OperationFormDraft,
  writableFieldsOfOperation,
} from './operation-form-draft'
import { RelationshipMembersInput } from './reference-inputs'

interface FieldInputsProps {
  readonly draft: OperationFormDraft
  readonly model: ExplorerApiModel
  readonly onChange: (fields: readonly FieldDraft[]) => void
}

/** The fields that an operation sends, and a list to choose more from. */
export function OperationFieldInputs({ draft, model, onChange }: FieldInputsProps) {
  const all = writableFieldsOfOperation(draft.kind, draft.resource.type, model)
  const unused = all.filter(({ name }) => !draft.fields.some((field) => field.name === name))
  return (
    <div class="operations-fields">
      {draft.fields.map((field, index) => {
        const info = all.find(({ name }) => name === field.name)
        return (
          <FieldRow
            key={field.name}
            field={field}
            info={info}
            model={model}
            onChange={(next) => onChange(draft.fields.with(index, next))}
            onRemove={() => onChange(draft.fields.toSpliced(index, 1))}
          />
        )
      })}
      {unused.length > 0 && (
        <select
          aria-label="Add a field"
          value=""
          onChange={({ currentTarget }) => onChange([...draft.fields, emptyFieldDraft(currentTarget.value)])}
        >
          <option value="">Add a field …</option>
          {unused.map(({ name }) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      )}
    </div>
  )
}

interface FieldRowProps {
  readonly field: FieldDraft
  /** `undefined` for a name that the type does not have. */
  readonly info: FieldInfo | undefined
  readonly model: ExplorerApiModel
  readonly onChange: (field: FieldDraft) => void
  readonly onRemove: () => void
}

function FieldRow({ field, info, model, onChange, onRemove }: FieldRowProps) {
  const id = useId()
  const isAttribute = info === undefined || info.kind === 'attribute'
  return (
    <div class="operations-field">
      <label for={isAttribute ? id : undefined}>{field.name}</label>
      <div class="operations-value">
        {info === undefined && (
          <span class="input-error">This type does not have the field, or does not accept it here.</span>
        )}
        {info !== undefined && isAttribute && <Value id={id} field={field} info={info} onChange={onChange} />}
        {info?.target !== undefined && (
          <RelationshipMembersInput
            label={field.name}
            target={info.target}
            isMany={info.kind === 'toMany'}
            model={model}
            members={field.members}
            onChange={(members) => onChange({ ...field, members })}
          />
        )}
      </div>
      <button type="button" class="icon-button" aria-label={`Leave out ${field.name}`} onClick={onRemove}>
        <Icon name="close" />
      </button>
    </div>
  )
}

interface ValueProps {
  readonly id: string
  readonly field: FieldDraft
  readonly info: FieldInfo
  readonly onChange: (field: FieldDraft) => void
}

function Value({ id, field, info, onChange }: ValueProps) {
  return (
    <>
      <Control {...{ id, field, info, onChange }} />
      {schemaAllowsNull(info.schema) && (
        <label class="operations-null">
          <input
            type="checkbox"
            checked={field.isNull}
            aria-label={`${field.name} is null`}
            onChange={({ currentTarget }) => onChange({ ...field, isNull: currentTarget.checked })}
          />
          null
        </label>
      )}
    </>
  )
}

function Control({ id, field, info, onChange }: ValueProps) {
  const kind = inputKindOf(info.schema)
  const change = (text: string) => onChange({ ...field, text })
  const common = { id, disabled: field.isNull }
  if (kind === 'boolean' || kind === 'enum') {
    const values =
      kind === 'boolean' ? ['false', 'true'] : (info.schema.enum ?? []).filter((each) => each !== null).map(String)
    return (
      <select {...common} value={field.text} onChange={({ currentTarget }) => change(currentTarget.value)}>
        {kind === 'enum' && <option value="" />}
        {values.map((value) => (
          <option key={value}>{value}</option>
        ))}
      </select>
    )
  }
  return (
    <input
      {...common}
      inputMode={kind === 'number' ? 'decimal' : undefined}
      class={kind === 'json' ? 'code' : undefined}
      placeholder={kind === 'json' ? 'JSON' : (info.schema.format ?? '')}
      value={field.text}
      onInput={({ currentTarget }) => change(currentTarget.value)}
    />
  )
}
