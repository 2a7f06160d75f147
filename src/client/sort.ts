import type { CheckedDerived, DerivedPath, FilterScope } from './paths'

declare const scope: unique symbol

/** A sort key for resources of a type. */
export interface SortKey<S extends FilterScope = FilterScope> {
  /** In the query language. */
  readonly key: string
  readonly [scope]?: S
}

/** From the smallest on: `ascending('name')`. Attributes of derived types can be named too; rows without them come last. */
export function ascending<S extends FilterScope, const Path extends DerivedPath<S>>(
  path: Path & CheckedDerived<S, Path>,
): SortKey<S> {
  return { key: path }
}

/** From the largest on: `descending('count(children)')`. */
export function descending<S extends FilterScope, const Path extends DerivedPath<S>>(
  path: Path & CheckedDerived<S, Path>,
): SortKey<S> {
  return { key: `-${path}` }
}
