import {
  createListWithOneFindingAtPointer,
  type Exchange,
  type Finding,
  formatFinding,
  type LintOptions,
} from './exchange'
import { formatForMessage, isObject } from './json'
import { lintCompoundDocument } from './lint-compound'
import { lintDocumentAgainstCursorPagination } from './lint-cursor-pagination-profile'
import { lintDocument } from './lint-document'
import { lintDocumentAgainstQuery } from './lint-document-against-query'
import { lintHeaders } from './lint-headers'
import { lintRecommendedLinks } from './lint-links'
import { type ParsedExchange, parseExchange } from './parsed-exchange'
import type { RequirementLevel } from './requirements'

/** Thrown for a response that violates JSON:API. */
export class LintError extends Error {
  override readonly name = 'LintError'
  readonly findings: readonly Finding[]

  constructor({ method, url, status }: Exchange, findings: readonly Finding[]) {
    super([`${method} ${url} -> ${status}`, ...findings.map(formatFinding)].join('\n  '))
    this.findings = findings
  }
}

/**
 * Returns all violations of JSON:API in an exchange.
 *
 * `lintExchange({ method: 'GET', url: '/men/1', status: 200, headers, body: '{"data":{"type":"men"}}' })` -> one finding, of RO-1: Expected a member
 * 'id', found none.
 */
export function lintExchange(exchange: Exchange, options: LintOptions = {}): readonly Finding[] {
  const context = parseExchange(exchange, options)
  const findings = [...context.unread, ...lintHeaders(context, options), ...lintBody(context, options)]
  return selectFindings(findings, options)
}

/** Returns the findings that the options select. */
export function selectFindings<Found extends Finding>(
  findings: readonly Found[],
  { level = 'should', ignore = [] }: LintOptions,
): readonly Found[] {
  return findings.filter((finding) => LEVELS[finding.level] <= LEVELS[level] && !ignore.includes(finding.requirement))
}

/**
 * Throws a `LintError` with all findings of `lintExchange`, if there are any.
 *
 * `assertExchange({ method: 'GET', url: '/men/1', status: 200, headers, body: '{"data":{"type":"men"}}' })` -> throws `GET /men/1 -> 200`, and
 * below it RO-1 at /data: Expected a member 'id', found none.
 */
export function assertExchange(exchange: Exchange, options: LintOptions = {}): void {
  const findings = lintExchange(exchange, options)
  if (findings.length > 0) throw new LintError(exchange, findings)
}

const LEVELS: Readonly<Record<RequirementLevel, number>> = { must: 0, should: 1, recommended: 2 }

function lintBody(context: ParsedExchange, { level }: LintOptions): readonly Finding[] {
  const { document } = context
  if (document === undefined) return []
  if (!isObject(document))
    return createListWithOneFindingAtPointer('', 'DS-2', `Expected an object, found ${formatForMessage(document)}.`)
  return [
    ...lintDocument(document, context),
    ...lintCompoundDocument(document, context),
    ...lintDocumentAgainstQuery(document, context),
    ...lintDocumentAgainstCursorPagination(document, context),
    ...(level === 'recommended' ? lintRecommendedLinks(document) : []),
  ]
}
