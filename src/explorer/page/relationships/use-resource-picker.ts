import { useState } from 'preact/hooks'
import { useModel } from '../core/context'
import type { ExplorerApiModel } from '../core/explorer-api-model'
import { isSameResource } from '../core/resources'
import type { IdentifierWithLabel } from './identifier-with-label'
import { useResourceSearch } from './use-resource-search'

/** The state of a picker: its text, its list, and the option that Enter picks. */
interface PickerState {
  readonly text: string
  readonly isOpen: boolean
  /** Why the search failed, or `''`. */
  readonly failure: string
  readonly isLoading: boolean
  readonly options: readonly IdentifierWithLabel[]
  readonly active: number
  readonly pick: (picked: IdentifierWithLabel | undefined) => void
  readonly write: (text: string) => void
  readonly setOpen: (isOpen: boolean) => void
  readonly onKeyDown: (event: KeyboardEvent) => void
}

export function useResourcePicker(target: string, onPick: (picked: IdentifierWithLabel) => void): PickerState {
  const model = useModel()
  const [text, setText] = useState('')
  const [isOpen, setOpen] = useState(false)
  const [active, setActive] = useState(0)
  const typed = text.trim()
  const { found, failure, isLoading } = useResourceSearch(isOpen ? typed : undefined, target, model)
  const options = isOpen ? [...found, ...(isLoading ? [] : byId(typed, target, found, model))] : []
  const pick = (picked: IdentifierWithLabel | undefined) => {
    if (picked === undefined) return
    setText('')
    setActive(0)
    setOpen(false)
    onPick(picked)
  }
  const move = (step: number) => {
    setOpen(true)
    if (options.length > 0) setActive((active + step + options.length) % options.length)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    // Enter never sends the form around the picker.
    if (step !== 0 || event.key === 'Enter') event.preventDefault()
    if (step !== 0) move(step)
    // The options of the text before are still shown while it loads.
    else if (event.key === 'Enter' && !isLoading) pick(options[active])
    else if (event.key === 'Escape' && isOpen) {
      event.stopPropagation()
      setOpen(false)
    }
  }
  const write = (next: string) => {
    setText(next)
    setActive(0)
    setOpen(true)
  }
  return { text, isOpen, failure, isLoading, options, active, pick, write, setOpen, onKeyDown }
}

/** A text that may be an id can be used as one, since a search compares text attributes only. */
function byId(
  typed: string,
  target: string,
  found: readonly IdentifierWithLabel[],
  model: ExplorerApiModel,
): readonly IdentifierWithLabel[] {
  if (!/^\S+$/.test(typed)) return []
  const candidates = model.storedTypes(target).map(({ name }) => ({ type: name, id: typed }))
  return candidates
    .filter((each) => !found.some(({ identifier }) => isSameResource(identifier, each)))
    .map((identifier) => ({ identifier, label: undefined }))
}
