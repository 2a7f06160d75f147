// Behaviour that the rulings demand and that the library does not have yet. Until it has, an exam lets both pass, or does not ask for it; then its
// name goes from this list.

export type Pending =
  /** Linkage that was cut says `meta.hasMore`. */
  | 'hasMore'
  /** `sort=count(parents)`: rows that lack the relationship, or whose path to it is broken, come last. */
  | 'countOfLacking'
  /** `include=men:bestFriend` at `/creatures`: only that of men. */
  | 'narrowedInclude'
  /** `meta.version` of an operation is compared with the version before the first write of the request. */
  | 'versionInOperations'
  /** A hidden field answers as an unknown name does, in reads and in writes. */
  | 'hiddenAsUnknown'

const PENDING: readonly Pending[] = [
  'hasMore',
  'countOfLacking',
  'narrowedInclude',
  'versionInOperations',
  'hiddenAsUnknown',
]

export function isPending(name: Pending): boolean {
  return PENDING.includes(name)
}
