import { givenOptions } from './given-options'

/** Switches for the links of documents. */
export interface LinkSwitches {
  /** `self` and `related` of a document. For related resources and linkage, the related type decides. Default: `true`. */
  readonly topLevel: boolean
  /** `self` of a resource object. Default: `true`. */
  readonly resource: boolean
  /** `self` and `related` of a relationship object, unless the relationship has its own `links` option. Default: `true`. */
  readonly relationship: boolean
  /** `first`, `last`, `prev` and `next` of a collection of this type. Default: `true`. */
  readonly pages: boolean
}

export const ALL_LINKS_ENABLED: LinkSwitches = { topLevel: true, resource: true, relationship: true, pages: true }

/** Merges the switches of a type with inherited ones. Its own take precedence. */
export function inheritLinkSwitches(inherited: LinkSwitches, own: Partial<LinkSwitches> = {}): LinkSwitches {
  const { topLevel, resource, relationship, pages } = { ...inherited, ...givenOptions(own) }
  return { topLevel, resource, relationship, pages }
}
