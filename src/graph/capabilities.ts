import type { Field } from './resource-graph'

/** Whether clients can see the field. If not, it is to them as if it did not exist, except that they can write it. */
export function isViewable(field: Field): boolean {
  return field.capabilities.includes('view')
}
