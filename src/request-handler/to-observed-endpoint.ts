import { findFields } from '../graph/model/inheritance'
import type { ObservedEndpoint } from '../observation/observer'
import { ROUTES, type RouteMatch, type TypeRouteMatch } from '../request/intent/routes'

/** What is asked for, without ids: a name for all requests of its kind. */
export function toObservedEndpoint(matched: RouteMatch): ObservedEndpoint {
  const { endpoint } = matched
  if (matched.type === undefined) return { route: `/${matched.operations.path}`, endpoint, type: undefined }
  const { name } = matched.type
  const { path } = ROUTES[matched.shape]
  const route = path.replace('{type}', name).replace('{id}', ':id').replace('{relationship}', relationshipOf(matched))
  return { route, endpoint, type: name }
}

/** What is none stands for itself in the path of a client alone: there is no end to such names. */
function relationshipOf({ type, relationship = '' }: TypeRouteMatch): string {
  return findFields(type, relationship).length === 0 ? ':relationship' : relationship
}
