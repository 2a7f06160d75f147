import type { PageOptions } from '../../declarations/field-options'
import type { IsFieldHidden } from '../../graph/model/capabilities'
import type { ResourceType } from '../../graph/model/resource-graph'
import type { NumericPageParameterName } from '../tree/ast'
import { type RelationshipChain, relationshipPathKey } from '../tree/path'
import { parseRelationshipPathEndingInToMany } from './parse-relationship-path-ending-in-to-many'
import { mapCollectingSyntaxIssues, QuerySyntaxError, quoteAndTruncate } from './query-syntax-error'
import { rangesOfQueryListElements, type TextRange } from './token-cursor'

/** The size or number of the page of one collection. */
export interface PageSizeOrNumberOfCollection {
  /** Empty: the primary data. */
  readonly path: RelationshipChain
  readonly value: number
  /** The position of the number. */
  readonly position: number
  /** The page options of the collection. */
  readonly limits: PageOptions
}

/** Page : CollectionPageParameter { ',' CollectionPageParameter }; each collection once. Elements for collections without pages are ignored. */
export function parsePageParameterPerCollection(
  text: string,
  part: NumericPageParameterName,
  type: ResourceType,
  limits: PageOptions | false,
  isHidden: IsFieldHidden,
): readonly PageSizeOrNumberOfCollection[] {
  const seen = new Set<string>()
  const elements = mapCollectingSyntaxIssues(rangesOfQueryListElements(text), ([start, end]) => {
    const read = pageElementsAt(text, [start, end], part, { path: [], type, limits, isHidden })
    if (!read.every(({ path }) => seen.size < seen.add(relationshipPathKey(path)).size)) {
      const found = `another in ${quoteAndTruncate(text.slice(start, end))}`
      throw new QuerySyntaxError({ position: start, expected: `one ${part} for each collection`, found })
    }
    return read
  })
  return elements.flat()
}

/** PageCursor : characters of base64url. Returns the text as it is; `readPageCursor` decodes it. */
export function assertPageCursorCharacters(text: string): string {
  const position = text.search(/[^\w-]|$/)
  if (text !== '' && position === text.length) return text
  throw new QuerySyntaxError({
    position,
    expected: 'a cursor from a link of this collection',
    found: text === '' ? 'the end' : quoteAndTruncate(text),
  })
}

/** Refuses a page number whose offset is not a safe integer. */
export function assertPageOffsetIsSafeInteger(
  number: PageSizeOrNumberOfCollection,
  size: PageSizeOrNumberOfCollection | undefined,
): void {
  const { limits, value, position } = number
  const rows = size?.value ?? limits.size
  if (rows === null || Number.isSafeInteger((value - 1) * rows)) return
  const greatest = Math.floor(Number.MAX_SAFE_INTEGER / rows) + 1
  throw new QuerySyntaxError({
    position,
    expected: `a page number from 1 to ${greatest}`,
    found: quoteAndTruncate(`${value}`),
  })
}

interface PagedCollection {
  readonly path: RelationshipChain
  readonly limits: PageOptions | false
}

interface PrimaryPaging extends PagedCollection {
  readonly type: ResourceType
  readonly isHidden: IsFieldHidden
}

/** CollectionPageParameter : [ RelationshipPathEndingInToMany ':' ] integer; a path can mean relationships of several derived types. */
function pageElementsAt(
  text: string,
  [start, end]: TextRange,
  part: NumericPageParameterName,
  primary: PrimaryPaging,
): readonly PageSizeOrNumberOfCollection[] {
  const colon = text.slice(start, end).lastIndexOf(':')
  const position = start + colon + 1
  const number = text.slice(position, end)
  const included = () =>
    parseRelationshipPathEndingInToMany(text, [start, start + colon], primary.type, primary.isHidden)
  const collections: readonly PagedCollection[] =
    colon === -1 ? [primary] : included().map(({ path, toMany }) => ({ path, limits: toMany.page }))
  return collections.flatMap(({ path, limits }) => {
    const value = numberAt(number, position, part, limits)
    return limits === false ? [] : [{ path, value, position, limits }]
  })
}

function numberAt(text: string, position: number, part: NumericPageParameterName, limits: PageOptions | false): number {
  const maximum = maximumOf(part, limits)
  const value = Number(text)
  if (INTEGER.test(text) && value >= 1 && value <= maximum) return value
  const found = text === '' ? 'the end' : quoteAndTruncate(text)
  const issue = { position, expected: `a page ${part} from 1 to ${maximum}`, found }
  const isOverSize = part === 'size' && limits !== false && limits.maxSize !== null && value > maximum
  throw new QuerySyntaxError(isOverSize && INTEGER.test(text) ? { ...issue, maxPageSize: maximum } : issue)
}

function maximumOf(part: NumericPageParameterName, limits: PageOptions | false): number {
  const maximum = limits === false ? null : limits[part === 'size' ? 'maxSize' : 'maxNumber']
  return maximum ?? Number.MAX_SAFE_INTEGER
}

const INTEGER = /^\d+$/
