import type { AttributeNotes } from '../declarations/field-options'
import { type Schema, withoutNothing } from './schema'

/** What a class says of itself or of a field, for those who read. */
export function describeNotes({ notes }: { readonly notes: AttributeNotes }): Schema {
  const { description, deprecated, example } = notes
  return withoutNothing({
    description,
    deprecated: deprecated === true ? true : undefined,
    examples: example === undefined ? undefined : [example],
  })
}
