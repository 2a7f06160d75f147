import { useId } from 'preact/hooks'

interface SegmentedControlProps<Name extends string> {
  readonly label: string
  readonly names: readonly Name[]
  readonly chosen: Name
  readonly onChoose: (name: Name) => void
}

/** A choice of few values, beside each other. Arrow keys move between them. */
export function SegmentedControl<Name extends string>({ label, names, chosen, onChoose }: SegmentedControlProps<Name>) {
  const group = useId()
  return (
    <div class="segments" role="radiogroup" aria-label={label}>
      {names.map((name) => (
        <label key={name}>
          <input type="radio" name={group} checked={name === chosen} onChange={() => onChoose(name)} />
          <span>{name}</span>
        </label>
      ))}
    </div>
  )
}
