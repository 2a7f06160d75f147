import { JsonApiError } from '../errors/json-api-error'
import type { Relationship } from '../graph/model/resource-graph'
import { planRelationship, type SourceResource } from '../plan/plan-read'
import type { ReadRules } from '../plan/read-rules'
import { parseRelationshipQuery } from '../query/parse-query'
import type { RelationshipQuery } from '../query/tree/ast'
import { printParameters, toPair, toParameters } from '../response/query-string'
import type { ReadResult, ResultRow } from '../store/read-result'
import type { Api } from './api'
import type { WriteContext } from './find-related'
import { toRevisionToken } from './revisions'

/** A page of a relationship, as its parameters name it; `''`: the page that comes without any. */
type PageName = string

/**
 * What stands for the state of a relationship in an ETag: that of its left row, where the key lies there. Else a hash of the page that is shown
 * and, unless it comes without parameters, the name of that page, so that a write can read it again. `undefined`: the name is too long.
 */
export function linkageRevisionToken(
  row: ResultRow,
  relationship: Relationship,
  { name, result }: { readonly name: PageName; readonly result: ReadResult },
  rules: ReadRules,
  api: Api,
): string | undefined {
  if (api.store.isStoredInRow(relationship)) return toRevisionToken(row, rules, api)
  if (name.length > MAX_NAME_LENGTH) return undefined
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
  writeContext: Pick<WriteContext, 'transaction' | 'rules'>,
  api: Api,
): Promise<boolean> {
  const names = new Set([...tokens].map((token) => token.split(SEPARATOR)[1] ?? ''))
  for (const encoded of [...names].slice(0, MAX_PAGES)) {
    const query = readPageName(Buffer.from(encoded, 'base64url').toString(), relationship, api, writeContext.rules)
    if (query === undefined) continue
    const plan = planRelationship(row, relationship, query, writeContext.rules)
    const result = await writeContext.transaction.lockPage({ ...plan, total: false })
    const hash = result && hashOf(row, relationship, result, writeContext.rules, api)
    if (hash !== undefined && tokens.has(encoded === '' ? hash : `${hash}${SEPARATOR}${encoded}`)) return true
  }
  return false
}

/** It comes from a client, who may have made it up. */
function readPageName(
  name: PageName,
  relationship: Relationship,
  { graph, options: general }: Api,
  { isHidden }: ReadRules,
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
  { type, id }: SourceResource & ResultRow,
  { name }: Relationship,
  result: ReadResult,
  rules: ReadRules,
  api: Api,
): string | undefined {
  const text = JSON.stringify([name, id, result.hasMore, ...result.rows.map((row) => row.id)])
  return toRevisionToken({ type, state: { kind: 'values', textOf: () => text } }, rules, api)
}

const PAGINATIONS = ['numbers', 'cursors'] as const

/** Not in base64url, and not where proxies add something. */
const SEPARATOR = '~'

/** Headers are of some thousand characters at most. */
const MAX_NAME_LENGTH = 1000

/** How many pages one `If-Match` may name: each takes a statement. */
const MAX_PAGES = 5
