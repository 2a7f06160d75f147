/** The parameters that hold numbers, for the primary data and for included relationships. */
export type PagePart = 'size' | 'number'

/** Those that hold a page cursor, for the primary data alone. */
export type PageCursorName = 'after' | 'before'

export function isPagePart(name: string | undefined): name is PagePart | PageCursorName {
  return name === 'size' || name === 'number' || isPageCursorName(name)
}

export function isPageCursorName(name: string | undefined): name is PageCursorName {
  return name === 'after' || name === 'before'
}
