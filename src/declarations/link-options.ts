export type LinkSwitch = (typeof LINK_SWITCHES)[number]
export const LINK_SWITCHES = [true, false] as const

/** Which links there are, by where they stand. */
export interface LinkSwitches {
  /** `self` and `related` of a document; of related resources and linkage the type of what is related decides. Default: `true`. */
  readonly topLevel: LinkSwitch
  /** `self` of a resource object. Default: `true`. */
  readonly resource: LinkSwitch
  /** `self` and `related` of a relationship object, unless the relationship says otherwise. Default: `true`. */
  readonly relationship: LinkSwitch
  /** `first`, `last`, `prev` and `next` of a collection of this type. Default: `true`. */
  readonly pages: LinkSwitch
}

export const ALL_LINKS: LinkSwitches = { topLevel: true, resource: true, relationship: true, pages: true }

/** The switches of a type: what it says over what is said above it. */
export function joinLinks(above: LinkSwitches, said: Partial<LinkSwitches> = {}): LinkSwitches {
  const { topLevel, resource, relationship, pages } = { ...above, ...said }
  return { topLevel, resource, relationship, pages }
}
