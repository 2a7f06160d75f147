import type { Relationship } from '../graph/resource-graph'
import type { IncludeNode } from './ast'
import type { Path } from './relationship-path'

/** Paths that start alike share their nodes: `a,a.b` is `a.b`. */
export function toIncludeTree(paths: readonly Path[]): readonly IncludeNode[] {
  const branches = new Map<Relationship, Path[]>()
  for (const [relationship, ...rest] of paths) {
    if (relationship === undefined) continue
    const branch = branches.get(relationship)
    if (branch === undefined) branches.set(relationship, [rest])
    else branch.push(rest)
  }
  return [...branches].map(([relationship, rests]) => ({ relationship, children: toIncludeTree(rests) }))
}
