import type { RelationshipObject } from '../core/api-types'
import { safeHref } from '../core/api-url'
import { keyOf, linkageToIdentifierList, toManyHasMoreMembers } from '../core/resources'
import { ResourceLink } from '../parts/value'

interface RelationshipCellProps {
  readonly name: string
  readonly relationship: RelationshipObject | undefined
  readonly labels: ReadonlyMap<string, string>
}

const SHOWN = 3

/** The members of a relationship if the document has them, otherwise a link to them. */
export function RelationshipCell({ name, relationship, labels }: RelationshipCellProps) {
  if (relationship === undefined) return <span class="nothing" aria-hidden="true" />
  const { data, links, meta } = relationship
  const related = safeHref(links?.related)
  if (data === undefined) {
    return related === undefined ? null : (
      <a class="cell-link" href={related} aria-label={`${name} (related)`} title={name}>
        →
      </a>
    )
  }
  const members = linkageToIdentifierList(data)
  if (members.length === 0) return <span class="nothing">none</span>
  const total = typeof meta?.total === 'number' ? meta.total : members.length
  const rest = total - Math.min(SHOWN, members.length)
  const isUncounted = meta?.total === undefined && toManyHasMoreMembers(members.length, relationship)
  return (
    <span class="members">
      {members.slice(0, SHOWN).map((each) => (
        <ResourceLink key={keyOf(each)} of={each} label={labels.get(keyOf(each))} />
      ))}
      {(rest > 0 || isUncounted) && related !== undefined && (
        <a class="cell-link" href={related} aria-label={`${name}: all${isUncounted ? '' : ` ${total}`}`}>
          {isUncounted ? 'more' : `+${rest}`}
        </a>
      )}
    </span>
  )
}
