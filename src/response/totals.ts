import type { JsonObject } from '../document/json'
import { assertNever } from '../errors/invariant'
import type { Total } from '../store/read-result'

/** The members of `meta` that tell a total. A number that may not be the right one is never called `total`. */
export function totalMeta(total: Total | undefined): JsonObject {
  if (total === undefined) return {}
  const { kind, count } = total
  switch (kind) {
    case 'exact':
      return { total: count }
    case 'over':
      return { totalOver: count }
    case 'estimated':
      return { estimatedTotal: { bestGuess: count } }
    default:
      return assertNever(kind)
  }
}

/** As the profile for cursors has them, which has no word for `over`. https://jsonapi.org/profiles/ethanresnick/cursor-pagination/#collection-sizes */
export function profiledTotalMeta(total: Total | undefined): JsonObject {
  return total?.kind === 'over' ? {} : totalMeta(total)
}

/** `undefined`: nobody knows which page is the last one. */
export function exactTotal(total: Total | undefined): number | undefined {
  return total?.kind === 'exact' ? total.count : undefined
}
