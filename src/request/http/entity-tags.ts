/** An ETag as a header names it. */
export interface EntityTag {
  /** With its quotes. */
  readonly tag: string
  readonly isWeak: boolean
}

/** Parses a list of ETags. A malformed list has none. https://www.rfc-editor.org/rfc/rfc9110#section-8.8.3 */
export function parseEntityTags(header: string): readonly EntityTag[] {
  const tags: EntityTag[] = []
  ELEMENT.lastIndex = 0
  while (ELEMENT.lastIndex < header.length) {
    const element = ELEMENT.exec(header)
    if (element === null) return []
    const [, weak, tag] = element
    if (tag !== undefined) tags.push({ tag, isWeak: weak !== undefined })
  }
  return tags
}

/** One element of a list, with the comma after it. */
const ELEMENT = /[ \t]*(?:(W\/)?("[\x21\x23-\x7e\x80-\xff]*")[ \t]*)?(?:,|$)/y
