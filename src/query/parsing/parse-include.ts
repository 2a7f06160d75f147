import { didYouMean } from '../../errors/nearest-name'
import { NOTHING_HIDDEN } from '../../graph/model/capabilities'
import { findFields } from '../../graph/model/inheritance'
import type { Relationship, ResourceGraph, ResourceType } from '../../graph/model/resource-graph'
import type { TypedRelationshipPath } from '../tree/path'
import { fieldAllowsUse, formatDisallowedField, parsePathSegmentAt } from './field-lookup'
import { formatQuoted, QuerySyntaxError } from './query-syntax-error'
import { parseRelationshipPathsAt, type RelationshipPathMatches } from './relationship-path'
import { parseList, type TokenCursor } from './token-cursor'

/**
 * Include : [ RelationshipPath { ',' RelationshipPath } ]
 *
 * Returns all paths, including those to intermediate resources.
 */
export function parseIncludePaths(
  text: string,
  type: ResourceType,
  maximumDepth: number | null,
  isHidden = NOTHING_HIDDEN,
): readonly TypedRelationshipPath[] {
  if (text === '') return []
  return parseList(text, (cursor) => pathsOf(parseRelationshipPathsAt(cursor, type, maximumDepth, isHidden))).flat()
}

/**
 * RelationshipInclude : [ RelationshipOwnPath { ',' RelationshipOwnPath } ]
 * RelationshipOwnPath : relationship [ '.' RelationshipPath ]
 *
 * At a relationship endpoint, paths start with the name of the relationship. The returned paths leave that name out.
 * https://jsonapi.org/format/1.1/#fetching-includes
 */
export function parseRelationshipIncludePaths(
  text: string,
  relationship: Relationship,
  graph: ResourceGraph,
  maximumDepth: number | null,
  isHidden = NOTHING_HIDDEN,
): readonly TypedRelationshipPath[] {
  if (text === '') return []
  const paths = parseList(text, (cursor): readonly TypedRelationshipPath[] => {
    ownNameAt(cursor, relationship, graph)
    if (!cursor.skip('.')) return [[]]
    return [[], ...pathsOf(parseRelationshipPathsAt(cursor, relationship.target, maximumDepth, isHidden))]
  })
  return paths.flat()
}

function pathsOf({ all }: RelationshipPathMatches): readonly TypedRelationshipPath[] {
  return all.map(({ path }) => path)
}

function ownNameAt(cursor: TokenCursor, relationship: Relationship, graph: ResourceGraph): void {
  const expected = `the relationship ${formatQuoted(relationship.name)}`
  const { branch, name, start } = parsePathSegmentAt(cursor, 'include', () => expected)
  const type = branch === '' ? relationship.declaringType : graph.types.get(branch)
  if (type !== undefined && findFields(type, name.text).includes(relationship)) {
    if (fieldAllowsUse(relationship, 'include')) return
    throw new QuerySyntaxError({
      position: start,
      expected: 'another relationship endpoint',
      found: formatDisallowedField(relationship, 'include'),
    })
  }
  const found = formatQuoted(branch === '' ? name.text : `${branch}:${name.text}`)
  throw new QuerySyntaxError({ position: start, expected, found, hint: didYouMean(name.text, [relationship.name]) })
}
