import type { EndpointName } from '../declarations/field-options'
import type { Relationship, ResourceType } from '../graph/model/resource-graph'
import type { HttpMethod } from '../request/intent/routes'

/** What is asked for at a URL. */
export interface Endpoint {
  readonly name: EndpointName
  readonly method: HttpMethod
  /** That of the URL. */
  readonly type: ResourceType
  /** Those that the name of a relationship in the URL can stand for; none elsewhere. */
  readonly relationships: readonly Relationship[]
}

/** Whether it only reads. */
export function isReading({ method }: Pick<Endpoint, 'method'>): boolean {
  return method === 'GET'
}
