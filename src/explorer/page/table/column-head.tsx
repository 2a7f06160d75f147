import { navigate } from '../core/navigation'
import { parseQuery, toQueryString } from '../core/query'
import { Icon } from '../parts/icon'
import type { ShownColumn } from './columns'

interface ColumnHeadProps {
  readonly column: ShownColumn
  readonly search: string | undefined
}

/** The head of a column. A click sorts by it, a click with Shift adds it to the sort keys. */
export function ColumnHead({ column: { name, kind, canSort }, search }: ColumnHeadProps) {
  const style = kind === 'attribute' ? undefined : `column-${kind}`
  if (search === undefined || !canSort) {
    return (
      <th scope="col" class={style}>
        {name}
      </th>
    )
  }
  const { sort } = parseQuery(search)
  const [isUp, isDown] = [sort.includes(name), sort.includes(`-${name}`)]
  const next = isUp ? `-${name}` : name
  const others = sort.filter((key) => key !== name && key !== `-${name}`)
  const addToKeys = (event: MouseEvent) => {
    if (!event.shiftKey) return
    event.preventDefault()
    navigate(sortedBy([...others, next], search))
  }
  return (
    <th scope="col" class={style} aria-sort={isUp ? 'ascending' : isDown ? 'descending' : undefined}>
      <a href={sortedBy([next], search)} onClick={addToKeys} title="Sort. With Shift: sort by this column as well.">
        {name}
        {(isUp || isDown) && <Icon name={isUp ? 'sortUp' : 'sortDown'} />}
      </a>
    </th>
  )
}

/** A new order starts at the first page. */
function sortedBy(sort: readonly string[], search: string): string {
  const query = parseQuery(search)
  const { size } = query.page
  return location.pathname + toQueryString({ ...query, sort, page: size === undefined ? {} : { size } }) + location.hash
}
