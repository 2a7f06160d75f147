import type { Relationship, ResourceType } from '../graph/model/resource-graph'
import type { ReadRules } from '../plan/read-rules'
import { assertCost } from '../query/parameters/assert-query-limits'
import type { ParsedQuery } from '../query/tree/ast'
import { estimateCostParts, type PrimaryDataCostInput } from '../query/tree/estimate-cost-parts'
import type { RequestScope } from './request-scope'

/**
 * Throws if a query costs more than the limit with the filters that definitions add for this request. Without such filters, the cost was
 * checked when the query string was parsed.
 */
export function assertCostWithRuleFilters(
  query: ParsedQuery,
  primary: PrimaryDataCostInput,
  { core, rules }: RequestScope,
): void {
  if (!rules.hasFilters) return
  const parts = estimateCostParts(query, primary, rules.visibilityFilterOf)
  assertCost(parts, core.options.limits.cost, RULES_INCLUDED)
}

const RULES_INCLUDED = ", with the API's own filters on the resources that it reads"

/** Returns what the cost of a collection depends on besides its query: page, total and read rule. */
export function collectionCostInputBesidesQuery(
  type: ResourceType,
  { visibilityFilterOf }: ReadRules,
): PrimaryDataCostInput {
  return { page: type.page, totals: type.totals, tested: 'all', rule: visibilityFilterOf(type) }
}

/** Returns what the cost of a related or relationship endpoint depends on besides its query. */
export function relationshipCostInputBesidesQuery(
  relationship: Relationship,
  { visibilityFilterOf }: ReadRules,
): PrimaryDataCostInput {
  if (relationship.kind === 'toOne') return 'single'
  const { page, totals, target } = relationship
  return { page, totals, tested: 'some', rule: visibilityFilterOf(target) }
}
