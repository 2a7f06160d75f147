import { didYouMean } from '../../errors/nearest-name'
import type { IsHidden } from '../../graph/model/capabilities'
import { type Field, isRelationship, type Relationship, type ResourceType } from '../../graph/model/resource-graph'
import type { TypedRelationshipPath } from '../tree/path'
import {
  type FieldLookupOptions,
  type FoundField,
  findBranchType,
  formatDisallowedField,
  formatField,
  formatTypesInScope,
  hasCapabilityFor,
  lookUpFields,
  namesOfFittingFields,
  type PathSegment,
  pathSegmentAt,
  unknownBranchError,
} from './field-lookup'
import { formatQuoted, QuerySyntaxError } from './query-syntax-error'
import type { TokenCursor } from './token-cursor'

/** A path and the type that it leads to. */
interface ResolvedPath {
  readonly path: TypedRelationshipPath
  /** The type of the resources at the end of the path. */
  readonly type: ResourceType
}

/** The paths of all names of a path, and of the last name alone. */
export interface ResolvedPaths {
  readonly last: readonly ResolvedPath[]
  readonly all: readonly ResolvedPath[]
}

/**
 * RelationshipPath : Segment { '.' Segment }
 *
 * A name means the relationships of all derived types that have it, so a path can resolve to several. It is enough that
 * one of them continues with the next name; the others end.
 */
export function relationshipPathsAt(
  cursor: TokenCursor,
  start: ResourceType,
  maximumDepth: number | null,
  isHidden: IsHidden,
): ResolvedPaths {
  const lookup = { use: 'include', isHidden } as const
  const { start: position } = cursor.peek()
  const all: ResolvedPath[] = []
  let last: readonly ResolvedPath[] = [{ path: [], type: start }]
  let depth = 0
  do {
    if (depth === maximumDepth) throw tooMany(position, `${maximumDepth} relationships in a path`)
    last = nextPathsAt(cursor, last, lookup)
    all.push(...last)
    if (all.length > MAX_PATHS) throw tooMany(position, `${MAX_PATHS} places that a path leads to`)
    depth += 1
  } while (cursor.skip('.'))
  return { last, all }
}

/** Resolves the next name of a path. */
function nextPathsAt(
  cursor: TokenCursor,
  places: readonly ResolvedPath[],
  lookup: FieldLookupOptions,
): readonly ResolvedPath[] {
  const scopes = typesOf(places)
  const segment = pathSegmentAt(cursor, 'include', () => describeExpected(scopes))
  const branches = places.flatMap(({ path, type: scope }) => {
    const type = findBranchType(segment, scope)
    return type === undefined ? [] : [{ path, type }]
  })
  if (branches.length === 0) throw unknownBranchError(segment, scopes)
  const next = branches.flatMap((place) => stepsFrom(place, segment, lookup))
  if (next.length === 0) throw noRelationship(segment, branches, lookup)
  return next
}

function stepsFrom(
  { path, type }: ResolvedPath,
  { name }: PathSegment,
  lookup: FieldLookupOptions,
): readonly ResolvedPath[] {
  return lookUpFields(type, name.text, lookup)
    .filter((found): found is FoundField<Relationship> => isRelationship(found.field))
    .filter(({ field }) => hasCapabilityFor(field, 'include'))
    .map(({ field, type: from }) => ({ path: [...path, { relationship: field, from }], type: field.target }))
}

function noRelationship(
  { name }: PathSegment,
  places: readonly ResolvedPath[],
  lookup: FieldLookupOptions,
): QuerySyntaxError {
  const types = typesOf(places)
  const fields = types.flatMap((type) => lookUpFields(type, name.text, lookup)).map(({ field }) => field)
  const known = types.flatMap((type) => namesOfFittingFields(isRelationship, type, lookup))
  return new QuerySyntaxError({
    position: name.start,
    expected: describeExpected(types),
    found: showUnfit(name.text, fields),
    hint: fields.length === 0 ? didYouMean(name.text, known) : '',
  })
}

/** Describes what was found in place of a relationship that can be included. */
function showUnfit(name: string, fields: readonly Field[]): string {
  const refused = fields.find(isRelationship)
  if (refused !== undefined) return formatDisallowedField(refused, 'include')
  return fields[0] === undefined ? formatQuoted(name) : formatField(fields[0])
}

function describeExpected(scopes: readonly ResourceType[]): string {
  return `a relationship of ${formatTypesInScope(scopes, 'include')}`
}

function typesOf(places: readonly ResolvedPath[]): readonly ResourceType[] {
  return [...new Set(places.map((place) => place.type))]
}

function tooMany(position: number, limit: string): QuerySyntaxError {
  return new QuerySyntaxError({ position, expected: `at most ${limit}`, found: 'more' })
}

/** Names that several derived types have multiply the paths at every step. */
const MAX_PATHS = 1000
