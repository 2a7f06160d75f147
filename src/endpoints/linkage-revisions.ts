import { PAGINATION_KINDS } from '../declarations/field-options'
import { JsonApiError } from '../errors/json-api-error'
import type { Relationship } from '../graph/model/resource-graph'
import { planLinkageRead, type SourceResource } from '../plan/plan-read'
import type { ReadPlan } from '../plan/read-plan'
import { parseRelationshipEndpointQuery } from '../query/parse-query'
import type { RelationshipEndpointQuery } from '../query/tree/ast'
import {
  type LinkQueryParameters,
  printLinkQueryParameters,
  toLinkQueryParameter,
} from '../response/link-query-parameters'
import type { ReadResult, ResourceRow } from '../store/read-result'
import { assertCostWithRuleFilters, relationshipCostInputBesidesQuery } from './check-cost'
import type { RequestScope, WriteContext } from './request-scope'
import { toRevisionToken } from './revisions'

/** The query parameters that select a page of a relationship; `''` without any. */
type RowSelection = string

/**
 * Returns the token of a relationship's revision in an ETag. It is the token of the source row if that row holds the key. Otherwise it is a
 * hash of the page, with the name of the page, so that a write can read the page again. `undefined` if the name is too long.
 */
export function linkageRevisionToken(
  row: ResourceRow,
  relationship: Relationship,
  { name, result }: { readonly name: RowSelection; readonly result: ReadResult },
  scope: RequestScope,
): string | undefined {
  if (scope.store.isStoredInRow(relationship)) return toRevisionToken(row, scope)
  if (name.length > MAX_NAME_LENGTH) return undefined
  const hash = hashOf(row, relationship, result, scope)
  return name === '' ? hash : `${hash}${SEPARATOR}${Buffer.from(name).toString('base64url')}`
}

/** Returns the parameters that select the rows of a page and their order. */
export function printRowSelectingQueryParameters(
  sent: LinkQueryParameters,
  { page: { negotiatedPagination } }: RelationshipEndpointQuery,
): RowSelection {
  const pairs = sent.pairs.flatMap(({ name, value }) => {
    // `filter[name]` can be a filter by field. A filter of included resources changes nothing here, because nothing is included.
    if (name === 'sort' || name.split('[')[0] === 'filter') return [toLinkQueryParameter(name, value)]
    // Elements with a path apply to included resources.
    const own = value.split(',').filter((element) => !element.includes(':'))
    return name.startsWith('page[') && own.length > 0 ? [toLinkQueryParameter(name, own.join())] : []
  })
  return `${negotiatedPagination ?? ''}${printLinkQueryParameters({ pairs })}`
}

/** Returns true if a page of a locked row's relationship is at one of the revisions with these tokens. */
export async function linkageMatchesRevisionTokens(
  tokens: ReadonlySet<string>,
  row: ResourceRow,
  relationship: Relationship,
  { scope, transaction }: WriteContext,
): Promise<boolean> {
  const names = new Set([...tokens].map((token) => token.split(SEPARATOR)[1] ?? ''))
  for (const encoded of [...names].slice(0, MAX_PAGES)) {
    const plan = planRowSelection(Buffer.from(encoded, 'base64url').toString(), row, relationship, scope)
    if (plan === undefined) continue
    const result = await transaction.lockPage({ ...plan, total: false })
    const hash = result && hashOf(row, relationship, result, scope)
    if (hash !== undefined && tokens.has(encoded === '' ? hash : `${hash}${SEPARATOR}${encoded}`)) return true
  }
  return false
}

/** Plans to read the page with a name. Returns `undefined` for an invalid name or one that costs too much, because clients can send any text in an ETag. */
function planRowSelection(
  name: RowSelection,
  row: ResourceRow,
  relationship: Relationship,
  scope: RequestScope,
): ReadPlan | undefined {
  const {
    core: { graph, options: general },
    rules,
  } = scope
  const options = { ...general, isHidden: rules.isHidden }
  const [paginationName, ...queryString] = name.split('?')
  const pagination = PAGINATION_KINDS.find((each) => each === paginationName)
  if (pagination === undefined && paginationName !== '') return undefined
  const parsingOptions = pagination === undefined ? options : { ...options, negotiatedPagination: pagination }
  try {
    const query = parseRelationshipEndpointQuery(queryString.join('?'), relationship, graph, parsingOptions)
    assertCostWithRuleFilters(query, relationshipCostInputBesidesQuery(relationship, rules), scope)
    return planLinkageRead(row, relationship, query, rules)
  } catch (error) {
    if (error instanceof JsonApiError) return undefined
    throw error
  }
}

function hashOf(
  { type, id }: SourceResource & ResourceRow,
  { name }: Relationship,
  result: ReadResult,
  scope: RequestScope,
): string | undefined {
  const text = JSON.stringify([name, id, result.hasMore, ...result.rows.map((row) => row.id)])
  return toRevisionToken({ type, revisionSource: { kind: 'values', textOf: () => text } }, scope)
}

/** Separates the hash from the name of the page. Occurs neither in base64url nor in the suffixes that proxies append. */
const SEPARATOR = '~'

/** Proxies limit headers to some thousand characters. */
const MAX_NAME_LENGTH = 1000

/** Each page in an `If-Match` takes one statement. */
const MAX_PAGES = 5
