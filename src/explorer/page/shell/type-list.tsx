import type { ApiModel } from '../core/api-model'
import type { TypeInfo } from '../core/api-types'
import { toApiPath } from '../core/api-url'

export interface TypeListProps {
  readonly model: ApiModel
  /** The type of the shown URL. */
  readonly current: string
}

/** The types of the API, derived types below their bases. */
export function TypeList({ model, current }: TypeListProps) {
  return (
    <nav class="types" aria-label="Resource types">
      <h2>Types</h2>
      <Branches types={model.roots} model={model} current={current} />
    </nav>
  )
}

function Branches({ types, ...at }: TypeListProps & { readonly types: readonly TypeInfo[] }) {
  return (
    <ul>
      {types.map(({ name, isAbstract, derived }) => (
        <li key={name}>
          <a
            href={toApiPath(name)}
            class={isAbstract ? 'abstract' : undefined}
            aria-current={name === at.current ? 'page' : undefined}
          >
            {name}
          </a>
          {derived.length > 0 && <Branches types={derived.flatMap((each) => at.model.types.get(each) ?? [])} {...at} />}
        </li>
      ))}
    </ul>
  )
}
