import type { JsonApiDocument, LinksObject } from '../core/api-types'
import { safeHref } from '../core/api-url'
import { navigate } from '../core/navigation'
import { parseQuery, toQueryString } from '../core/query'
import { primaryResourcesOf } from '../core/resources'
import { Icon, type IconName } from '../parts/icon'

interface PagesProps {
  readonly document: JsonApiDocument
  readonly search: string
}

/** The position in the collection, the size of a page, and links to other pages, which keep the side panel. */
export function Pages({ document, search }: PagesProps) {
  const { links, meta } = document
  return (
    <div class="pages">
      <span>{describePosition(primaryResourcesOf(document).length, meta?.total, search)}</span>
      {links?.first !== undefined && <PageSize search={search} />}
      <PageLinks links={links} />
    </div>
  )
}

/** `11–20 of 60`; only the count if the position is unknown, as with cursors. */
function describePosition(count: number, total: unknown, search: string): string {
  const { number = '1', size, after, before } = parseQuery(search).page
  const of = typeof total === 'number' ? ` of ${total}` : ''
  if (count === 0) return `0${of}`
  const isFirst = number === '1'
  const first = isFirst ? 1 : (Number(number) - 1) * Number(size ?? count) + 1
  // The last page of an unknown size may be shorter than the others.
  const isKnown =
    after === undefined && before === undefined && Number.isInteger(first) && (isFirst || size !== undefined)
  return isKnown ? `${first}–${first + count - 1}${of}` : `${count}${of}`
}

const SIZES = ['10', '25', '50', '100']

function PageSize({ search }: { readonly search: string }) {
  const query = parseQuery(search)
  const { size } = query.page
  const choose = (chosen: string) => {
    const page: Record<string, string> = chosen === '' ? {} : { size: chosen }
    navigate(location.pathname + toQueryString({ ...query, page }) + location.hash)
  }
  const sizes = size === undefined || SIZES.includes(size) ? SIZES : [...SIZES, size]
  return (
    <label class="page-size">
      <span class="wide">Rows per page</span>
      <select
        aria-label="Rows per page"
        value={size ?? ''}
        onChange={({ currentTarget }) => choose(currentTarget.value)}
      >
        <option value="">default</option>
        {sizes.map((each) => (
          <option key={each} value={each}>
            {each}
          </option>
        ))}
      </select>
    </label>
  )
}

const PAGES: readonly (readonly [name: string, text: string, icon: IconName])[] = [
  ['first', 'First', 'first'],
  ['prev', 'Previous', 'back'],
  ['next', 'Next', 'forward'],
  ['last', 'Last', 'last'],
]

function PageLinks({ links = {} }: { readonly links: LinksObject | undefined }) {
  const known = PAGES.filter(([name]) => Object.hasOwn(links, name))
  if (known.length === 0) return null
  return (
    <nav class="page-links" aria-label="Pages">
      {known.map(([name, text, icon]) => {
        const href = safeHref(links[name])
        return href === undefined ? (
          <span key={name} class="icon-button off">
            <Icon name={icon} />
          </span>
        ) : (
          <a key={name} class="icon-button" href={href + location.hash} rel={name} aria-label={text} title={text}>
            <Icon name={icon} />
          </a>
        )
      })}
    </nav>
  )
}
