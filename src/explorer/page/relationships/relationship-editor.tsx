import { useState } from 'preact/hooks'
import type { ApiResponse, FieldInfo, ResourceIdentifierObject } from '../core/api-types'
import { buildApiPath } from '../core/api-url'
import { useModel } from '../core/context'
import { isGood, send } from '../core/requests'
import { isSameResource, keyOf } from '../core/resources'
import { isNullable } from '../core/schema'
import { useUnsavedChanges } from '../core/unsaved-changes'
import { Accepted, announceWrite } from '../parts/accepted'
import { Icon } from '../parts/icon'
import { Problems } from '../parts/problems'
import type { Picked } from './picked'
import { PickedList } from './picked-list'
import { ResourcePicker } from './resource-picker'

export interface RelationshipEditorProps {
  readonly owner: ResourceIdentifierObject
  readonly field: FieldInfo
  readonly members: readonly Picked[]
  /** True if there are more members than these, on other pages. */
  readonly isPartial: boolean
  readonly onChanged: () => void
}

/** The members of a relationship, and what may be changed about them. Each change is sent at once. */
export function RelationshipEditor({ owner, field, members, isPartial, onChanged }: RelationshipEditorProps) {
  const { name } = field
  const can = usePermissions(owner, field)
  const { change, answer } = useChange(owner, field, onChanged)
  const remove = (member: Picked) =>
    void change('DELETE', [member.identifier], `${nameOf(member)} is removed from ${name}`)
  return (
    <div class="relationship-editor">
      {members.length === 0 && <p class="nothing">None</p>}
      <PickedList label={name} members={members} onRemove={can.remove ? remove : undefined} />
      {field.kind === 'toOne' && can.set && <ToOneActions field={field} members={members} change={change} />}
      {field.kind === 'toMany' && (can.add || can.set) && (
        <div class="relationship-actions">
          {can.add && (
            <OpenPicker
              text="Add"
              label={`Add to ${name}`}
              target={field.target ?? ''}
              onPick={(picked) => void change('POST', [picked.identifier], `${nameOf(picked)} is added to ${name}`)}
            />
          )}
          {can.set && (
            <ReplaceAll
              field={field}
              members={members}
              isPartial={isPartial}
              onReplace={(all) => void change('PATCH', all, `${name} is replaced`)}
            />
          )}
        </div>
      )}
      <Accepted answer={answer} />
      {answer !== undefined && !isGood(answer) && <Problems answer={answer} />}
    </div>
  )
}

type Change = (method: 'POST' | 'PATCH' | 'DELETE', data: unknown, done: string) => Promise<void>

/** Sends changes of a relationship. `answer`: the response to the last one. */
function useChange(owner: ResourceIdentifierObject, { name }: FieldInfo, onChanged: () => void) {
  const [answer, setAnswer] = useState<ApiResponse>()
  const change: Change = async (method, data, done) => {
    const url = buildApiPath(owner.type, owner.id, 'relationships', name)
    const received = await send({ method, url, body: { data } })
    setAnswer(received)
    announceWrite(received, done, `The change of ${name} failed.`)
    if (isGood(received)) onChanged()
  }
  return { change, answer }
}

function nameOf({ identifier: { type, id } }: Picked): string {
  return `${type} ${id}`
}

interface ToOneActionsProps extends Pick<RelationshipEditorProps, 'field' | 'members'> {
  readonly change: Change
}

function ToOneActions({ field: { name, target = '', schema }, members, change }: ToOneActionsProps) {
  const verb = members.length === 0 ? 'Set' : 'Change'
  return (
    <div class="relationship-actions">
      <OpenPicker
        text={verb}
        label={`${verb} ${name}`}
        target={target}
        onPick={(picked) => void change('PATCH', picked.identifier, `${name} is ${nameOf(picked)}`)}
      />
      {members.length > 0 && isNullable(schema) && (
        <button
          type="button"
          class="quiet"
          aria-label={`Clear ${name}`}
          onClick={() => void change('PATCH', null, `${name} is empty`)}
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
  readonly onPick: (picked: Picked) => void
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

interface ReplaceAllProps extends Pick<RelationshipEditorProps, 'field' | 'members' | 'isPartial'> {
  readonly onReplace: (all: readonly ResourceIdentifierObject[]) => void
}

/** Collects the members of a to-many relationship, and sends them together. */
function ReplaceAll({ field, members, isPartial, onReplace }: ReplaceAllProps) {
  const [chosen, setChosen] = useState<readonly Picked[]>()
  const keysOf = (all: readonly Picked[]) => all.map(({ identifier }) => keyOf(identifier)).join(' ')
  useUnsavedChanges(chosen !== undefined && keysOf(chosen) !== keysOf(members))
  if (chosen === undefined) {
    return (
      <button
        type="button"
        class="quiet"
        onClick={() => setChosen(members)}
        aria-label={`Replace all of ${field.name}`}
      >
        Replace all …
      </button>
    )
  }
  return (
    <fieldset class="relationship-replace">
      <legend>All members of {field.name}</legend>
      {isPartial && (
        <p class="input-error" role="alert">
          There are more members than these, on other pages. Replacing all removes them.
        </p>
      )}
      <PickedList
        label={`New members of ${field.name}`}
        members={chosen}
        onRemove={(member) => setChosen(chosen.filter((each) => each !== member))}
      />
      <ResourcePicker
        label={`Choose ${field.name}`}
        target={field.target ?? ''}
        onPick={(picked) => setChosen(withPicked(chosen, picked))}
      />
      <div class="actions">
        <button type="button" onClick={() => setChosen(undefined)}>
          Cancel
        </button>
        <button
          type="button"
          class="primary"
          onClick={() => {
            setChosen(undefined)
            onReplace(chosen.map(({ identifier }) => identifier))
          }}
        >
          Replace all
        </button>
      </div>
    </fieldset>
  )
}

/** Adds a resource, once. */
export function withPicked(members: readonly Picked[], picked: Picked): readonly Picked[] {
  const isIn = members.some(({ identifier }) => isSameResource(identifier, picked.identifier))
  return isIn ? members : [...members, picked]
}
