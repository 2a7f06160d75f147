import type { ApiFacts } from './api-facts'
import { describeOperation } from './describe-operation'
import { parameterRef } from './describe-parameters'
import { listPlaces, type OpenPlace } from './list-places'
import type { Schema, Schemas } from './schema'

/** Every URL of every type, with the methods that are switched on. */
export function describePaths(facts: ApiFacts): Schemas {
  const places = [...facts.graph.types.values()].flatMap(listPlaces)
  return Object.fromEntries(places.map((place) => [place.path, describePlace(place, facts)]))
}

function describePlace({ shape, endpoints }: OpenPlace, facts: ApiFacts): Schema {
  const operations = endpoints.map((each) => [each.method.toLowerCase(), describeOperation(each, facts)] as const)
  const parameters = shape === 'collection' ? {} : { parameters: [parameterRef('id')] }
  return { ...parameters, ...Object.fromEntries(operations) }
}

/** What operations are sorted by in tools. */
export function describeTags({ graph }: ApiFacts): readonly Schema[] {
  return [...graph.types.values()].map(({ name, notes: { description } }) => ({
    name,
    ...(description !== undefined && { description }),
  }))
}
