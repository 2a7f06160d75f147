import type { ObservedEndpoint } from '../observation/observer'
import { type Matched, ROUTES } from '../request/routes'

/** What is asked for, without ids: a name for all requests of its kind. */
export function toObserved(matched: Matched): ObservedEndpoint {
  const { endpoint } = matched
  if (matched.type === undefined) return { route: `/${matched.operations.path}`, endpoint, type: undefined }
  const { name } = matched.type
  const { path } = ROUTES[matched.shape]
  const route = path
    .replace('{type}', name)
    .replace('{id}', ':id')
    .replace('{relationship}', matched.relationship ?? '')
  return { route, endpoint, type: name }
}
