import type { PageOptions, Pagination } from '../declarations/field-options'
import { MAX_SIZE_EXCEEDED, UNSUPPORTED_SORT } from '../document/cursor-profile'
import { clientError, collectErrors, JsonApiError } from '../errors/json-api-error'
import { isViewable } from '../graph/capabilities'
import type { Attribute } from '../graph/resource-graph'
import type { PageRequest, SortKey } from '../query/ast'
import { isTransformedId } from '../query/comparability'
import { fieldsWithin } from '../query/fields-within'
import { param } from '../query/param'
import { fingerprintOf, readPageCursor, type SortedList } from './page-cursor'
import type { CursorRange, PagePosition } from './read-plan'

/** The parameters say it first, then what was negotiated, then the options of the collection. */
export function paginationOf({ number, after, before, wanted }: PageRequest, otherwise: Pagination): Pagination {
  if ((after ?? before) !== undefined) return 'cursors'
  return number === undefined ? (wanted ?? otherwise) : 'numbers'
}

/** Whether there are pages at all: where neither side names a size, and no cursor is sent, all rows are given. */
export function isPaginated(
  { size, after, before }: PageRequest,
  page: PageOptions | false,
  largest: number | undefined,
): page is PageOptions {
  if (page === false) return false
  return (size ?? page.size ?? largest ?? after ?? before) !== undefined
}

/** Whether clients may see what a rule sorts by: a cursor would tell them. All others count as lacking the key. */
export function isOpen({ by }: SortKey): boolean {
  return fieldsWithin(by).every(isViewable) && transformedWithin(by) === undefined
}

/** How large pages are. */
export interface PageLimits {
  readonly page: PageOptions
  /** What a rule says. */
  readonly maxSizeByRule: number | undefined
}

/** https://jsonapi.org/profiles/ethanresnick/cursor-pagination/ */
export function planCursorRange(list: SortedList, asked: PageRequest, limits: PageLimits): CursorRange {
  checkSort(list.sort)
  const [after, before] = collectErrors(['after', 'before'] as const, (name): CursorRange['after'] => {
    const text = asked[name]
    return text === undefined ? undefined : toParams(readPageCursor(text, name, list))
  })
  return { kind: 'cursors', size: param(sizeOf(asked, limits)), after, before, fingerprint: param(fingerprintOf(list)) }
}

function toParams(position: PagePosition): CursorRange['after'] {
  return position === 'end' ? position : position.map((text) => (text === null ? null : param(text)))
}

/** Between two cursors the default is the maximum. What is over that is refused, also where it is that of a rule. */
function sizeOf({ size, after, before }: PageRequest, { page, maxSizeByRule = MAX_ROWS }: PageLimits): number {
  const most = Math.min(page.maxSize ?? MAX_ROWS, maxSizeByRule)
  if (size !== undefined && size > most) throw tooLarge(size, most)
  if (after !== undefined && before !== undefined) return size ?? most
  return Math.min(size ?? page.size ?? most, most)
}

function tooLarge(size: number, maxSize: number): JsonApiError {
  const detail = `Expected a page size from 1 to ${maxSize}, found '${size}'.`
  const refused = clientError('query.page', detail, { parameter: 'page[size]' })
  return new JsonApiError([{ ...refused, meta: { page: { maxSize } }, links: { type: MAX_SIZE_EXCEEDED } }])
}

/** What a transformer makes of a value need not have the order of the column, and a cursor of the column would tell what it hides. */
function checkSort(sort: readonly SortKey[]): void {
  const problems = sort.flatMap(({ by }) => {
    const transformed = transformedWithin(by)
    if (transformed === undefined) return []
    const detail = `Pages by cursors cannot be in the order of '${transformed.name}'.`
    return [{ ...clientError('query.sort', detail, { parameter: 'sort' }), links: { type: UNSUPPORTED_SORT } }]
  })
  if (problems.length > 0) throw new JsonApiError(problems)
}

function transformedWithin(by: SortKey['by']): Attribute | undefined {
  if (isTransformedId(by)) return undefined
  return fieldsWithin(by).find((field) => field.kind === 'attribute' && field.isTransformed) as Attribute | undefined
}

/** No limit; one more is still a safe integer. */
const MAX_ROWS = Number.MAX_SAFE_INTEGER - 1
