import { distance } from 'fastest-levenshtein'

/**
 * Returns the known name that is most similar to an unknown one, or `undefined` if none is similar enough for a typing error.
 *
 * `nearestName('hasbeard', ['name', 'hasBeard'])` -> `hasBeard`
 */
function nearestName(unknown: string, known: Iterable<string>): string | undefined {
  let best: string | undefined
  // At least one character must be right: `x` does not mean `id`.
  let bestDistance = Math.min(Math.max(2, Math.ceil(unknown.length / 3)), unknown.length - 1) + 1
  if (unknown.length > MAX_NAME_LENGTH) return undefined
  for (const name of known) {
    const candidate = distance(unknown.toLowerCase(), name.toLowerCase())
    if (candidate < bestDistance) [best, bestDistance] = [name, candidate]
  }
  return best
}

/** Returns ` Did you mean 'x'?` to append to a message, or an empty string. */
export function didYouMean(unknown: string, known: Iterable<string>): string {
  const nearest = nearestName(unknown, known)
  return nearest === undefined ? '' : ` Did you mean '${nearest}'?`
}

/** Returns a hint for a message that lists all expected names. It would only repeat a single name. */
export function didYouMeanIfSeveral(unknown: string, expected: readonly string[]): string {
  return expected.length === 1 ? '' : didYouMean(unknown, expected)
}

/** Returns the unknown members of an object, each with the most similar known name. */
export function findUnknownMembersWithHints(
  options: object,
  known: readonly string[],
): readonly { readonly name: string; readonly hint: string }[] {
  return Object.keys(options)
    .filter((name) => !known.includes(name))
    .map((name) => ({ name, hint: didYouMean(name, known) }))
}

/** Longer names are not compared: no field name is this long, and comparing takes time. */
const MAX_NAME_LENGTH = 100
