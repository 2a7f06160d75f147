import type { Relationship } from '../graph/model/resource-graph'
import type { ReadRules } from '../plan/read-rules'
import { checkCost } from '../query/parameters/check-limits'
import type { Query } from '../query/tree/ast'
import { type CostedCollection, estimateCost } from '../query/tree/estimate-cost'
import type { Api } from './api'

/**
 * Throws what a query costs beyond the limit with the filters that definitions put into it for this request. Without them it was checked when the
 * query string was read.
 */
export function checkCostWithRules(query: Query, primary: CostedCollection, rules: ReadRules, { options }: Api): void {
  if (rules.hasFilters) checkCost(estimateCost(query, primary, rules.ruleOf), options.limits.cost)
}

/** What stands at the other end of a relationship. */
export function costedCollectionOf(relationship: Relationship): CostedCollection {
  return relationship.kind === 'toMany' ? relationship : 'single'
}
