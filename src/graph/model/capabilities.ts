import type { Field, ResourceType } from './resource-graph'

/** What a write does with a field: `create` and `change` are those of attributes, the others of relationships. */
export type FieldWrite = (typeof FIELD_WRITES)[number]
const FIELD_WRITES = ['create', 'change', 'set', 'add', 'remove'] as const

/** Whether clients can see the field. If not, it is to them as if it did not exist, except that they may write it. */
export function isViewable(field: Field): boolean {
  return field.capabilities.includes('view')
}

/**
 * Whether a rule hides a field from who is asking, in all rows of a type. What is hidden so can neither be seen nor written: to the client it is as
 * if it did not exist.
 */
export type IsHidden = (type: ResourceType, field: Field) => boolean

/** Where no rule hides any field. */
export const NOTHING_HIDDEN: IsHidden = () => false

/** Whether a capability is one of writing. */
export function isFieldWrite(capability: string): capability is FieldWrite {
  return FIELD_WRITES.some((write) => write === capability)
}

/** Whether clients may do this with the field. */
export function isWritable(field: Field, write: FieldWrite): boolean {
  if (field.kind === 'attribute' && field.valueOrigin !== 'client') return false
  const capabilities: readonly string[] = field.capabilities
  return capabilities.includes(write)
}

/** What a request for a resource does with a field that it sends. */
export function writeOf(field: Field, request: 'create' | 'update'): FieldWrite {
  if (request === 'create') return 'create'
  return field.kind === 'attribute' ? 'change' : 'set'
}
