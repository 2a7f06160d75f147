import { createHash } from 'node:crypto'
import { JsonApiError } from '../errors/json-api-error'
import { quoteAndTruncate } from '../query/parsing/query-syntax-error'
import { toQueryParameterErrorDetails } from '../query/parsing/to-query-error'
import type { CursorParameterName } from '../query/tree/ast'
import { printSort } from '../query/tree/print'
import { isValidCursorValue } from './is-cursor-value'
import type { CursorPosition, ReadPlanLayer } from './read-plan'

export type CursorListIdentity = Pick<ReadPlanLayer, 'type' | 'criteria' | 'sort'>

/** Returns a short hash of a list's type, source, relationship and order. Cursors contain it to identify the list. */
export function hashCursorListIdentity({ type, criteria, sort }: CursorListIdentity): string {
  const position =
    criteria.kind === 'relatedTo' ? [criteria.source.type.name, criteria.source.id, criteria.relationship.name] : []
  const text = JSON.stringify([type.name, ...position, printSort(sort, type)])
  return createHash('sha256').update(text).digest('base64url').slice(0, FINGERPRINT_LENGTH)
}

/** Prints a cursor: `['Xk3_9aQ2', 'Adam', '7']` as base64url. Clients must treat it as opaque, but its content is not secret. */
export function printPageCursor(fingerprint: string, position: CursorPosition | 'start'): string {
  return Buffer.from(JSON.stringify([fingerprint, ...valuesOf(position)])).toString('base64url')
}

function valuesOf(position: CursorPosition | 'start'): readonly unknown[] {
  if (position === 'end') return []
  return position === 'start' ? [START] : position
}

/** Never the value of a sort key, which is a text or `null`. */
const START = 0

/** Returns true for the cursor that means the first page of a list whose default are page numbers. */
export function isStartCursor(text: string, list: CursorListIdentity): boolean {
  return text === printPageCursor(hashCursorListIdentity(list), 'start')
}

/** Reads a cursor. Throws `query.page` if it belongs to another list or order. */
export function readPageCursor(text: string, name: CursorParameterName, list: CursorListIdentity): CursorPosition {
  const fingerprint = hashCursorListIdentity(list)
  const [found, ...values] = parse(text)
  if (found === fingerprint && values.length === 0) return 'end'
  const position = values.filter((value) => typeof value === 'string' || value === null)
  const isValid =
    found === fingerprint && matchesSort(position, list) && printPageCursor(fingerprint, position) === text
  if (isValid) return position
  const issue = { position: 0, expected: 'a cursor of this collection in this order', found: quoteAndTruncate(text) }
  throw new JsonApiError([toQueryParameterErrorDetails('query.page', { parameter: `page[${name}]`, text }, issue)])
}

function matchesSort(position: readonly (string | null)[], { sort, type }: CursorListIdentity): boolean {
  return position.length === sort.length && sort.every((key, index) => isValidCursorValue(position[index], key, type))
}

function parse(text: string): readonly unknown[] {
  try {
    const value: unknown = JSON.parse(Buffer.from(text, 'base64url').toString())
    return Array.isArray(value) ? value : []
  } catch {
    return []
  }
}

const FINGERPRINT_LENGTH = 8
