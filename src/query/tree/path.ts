import type { Relationship, ResourceType } from '../../graph/model/resource-graph'

/** A chain of relationships, each declared by a type that the one before leads to. */
export type Path = readonly Relationship[]

/** A path that also says from which type each relationship is followed. */
export type BranchPath = readonly BranchStep[]

export interface BranchStep {
  readonly relationship: Relationship
  /** The type in scope, or the derived type that was named: `men` in `men:wife`. */
  readonly from: ResourceType
}

/** Returns a text that identifies a path. Public names alone are ambiguous: two branches may use the same one. */
export function pathKey(path: Path): string {
  return path.map(({ declaringType, name }) => `${declaringType.name}:${name}`).join('.')
}
