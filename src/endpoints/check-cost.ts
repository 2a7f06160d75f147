import type { Relationship } from '../graph/model/resource-graph'
import { assertCost } from '../query/parameters/assert-query-limits'
import type { Query } from '../query/tree/ast'
import { type CostedCollection, estimateCost } from '../query/tree/estimate-cost'
import type { RequestScope } from './request-scope'

/**
 * Throws if a query costs more than the limit with the filters that definitions add for this request. Without such filters, the cost was
 * checked when the query string was parsed.
 */
export function assertCostWithRules(query: Query, primary: CostedCollection, { app, rules }: RequestScope): void {
  if (rules.hasFilters) assertCost(estimateCost(query, primary, rules.ruleOf), app.options.limits.cost)
}

/** Returns the collection that a relationship endpoint reads, for its cost. */
export function costedCollectionOf(relationship: Relationship): CostedCollection {
  return relationship.kind === 'toMany' ? relationship : 'single'
}
