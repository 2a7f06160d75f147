import fc from 'fast-check'
import type { Relationship, StoredType } from '../../../src/graph/resource-graph'
import { type LivingRows, pathOf } from './living-rows'
import { type Row, storedTypesOf } from './rows'
import type { Known } from './world'

export interface RightWrite {
  readonly method: 'POST' | 'PATCH' | 'DELETE'
  readonly path: string
  /** A resource is deleted without one. */
  readonly body?: { readonly data: unknown }
}

/** To all endpoints that write, of rows that there are at that moment, and now and then of one that was. */
export function rightWrites({ graph, rows }: Known, living: LivingRows): fc.Arbitrary<RightWrite> {
  const row = oneOf(() => (living.gone.length === 0 ? living.rows : [...living.rows, ...living.rows, ...living.gone]))
  const creates = fc
    .constantFrom(...storedTypesOf(graph))
    .chain((type) => fc.constantFrom(...rows.filter((each) => each.type === type)))
    .map(
      (like): RightWrite => ({
        method: 'POST',
        path: `/${like.type.name}`,
        body: { data: { type: like.type.name, ...fieldsOf(like, living) } },
      }),
    )
  const updates = row.map((each): RightWrite => {
    const data = { type: each.type.name, id: each.id, ...fieldsOf(each, living) }
    return { method: 'PATCH', path: pathOf(each), body: { data } }
  })
  const deletes = row.map((each): RightWrite => ({ method: 'DELETE', path: pathOf(each) }))
  const links = row.chain((each) => {
    const { relationships } = each.type
    // What has none is updated.
    if (relationships.length === 0) return updates
    return fc
      .tuple(fc.constantFrom(...relationships), fc.constantFrom('POST', 'PATCH', 'DELETE'))
      .map(([relationship, method]): RightWrite => {
        const found = rightsOf(each, relationship, living)
        const data = relationship.kind === 'toMany' ? found : (found[0] ?? null)
        return { method, path: `${pathOf(each)}/relationships/${relationship.name}`, body: { data } }
      })
  })
  return fc.oneof(creates, updates, links, deletes)
}

/** Which they are is asked when one is drawn. */
function oneOf(rows: () => readonly Row[]): fc.Arbitrary<Row> {
  return fc.nat().map((place) => {
    const all = rows()
    return all[place % all.length] as Row
  })
}

function fieldsOf(row: Row, living: LivingRows): object {
  const type: StoredType = row.type
  const attributes = type.attributes.filter(({ upkeep }) => upkeep === 'client')
  const toOnes = type.relationships.filter(({ kind }) => kind === 'toOne')
  return {
    attributes: Object.fromEntries(attributes.map((each) => [each.name, row.values.get(each) ?? null])),
    relationships: Object.fromEntries(
      toOnes.flatMap((each) => {
        const [data] = rightsOf(row, each, living)
        return data === undefined ? [] : [[each.name, { data }]]
      }),
    ),
  }
}

/** What it was related to at first, as far as it is still there. */
function rightsOf({ related }: Row, relationship: Relationship, living: LivingRows): readonly object[] {
  const rights = (related.get(relationship) ?? []).filter((row) => living.has(row))
  return rights.map(({ type, id }) => ({ type: type.name, id }))
}
