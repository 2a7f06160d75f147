import type { ExplorerApiModel } from '../core/explorer-api-model'
import { Icon } from '../parts/icon'
import type { IdentifierDraft } from './operation-form-draft'

interface ReferenceInputProps {
  /** Names the inputs: `wife of operation 2`. */
  readonly label: string
  readonly types: readonly string[]
  readonly value: IdentifierDraft
  readonly onChange: (value: IdentifierDraft) => void
}

/** A resource: its type, and its id or local id. */
export function ResourceReferenceInput({ label, types, value, onChange }: ReferenceInputProps) {
  return (
    <span class="operations-reference">
      <select
        aria-label={`${label}: type`}
        value={value.type}
        onChange={({ currentTarget }) => onChange({ ...value, type: currentTarget.value })}
      >
        {types.map((type) => (
          <option key={type}>{type}</option>
        ))}
      </select>
      <select
        aria-label={`${label}: kind of id`}
        value={value.isLocal ? 'lid' : 'id'}
        onChange={({ currentTarget }) => onChange({ ...value, isLocal: currentTarget.value === 'lid' })}
      >
        <option value="id">id</option>
        <option value="lid">local id</option>
      </select>
      <input
        aria-label={`${label}: id`}
        spellcheck={false}
        value={value.id}
        onInput={({ currentTarget }) => onChange({ ...value, id: currentTarget.value })}
      />
    </span>
  )
}

interface RelationshipMembersInputProps {
  readonly label: string
  /** The type of the relationship. */
  readonly target: string
  readonly isMany: boolean
  readonly model: ExplorerApiModel
  readonly members: readonly IdentifierDraft[]
  readonly onChange: (members: readonly IdentifierDraft[]) => void
}

/** The members of a relationship. Without any, a to-one relationship is set to `null`. */
export function RelationshipMembersInput({
  label,
  target,
  isMany,
  model,
  members,
  onChange,
}: RelationshipMembersInputProps) {
  const types = model.storedTypes(target).map(({ name }) => name)
  const replace = (index: number, value: IdentifierDraft) => onChange(members.with(index, value))
  return (
    <div class="operations-references">
      {members.length === 0 && <span class="hint">{isMany ? 'No members' : 'null'}</span>}
      {members.map((member, index) => (
        <span class="operations-reference" key={String(index)}>
          <ResourceReferenceInput
            label={isMany ? `${label}, member ${index + 1}` : label}
            types={types}
            value={member}
            onChange={(value) => replace(index, value)}
          />
          <button
            type="button"
            class="icon-button"
            aria-label={`Remove member ${index + 1} of ${label}`}
            onClick={() => onChange(members.toSpliced(index, 1))}
          >
            <Icon name="close" />
          </button>
        </span>
      ))}
      {(isMany || members.length === 0) && (
        <button
          type="button"
          class="quiet"
          aria-label={`Add a member to ${label}`}
          onClick={() => onChange([...members, { type: types[0] ?? target, id: '', isLocal: false }])}
        >
          <Icon name="add" /> Resource
        </button>
      )}
    </div>
  )
}
