import type { ResourceObject } from '../core/api-types'
import { joinApiPath, safeHref } from '../core/api-url'
import { keyOf } from '../core/resources'
import { TypeDot, Value } from '../parts/value'
import { ColumnHead } from './column-head'
import type { ShownColumn } from './columns'
import { RelationshipCell } from './relationship-cell'

interface ResourceTableProps {
  readonly caption: string
  readonly resources: readonly ResourceObject[]
  readonly columns: readonly ShownColumn[]
  /** The query string that sorting changes; `undefined` if the table cannot be sorted. */
  readonly search?: string | undefined
  readonly labels: ReadonlyMap<string, string>
  /** The `keyOf` the resource in the side panel. */
  readonly shown?: string | undefined
  /** Shows a resource in the side panel. Without it, rows are links only. */
  readonly onOpen?: ((resource: ResourceObject) => void) | undefined
}

/** A table of resources. A click on a row opens the resource. */
export function ResourceTable({ caption, resources, columns, search, ...rows }: ResourceTableProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling area needs the focus to be scrolled with keys.
    <section class="table-scroll" aria-label={caption} tabIndex={0}>
      <table class="resources">
        <caption class="unseen">{caption}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <ColumnHead key={column.name} column={column} search={search} />
            ))}
          </tr>
        </thead>
        <tbody>
          {resources.map((resource) => (
            <Row key={keyOf(resource)} resource={resource} columns={columns} {...rows} />
          ))}
        </tbody>
      </table>
    </section>
  )
}

type RowProps = Pick<ResourceTableProps, 'columns' | 'labels' | 'shown' | 'onOpen'> & {
  readonly resource: ResourceObject
}

function Row({ resource, columns, labels, shown, onOpen }: RowProps) {
  const openByClick = ({ target }: MouseEvent) => {
    const isControl = target instanceof Element && target.closest('a, button, input') !== null
    if (!isControl && getSelection()?.isCollapsed !== false) onOpen?.(resource)
  }
  const isShown = keyOf(resource) === shown
  return (
    <tr class={onOpen && 'can-open'} aria-selected={isShown ? 'true' : undefined} onClick={openByClick}>
      {columns.map((column) => (
        <Cell key={column.name} column={column} resource={resource} labels={labels} onOpen={onOpen} />
      ))}
    </tr>
  )
}

type CellProps = Pick<RowProps, 'resource' | 'labels' | 'onOpen'> & { readonly column: ShownColumn }

function Cell({ column: { name, kind }, resource, labels, onOpen }: CellProps) {
  switch (kind) {
    case 'id':
      return (
        <th scope="row">
          <RowLink resource={resource} onOpen={onOpen} />
        </th>
      )
    case 'type':
      return (
        <td class="cell-type">
          <TypeDot type={resource.type} />
          {resource.type}
        </td>
      )
    case 'attribute':
      return (
        <td class={typeof resource.attributes?.[name] === 'number' ? 'cell-number' : undefined}>
          <Value value={resource.attributes?.[name]} />
        </td>
      )
    default:
      return (
        <td class="cell-relationship">
          <RelationshipCell name={name} relationship={resource.relationships?.[name]} labels={labels} />
        </td>
      )
  }
}

/** Opens the side panel; with a modifier key it is a link as any other. */
function RowLink({ resource, onOpen }: Pick<RowProps, 'resource' | 'onOpen'>) {
  const { type, id, links } = resource
  const open = (event: MouseEvent) => {
    if (onOpen === undefined || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    onOpen(resource)
  }
  return (
    <a
      href={safeHref(links?.self) ?? joinApiPath(type, id)}
      aria-label={`${type} ${id}`}
      data-row={keyOf(resource)}
      onClick={open}
    >
      {id}
    </a>
  )
}
