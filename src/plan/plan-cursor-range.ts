import type { PageOptions, PaginationKind } from '../declarations/field-options'
import { MAX_SIZE_EXCEEDED_URI, UNSUPPORTED_SORT_URI } from '../document/cursor-profile'
import { createErrorDetails, JsonApiError, mapCollectingErrors } from '../errors/json-api-error'
import { hasViewCapability } from '../graph/model/capabilities'
import type { Attribute } from '../graph/model/resource-graph'
import type { AttributePath, PageRequest, SortKeyNode } from '../query/tree/ast'
import { isTransformedIdOperand } from '../query/tree/comparability'
import { Param } from '../query/tree/param'
import { attributePathsOfSortKey, fieldsUsedBySortKey } from '../query/tree/sort-key'
import { type CursorListIdentity, hashCursorListIdentity, isStartCursor, readPageCursor } from './page-cursor'
import type { CursorPosition, CursorRange } from './read-plan'
import type { ReadRules } from './read-rules'

/** Returns the kind of pages: from the query parameters, else the negotiated one, else the `fallback` from the options. */
export function choosePaginationKind(
  { number, after, before, negotiatedPagination }: PageRequest,
  fallback: PaginationKind,
): PaginationKind {
  if ((after ?? before) !== undefined) return 'cursors'
  return number === undefined ? (negotiatedPagination ?? fallback) : 'numbers'
}

/** Returns true if a list has pages. Without a size and without a cursor, the response has all rows. */
export function shouldPaginate(
  { size, after, before }: PageRequest,
  page: PageOptions | false,
  largest: number | undefined,
): page is PageOptions {
  if (page === false) return false
  return (size ?? page.size ?? largest ?? after ?? before) !== undefined
}

/** The rules that decide about the values of sort keys. */
type MaskingRules = Pick<ReadRules, 'hasSerializeHook'>

/** Returns true if clients may see the values of a sort key. Cursors contain these values. */
export function isSortKeyVisible({ by }: SortKeyNode, rules: MaskingRules): boolean {
  if (!fieldsUsedBySortKey(by).every(hasViewCapability) || findTransformedAttribute(by) !== undefined) return false
  return !attributePathsOfSortKey(by).some((path) => isMasked(path, rules))
}

/** Returns true if documents may show another value, and clients can't find out the stored one by sorting. */
function isMasked({ attribute, type }: AttributePath, { hasSerializeHook }: MaskingRules): boolean {
  return !attribute.capabilities.includes('sort') && type.concreteTypes.some(hasSerializeHook)
}

/** The limits of page sizes. */
interface PageLimits {
  readonly page: PageOptions
  /** The limit of the `page` hook. */
  readonly maxSizeByRule: number | undefined
}

/** Plans a page between cursors. https://jsonapi.org/profiles/ethanresnick/cursor-pagination/ */
export function planCursorRange(list: CursorListIdentity, requested: PageRequest, limits: PageLimits): CursorRange {
  assertSortAllowsCursors(list.sort)
  const [after, before] = mapCollectingErrors(['after', 'before'] as const, (name): CursorRange['after'] => {
    const text = requested[name]
    if (text === undefined) return undefined
    // The first page needs no boundary. Before another cursor, it would be read backwards.
    if (name === 'after' && requested.before === undefined && isStartCursor(text, list)) return undefined
    return toParams(readPageCursor(text, name, list))
  })
  const size = sizeOf(requested, limits)
  return { kind: 'cursors', size, after, before, fingerprint: new Param(hashCursorListIdentity(list)) }
}

function toParams(position: CursorPosition): CursorRange['after'] {
  return position === 'end' ? position : position.map((text) => (text === null ? null : new Param(text)))
}

/** Returns the page size. Between two cursors, the default is the maximum. Throws for a size above the maximum of the options or the hook. */
function sizeOf({ size, after, before }: PageRequest, { page, maxSizeByRule = MAX_ROWS }: PageLimits): number {
  const maximum = Math.min(page.maxSize ?? MAX_ROWS, maxSizeByRule)
  if (size !== undefined && size > maximum) throw pageTooLargeError(size, maximum)
  if (after !== undefined && before !== undefined) return size ?? maximum
  return Math.min(size ?? page.size ?? maximum, maximum)
}

function pageTooLargeError(size: number, maxSize: number): JsonApiError {
  const detail = `Expected a page size from 1 to ${maxSize}, found '${size}'.`
  const error = createErrorDetails('query.page', detail, { parameter: 'page[size]' })
  return new JsonApiError([{ ...error, meta: { page: { maxSize } }, links: { type: MAX_SIZE_EXCEEDED_URI } }])
}

/** Throws if a key is a transformed attribute: its column may have another order, and a cursor would reveal the stored value. */
function assertSortAllowsCursors(sort: readonly SortKeyNode[]): void {
  const problems = sort.flatMap(({ by }) => {
    const transformed = findTransformedAttribute(by)
    if (transformed === undefined) return []
    const detail = `Pages by cursors cannot be in the order of '${transformed.name}'.`
    return [
      { ...createErrorDetails('query.sort', detail, { parameter: 'sort' }), links: { type: UNSUPPORTED_SORT_URI } },
    ]
  })
  if (problems.length > 0) throw new JsonApiError(problems)
}

function findTransformedAttribute(by: SortKeyNode['by']): Attribute | undefined {
  if (isTransformedIdOperand(by)) return undefined
  return fieldsUsedBySortKey(by).find((field) => field.kind === 'attribute' && field.isTransformed) as
    | Attribute
    | undefined
}

/** Stands for no limit. Statements read one row more, and that number must also be a safe integer. */
const MAX_ROWS = Number.MAX_SAFE_INTEGER - 1
