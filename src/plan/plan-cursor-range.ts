import type { PageOptions, Pagination } from '../declarations/field-options'
import { UNSUPPORTED_SORT } from '../document/cursor-profile'
import { collectProblems, JsonApiError, problem } from '../errors/json-api-error'
import { isViewable } from '../graph/capabilities'
import type { Attribute } from '../graph/resource-graph'
import type { PageRequest, SortKey } from '../query/ast'
import { fieldsWithin } from '../query/fields-within'
import { markOf, readPageCursor } from './page-cursor'

import type { CursorRange, Layer, PagePosition } from './read-plan'

/** The parameters say it first, then what was negotiated, then the options of the collection. */
export function paginationOf({ number, after, before, wanted }: PageRequest, otherwise: Pagination): Pagination {
  if ((after ?? before) !== undefined) return 'cursors'
  return number === undefined ? (wanted ?? otherwise) : 'numbers'
}

/** Whether there are pages at all: where neither side names a size, and no cursor is sent, all rows are given. */
export function isCut(
  { size, after, before }: PageRequest,
  page: PageOptions | 'off',
  largest: number | undefined,
): page is PageOptions {
  if (page === 'off') return false
  return (size ?? page.size ?? largest ?? after ?? before) !== undefined
}

/** Whether clients may see what a rule sorts by: a cursor would tell them. All others count as lacking the key. */
export function isOpen({ by }: SortKey): boolean {
  return fieldsWithin(by).every((field) => isViewable(field) && !(field.kind === 'attribute' && field.isTransformed))
}

/** https://jsonapi.org/profiles/ethanresnick/cursor-pagination/ */
export function planCursorRange(
  layer: Pick<Layer, 'type' | 'among' | 'sort'>,
  asked: PageRequest,
  page: PageOptions,
  largest: number | undefined,
): CursorRange {
  checkSort(layer.sort)
  const mark = markOf(layer, layer.sort)
  const [after, before] = collectProblems(['after', 'before'] as const, (name): PagePosition | undefined => {
    const text = asked[name]
    return text === undefined ? undefined : readPageCursor(text, name, layer.sort, mark)
  })
  const size = Math.min(sizeOf(asked, page), largest ?? MOST_ROWS)
  return { kind: 'cursors', size, after, before, mark }
}

/** Between two cursors the default is the maximum. */
function sizeOf({ size, after, before }: PageRequest, page: PageOptions): number {
  const most = page.maximumSize ?? MOST_ROWS
  if (size !== undefined) return size
  return after !== undefined && before !== undefined ? most : (page.size ?? most)
}

/** What a transformer makes of a value need not have the order of the column, and a cursor of the column would tell what it hides. */
function checkSort(sort: readonly SortKey[]): void {
  const problems = sort.flatMap(({ by }) => {
    const transformed = transformedWithin(by)
    if (transformed === undefined) return []
    const detail = `Pages by cursors cannot be in the order of '${transformed.name}'.`
    return [{ ...problem('query.sort', detail, { parameter: 'sort' }), links: { type: UNSUPPORTED_SORT } }]
  })
  if (problems.length > 0) throw new JsonApiError(problems)
}

function transformedWithin(by: SortKey['by']): Attribute | undefined {
  if (by.kind === 'attributePath' && by.attribute === by.type.id) return undefined
  return fieldsWithin(by).find((field) => field.kind === 'attribute' && field.isTransformed) as Attribute | undefined
}

/** No limit; one more is still a safe integer. */
const MOST_ROWS = Number.MAX_SAFE_INTEGER - 1
