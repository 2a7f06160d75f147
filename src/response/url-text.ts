/**
 * A text in which the URL of a resource stands in some places, by what stands between them: `['"self":"', '/wife"']` is
 * `"self":"/men/2/wife"`, given `/men/2`. Nothing between them is made anew for each resource.
 */
export type UrlText = readonly [start: string, ...behindUrls: string[]]

export const NO_TEXT: UrlText = ['']

export function concat(...texts: readonly UrlText[]): UrlText {
  return texts.reduce(append, NO_TEXT)
}

function append([first, ...others]: UrlText, [start, ...rest]: UrlText): UrlText {
  const last = others.pop()
  return last === undefined ? [first + start, ...rest] : [first, ...others, last + start, ...rest]
}

/** Piece by piece, which takes less than to join a list. */
export function putIn(url: string, text: UrlText): string {
  let written = text[0]
  for (let place = 1; place < text.length; place++) written += url + text[place]
  return written
}
