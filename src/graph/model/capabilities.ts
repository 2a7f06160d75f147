import type { Field, ResourceType } from './resource-graph'

/** How a write changes a field: `change` is for attributes; `set`, `add` and `remove` are for relationships. */
type WriteCapability = (typeof WRITE_CAPABILITIES)[number]
const WRITE_CAPABILITIES = ['create', 'change', 'set', 'add', 'remove'] as const

/** Returns true if clients can see the field. Otherwise it does not exist for them, except that they may write it. */
export function hasViewCapability(field: Field): boolean {
  return field.capabilities.includes('view')
}

/**
 * Returns true if a rule hides a field from the client, in all rows of a type. A hidden field can be neither viewed nor written: for the
 * client it does not exist.
 */
export type IsFieldHidden = (type: ResourceType, field: Field) => boolean

/** For reads without rules: hides no field. */
export const NO_FIELD_HIDDEN_PREDICATE: IsFieldHidden = () => false

/** Returns true if a capability is a write. */
export function isWriteCapability(capability: string): capability is WriteCapability {
  return WRITE_CAPABILITIES.some((write) => write === capability)
}

/** Returns true if clients may write the field in this way. */
export function isFieldWritable(field: Field, write: WriteCapability): boolean {
  if (field.kind === 'attribute' && field.valueOrigin !== 'client') return false
  const capabilities: readonly string[] = field.capabilities
  return capabilities.includes(write)
}

/** Returns the capability that a field needs in a create or update request. */
export function requiredFieldWriteCapability(field: Field, request: 'create' | 'update'): WriteCapability {
  if (request === 'create') return 'create'
  return field.kind === 'attribute' ? 'change' : 'set'
}
