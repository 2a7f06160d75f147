import fc from 'fast-check'
import { TYPES } from '../../../exams/oracle/model'
import type { Row } from '../../../exams/shared/rows'

/** Generates paths of all endpoints, with ids of existing rows. */
export function pathsOf(rows: readonly Row[]): fc.Arbitrary<string> {
  const row = fc.constantFrom(...rows)
  const ends = row.chain((each) =>
    fc
      .constantFrom(...TYPES.relationships(each.type).keys())
      .chain((name) => fc.constantFrom(`${pathOf(each)}/${name}`, `${pathOf(each)}/relationships/${name}`)),
  )
  return fc.oneof(
    fc.constantFrom(...TYPES.names, 'operations').map((name) => `/${name}`),
    row.map(pathOf),
    ends,
  )
}

export function pathOf({ type, id }: Pick<Row, 'type' | 'id'>): string {
  return `/${type}/${encodeURIComponent(id)}`
}
