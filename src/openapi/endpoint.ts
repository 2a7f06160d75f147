import type { EndpointName } from '../declarations/field-options'
import type { Relationship, ResourceType } from '../graph/model/resource-graph'
import type { HttpMethod } from '../request/intent/routes'

/** One method of a URL. */
export interface Endpoint {
  readonly name: EndpointName
  readonly method: HttpMethod
  /** The type in the URL. */
  readonly type: ResourceType
  /** The relationships that the name in the URL may stand for; empty for other URLs. */
  readonly relationships: readonly Relationship[]
}

/** Returns true for methods that only read. */
export function isReading({ method }: Pick<Endpoint, 'method'>): boolean {
  return method === 'GET'
}
