import type { JsonObject } from '../document/json'
import { InvariantError } from '../errors/invariant'
import { describePlan } from '../plan/describe-plan'
import { planCollection, planLookUp, planResource, withStates } from '../plan/plan-read'
import type { ReadPlan } from '../plan/read-plan'
import { type CostPart, estimateCost, sumOf } from '../query/tree/estimate-cost'
import type { GetRelated, GetRelationship, Intent } from '../request/intent/intent'
import type { EndpointResult } from '../response/endpoint-result'
import { type RequestUrl, selfLinks } from '../response/links'
import { type Api, readRulesOf } from './api'
import { costedCollectionOf } from './check-cost'
import { planGetRelated } from './get-related'
import { planGetRelationship } from './get-relationship'

/** What a read would do, by the same plan. What has to be looked up before there is one is looked up, with all rules. */
export async function explainRead(intent: Intent, api: Api, requestUrl: RequestUrl): Promise<EndpointResult> {
  const { plan, before, cost } = await planOf(intent, api)
  const steps = [...before, { does: 'read', isDone: false, cost: sumOf(cost), ...explain(plan, api) }]
  return { status: 200, document: { links: selfLinks(plan.layer.type, requestUrl), meta: { explained: steps } } }
}

interface Planned {
  readonly plan: ReadPlan
  /** What comes before it. */
  readonly before: readonly JsonObject[]
  /** As limits measure it. */
  readonly cost: readonly CostPart[]
}

async function planOf(intent: Intent, api: Api): Promise<Planned> {
  switch (intent.kind) {
    case 'getCollection': {
      const { type, query } = intent
      const rules = readRulesOf(api)
      const plan = planCollection(type, query, rules)
      return { plan, before: [], cost: estimateCost(query, type, rules.ruleOf) }
    }
    case 'getResource': {
      const { target, query } = intent
      const rules = readRulesOf(api)
      const plan = planResource(target.type, target.id, query, rules)
      return { plan, before: [], cost: estimateCost(query, 'single', rules.ruleOf) }
    }
    case 'getRelated': {
      const { plan, query, relationship } = await planGetRelated(intent, api)
      return {
        plan,
        before: [lookUp(lookUpOf(intent, api), api)],
        cost: estimateCost(query, costedCollectionOf(relationship), readRulesOf(api).ruleOf),
      }
    }
    case 'getRelationship': {
      const { plan, query, relationship } = await planGetRelationship(intent, api)
      return {
        plan,
        before: [lookUp(withStates(lookUpOf(intent, api)), api)],
        cost: estimateCost(query, costedCollectionOf(relationship), readRulesOf(api).ruleOf),
      }
    }
    default:
      throw new InvariantError(`Only reads are explained, found '${intent.kind}'.`)
  }
}

function lookUpOf({ target }: GetRelated | GetRelationship, api: Api): ReadPlan {
  return planLookUp(target.type, [target.id], readRulesOf(api))
}

function lookUp(plan: ReadPlan, api: Api): JsonObject {
  return { does: 'lookUp', isDone: true, ...explain(plan, api) }
}

function explain(plan: ReadPlan, { store }: Api): JsonObject {
  return { plan: describePlan(plan), statements: store.explain(plan).map((statement) => ({ ...statement })) }
}
