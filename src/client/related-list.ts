/**
 * The members of a to-many relationship. `hasMore`: this is one page, and there are more members. Such a list cannot replace a
 * relationship, because the server would remove the other members.
 *
 * `if (!human.children.hasMore) await client.setLinkage(other, 'children', human.children)`
 */
export type RelatedList<Member> = CompleteList<Member> | PartialList<Member>

/** All members. */
type CompleteList<Member> = readonly Member[] & { readonly hasMore: false }

/** A page of the members. */
type PartialList<Member> = readonly Member[] & { readonly hasMore: true }

/** The members of a to-many relationship that match the `filter` of an include. `hasMore`: there are more members that match. */
export type RelatedListMatchingIncludeFilter<Member> = RelatedList<Member> & { readonly isFiltered: true }

/** The new members of a relationship: any list except a page or the result of a filter. */
export type CompleteRelatedList<Member> = readonly Member[] & {
  readonly hasMore?: false
  readonly isFiltered?: false
}

/** Copies a list and adds `hasMore`, as a property that neither iteration nor JSON shows. */
export function copyListWithHasMoreProperty<Member>(members: readonly Member[], hasMore: boolean): RelatedList<Member> {
  return Object.defineProperty([...members], 'hasMore', { value: hasMore }) as unknown as RelatedList<Member>
}

/** Adds `isFiltered` as a property that neither iteration nor JSON shows. */
export function addIsFilteredPropertyToList(list: readonly unknown[]): void {
  Object.defineProperty(list, 'isFiltered', { value: true })
}

/** Returns true for a page, and for the result of a filter. */
export function isIncompleteList(list: object): boolean {
  return ('hasMore' in list && list.hasMore === true) || ('isFiltered' in list && list.isFiltered === true)
}

/**
 * Thrown before a request that would replace a to-many relationship with one page of its members, or with those that match a filter. All other
 * members would be lost.
 */
export class ReplaceWithIncompleteListError extends Error {
  override readonly name = 'ReplaceWithIncompleteListError'
  readonly relationship: string

  constructor(relationship: string) {
    super(
      `The list for '${relationship}' is incomplete: it is one page, or the result of a filter. As a replacement it would remove ` +
        "all other members. Use 'addLinkage' and 'removeLinkage', or read all pages with 'listRelated' first.",
    )
    this.relationship = relationship
  }
}
