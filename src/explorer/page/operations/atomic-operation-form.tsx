import { useId } from 'preact/hooks'
import type { ExplorerApiModel } from '../core/explorer-api-model'
import { OperationFieldInputs } from './operation-field-inputs'
import {
  ATOMIC_OPERATION_KIND_LABELS,
  type AtomicOperationKind,
  isAtomicOperationKind,
  isLinkageOperation,
  listTypesForOperation,
  newOperationFormDraft,
  type OperationFormDraft,
  targetableRelationshipsOfOperation,
} from './operation-form-draft'
import { RelationshipMembersInput, ResourceReferenceInput } from './reference-inputs'

interface OperationFormProps {
  readonly draft: OperationFormDraft
  readonly number: number
  readonly model: ExplorerApiModel
  readonly onChange: (draft: OperationFormDraft) => void
}

/** The inputs of one operation. */
export function AtomicOperationForm({ draft, number, model, onChange }: OperationFormProps) {
  const { kind, resource } = draft
  const types = listTypesForOperation(kind, model)
  const changeKind = (next: AtomicOperationKind) => {
    const allowed = listTypesForOperation(next, model)
    const type = allowed.includes(resource.type) ? resource.type : (allowed[0] ?? '')
    onChange({ ...newOperationFormDraft(next, type, model, draft.fields), resource: { ...resource, type } })
  }
  const change = (next: OperationFormDraft['resource']) =>
    onChange(
      next.type === resource.type
        ? { ...draft, resource: next }
        : { ...newOperationFormDraft(kind, next.type, model, draft.fields), resource: next },
    )
  return (
    <div class="operations-form">
      <Row label="Operation">
        {(id) => (
          <select
            id={id}
            value={kind}
            onChange={({ currentTarget: { value } }) => isAtomicOperationKind(value) && changeKind(value)}
          >
            {Object.keys(ATOMIC_OPERATION_KIND_LABELS)
              .filter(isAtomicOperationKind)
              .filter((each) => each === kind || listTypesForOperation(each, model).length > 0)
              .map((each) => (
                <option key={each} value={each}>
                  {ATOMIC_OPERATION_KIND_LABELS[each]}
                </option>
              ))}
          </select>
        )}
      </Row>
      <div class="operations-field">
        <span class="operations-label">Resource</span>
        <ResourceReferenceInput
          label={`Resource of operation ${number}`}
          types={types}
          value={resource}
          onChange={change}
        />
      </div>
      {kind === 'add' && (
        <p class="hint">
          Choose “local id” to refer to the new resource in later operations. Leave the id empty if the server makes it.
        </p>
      )}
      {(kind === 'add' || kind === 'update') && (
        <OperationFieldInputs draft={draft} model={model} onChange={(fields) => onChange({ ...draft, fields })} />
      )}
      {isLinkageOperation(kind) && <LinkageInputs {...{ draft, number, model, onChange }} />}
      {kind !== 'add' && (
        <Row label="Version">
          {(id) => (
            <input
              id={id}
              class="code"
              placeholder="any: the ETag that the resource must have"
              value={draft.version}
              onInput={({ currentTarget }) => onChange({ ...draft, version: currentTarget.value })}
            />
          )}
        </Row>
      )}
    </div>
  )
}

function LinkageInputs({ draft, model, onChange }: OperationFormProps) {
  const relationships = targetableRelationshipsOfOperation(draft.kind, draft.resource.type, model)
  const field = relationships.find(({ name }) => name === draft.relationship)
  return (
    <>
      <Row label="Relationship">
        {(id) => (
          <select
            id={id}
            value={draft.relationship}
            onChange={({ currentTarget }) => onChange({ ...draft, relationship: currentTarget.value, members: [] })}
          >
            {relationships.map(({ name }) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        )}
      </Row>
      {field?.target !== undefined && (
        <div class="operations-field">
          <span class="operations-label">Members</span>
          <RelationshipMembersInput
            label={field.name}
            target={field.target}
            isMany={field.kind === 'toMany'}
            model={model}
            members={draft.members}
            onChange={(members) => onChange({ ...draft, members })}
          />
        </div>
      )}
    </>
  )
}

interface RowProps {
  readonly label: string
  readonly children: (id: string) => preact.JSX.Element
}

function Row({ label, children }: RowProps) {
  const id = useId()
  return (
    <div class="operations-field">
      <label for={id}>{label}</label>
      {children(id)}
    </div>
  )
}
