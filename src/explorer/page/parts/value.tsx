import { useContext } from 'preact/hooks'
import type { ResourceIdentifierObject } from '../core/api-types'
import { joinApiPath } from '../core/api-url'
import { ModelContext } from '../core/context'

/** The value of an attribute. `undefined`: the resource has no such attribute. */
export function Value({ value }: { readonly value: unknown }) {
  if (value === undefined) return <span class="nothing" aria-hidden="true" />
  if (value === null) return <span class="nothing">null</span>
  if (value === '') return <span class="nothing">empty text</span>
  if (typeof value === 'object') return <code class="value-json">{JSON.stringify(value)}</code>
  if (typeof value === 'boolean') return <span class={`value-boolean ${value}`}>{String(value)}</span>
  if (typeof value === 'number') return <span class="value-number">{value}</span>
  const text = String(value)
  const moment = formatMoment(text)
  return moment === undefined ? (
    <span class="value-text">{text}</span>
  ) : (
    <time dateTime={text} title={moment}>
      {text.replace('T', ' ').replace(/(:\d\d)\.000/, '$1')}
    </time>
  )
}

/** Returns a moment in the time zone of the user; `undefined` for other text. */
function formatMoment(text: string): string | undefined {
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(text) ? new Date(text).toLocaleString() : undefined
}

interface ResourceLinkProps {
  readonly of: ResourceIdentifierObject
  /** The text that people know the resource by, if it is loaded. */
  readonly label?: string | undefined
}

/** A link to a resource: `● women 2 Greta`. */
export function ResourceLink({ of: { type, id }, label = '' }: ResourceLinkProps) {
  return (
    <a class="resource-link" href={joinApiPath(type, id)}>
      <TypeDot type={type} />
      {label === '' ? `${type} ${id}` : label}
      {label !== '' && (
        <span class="resource-link-id">
          {' '}
          {type} {id}
        </span>
      )}
    </a>
  )
}

/** A dot whose colour depends on the type, so that types can be told apart in a list. */
export function TypeDot({ type }: { readonly type: string }) {
  const index = useContext(ModelContext)?.indexOf(type) ?? 0
  return <span class={`type-dot hue-${Math.max(0, index) % 8}`} aria-hidden="true" />
}
