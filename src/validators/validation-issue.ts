import type { Attribute } from '../graph/model/resource-graph'

/** What a validator has against a value. */
export interface ValidationIssue {
  readonly message: string
  /** From the public name of an attribute down to what is not valid in it; empty where it is about all of them. */
  readonly path: readonly (string | number)[]
}

/** Looks at attributes as they are to be stored: all but those that nothing was ever said of. */
export type AttributeCheck = (
  values: ReadonlyMap<Attribute, unknown>,
  kind: 'create' | 'update',
) => Promise<readonly ValidationIssue[]>
