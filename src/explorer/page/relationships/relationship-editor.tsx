import { useRef, useState } from 'preact/hooks'
import type { FieldInfo, ResourceIdentifierObject } from '../core/api-types'
import { useModel } from '../core/context'
import { hasSuccessStatus } from '../core/requests'
import { isSameResource } from '../core/resources'
import { schemaAllowsNull } from '../core/schema'
import { useUnsavedChanges } from '../core/unsaved-changes'
import { AcceptedNotice } from '../parts/accepted-notice'
import { Icon } from '../parts/icon'
import { ResponseErrors } from '../parts/response-errors'
import type { IdentifierWithLabel } from './identifier-with-label'
import { RelationshipMemberList } from './relationship-member-list'
import { ResourcePicker } from './resource-picker'
import { type ShownLinkage, toOrderIndependentKeyOfIdentifiers } from './shown-linkage'
import {
  type RelationshipEditRequest,
  type RelationshipEditResponseOrConflict,
  useRelationshipChange,
} from './use-relationship-change'

interface RelationshipEditorProps {
  readonly owner: ResourceIdentifierObject
  readonly field: FieldInfo
  readonly shown: ShownLinkage
  /** Loads the relationship again. */
  readonly onChanged: () => Promise<void>
}

/** The members of a relationship, and what may be changed about them. Each change is sent at once. */
export function RelationshipEditor(props: RelationshipEditorProps) {
  const { owner, field, shown } = props
  const { members } = shown
  const { name } = field
  const can = usePermissions(owner, field)
  const { change, result } = useRelationshipChange(props)
  const remove = (member: IdentifierWithLabel) =>
    void change({
      method: 'DELETE',
      data: [member.identifier],
      announcement: `${nameOf(member)} is removed from ${name}`,
    })
  return (
    <div class="relationship-editor">
      {members.length === 0 && <p class="nothing">None</p>}
      <RelationshipMemberList label={name} members={members} onRemove={can.remove ? remove : undefined} />
      {field.kind === 'toOne' && can.set && <ToOneActions field={field} members={members} change={change} />}
      {field.kind === 'toMany' && (can.add || can.set) && (
        <div class="relationship-actions">
          {can.add && (
            <OpenPicker
              text="Add"
              label={`Add to ${name}`}
              target={field.target ?? ''}
              onPick={(picked) =>
                void change({
                  method: 'POST',
                  data: [picked.identifier],
                  announcement: `${nameOf(picked)} is added to ${name}`,
                })
              }
            />
          )}
          {can.set && (
            <ReplaceAll
              field={field}
              shown={shown}
              onReplace={(data, base) => change({ method: 'PATCH', data, announcement: `${name} is replaced`, base })}
            />
          )}
        </div>
      )}
      {result !== undefined && <Result name={name} result={result} />}
    </div>
  )
}

function Result({ name, result }: { readonly name: string; readonly result: RelationshipEditResponseOrConflict }) {
  if (result.kind === 'responded') {
    return hasSuccessStatus(result.response) ? (
      <AcceptedNotice response={result.response} />
    ) : (
      <ResponseErrors response={result.response} />
    )
  }
  return (
    <p class="input-error" role="alert">
      {name} was changed by another client. Nothing of yours is stored. The page now shows what is stored: if your
      change still fits, make it again.
    </p>
  )
}

function nameOf({ identifier: { type, id } }: IdentifierWithLabel): string {
  return `${type} ${id}`
}

interface ToOneActionsProps extends Pick<RelationshipEditorProps, 'field'> {
  readonly members: readonly IdentifierWithLabel[]
  readonly change: (change: RelationshipEditRequest) => Promise<boolean>
}

function ToOneActions({ field: { name, target = '', schema }, members, change }: ToOneActionsProps) {
  const verb = members.length === 0 ? 'Set' : 'Change'
  return (
    <div class="relationship-actions">
      <OpenPicker
        text={verb}
        label={`${verb} ${name}`}
        target={target}
        onPick={(picked) =>
          void change({ method: 'PATCH', data: picked.identifier, announcement: `${name} is ${nameOf(picked)}` })
        }
      />
      {members.length > 0 && schemaAllowsNull(schema) && (
        <button
          type="button"
          class="quiet"
          aria-label={`Clear ${name}`}
          onClick={() => void change({ method: 'PATCH', data: null, announcement: `${name} is empty` })}
        >
          Clear
        </button>
      )}
    </div>
  )
}

