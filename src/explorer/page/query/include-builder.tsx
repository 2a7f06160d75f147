import { useState } from 'preact/hooks'
import { Icon } from '../parts/icon'
import type { QueryPartProps } from './query-part-props'

/** The relationships as a tree: a path can be included at each level. */
export function IncludeBuilder({ at, query, onChange }: QueryPartProps) {
  const { include } = query
  const toggle = (path: string) =>
    onChange({
      ...query,
      include: include.includes(path) ? include.filter((each) => each !== path) : [...include, path],
    })
  return (
    <fieldset class="include-tree">
      <legend>Related resources in the response</legend>
      <Branch type={at.type} prefix="" chosen={include} onToggle={toggle} at={at} />
    </fieldset>
  )
}

interface BranchProps extends Pick<QueryPartProps, 'at'> {
  readonly type: string
  /** The path to the type with a dot, or `''`. */
  readonly prefix: string
  readonly chosen: readonly string[]
  readonly onToggle: (path: string) => void
}

/** The longest path that is offered. Longer ones can be written as text. */
const DEPTH = 4

function Branch({ type, prefix, ...rest }: BranchProps) {
  const relationships = rest.at.model.fieldsAt(type).filter(({ capabilities }) => capabilities.includes('include'))
  return (
    <ul>
      {relationships.map(({ name, target = '' }) => (
        <Twig key={name} name={name} path={prefix + name} target={target} {...rest} />
      ))}
    </ul>
  )
}

interface TwigProps extends Omit<BranchProps, 'type' | 'prefix'> {
  readonly name: string
  readonly path: string
  readonly target: string
}

function Twig({ name, path, target, ...rest }: TwigProps) {
  const { chosen, onToggle, at } = rest
  const [isOpen, setOpen] = useState(() => chosen.some((each) => each.startsWith(`${path}.`)))
  const hasMore =
    path.split('.').length < DEPTH &&
    at.model.fieldsAt(target).some(({ capabilities }) => capabilities.includes('include'))
  return (
    <li>
      <span class="include-twig">
        <button
          type="button"
          class="icon-button"
          aria-expanded={isOpen}
          aria-label={`Relationships of ${path}`}
          disabled={!hasMore}
          onClick={() => setOpen(!isOpen)}
        >
          <Icon name={isOpen ? 'down' : 'forward'} />
        </button>
        <label class="check">
          <input type="checkbox" checked={chosen.includes(path)} onChange={() => onToggle(path)} aria-label={path} />
          {name}
          <span class="hint">{target}</span>
        </label>
      </span>
      {isOpen && hasMore && <Branch type={target} prefix={`${path}.`} {...rest} />}
    </li>
  )
}
