import type { CheckedDerived, DerivedPath, FilterScope } from './paths'

declare const scope: unique symbol

/** A sort key for resources of a type. */
export interface SortKey<S extends FilterScope = FilterScope> {
  /** The key in the query language. */
  readonly key: string
  readonly [scope]?: S
}

/** Sorts from the smallest value: `ascending('name')`. Accepts attributes of derived types; rows without the attribute come last. */
export function ascending<S extends FilterScope, const Path extends DerivedPath<S>>(
  path: Path & CheckedDerived<S, Path>,
): SortKey<S> {
  return { key: path }
}

/** Sorts from the largest value: `descending('count(children)')`. */
export function descending<S extends FilterScope, const Path extends DerivedPath<S>>(
  path: Path & CheckedDerived<S, Path>,
): SortKey<S> {
  return { key: `-${path}` }
}
