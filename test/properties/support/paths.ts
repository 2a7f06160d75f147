import fc from 'fast-check'
import type { Known } from './world'

/** Of all endpoints, and rows that are there. */
export function pathsOf({ graph, rows }: Known): fc.Arbitrary<string> {
  const individuals = fc
    .constantFrom(...rows)
    .map(({ type, id }) => [type, `/${type.name}/${encodeURIComponent(id)}`] as const)
  const ends = individuals
    .filter(([type]) => type.relationships.length > 0)
    .chain(([type, path]) =>
      fc
        .constantFrom(...type.relationships)
        .chain(({ name }) => fc.constantFrom(`${path}/${name}`, `${path}/relationships/${name}`)),
    )
  return fc.oneof(
    fc.constantFrom(...graph.types.keys(), 'operations').map((name) => `/${name}`),
    individuals.map(([, path]) => path),
    ends,
  )
}
