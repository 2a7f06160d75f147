import { JSON_API, type MediaRange, parseAccept } from '../document/media-type'

/**
 * Returns true if a client prefers HTML to a JSON:API document. Browsers name HTML and accept everything else by a wildcard. If both have
 * the same quality, the document is sent.
 *
 * `text/html;q=0.9,application/*;q=0.8` -> `true`; `text/html,application/vnd.api+json` -> `false`
 */
export function prefersHtml(accept: string | undefined): boolean {
  if (accept === undefined || !/text\/html/i.test(accept)) return false
  const ranges = parseAccept(accept)
  return weightOf('text/html', ranges) > weightOf(JSON_API, ranges)
}

/** Returns the quality of the most specific matching range. https://www.rfc-editor.org/rfc/rfc9110#section-12.5.1 */
function weightOf(type: string, ranges: readonly MediaRange[]): number {
  const [family] = type.split('/')
  for (const name of [type, `${family}/*`, '*/*']) {
    const matching = ranges.filter((range) => range.name === name)
    if (matching.length > 0) return Math.max(...matching.map(({ weight }) => weight))
  }
  return 0
}