/** What the type allows, if the endpoint for it exists. */
function usePermissions({ type }: ResourceIdentifierObject, { name, kind, capabilities }: FieldInfo) {
  const model = useModel()
  const has = (method: string) => model.operation(method, type, '{id}', 'relationships', name) !== undefined
  const isMany = kind === 'toMany'
  return {
    set: capabilities.includes('set') && has('patch'),
    add: isMany && capabilities.includes('add') && has('post'),
    remove: isMany && capabilities.includes('remove') && has('delete'),
  }
}

interface OpenPickerProps {
  readonly text: string
  readonly label: string
  readonly target: string
  readonly onPick: (picked: IdentifierWithLabel) => void
}

/** A button that becomes a picker. */
function OpenPicker({ text, label, target, onPick }: OpenPickerProps) {
  const [isOpen, setOpen] = useState(false)
  if (!isOpen) {
    return (
      <button type="button" class="quiet" aria-label={label} onClick={() => setOpen(true)}>
        <Icon name={text === 'Change' ? 'edit' : 'add'} />
        {text}
      </button>
    )
  }
  const closeByKey = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return
    event.stopPropagation()
    setOpen(false)
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape closes the picker from every control in it.
    <div class="relationship-picker" onKeyDown={closeByKey}>
      <ResourcePicker
        label={label}
        target={target}
        isFocused
        onPick={(picked) => {
          setOpen(false)
          onPick(picked)
        }}
      />
      <button type="button" class="quiet" onClick={() => setOpen(false)}>
        Cancel
      </button>
    </div>
  )
}

interface ReplaceAllProps extends Pick<RelationshipEditorProps, 'field' | 'shown'> {
  /** Resolves to true if they are replaced. */
  readonly onReplace: (all: readonly ResourceIdentifierObject[], base: ShownLinkage) => Promise<boolean>
}

/** Collects the members of a to-many relationship, and sends them together. */
function ReplaceAll({ field, shown, onReplace }: ReplaceAllProps) {
  const { chosen, base, isSending, start, choose, stop, replace } = useReplacement(shown, onReplace)
  if (chosen === undefined) {
    return (
      <button type="button" class="quiet" onClick={start} aria-label={`Replace all of ${field.name}`}>
        Replace all …
      </button>
    )
  }
  return (
    <fieldset class="relationship-replace">
      <legend>All members of {field.name}</legend>
      {(base.isPartial || shown.isPartial) && (
        <p class="input-error" role="alert">
          There are more members than these. Replacing all removes them.
        </p>
      )}
      <RelationshipMemberList
        label={`New members of ${field.name}`}
        members={chosen}
        onRemove={(member) => choose(chosen.filter((each) => each !== member))}
      />
      <ResourcePicker
        label={`Choose ${field.name}`}
        target={field.target ?? ''}
        onPick={(picked) => choose(addMemberIfAbsent(chosen, picked))}
      />
      <div class="actions">
        <button type="button" onClick={stop}>
          Cancel
        </button>
        <button type="button" class="primary" disabled={isSending} onClick={() => void replace(chosen)}>
          Replace all
        </button>
      </div>
    </fieldset>
  )
}

/** The state of a replacement. `base`: the version that it started with. */
function useReplacement(shown: ShownLinkage, onReplace: ReplaceAllProps['onReplace']) {
  const [chosen, choose] = useState<readonly IdentifierWithLabel[]>()
  const [base, setBase] = useState(shown)
  const [isSending, setSending] = useState(false)
  const latest = useRef(shown)
  latest.current = shown
  const identifiersOf = (all: readonly IdentifierWithLabel[]) => all.map(({ identifier }) => identifier)
  const isChanged =
    chosen !== undefined &&
    toOrderIndependentKeyOfIdentifiers(identifiersOf(chosen)) !==
      toOrderIndependentKeyOfIdentifiers(identifiersOf(base.members))
  const endChanges = useUnsavedChanges(isChanged)
  return {
    chosen,
    base,
    isSending,
    choose,
    start: () => {
      setBase(shown)
      choose(shown.members)
    },
    stop: () => choose(undefined),
    replace: async (all: readonly IdentifierWithLabel[]) => {
      setSending(true)
      const isReplaced = await onReplace(identifiersOf(all), base)
      setSending(false)
      if (isReplaced) {
        endChanges()
        choose(undefined)
        return
      }
      // The user has seen the newer version when the members are sent again.
      setBase({ ...latest.current, isPartial: base.isPartial || latest.current.isPartial })
    },
  }
}

/** Adds a resource, once. */
export function addMemberIfAbsent(
  members: readonly IdentifierWithLabel[],
  picked: IdentifierWithLabel,
): readonly IdentifierWithLabel[] {
  const isIn = members.some(({ identifier }) => isSameResource(identifier, picked.identifier))
  return isIn ? members : [...members, picked]
}
