import { Icon } from '../parts/icon'
import type { QueryPartProps } from './query-part-props'

/** The sort keys in their order, each with its direction. */
export function SortBuilder({ at: { type, model }, query, onChange }: QueryPartProps) {
  const { sort } = query
  const change = (next: readonly string[]) => onChange({ ...query, sort: next })
  const names = model.sortNamesAt(type, ({ capabilities }) => capabilities.includes('sort'))
  const counted = model.sortNamesAt(
    type,
    ({ kind, capabilities }) => kind === 'toMany' && capabilities.includes('filter'),
  )
  const free = ['id', ...names, ...counted.map((name) => `count(${name})`)].filter(
    (name) => !sort.includes(name) && !sort.includes(`-${name}`),
  )
  return (
    <div class="stack">
      <ol class="builder-rows">
        {sort.map((key, index) => (
          <SortKey
            key={key.replace(/^-/, '')}
            sortKey={key}
            isFirst={index === 0}
            onChange={(next) => change(sort.with(index, next))}
            onRaise={() => change(sort.toSpliced(index, 1).toSpliced(index - 1, 0, key))}
            onRemove={() => change(sort.toSpliced(index, 1))}
          />
        ))}
      </ol>
      <label class="builder-add">
        {sort.length === 0 ? 'Sort by' : 'Then by'}
        <select value="" onChange={({ currentTarget }) => change([...sort, currentTarget.value])}>
          <option value="">Choose …</option>
          {free.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      </label>
    </div>
  )
}

interface SortKeyProps {
  readonly sortKey: string
  readonly isFirst: boolean
  readonly onChange: (key: string) => void
  readonly onRaise: () => void
  readonly onRemove: () => void
}

function SortKey({ sortKey, isFirst, onChange, onRaise, onRemove }: SortKeyProps) {
  const isDown = sortKey.startsWith('-')
  const name = isDown ? sortKey.slice(1) : sortKey
  return (
    <li>
      <code class="sort-name">{name}</code>
      <button type="button" onClick={() => onChange(isDown ? name : `-${name}`)}>
        <Icon name={isDown ? 'sortDown' : 'sortUp'} />
        {isDown ? 'descending' : 'ascending'}
        <span class="unseen">, {name}</span>
      </button>
      <button type="button" class="icon-button" aria-label={`Move ${name} up`} disabled={isFirst} onClick={onRaise}>
        <Icon name="raise" />
      </button>
      <button type="button" class="icon-button" aria-label={`Remove ${name}`} onClick={onRemove}>
        <Icon name="close" />
      </button>
    </li>
  )
}
