import type { TypeInfo } from '../core/api-types'
import { withoutMember } from './chips'
import type { QueryPartProps } from './query-part-props'

/** The fields of each type that a response may contain. All are chosen at first. */
export function FieldsBuilder({ at: { type, model }, query, onChange }: QueryPartProps) {
  const first = model.storedTypes(type)
  const included = query.include.flatMap(targetsOf).flatMap((name) => model.storedTypes(name))
  const others = Object.keys(query.fields).flatMap((name) => model.types.get(name) ?? [])
  return (
    <div class="fieldsets">
      {[...new Set([...first, ...included, ...others])].map((each) => (
        <Fieldset
          key={each.name}
          type={each}
          chosen={query.fields[each.name]}
          onChange={(names) => {
            const rest = withoutMember(query.fields, each.name)
            onChange({ ...query, fields: names === undefined ? rest : { ...rest, [each.name]: names } })
          }}
        />
      ))}
    </div>
  )

  /** Returns the types along a path. */
  function targetsOf(path: string): readonly string[] {
    const names = path.split('.')
    return names.map((_, index) =>
      names.slice(0, index + 1).reduce((at, name) => model.fieldAt(at, name)?.target ?? '', type),
    )
  }
}

interface FieldsetProps {
  readonly type: TypeInfo
  readonly chosen: readonly string[] | undefined
  /** `undefined`: all fields. */
  readonly onChange: (names: readonly string[] | undefined) => void
}

function Fieldset({ type, chosen, onChange }: FieldsetProps) {
  const names = type.fields.filter(({ capabilities }) => capabilities.includes('view')).map(({ name }) => name)
  const toggle = (name: string) => {
    const isIn = (each: string) => (each === name) !== (chosen?.includes(each) ?? true)
    const next = names.filter(isIn)
    onChange(next.length === names.length ? undefined : next)
  }
  return (
    <fieldset class="checks">
      <legend>{type.name}</legend>
      {names.map((name) => (
        <label key={name} class="check">
          <input type="checkbox" checked={chosen?.includes(name) ?? true} onChange={() => toggle(name)} />
          {name}
        </label>
      ))}
      <div class="actions">
        <button type="button" class="quiet" onClick={() => onChange(undefined)}>
          All
        </button>
        <button type="button" class="quiet" onClick={() => onChange([])}>
          None
        </button>
      </div>
    </fieldset>
  )
}
