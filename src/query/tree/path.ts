import type { Relationship, ResourceType } from '../../graph/model/resource-graph'
import type { IncludeNode } from './ast'

/** A chain of relationships. Each starts at the target type of the one before, or at a type derived from it. */
export type RelationshipChain = readonly Relationship[]

/** A path with the type from which each relationship is followed. */
export type RelationshipPathWithSourceTypes = readonly BranchStep[]

interface BranchStep {
  readonly relationship: Relationship
  /** The type in scope, or the derived type that was named: `men` in `men:wife`. */
  readonly from: ResourceType
}

/** Returns a text that identifies a path. Public names alone are ambiguous: two branches may use the same one. */
export function relationshipPathKey(path: RelationshipChain): string {
  return path.map(({ declaringType, name }) => `${declaringType.name}:${name}`).join('.')
}

/** Builds a tree in which paths with the same start share nodes: `a,a.b` is `a.b`. */
export function toIncludeTree(paths: readonly RelationshipPathWithSourceTypes[]): readonly IncludeNode[] {
  return mergeIncludeNodes(paths.flatMap(toChain))
}

/** Merges nodes with the same relationship and source type, and their children. */
export function mergeIncludeNodes(nodes: readonly IncludeNode[]): readonly IncludeNode[] {
  const merged: IncludeNode[] = []
  const indexes = new Map<string, number>()
  for (const node of nodes) {
    const key = `${node.from.name} ${node.relationship.declaringType.name} ${node.relationship.name}`
    const index = indexes.get(key) ?? merged.length
    const known = merged[index]
    indexes.set(key, index)
    merged[index] = known === undefined ? node : { ...known, children: [...known.children, ...node.children] }
  }
  return merged.map((node) =>
    node.children.length < 2 ? node : { ...node, children: mergeIncludeNodes(node.children) },
  )
}

function toChain([step, ...rest]: RelationshipPathWithSourceTypes): readonly IncludeNode[] {
  return step === undefined ? [] : [{ ...step, children: toChain(rest) }]
}
