import { didYouMean } from '../../errors/nearest-name'
import type { IsFieldHidden } from '../../graph/model/capabilities'
import { type Field, isRelationship, type Relationship, type ResourceType } from '../../graph/model/resource-graph'
import type { RelationshipPathWithSourceTypes } from '../tree/path'
import {
  allowedFieldNamesMatching,
  dotAfterTypeHint,
  type FieldLookupOptions,
  type FoundField,
  fieldAllowsUse,
  findFieldsNamed,
  formatDisallowedField,
  formatFieldWithKind,
  formatTypesInScope,
  type ParsedFieldPathSegment,
  parseUnresolvedPathSegmentAt,
  resolveTypePrefixOfPathSegment,
  unknownTypeInFieldPathError,
} from './field-lookup'
import { QuerySyntaxError, quoteAndTruncate } from './query-syntax-error'
import type { QueryTokenCursor } from './token-cursor'

/** A path and the type that it leads to. */
interface ResolvedPath {
  readonly path: RelationshipPathWithSourceTypes
  /** The type of the resources at the end of the path. */
  readonly type: ResourceType
}

/** The paths of all names of a path, and of the last name alone. */
export interface RelationshipPathMatches {
  readonly last: readonly ResolvedPath[]
  readonly all: readonly ResolvedPath[]
}

/**
 * RelationshipPath : Segment { '.' Segment }
 *
 * A name means the relationships of all derived types that have it, so a path can resolve to several. Those without the next name end
 * there; at least one must have it.
 */
export function parseAndResolveRelationshipPathAt(
  cursor: QueryTokenCursor,
  start: ResourceType,
  maximumDepth: number | null,
  isHidden: IsFieldHidden,
): RelationshipPathMatches {
  const lookup = { use: 'include', isHidden } as const
  const { start: position } = cursor.peek()
  const all: ResolvedPath[] = []
  let last: readonly ResolvedPath[] = [{ path: [], type: start }]
  let depth = 0
  do {
    if (depth === maximumDepth) throw limitExceededError(position, `${maximumDepth} relationships in a path`)
    last = nextPathsAt(cursor, last, lookup)
    all.push(...last)
    if (all.length > MAX_PATHS) throw limitExceededError(position, `${MAX_PATHS} matches of a path`)
    depth += 1
  } while (cursor.skip('.'))
  return { last, all }
}

/** Resolves the next name of a path. */
function nextPathsAt(
  cursor: QueryTokenCursor,
  paths: readonly ResolvedPath[],
  lookup: FieldLookupOptions,
): readonly ResolvedPath[] {
  const scopes = typesOf(paths)
  const segment = parseUnresolvedPathSegmentAt(cursor, 'include', () => describeExpected(scopes))
  const branches = paths.flatMap(({ path, type: scope }) => {
    const type = resolveTypePrefixOfPathSegment(segment, scope)
    return type === undefined ? [] : [{ path, type }]
  })
  if (branches.length === 0) throw unknownTypeInFieldPathError(segment, scopes)
  const next = branches.flatMap((resolved) => stepsFrom(resolved, segment, lookup))
  if (next.length === 0) throw unknownRelationshipError(cursor, segment, branches, lookup)
  return next
}

function stepsFrom(
  { path, type }: ResolvedPath,
  { name }: ParsedFieldPathSegment,
  lookup: FieldLookupOptions,
): readonly ResolvedPath[] {
  return findFieldsNamed(type, name.text, lookup)
    .filter((found): found is FoundField<Relationship> => isRelationship(found.field))
    .filter(({ field }) => fieldAllowsUse(field, 'include'))
    .map(({ field, type: from }) => ({ path: [...path, { relationship: field, from }], type: field.target }))
}

function unknownRelationshipError(
  cursor: QueryTokenCursor,
  segment: ParsedFieldPathSegment,
  paths: readonly ResolvedPath[],
  lookup: FieldLookupOptions,
): QuerySyntaxError {
  const { name } = segment
  const types = typesOf(paths)
  const fields = types.flatMap((type) => findFieldsNamed(type, name.text, lookup)).map(({ field }) => field)
  const known = types.flatMap((type) => allowedFieldNamesMatching(isRelationship, type, lookup))
  return new QuerySyntaxError({
    position: name.start,
    expected: describeExpected(types),
    found: describeUnsuitable(name.text, fields),
    hint:
      fields.length === 0 ? dotAfterTypeHint(cursor, segment, types, lookup.use) || didYouMean(name.text, known) : '',
  })
}

/** Describes what was found in place of a relationship that can be included. */
function describeUnsuitable(name: string, fields: readonly Field[]): string {
  const disallowed = fields.find(isRelationship)
  if (disallowed !== undefined) return formatDisallowedField(disallowed, 'include')
  return fields[0] === undefined ? quoteAndTruncate(name) : formatFieldWithKind(fields[0])
}

function describeExpected(scopes: readonly ResourceType[]): string {
  return `a relationship of ${formatTypesInScope(scopes, 'include')}`
}

function typesOf(paths: readonly ResolvedPath[]): readonly ResourceType[] {
  return [...new Set(paths.map((resolved) => resolved.type))]
}

function limitExceededError(position: number, limit: string): QuerySyntaxError {
  return new QuerySyntaxError({ position, expected: `at most ${limit}`, found: 'more' })
}

/** Limits the paths of one text: a name that several derived types have multiplies them at every step. */
const MAX_PATHS = 1000
