import type { Field } from './resource-graph'

/** What a write does with a field: `create` and `change` are those of attributes, the others of relationships. */
export type FieldWrite = (typeof FIELD_WRITES)[number]
const FIELD_WRITES = ['create', 'change', 'set', 'add', 'remove'] as const

/** Whether clients can see the field. If not, it is to them as if it did not exist, except that they may write it. */
export function isViewable(field: Field): boolean {
  return field.capabilities.includes('view')
}

/** Whether a capability is one of writing. */
export function isFieldWrite(capability: string): capability is FieldWrite {
  return FIELD_WRITES.some((write) => write === capability)
}

/** Whether clients may do this with the field. */
export function isWritable(field: Field, write: FieldWrite): boolean {
  if (field.kind === 'attribute' && field.upkeep !== 'client') return false
  const capabilities: readonly string[] = field.capabilities
  return capabilities.includes(write)
}

/** What a request for a resource does with a field that it sends. */
export function writeOf(field: Field, request: 'create' | 'update'): FieldWrite {
  if (request === 'create') return 'create'
  return field.kind === 'attribute' ? 'change' : 'set'
}
