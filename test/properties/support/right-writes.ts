import fc from 'fast-check'
import { Evaluator } from '../../../exams/oracle/evaluate'
import { TYPES } from '../../../exams/oracle/model'
import { isToMany } from '../../../exams/shared/model'
import type { Row } from '../../../exams/shared/rows'
import type { LivingRows } from './living-rows'
import { pathOf } from './paths'

export interface RightWrite {
  readonly method: 'POST' | 'PATCH' | 'DELETE'
  readonly path: string
  /** A resource is deleted without one. */
  readonly body?: { readonly data: unknown }
}

/** To all endpoints that write, of rows that there are at that moment, and now and then of one that was. */
export function rightWrites(rows: readonly Row[], living: LivingRows): fc.Arbitrary<RightWrite> {
  const world = new Evaluator(rows)
  const row = oneOf(() => (living.gone.length === 0 ? living.rows : [...living.rows, ...living.rows, ...living.gone]))
  const creates = fc.tuple(fc.constantFrom(...rows), fc.nat()).map(([like, number]): RightWrite => {
    const data = { type: like.type, id: newId(like, number), ...fieldsOf(like) }
    return { method: 'POST', path: `/${like.type}`, body: { data } }
  })
  const updates = row.map((each): RightWrite => {
    const data = { type: each.type, id: each.id, ...fieldsOf(each) }
    return { method: 'PATCH', path: pathOf(each), body: { data } }
  })
  const deletes = row.map((each): RightWrite => ({ method: 'DELETE', path: pathOf(each) }))
  const links = row.chain((each) =>
    fc
      .tuple(fc.constantFrom(...TYPES.relationships(each.type)), fc.constantFrom('POST', 'PATCH', 'DELETE'))
      .map(([[name, relationship], method]): RightWrite => {
        const found = rightsOf(each, name)
        const data = isToMany(relationship) ? found : (found[0] ?? null)
        return { method, path: `${pathOf(each)}/relationships/${name}`, body: { data } }
      }),
  )
  return fc.oneof(creates, updates, links, deletes)

  function fieldsOf(each: Row): object {
    const keys = TYPES.keyNames(each.type)
    const toOnes = [...TYPES.relationships(each.type)].flatMap(([name, relationship]) => {
      const [data] = isToMany(relationship) ? [] : rightsOf(each, name)
      return data === undefined ? [] : [[name, { data }]]
    })
    return {
      attributes: Object.fromEntries(Object.entries(each.values).filter(([name]) => !keys.includes(name))),
      relationships: Object.fromEntries(toOnes),
    }
  }

  /** What it was related to at first, as far as it is still there. */
  function rightsOf(left: Row, name: string): readonly object[] {
    const rights = world.related(left, name).filter((right) => living.has(right))
    return rights.map(({ type, id }) => ({ type, id }))
  }
}

/** Which they are is asked when one is drawn. */
function oneOf(rows: () => readonly Row[]): fc.Arbitrary<Row> {
  return fc.nat().map((place) => {
    const all = rows()
    return all[place % all.length] as Row
  })
}

/** Of the same kind as another one. */
function newId({ type, id }: Row, number: number): string {
  const { kind } = TYPES.idModel(type)
  if (kind === 'integer') return String(number % 2 ** 31)
  return kind === 'uuid' ? `${id.slice(0, -8)}${String(number % 1e8).padStart(8, '0')}` : `${number}${id}`
}
