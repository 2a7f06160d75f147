import { useState } from 'preact/hooks'
import type { TypeInfo } from '../core/api-types'
import { joinApiPath } from '../core/api-url'
import type { ExplorerApiModel } from '../core/explorer-api-model'
import { TypeDot } from '../parts/value'

interface TypeListProps {
  readonly model: ExplorerApiModel
  /** The type of the shown URL. */
  readonly current: string
  /** Small screens show the list only then. */
  readonly isOpen: boolean
}

/** From so many types on, the list has a search. */
const MANY = 10

/** The types of the API, derived types below their bases. */
export function TypeList({ model, current, isOpen }: TypeListProps) {
  const [text, setText] = useState('')
  const found = (name: string) => name.toLowerCase().includes(text.trim().toLowerCase())
  return (
    <nav class={`types${isOpen ? ' types-open' : ''}`} id="types" aria-label="Resource types">
      {model.types.size >= MANY && (
        <input
          type="search"
          aria-label="Find a type"
          placeholder="Find a type"
          value={text}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
      )}
      <Branches types={model.roots} model={model} current={current} found={found} />
    </nav>
  )
}

interface BranchesProps extends Omit<TypeListProps, 'isOpen'> {
  readonly types: readonly TypeInfo[]
  readonly found: (name: string) => boolean
}

/** A type stays while a type below it is found. */
function Branches({ types, ...at }: BranchesProps) {
  const { model, current, found } = at
  const shown = types.filter(({ name }) => model.withDerived(name).some((each) => found(each.name)))
  return (
    <ul>
      {shown.map(({ name, isAbstract, derived }) => (
        <li key={name}>
          <a
            href={joinApiPath(name)}
            class={isAbstract ? 'abstract' : undefined}
            aria-current={name === current ? 'page' : undefined}
          >
            <TypeDot type={name} />
            {name}
          </a>
          {derived.length > 0 && <Branches types={derived.flatMap((each) => model.types.get(each) ?? [])} {...at} />}
        </li>
      ))}
    </ul>
  )
}
