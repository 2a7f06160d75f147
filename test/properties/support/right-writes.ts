import fc from 'fast-check'
import { Evaluator } from '../../../exams/oracle/evaluate'
import { TYPES } from '../../../exams/oracle/model'
import { isToMany } from '../../../exams/shared/model'
import type { Row } from '../../../exams/shared/rows'
import type { RowTracker } from './living-rows'
import { pathOf } from './paths'

export interface ValidWrite {
  readonly method: 'POST' | 'PATCH' | 'DELETE'
  readonly path: string
  /** Absent when a resource is deleted. */
  readonly body?: { readonly data: unknown }
}

/** Generates writes to all endpoints, for existing rows and sometimes for a deleted one. */
export function validWrites(rows: readonly Row[], tracker: RowTracker): fc.Arbitrary<ValidWrite> {
  const evaluator = new Evaluator(rows)
  const row = oneOf(() =>
    tracker.deletedRows.length === 0 ? tracker.rows : [...tracker.rows, ...tracker.rows, ...tracker.deletedRows],
  )
  const creates = fc.tuple(fc.constantFrom(...rows), fc.nat()).map(([template, number]): ValidWrite => {
    const data = { type: template.type, id: newId(template, number), ...fieldsOf(template) }
    return { method: 'POST', path: `/${template.type}`, body: { data } }
  })
  const updates = row.map((each): ValidWrite => {
    const data = { type: each.type, id: each.id, ...fieldsOf(each) }
    return { method: 'PATCH', path: pathOf(each), body: { data } }
  })
  const deletes = row.map((each): ValidWrite => ({ method: 'DELETE', path: pathOf(each) }))
  const links = row.chain((each) =>
    fc
      .tuple(fc.constantFrom(...TYPES.relationships(each.type)), fc.constantFrom('POST', 'PATCH', 'DELETE'))
      .map(([[name, relationship], method]): ValidWrite => {
        const found = relatedIdentifiers(each, name)
        const data = isToMany(relationship) ? found : (found[0] ?? null)
        return { method, path: `${pathOf(each)}/relationships/${name}`, body: { data } }
      }),
  )
  return fc.oneof(creates, updates, links, deletes)

  function fieldsOf(each: Row): object {
    const keys = TYPES.keyNames(each.type)
    const toOnes = [...TYPES.relationships(each.type)].flatMap(([name, relationship]) => {
      const [data] = isToMany(relationship) ? [] : relatedIdentifiers(each, name)
      return data === undefined ? [] : [[name, { data }]]
    })
    return {
      attributes: Object.fromEntries(Object.entries(each.values).filter(([name]) => !keys.includes(name))),
      relationships: Object.fromEntries(toOnes),
    }
  }

  /** Returns the initially related rows that still exist. */
  function relatedIdentifiers(source: Row, name: string): readonly object[] {
    const rights = evaluator.related(source, name).filter((right) => tracker.has(right))
    return rights.map(({ type, id }) => ({ type, id }))
  }
}

/** Calls `rows` for each value, because the rows change. */
function oneOf(rows: () => readonly Row[]): fc.Arbitrary<Row> {
  return fc.nat().map((index) => {
    const all = rows()
    return all[index % all.length] as Row
  })
}

function newId({ type, id }: Row, number: number): string {
  const { kind } = TYPES.idModel(type)
  if (kind === 'integer') return String(number % 2 ** 31)
  return kind === 'uuid' ? `${id.slice(0, -8)}${String(number % 1e8).padStart(8, '0')}` : `${number}${id}`
}
