import type { Attribute } from '../graph/model/resource-graph'

/** One validation error for a value. */
export interface ValidationIssue {
  readonly message: string
  /** The path from the public name of an attribute to its invalid part. Empty for an error about all attributes together. */
  readonly path: readonly (string | number)[]
}

/** Checks attributes with the values to be stored. Attributes that were never given a value are left out. */
export type AttributesValidator = (
  values: ReadonlyMap<Attribute, unknown>,
  kind: 'create' | 'update',
) => Promise<readonly ValidationIssue[]>
