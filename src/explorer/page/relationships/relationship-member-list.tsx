import { keyOf } from '../core/resources'
import { Icon } from '../parts/icon'
import { ResourceLink } from '../parts/value'
import type { IdentifierWithLabel } from './identifier-with-label'

interface PickedListProps {
  readonly label: string
  readonly members: readonly IdentifierWithLabel[]
  /** `undefined`: members cannot be removed. */
  readonly onRemove: ((member: IdentifierWithLabel) => void) | undefined
}

/** The members of a relationship, each with a button to remove it. */
export function RelationshipMemberList({ label, members, onRemove }: PickedListProps) {
  if (members.length === 0) return null
  return (
    <ul class="picked" aria-label={label}>
      {members.map((member) => {
        const { identifier, label: text } = member
        return (
          <li key={keyOf(identifier)}>
            <ResourceLink of={identifier} label={text} />
            {onRemove !== undefined && (
              <button
                type="button"
                class="chip-remove"
                aria-label={`Remove ${identifier.type} ${identifier.id}`}
                onClick={() => onRemove(member)}
              >
                <Icon name="close" />
              </button>
            )}
          </li>
        )
      })}
    </ul>
  )
}
