import type { Query } from '../query/tree/ast'
import type { Inclusion } from '../response/to-document'

/** `included` is there whenever the client asked, also for nothing. https://jsonapi.org/format/1.1/#fetching-includes */
export function inclusionOf({ include }: Query): Inclusion {
  return include === undefined ? 'notIncluded' : 'included'
}
