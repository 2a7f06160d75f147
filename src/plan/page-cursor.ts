import { createHash } from 'node:crypto'
import { JsonApiError } from '../errors/json-api-error'
import type { PageCursorName } from '../query/page-part'
import { printSort } from '../query/print'
import { showText } from '../query/query-syntax-error'
import { toProblem } from '../query/to-problem'
import { fitsKey } from './page-cursor-value'
import type { Layer, PagePosition } from './read-plan'

export type SortedList = Pick<Layer, 'type' | 'among' | 'sort'>

/**
 * What is the same for all cursors of a list, and of no other: a short hash of the type, the relationship that the list stands at, and the
 * order.
 */
export function markOf({ type, among, sort }: SortedList): string {
  const place = among.kind === 'relatedTo' ? [among.left.type.name, among.left.id, among.relationship.name] : []
  const text = JSON.stringify([type.name, ...place, printSort(sort, type)])
  return createHash('sha256').update(text).digest('base64url').slice(0, MARK_LENGTH)
}

/** `['Xk3_9aQ2', 'Adam', '7']` as base64url: opaque to clients, though not secret. */
export function printPageCursor(mark: string, position: PagePosition): string {
  return Buffer.from(JSON.stringify(position === 'end' ? [mark] : [mark, ...position])).toString('base64url')
}

/** The reverse. What this library has not made for this very list and order is refused. */
export function readPageCursor(text: string, name: PageCursorName, list: SortedList): PagePosition {
  const mark = markOf(list)
  const [found, ...values] = parse(text)
  if (found === mark && values.length === 0) return 'end'
  const position = values.filter((value) => typeof value === 'string' || value === null)
  const isRight = found === mark && fitsSort(position, list) && printPageCursor(mark, position) === text
  if (isRight) return position
  const mistake = { position: 0, expected: 'a cursor of this collection in this order', found: showText(text) }
  throw new JsonApiError([toProblem('query.page', { parameter: `page[${name}]`, text }, mistake)])
}

function fitsSort(position: readonly (string | null)[], { sort, type }: SortedList): boolean {
  return position.length === sort.length && sort.every((key, at) => fitsKey(position[at], key, type))
}

function parse(text: string): readonly unknown[] {
  try {
    const value: unknown = JSON.parse(Buffer.from(text, 'base64url').toString())
    return Array.isArray(value) ? value : []
  } catch {
    return []
  }
}

const MARK_LENGTH = 8
