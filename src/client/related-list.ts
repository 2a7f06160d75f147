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

/** The new members of a relationship: any list except a partial one. */
export type ToManyReplacementMembers<Member> = readonly Member[] & { readonly hasMore?: false }

/** Adds `hasMore` as a property that neither iteration nor JSON shows. */
export function withHasMoreProperty<Member>(members: readonly Member[], hasMore: boolean): RelatedList<Member> {
  return Object.defineProperty([...members], 'hasMore', { value: hasMore }) as unknown as RelatedList<Member>
}

/** Thrown before a request that would replace a to-many relationship with one page of its members. The members on other pages would be lost. */
export class IncompleteListError extends Error {
  override readonly name = 'IncompleteListError'
  readonly relationship: string

  constructor(relationship: string) {
    super(
      `The list for '${relationship}' is one page of it. As a replacement it would remove the members on other pages. ` +
        "Use 'addLinkage' and 'removeLinkage', or read all pages with 'listRelated' first.",
    )
    this.relationship = relationship
  }
}
