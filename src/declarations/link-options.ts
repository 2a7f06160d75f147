export type LinkSwitch = (typeof LINK_SWITCHES)[number]
export const LINK_SWITCHES = [true, false] as const

/** Switches for the links of documents. */
export interface LinkSwitches {
  /** `self` and `related` of a document. For related resources and linkage, the related type decides. Default: `true`. */
  readonly topLevel: LinkSwitch
  /** `self` of a resource object. Default: `true`. */
  readonly resource: LinkSwitch
  /** `self` and `related` of a relationship object, unless the relationship has its own `links` option. Default: `true`. */
  readonly relationship: LinkSwitch
  /** `first`, `last`, `prev` and `next` of a collection of this type. Default: `true`. */
  readonly pages: LinkSwitch
}

export const ALL_LINKS: LinkSwitches = { topLevel: true, resource: true, relationship: true, pages: true }

/** Merges the switches of a type with inherited ones. Its own take precedence. */
export function joinLinks(above: LinkSwitches, said: Partial<LinkSwitches> = {}): LinkSwitches {
  const { topLevel, resource, relationship, pages } = { ...above, ...said }
  return { topLevel, resource, relationship, pages }
}
