import { distance } from 'fastest-levenshtein'

/**
 * The known name that is most like an unknown one, when it is like enough to be a slip of the pen.
 *
 * `nearestName('hasbeard', ['name', 'hasBeard'])` -> `hasBeard`
 */
export function nearestName(unknown: string, known: Iterable<string>): string | undefined {
  let best: string | undefined
  let bestDistance = Math.max(2, Math.ceil(unknown.length / 3)) + 1
  if (unknown.length > LONGEST) return undefined
  for (const name of known) {
    const candidate = distance(unknown.toLowerCase(), name.toLowerCase())
    if (candidate < bestDistance) [best, bestDistance] = [name, candidate]
  }
  return best
}

/** ` Did you mean 'x'?`, or nothing: to be put behind a message. */
export function suggestName(unknown: string, known: Iterable<string>): string {
  const nearest = nearestName(unknown, known)
  return nearest === undefined ? '' : ` Did you mean '${nearest}'?`
}

/** The members of an object that are not known, each with the known name that is most like it. */
export function unknownNames(
  options: object,
  known: readonly string[],
): readonly { readonly name: string; readonly hint: string }[] {
  return Object.keys(options)
    .filter((name) => !known.includes(name))
    .map((name) => ({ name, hint: suggestName(name, known) }))
}

/** No name of a field is as long as this: comparing would only cost time. */
const LONGEST = 100
