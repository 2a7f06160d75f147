import type { AttributeNotes } from '../declarations/field-options'
import { type Schema, withoutNothing } from './schema'

/** Describes the notes of a class or field. */
export function describeNotes({ notes }: { readonly notes: AttributeNotes }): Schema {
  const { description, deprecated, example } = notes
  return withoutNothing({
    description,
    deprecated: deprecated === true ? true : undefined,
    examples: example === undefined ? undefined : [example],
  })
}
