import { randomUUID } from 'node:crypto'
import { JsonApiError, problem } from '../../errors/json-api-error'
import type { CreatePlan } from '../../plan/write-plan'
import { isSamePart, toKey } from './keys'
import type { ColumnMapping, Mapping } from './mapping'
import { ownKeysOf } from './own-keys'
import type { Assignments } from './writing'

/** The key of a row that is to be, as far as it is known before: `undefined` is what the database will give. */
export type GatheredKey = readonly unknown[]

/**
 * The parts of a key come from the client's id, from attributes and to-one relationships whose columns they are, or are UUIDs of our making;
 * what listeners have said comes last. Whoever says the same part must say the same.
 */
export function gatherKey(plan: CreatePlan, changed: Assignments, mapping: Mapping): GatheredKey {
  const { key } = mapping.tableOf(plan.type)
  const said = [...saidById(plan, mapping), ...saidByValues(plan, mapping), ...saidByLinks(plan, mapping)]
  refuseZero(said, key, mapping)
  return key.map((column, place) => {
    const heard = changed.get(column.column)?.values[0] ?? undefined
    return heard ?? agreedOn(said.filter((each) => each.place === place)) ?? madeUp(column, key.length)
  })
}

interface SaidPart {
  readonly place: number
  readonly part: unknown
  /** The field that says it. */
  readonly field: string
}

function saidById({ type, id }: CreatePlan, mapping: Mapping): readonly SaidPart[] {
  if (id === undefined) return []
  const key = toKey(mapping, type, id)
  if (key !== undefined) return key.map((part, place) => ({ place, part, field: 'id' }))
  // All else was asked of it before: a transformer has failed on it.
  throw new JsonApiError([{ ...problem('resource.id-value', `Expected an id of '${type.name}'.`), field: 'id' }])
}

function saidByValues({ type, values }: CreatePlan, mapping: Mapping): readonly SaidPart[] {
  const { key } = mapping.tableOf(type)
  return [...values].flatMap(([attribute, held]) => {
    const { column, toDatabase } = mapping.columnOf(type, attribute)
    const place = key.findIndex((part) => part.column === column)
    return place < 0 ? [] : [{ place, part: toDatabase(held), field: attribute.name }]
  })
}

function saidByLinks({ links }: CreatePlan, mapping: Mapping): readonly SaidPart[] {
  return ownKeysOf(links, mapping, undefined).flatMap(({ relationship, key, link }) =>
    link.columns.flatMap(({ place }, index) =>
      place === undefined || key == null ? [] : [{ place, part: key[index], field: relationship.name }],
    ),
  )
}

/** In a column that counts up, MySQL takes 0 for nothing and gives the next number: the client would not get the id that it has named. */
function refuseZero(said: readonly SaidPart[], key: readonly ColumnMapping[], { dialect }: Mapping): void {
  if (dialect.name !== 'mysql') return
  const zero = said.find(
    ({ place, part }) => key[place]?.metadata.generationStrategy === 'increment' && Number(part) === 0,
  )
  if (zero === undefined) return
  const detail = "Expected another number than '0', for which the database gives the next one that is free."
  throw new JsonApiError([{ ...problem('resource.id-value', detail), field: zero.field }])
}

function agreedOn([first, ...others]: readonly SaidPart[]): unknown {
  const other = others.find(({ part }) => !isSamePart(part, first?.part))
  if (first === undefined || other === undefined) return first?.part
  const detail = `'${first.field}' and '${other.field}' say different things of one part of the id.`
  throw new JsonApiError([{ ...problem('resource.id-parts', detail), field: other.field }])
}

function madeUp({ metadata, toDatabase }: ColumnMapping, parts: number): unknown {
  if (metadata.generationStrategy === 'uuid') return toDatabase(randomUUID())
  // MySQL does not tell what it has put there.
  const { default: otherwise }: { readonly default?: unknown } = metadata
  return parts > 1 && (typeof otherwise === 'string' || typeof otherwise === 'number') ? otherwise : undefined
}
