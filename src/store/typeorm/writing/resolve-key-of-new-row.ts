import { randomUUID } from 'node:crypto'
import { createErrorDetails, JsonApiError } from '../../../errors/json-api-error'
import type { CreatePlan } from '../../../plan/write-plan'
import { findKeyOfId, isSameKeyPart } from '../mapping/keys'
import type { ColumnMapping, Mapping } from '../mapping/mapping'
import { ownedForeignKeysOfChanges } from './owned-foreign-keys'
import type { ColumnValues } from './write-statements'

/** The known parts of the key of a new row; `undefined`: the database generates the part. */
export type PartialKey = readonly unknown[]

/**
 * Resolves the parts of a key from the client's id, attributes, to-one relationships, generated UUIDs, and last from listeners. Sources that give the
 * same part have to agree.
 */
export function resolveKeyOfNewRow(plan: CreatePlan, changed: ColumnValues, mapping: Mapping): PartialKey {
  const { key } = mapping.tableOf(plan.type)
  const said = [
    ...candidatesFromId(plan, mapping),
    ...candidatesFromValues(plan, mapping),
    ...candidatesFromLinks(plan, mapping),
  ]
  rejectZero(said, key, mapping)
  return key.map((column, place) => {
    const heard = changed.get(column.column) ?? undefined
    return heard ?? agreedValue(said.filter((each) => each.place === place)) ?? generatedPart(column, key.length)
  })
}

interface KeyPartCandidate {
  readonly place: number
  readonly part: unknown
  /** The field that says it. */
  readonly field: string
}

function candidatesFromId({ type, id }: CreatePlan, mapping: Mapping): readonly KeyPartCandidate[] {
  if (id === undefined) return []
  const key = findKeyOfId(mapping, type, id)
  if (key !== undefined) return key.map((part, place) => ({ place, part, field: 'id' }))
  // All else was asked of it before: a transformer has failed on it.
  throw new JsonApiError([
    { ...createErrorDetails('resource.id-value', `Expected an id of '${type.name}'.`), field: 'id' },
  ])
}

function candidatesFromValues({ type, values }: CreatePlan, mapping: Mapping): readonly KeyPartCandidate[] {
  const { key } = mapping.tableOf(type)
  return [...values].flatMap(([attribute, held]) => {
    const { column, toDatabase } = mapping.columnOf(attribute)
    const place = key.findIndex((part) => part.column === column)
    return place < 0 ? [] : [{ place, part: toDatabase(held), field: attribute.name }]
  })
}

function candidatesFromLinks({ links }: CreatePlan, mapping: Mapping): readonly KeyPartCandidate[] {
  return ownedForeignKeysOfChanges(links, mapping, undefined).flatMap(({ relationship, key, link }) =>
    link.columns.flatMap(({ primaryKeyIndex }, index) =>
      primaryKeyIndex === undefined || key == null
        ? []
        : [{ place: primaryKeyIndex, part: key[index], field: relationship.name }],
    ),
  )
}

/** In an auto-increment column, MySQL replaces 0 by the next number, so the client would not get its id. */
function rejectZero(said: readonly KeyPartCandidate[], key: readonly ColumnMapping[], { dialect }: Mapping): void {
  if (dialect.name !== 'mysql') return
  const zero = said.find(
    ({ place, part }) => key[place]?.metadata.generationStrategy === 'increment' && Number(part) === 0,
  )
  if (zero === undefined) return
  const detail = "Expected a number other than '0', which the database replaces by the next free one."
  throw new JsonApiError([{ ...createErrorDetails('resource.id-value', detail), field: zero.field }])
}

function agreedValue([first, ...others]: readonly KeyPartCandidate[]): unknown {
  const other = others.find(({ part }) => !isSameKeyPart(part, first?.part))
  if (first === undefined || other === undefined) return first?.part
  const detail = `'${first.field}' and '${other.field}' give different values for one part of the id.`
  throw new JsonApiError([{ ...createErrorDetails('resource.id-mismatch', detail), field: other.field }])
}

function generatedPart({ metadata, toDatabase }: ColumnMapping, parts: number): unknown {
  if (metadata.generationStrategy === 'uuid') return toDatabase(randomUUID())
  // MySQL does not return generated values.
  const { default: otherwise }: { readonly default?: unknown } = metadata
  return parts > 1 && (typeof otherwise === 'string' || typeof otherwise === 'number') ? otherwise : undefined
}
