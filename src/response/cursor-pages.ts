import { CURSOR_PAGINATION } from '../document/cursor-profile'
import type { Links } from '../document/document'
import type { JsonObject } from '../document/json'
import { printPageCursor } from '../plan/page-cursor'
import type { CursorRange, PagePosition, ReadPlan } from '../plan/read-plan'
import type { ReadResult, ResultRow } from '../store/read-result'
import { printParameters, type QueryParameters, withoutParameter, withParameter } from './query-string'
import { profiledTotalMeta } from './totals'

/** A page between cursors. https://jsonapi.org/profiles/ethanresnick/cursor-pagination/ */
export interface CursorPage {
  readonly range: CursorRange
  readonly result: ReadResult
}

/** The profiles that a document about a plan follows, by URI. */
export function profilesOf({ layer }: ReadPlan): readonly string[] {
  return layer.range?.kind === 'cursors' ? [CURSOR_PAGINATION] : []
}

/**
 * `prev` and `next` are always there, and `null` where it is known that there is nothing: towards the side that was read. On the other side
 * there can be an empty page, which would take another statement to know. `last` is the page before the end of the list.
 */
export function cursorLinks(path: string, parameters: QueryParameters, { range, result }: CursorPage): Links {
  const to = (place: PageBoundary) =>
    `${path}${printParameters(withBoundary(parameters, place, range.fingerprint.value))}`
  const previous = previousBoundary(range, result)
  const next = nextBoundary(range, result)
  return {
    first: to({}),
    last: to({ before: 'end' }),
    prev: previous === undefined ? null : to(previous),
    next: next === undefined ? null : to(next),
  }
}

/** The cursor that falls on each item. */
export function cursorOf({ range, result }: CursorPage): (index: number) => string {
  return (index) => printPageCursor(range.fingerprint.value, positionOf(result.rows[index]))
}

/** `meta.page` of the document; nothing where there is nothing to say. */
export function pageMeta({ range, result }: CursorPage): JsonObject {
  const isTruncated = range.after !== undefined && range.before !== undefined && result.hasMore
  const page = {
    ...profiledTotalMeta(result.total),
    ...(isTruncated && { rangeTruncated: true }),
  }
  return Object.keys(page).length === 0 ? {} : { page }
}

/** Where a page starts, or ends; without either it is the first one. */
interface PageBoundary {
  readonly after?: PagePosition
  readonly before?: PagePosition
}

/** `undefined`: nothing is there. */
function nextBoundary(range: CursorRange, { rows, hasMore }: ReadResult): PageBoundary | undefined {
  const [after, before] = [toTexts(range.after), toTexts(range.before)]
  // What was cut off between two cursors comes first.
  if (after !== undefined && before !== undefined && hasMore) return { after: positionOf(rows.at(-1)), before }
  if (before === undefined) return hasMore ? { after: positionOf(rows.at(-1)) } : undefined
  if (after === undefined && before === 'end') return undefined
  // Behind an empty page before a cursor comes all that there is, if it is not between two.
  if (rows.length === 0) return after === undefined ? {} : { after }
  return { after: positionOf(rows.at(-1)) }
}

function previousBoundary(range: CursorRange, { rows, hasMore }: ReadResult): PageBoundary | undefined {
  const [after, before] = [toTexts(range.after), toTexts(range.before)]
  if (after === undefined) return before !== undefined && hasMore ? { before: positionOf(rows[0]) } : undefined
  if (rows.length === 0) return { before: before ?? 'end' }
  return { before: positionOf(rows[0]) }
}

function toTexts(position: CursorRange['after']): PagePosition | undefined {
  return position === undefined || position === 'end' ? position : position.map((text) => text?.value ?? null)
}

function positionOf(row: ResultRow | undefined): PagePosition {
  return row?.position ?? 'end'
}

function withBoundary(
  parameters: QueryParameters,
  { after, before }: PageBoundary,
  fingerprint: string,
): QueryParameters {
  const places = [
    ['page[after]', after],
    ['page[before]', before],
  ] as const
  return places.reduce((all, [name, position]) => {
    if (position === undefined) return withoutParameter(all, name)
    return withParameter(all, name, printPageCursor(fingerprint, position))
  }, parameters)
}
