import type { WireRelationship } from './wire'

/**
 * Members of a to-many relationship, as they were read. `hasMore`: they are a page of it, and there are others. Such a list can't be sent as
 * the new content of a relationship: the server would remove the others.
 *
 * `if (!human.children.hasMore) await client.setLinkage(other, 'children', human.children)`
 */
export type RelatedList<Member> = CompleteList<Member> | PartialList<Member>

/** All members. */
export type CompleteList<Member> = readonly Member[] & { readonly hasMore: false }

/** A page of the members. */
export type PartialList<Member> = readonly Member[] & { readonly hasMore: true }

/** Members that are to replace those of a relationship: any list but a part of one. */
export type ReplacingList<Member> = readonly Member[] & { readonly hasMore?: false }

/** Marks a list, so that neither its items nor its text change. */
export function toRelatedList<Member>(members: readonly Member[], hasMore: boolean): RelatedList<Member> {
  return Object.defineProperty([...members], 'hasMore', { value: hasMore }) as unknown as RelatedList<Member>
}

/** Whether a relationship object has a page of its members. */
export function isPage({ meta }: WireRelationship): boolean {
  return meta?.hasMore === true
}

/** A page of a to-many relationship was to replace all of it: the members on other pages would be lost. Nothing was sent. */
export class IncompleteListError extends Error {
  override readonly name = 'IncompleteListError'
  readonly relationship: string

  constructor(relationship: string) {
    super(
      `The list for '${relationship}' is one page of it, and would replace all members: those on other pages would be lost. ` +
        `It is in the values of '${relationship}' that were to be sent. ` +
        "Use 'addLinkage' and 'removeLinkage', or read all pages with 'listRelated' first.",
    )
    this.relationship = relationship
  }
}
