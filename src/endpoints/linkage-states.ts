import { JsonApiError } from '../errors/json-api-error'
import type { Relationship } from '../graph/resource-graph'
import { type LeftEnd, planRelationship } from '../plan/plan-read'
import type { ReadingRules } from '../plan/reading-rules'
import type { RelationshipQuery } from '../query/ast'
import { parseRelationshipQuery } from '../query/parse-query'
import { printParameters, toPair, toParameters } from '../response/query-string'
import type { ReadResult, ResultRow } from '../store/read-result'
import type { Api } from './api'
import type { Looking } from './find-rights'
import { toToken } from './states'

/** A page of a relationship, as its parameters name it; `''`: the page that comes without any. */
type PageName = string

/**
 * What stands for the state of a relationship in an ETag: that of its left row, where the key lies there. Else a hash of the page that is shown
 * and, unless it comes without parameters, the name of that page, so that a write can read it again. `undefined`: the name is too long.
 */
export function linkageToken(
  row: ResultRow,
  relationship: Relationship,
  { name, result }: { readonly name: PageName; readonly result: ReadResult },
  rules: ReadingRules,
  api: Api,
): string | undefined {
  if (api.store.isKeptInRow(relationship)) return toToken(row, rules, api)
  if (name.length > LONGEST_NAME) return undefined
  const hash = hashOf(row, relationship, result, rules, api)
  return name === '' ? hash : `${hash}${SEPARATOR}${Buffer.from(name).toString('base64url')}`
}

/** The page that a query asks for: which rows, in which order. */
export function pageNameOf(queryString: string, { page: { wanted } }: RelationshipQuery): PageName {
  const pairs = toParameters(queryString).pairs.flatMap(({ name, value }) => {
    if (name === 'filter' || name === 'sort') return [toPair(name, value)]
    // Elements with a path are for what is included.
    const own = value.split(',').filter((element) => !element.includes(':'))
    return name.startsWith('page[') && own.length > 0 ? [toPair(name, own.join())] : []
  })
  return `${wanted ?? ''}${printParameters({ pairs })}`
}

/** Whether a row that is locked has a relationship of which one of the pages is as one of the tokens says. */
export async function isLinkageUnchanged(
  tokens: ReadonlySet<string>,
  row: ResultRow,
  relationship: Relationship,
  looking: Pick<Looking, 'transaction' | 'rules'>,
  api: Api,
): Promise<boolean> {
  const names = new Set([...tokens].map((token) => token.split(SEPARATOR)[1] ?? ''))
  for (const encoded of [...names].slice(0, MOST_PAGES)) {
    const query = readPageName(Buffer.from(encoded, 'base64url').toString(), relationship, api, looking.rules)
    if (query === undefined) continue
    const plan = planRelationship(row, relationship, query, looking.rules)
    const result = await looking.transaction.holdPage({ ...plan, total: 'off' })
    const hash = result && hashOf(row, relationship, result, looking.rules, api)
    if (hash !== undefined && tokens.has(encoded === '' ? hash : `${hash}${SEPARATOR}${encoded}`)) return true
  }
  return false
}

/** It comes from a client, who may have made it up. */
function readPageName(
  name: PageName,
  relationship: Relationship,
  { graph, options: general }: Api,
  { isHidden }: ReadingRules,
): RelationshipQuery | undefined {
  const options = { ...general, isHidden }
  const [wanted, ...queryString] = name.split('?')
  const pagination = PAGINATIONS.find((each) => each === wanted)
  if (pagination === undefined && wanted !== '') return undefined
  const reading = pagination === undefined ? options : { ...options, wanted: pagination }
  try {
    return parseRelationshipQuery(queryString.join('?'), relationship, graph, reading)
  } catch (error) {
    if (error instanceof JsonApiError) return undefined
    throw error
  }
}

function hashOf(
  { type, id }: LeftEnd & ResultRow,
  { name }: Relationship,
  result: ReadResult,
  rules: ReadingRules,
  api: Api,
): string | undefined {
  const text = JSON.stringify([name, id, result.hasMore, ...result.rows.map((row) => row.id)])
  return toToken({ type, state: { kind: 'values', textOf: () => text } }, rules, api)
}

const PAGINATIONS = ['numbers', 'cursors'] as const

/** Not in base64url, and not where proxies add something. */
const SEPARATOR = '~'

/** Headers are of some thousand characters at most. */
const LONGEST_NAME = 1000

/** How many pages one `If-Match` may name: each takes a statement. */
const MOST_PAGES = 5
