import type { JsonObject } from '../document/json'
import { InvariantError } from '../errors/invariant'
import { describeReadPlan } from '../plan/describe-read-plan'
import { planCollection, planIdentifiersByIds, planResourceById, withRevisionSources } from '../plan/plan-read'
import type { ReadPlan } from '../plan/read-plan'
import { type CostPart, estimateCostParts, sumCostParts } from '../query/tree/estimate-cost-parts'
import type { GetRelatedIntent, GetRelationshipIntent, Intent } from '../request/intent/intent'
import type { EndpointResult } from '../response/endpoint-result'
import { topLevelSelfLinks } from '../response/links'
import { collectionCostInputBesidesQuery, relationshipCostInputBesidesQuery } from './check-cost'
import { loadSourceAndPlanRelated } from './get-related'
import { loadSourceAndPlanLinkage } from './get-relationship'
import type { RequestScope } from './request-scope'

/** Returns the plan, statements and cost of a read instead of its rows. Lookups that the plan depends on do run. */
export async function explainRead(intent: Intent, scope: RequestScope): Promise<EndpointResult> {
  const { plan, before, cost } = await planOf(intent, scope)
  const steps = [...before, { does: 'read', isDone: false, cost: sumCostParts(cost), ...explain(plan, scope) }]
  const links = topLevelSelfLinks(plan.layer.type, scope.requestUrl)
  return { status: 200, document: { links, meta: { explained: steps } } }
}

interface ExplainedPlan {
  readonly plan: ReadPlan
  /** The lookups before the read. */
  readonly before: readonly JsonObject[]
  /** As `limits.cost` measures it. */
  readonly cost: readonly CostPart[]
}

async function planOf(intent: Intent, scope: RequestScope): Promise<ExplainedPlan> {
  const { rules } = scope
  switch (intent.kind) {
    case 'getCollection': {
      const { type, query } = intent
      const cost = estimateCostParts(query, collectionCostInputBesidesQuery(type, rules), rules.visibilityFilterOf)
      return { plan: planCollection(type, query, rules), before: [], cost }
    }
    case 'getResource': {
      const { target, query } = intent
      const plan = planResourceById(target.type, target.id, query, rules)
      return { plan, before: [], cost: estimateCostParts(query, 'single', rules.visibilityFilterOf) }
    }
    case 'getRelated': {
      const { plan, query, relationship } = await loadSourceAndPlanRelated(intent, scope)
      const cost = estimateCostParts(
        query,
        relationshipCostInputBesidesQuery(relationship, rules),
        rules.visibilityFilterOf,
      )
      return { plan, before: [explainLookUp(lookUpOf(intent, scope), scope)], cost }
    }
    case 'getRelationship': {
      const { plan, query, relationship } = await loadSourceAndPlanLinkage(intent, scope)
      const cost = estimateCostParts(
        query,
        relationshipCostInputBesidesQuery(relationship, rules),
        rules.visibilityFilterOf,
      )
      return { plan, before: [explainLookUp(withRevisionSources(lookUpOf(intent, scope)), scope)], cost }
    }
    default:
      throw new InvariantError(`Only reads are explained, found '${intent.kind}'.`)
  }
}

function lookUpOf({ target }: GetRelatedIntent | GetRelationshipIntent, { rules }: RequestScope): ReadPlan {
  return planIdentifiersByIds(target.type, [target.id], rules)
}

function explainLookUp(plan: ReadPlan, scope: RequestScope): JsonObject {
  return { does: 'lookUp', isDone: true, ...explain(plan, scope) }
}

function explain(plan: ReadPlan, { store }: RequestScope): JsonObject {
  return { plan: describeReadPlan(plan), statements: store.explain(plan).map((statement) => ({ ...statement })) }
}
