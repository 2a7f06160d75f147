import { createListWithOneFindingAtPointer, type Finding } from './exchange'
import { appendToPointer, formatForMessage, isObject, type UnknownObject } from './json'
import { PAGE_LINKS } from './lint-links'
import type { ParsedExchange } from './parsed-exchange'
import type { RequirementId } from './requirements'
import { relationshipObjectEntries, resourceObjectsInDocument } from './resources'

const CURSOR_PAGINATION = 'https://jsonapi.org/profiles/ethanresnick/cursor-pagination'

/** Checks the Cursor Pagination profile. https://jsonapi.org/profiles/ethanresnick/cursor-pagination/ */
export function lintDocumentAgainstCursorPagination(
  document: UnknownObject,
  context: ParsedExchange,
): readonly Finding[] {
  const errors = Array.isArray(document.errors) ? document.errors.filter(isObject) : []
  const isApplied = context.profiles.some(
    (uri) => uri.replace(/^http:/, 'https:').replace(/\/$/, '') === CURSOR_PAGINATION,
  )
  return [
    ...errors.flatMap((error, index) => lintError(error, appendToPointer('/errors', index), isApplied)),
    ...(isApplied ? lintPages(document) : []),
  ]
}

function lintPages(document: UnknownObject): readonly Finding[] {
  const { data, links, meta } = document
  return [
    ...lintCollection(meta, '/meta'),
    ...(Array.isArray(data) ? lintPair(links, '/links') : []),
    ...resourceObjectsInDocument(document).flatMap(({ object, pointer }) => [
      ...lintItem(object.meta, appendToPointer(pointer, 'meta')),
      ...relationshipObjectEntries(object).flatMap(([name, relationship]) =>
        lintPagedLinkage(relationship, appendToPointer(pointer, 'relationships', name)),
      ),
    ]),
  ]
}

function lintPagedLinkage({ data, links, meta }: UnknownObject, pointer: string): readonly Finding[] {
  return [
    ...lintCollection(meta, appendToPointer(pointer, 'meta')),
    ...(Array.isArray(data) ? lintPair(links, appendToPointer(pointer, 'links')) : []),
    ...(Array.isArray(data) ? data : []).flatMap((identifier: unknown, index) =>
      isObject(identifier) ? lintItem(identifier.meta, appendToPointer(pointer, 'data', index, 'meta')) : [],
    ),
  ]
}

/** A collection without both links may be unpaginated. */
function lintPair(links: unknown, pointer: string): readonly Finding[] {
  const found = isObject(links) ? PAGE_LINKS.filter((name) => links[name] !== undefined) : []
  if (found.length === 0 || (found.includes('prev') && found.includes('next'))) return []
  return createListWithOneFindingAtPointer(pointer, 'CP-21', `Expected prev and next, found ${found.join(', ')}.`)
}

function lintCollection(meta: unknown, pointer: string): readonly Finding[] {
  const page = isObject(meta) ? meta.page : undefined
  if (page === undefined) return []
  const pagePointer = appendToPointer(pointer, 'page')
  if (!isObject(page))
    return createListWithOneFindingAtPointer(
      pagePointer,
      'CP-19',
      `Expected an object, found ${formatForMessage(page)}.`,
    )
  const { total, estimatedTotal, rangeTruncated } = page
  return [
    ...(isWhole(total) ? [] : noTotal(appendToPointer(pagePointer, 'total'), total)),
    ...(estimatedTotal === undefined || (isObject(estimatedTotal) && isWhole(estimatedTotal.bestGuess))
      ? []
      : noTotal(appendToPointer(pagePointer, 'estimatedTotal'), estimatedTotal)),
    ...(rangeTruncated === undefined || typeof rangeTruncated === 'boolean'
      ? []
      : createListWithOneFindingAtPointer(
          appendToPointer(pagePointer, 'rangeTruncated'),
          'CP-18',
          `Expected true or false, found ${formatForMessage(rangeTruncated)}.`,
        )),
  ]
}

function isWhole(value: unknown): boolean {
  return value === undefined || Number.isInteger(value)
}

function noTotal(pointer: string, found: unknown): readonly Finding[] {
  return createListWithOneFindingAtPointer(
    pointer,
    'CP-26',
    `Expected an integer, or an object with one as bestGuess, found ${formatForMessage(found)}.`,
  )
}

function lintItem(meta: unknown, pointer: string): readonly Finding[] {
  const page = isObject(meta) ? meta.page : undefined
  if (page === undefined) return []
  const pagePointer = appendToPointer(pointer, 'page')
  if (!isObject(page))
    return createListWithOneFindingAtPointer(
      pagePointer,
      'CP-19',
      `Expected an object, found ${formatForMessage(page)}.`,
    )
  if (page.cursor === undefined || typeof page.cursor === 'string') return []
  return createListWithOneFindingAtPointer(
    appendToPointer(pagePointer, 'cursor'),
    'CP-20',
    `Expected a string, found ${formatForMessage(page.cursor)}.`,
  )
}

/** Errors of the profile are recognized by their `links.type`. */
function lintError(error: UnknownObject, pointer: string, isApplied: boolean): readonly Finding[] {
  const kind = kindOf(error)
  if (kind === undefined) return []
  const { status, source, meta } = error
  const parameter = isObject(source) ? source.parameter : undefined
  const page = isObject(meta) ? meta.page : undefined
  const found = formatForMessage({ status, parameter, page })
  const isBad = status === undefined || status === '400'
  const isSized = isBad && parameter === 'page[size]' && isObject(page) && Number.isInteger(page.maxSize)
  const breach = (isBroken: boolean, requirement: RequirementId, expected: string) =>
    isBroken ? createListWithOneFindingAtPointer(pointer, requirement, `Expected ${expected}, found ${found}.`) : []
  return [
    ...(isApplied
      ? []
      : createListWithOneFindingAtPointer(pointer, 'CP-1', 'Expected the profile in Content-Type, found none.')),
    ...breach(kind === 'unsupported-sort' && !(isBad && parameter === 'sort'), 'CP-27', 'a 400 of the parameter sort'),
    ...breach(kind === 'max-size-exceeded' && !isSized, 'CP-28', 'a 400 of page[size] with meta.page.maxSize'),
    ...breach(kind === 'range-pagination-not-supported' && !isBad, 'CP-30', 'a 400'),
  ]
}

function kindOf({ links }: UnknownObject): string | undefined {
  const type = isObject(links) ? links.type : undefined
  const url = isObject(type) ? type.href : type
  return typeof url === 'string' && url.startsWith(`${CURSOR_PAGINATION}/`)
    ? url.slice(CURSOR_PAGINATION.length + 1)
    : undefined
}
