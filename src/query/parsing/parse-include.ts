import { NO_FIELD_HIDDEN_PREDICATE } from '../../graph/model/capabilities'
import { findOwnOrDerivedFields } from '../../graph/model/inheritance'
import type { Relationship, ResourceGraph, ResourceType } from '../../graph/model/resource-graph'
import type { RelationshipPathWithSourceTypes } from '../tree/path'
import { fieldAllowsUse, formatDisallowedField, parseUnresolvedPathSegmentAt } from './field-lookup'
import { QuerySyntaxError, quoteAndTruncate } from './query-syntax-error'
import { parseAndResolveRelationshipPathAt, type RelationshipPathMatches } from './relationship-path'
import { parseList, type QueryTokenCursor } from './token-cursor'

/**
 * Include : [ RelationshipPath { ',' RelationshipPath } ]
 *
 * Returns all paths, including those to intermediate resources.
 */
export function parseAndResolveIncludePaths(
  text: string,
  type: ResourceType,
  maximumDepth: number | null,
  isHidden = NO_FIELD_HIDDEN_PREDICATE,
): readonly RelationshipPathWithSourceTypes[] {
  if (text === '') return []
  return parseList(text, (cursor) =>
    pathsOf(parseAndResolveRelationshipPathAt(cursor, type, maximumDepth, isHidden)),
  ).flat()
}

/**
 * RelationshipInclude : [ RelationshipOwnPath { ',' RelationshipOwnPath } ]
 * RelationshipOwnPath : relationship [ '.' RelationshipPath ]
 *
 * At a relationship endpoint, paths start with the name of the relationship. The returned paths leave that name out.
 * https://jsonapi.org/format/1.1/#fetching-includes
 */
export function parseRelationshipEndpointIncludes(
  text: string,
  relationship: Relationship,
  graph: ResourceGraph,
  maximumDepth: number | null,
  isHidden = NO_FIELD_HIDDEN_PREDICATE,
): readonly RelationshipPathWithSourceTypes[] {
  if (text === '') return []
  const paths = parseList(text, (cursor): readonly RelationshipPathWithSourceTypes[] => {
    ownNameAt(cursor, relationship, graph)
    if (!cursor.skip('.')) return [[]]
    return [[], ...pathsOf(parseAndResolveRelationshipPathAt(cursor, relationship.target, maximumDepth, isHidden))]
  })
  return paths.flat()
}

function pathsOf({ all }: RelationshipPathMatches): readonly RelationshipPathWithSourceTypes[] {
  return all.map(({ path }) => path)
}

function ownNameAt(cursor: QueryTokenCursor, relationship: Relationship, graph: ResourceGraph): void {
  const expected = `the relationship ${quoteAndTruncate(relationship.name)}`
  const { branch, name, start } = parseUnresolvedPathSegmentAt(cursor, 'include', () => expected)
  const type = branch === '' ? relationship.declaringType : graph.types.get(branch)
  if (type !== undefined && findOwnOrDerivedFields(type, name.text).includes(relationship)) {
    if (fieldAllowsUse(relationship, 'include')) return
    throw new QuerySyntaxError({
      position: start,
      expected: 'another relationship endpoint',
      found: formatDisallowedField(relationship, 'include'),
    })
  }
  const found = quoteAndTruncate(branch === '' ? name.text : `${branch}:${name.text}`)
  throw new QuerySyntaxError({ position: start, expected, found })
}
