import type { AttributeCapability, ToManyCapability, ToOneCapability } from '../declarations/field-options'
import type { ColumnDescription, EntityRelationDescription } from './model/entity-description'

/**
 * Returns the capabilities of an attribute. A primary key never changes. A column that the store excludes by default (`select: false`) can be
 * viewed only if the attribute declares the capability itself.
 */
export function attributeCapabilities(
  { own, general, isPartOfKey }: CapabilitySources,
  { isExcludedByDefault, deniedWrites }: ColumnDescription,
): Capabilities {
  const chosen = own ?? general.filter((each) => !isExcludedByDefault || each === 'create' || each === 'change')
  const denied: Capabilities = isPartOfKey ? ['change', ...deniedWrites] : deniedWrites
  return Object.freeze(chosen.filter((each) => !denied.includes(each)))
}

interface CapabilitySources {
  readonly own: Capabilities | undefined
  readonly general: Capabilities
  readonly isPartOfKey: boolean
}

type Capabilities = readonly AttributeCapability[]

/** Returns the capabilities that the foreign key does not allow, also at its other end. Members that are deleted on removal may be removed. */
export function capabilitiesDeniedByForeignKey({
  kind,
  holdsKey,
  deniedWrites,
  orphanAction,
}: EntityRelationDescription): readonly (ToOneCapability | ToManyCapability)[] {
  if (holdsKey) return deniedWrites.map((each) => (each === 'create' ? each : 'set'))
  if (!deniedWrites.includes('change')) return []
  return kind === 'toMany' && orphanAction === 'deleted' ? ['create', 'add'] : ['create', 'set', 'add', 'remove']
}
