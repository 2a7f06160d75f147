import type { PaginationKind } from '../declarations/field-options'
import type { JsonObject } from '../document/json'
import type { Links } from '../document/response-document'
import { printPageCursor } from '../plan/page-cursor'
import type { CursorPosition, CursorRange } from '../plan/read-plan'
import type { ReadResult, ResourceRow } from '../store/read-result'
import {
  type LinkQueryParameters,
  omitFromLinkQueryParameters,
  printLinkQueryParameters,
  withLinkQueryParameter,
} from './link-query-parameters'
import { cursorProfileTotalMeta } from './pages'

/** A page between cursors. https://jsonapi.org/profiles/ethanresnick/cursor-pagination/ */
interface CursorPage {
  readonly range: CursorRange
  readonly result: ReadResult
}

interface LinkedCursorPage extends CursorPage {
  /** The kind of pages at the same URL without a cursor. */
  readonly fallback: PaginationKind
}

/**
 * Returns links to the other pages. In the direction of reading, `prev` or `next` is `null` if that page is empty. The other link may lead to
 * an empty page, because a check would take another statement. `last` is the page before the end of the list.
 */
export function cursorLinks(
  path: string,
  parameters: LinkQueryParameters,
  { range, result, fallback }: LinkedCursorPage,
): Links {
  const to = (boundary: PageBoundary) =>
    `${path}${printLinkQueryParameters(withBoundary(parameters, boundary, range.fingerprint.value))}`
  const previous = previousBoundary(range, result)
  const start: PageBoundary = fallback === 'cursors' ? {} : { after: 'start' }
  const next = nextBoundary(range, result, start)
  return {
    first: to(start),
    last: to({ before: 'end' }),
    prev: previous === undefined ? null : to(previous),
    next: next === undefined ? null : to(next),
  }
}

/** Returns the cursor of each item. */
export function createItemCursorPrinter({ range, result }: CursorPage): (index: number) => string {
  return (index) => printPageCursor(range.fingerprint.value, positionOf(result.rows[index]))
}

/** Returns `meta.page` of the document, if it has members. */
export function cursorPageDocumentMeta({ range, result }: CursorPage): JsonObject {
  const isTruncated = range.after !== undefined && range.before !== undefined && result.hasMore
  const page = {
    ...cursorProfileTotalMeta(result.total),
    ...(isTruncated && { rangeTruncated: true }),
  }
  return Object.keys(page).length === 0 ? {} : { page }
}

/** The start or the end of a page. Without both, it is the first page of the default kind. */
interface PageBoundary {
  readonly after?: CursorPosition | 'start'
  readonly before?: CursorPosition
}

/** Returns `undefined` if there is no next page. */
function nextBoundary(
  range: CursorRange,
  { rows, hasMore }: ReadResult,
  start: PageBoundary,
): PageBoundary | undefined {
  const [after, before] = [toTexts(range.after), toTexts(range.before)]
  // A truncated range between two cursors continues after its last row.
  if (after !== undefined && before !== undefined && hasMore) return { after: positionOf(rows.at(-1)), before }
  if (before === undefined) return hasMore ? { after: positionOf(rows.at(-1)) } : undefined
  if (before === 'end') return undefined
  // If the page before a cursor is empty, the whole list follows it.
  if (rows.length === 0) return after === undefined ? start : { after }
  return { after: positionOf(rows.at(-1)) }
}

function previousBoundary(range: CursorRange, { rows, hasMore }: ReadResult): PageBoundary | undefined {
  const [after, before] = [toTexts(range.after), toTexts(range.before)]
  if (after === undefined) return before !== undefined && hasMore ? { before: positionOf(rows[0]) } : undefined
  if (rows.length === 0) return { before: before ?? 'end' }
  return { before: positionOf(rows[0]) }
}

function toTexts(position: CursorRange['after']): CursorPosition | undefined {
  return position === undefined || position === 'end' ? position : position.map((text) => text?.value ?? null)
}

function positionOf(row: ResourceRow | undefined): CursorPosition {
  return row?.position ?? 'end'
}

function withBoundary(
  parameters: LinkQueryParameters,
  { after, before }: PageBoundary,
  fingerprint: string,
): LinkQueryParameters {
  const boundaries = [
    ['page[after]', after],
    ['page[before]', before],
  ] as const
  return boundaries.reduce((all, [name, position]) => {
    if (position === undefined) return omitFromLinkQueryParameters(all, name)
    return withLinkQueryParameter(all, name, printPageCursor(fingerprint, position))
  }, parameters)
}
