import type { Relationship } from '../graph/resource-graph'
import type { ReadingRules } from '../plan/reading-rules'
import type { Query } from '../query/ast'
import { checkCost } from '../query/check-limits'
import { estimateCost, type Primary } from '../query/estimate-cost'
import type { Api } from './api'

/**
 * Throws what a query costs beyond the limit with the filters that definitions put into it for this request. Without them it was checked when the
 * query string was read.
 */
export function checkCostWithRules(query: Query, primary: Primary, rules: ReadingRules, { options }: Api): void {
  if (rules.hasFilters) checkCost(estimateCost(query, primary, rules.ruleOf), options.limits.cost)
}

/** What stands at the other end of a relationship. */
export function primaryAt(relationship: Relationship): Primary {
  return relationship.kind === 'toMany' ? relationship : 'single'
}
