import { PopoverButton } from '../parts/popover'
import type { ShownColumn } from './columns'

export interface ColumnChooserProps {
  readonly columns: readonly ShownColumn[]
  readonly hidden: readonly string[]
  readonly onChange: (hidden: readonly string[]) => void
}

/** Chooses which columns are shown. The id always is. */
export function ColumnChooser({ columns, hidden, onChange }: ColumnChooserProps) {
  const choices = columns.filter(({ kind }) => kind !== 'id')
  const toggle = (name: string) =>
    onChange(hidden.includes(name) ? hidden.filter((each) => each !== name) : [...hidden, name])
  return (
    <PopoverButton label="Columns" icon="columns">
      <fieldset class="checks">
        <legend>Columns</legend>
        {choices.map(({ name }) => (
          <label key={name} class="check">
            <input type="checkbox" checked={!hidden.includes(name)} onChange={() => toggle(name)} />
            {name}
          </label>
        ))}
      </fieldset>
      <button type="button" class="quiet" disabled={hidden.length === 0} onClick={() => onChange([])}>
        Show all
      </button>
    </PopoverButton>
  )
}
