import type { IsFieldHidden } from '../../graph/model/capabilities'
import type { Field, ResourceType, ToManyRelationship } from '../../graph/model/resource-graph'
import type { RelationshipChain } from '../tree/path'
import { findFieldsNamed, formatTypesInScope, resolveTypePrefixOfPathSegment } from './field-lookup'
import { QuerySyntaxError } from './query-syntax-error'
import { parseAndResolveRelationshipPathAt } from './relationship-path'
import { QueryTokenCursor, type TextRange } from './token-cursor'

/** A path to a collection of included resources. One text can mean several paths. */
export interface RelationshipPathEndingInToMany {
  readonly path: RelationshipChain
  /** The last relationship of the path. */
  readonly toMany: ToManyRelationship
}

/** RelationshipPathEndingInToMany : { relationship '.' } toMany; from `start` to `end` of a text. */
export function parseRelationshipPathEndingInToMany(
  text: string,
  [start, end]: TextRange,
  type: ResourceType,
  isHidden: IsFieldHidden,
): readonly RelationshipPathEndingInToMany[] {
  const cursor = new QueryTokenCursor(text, start, end)
  const { last } = parseAndResolveRelationshipPathAt(cursor, type, null, isHidden)
  cursor.expectEnd()
  const paths = last.flatMap(({ path }): readonly RelationshipPathEndingInToMany[] => {
    const relationships = path.map(({ relationship }) => relationship)
    const relationship = relationships.at(-1)
    return relationship?.kind === 'toMany' ? [{ path: relationships, toMany: relationship }] : []
  })
  if (paths.length > 0) return paths
  const targets = [...new Set(last.map((place) => place.type))]
  const expected = `'.' and a to-many relationship of ${formatTypesInScope(targets, 'include')}`
  throw new QuerySyntaxError({ position: end, expected, found: 'a path that ends in a to-one relationship' })
}

/**
 * Returns true if a name in brackets can mean a to-many relationship of the type or a derived type. Such a name is the scope of a filter, not
 * a field to filter by.
 */
export function isPathEndingInToMany(
  text: string,
  [start, end]: TextRange,
  type: ResourceType,
  isHidden: IsFieldHidden,
): boolean {
  let types: readonly ResourceType[] = [type]
  let fields: readonly Field[] = []
  for (const segment of text.slice(start, end).split('.')) {
    const [name = '', branch = ''] = segment.split(':').reverse()
    fields = types
      .flatMap((each) => resolveTypePrefixOfPathSegment({ branch }, each) ?? [])
      .flatMap((each) => findFieldsNamed(each, name, { use: 'include', isHidden }))
      .map(({ field }) => field)
    types = [...new Set(fields.flatMap((field) => (field.kind === 'attribute' ? [] : [field.target])))]
  }
  return fields.some(({ kind }) => kind === 'toMany')
}
