import { randomUUID } from 'node:crypto'
import { createErrorDetails, JsonApiError } from '../../../errors/json-api-error'
import type { CreatePlan } from '../../../plan/write-plan'
import type { ColumnMapping, DatabaseMapping } from '../mapping/database-mapping'
import { findKeyOfId, isSameKeyPart } from '../mapping/keys'
import { toOwnedForeignKeyChanges } from './owned-foreign-keys'
import type { ColumnValues } from './write-statements'

/** The known parts of the key of a new row; `undefined`: the database generates the part. */
export type PartialKey = readonly unknown[]

/**
 * Resolves the parts of a key. A value that a listener set comes first, then the client's id, attributes and to-one relationships, then generated
 * UUIDs. The values of the client for one part have to be equal.
 */
export function resolveKeyBeforeInsert(plan: CreatePlan, changed: ColumnValues, mapping: DatabaseMapping): PartialKey {
  const { key } = mapping.tableOf(plan.type)
  const candidates = [
    ...candidatesFromId(plan, mapping),
    ...candidatesFromValues(plan, mapping),
    ...candidatesFromLinks(plan, mapping),
  ]
  rejectZero(candidates, key, mapping)
  return key.map((column, index) => {
    const fromListener = changed.get(column.column) ?? undefined
    const fromClient = agreedValue(candidates.filter((candidate) => candidate.index === index))
    return fromListener ?? fromClient ?? generatedPart(column, key.length)
  })
}

interface KeyPartCandidate {
  readonly index: number
  readonly part: unknown
  /** The field of the request that contains the value. */
  readonly field: string
}

function candidatesFromId({ type, id }: CreatePlan, mapping: DatabaseMapping): readonly KeyPartCandidate[] {
  if (id === undefined) return []
  const key = findKeyOfId(mapping, type, id)
  if (key !== undefined) return key.map((part, index) => ({ index, part, field: 'id' }))
  // The request was validated before, so only a transformer can have failed.
  throw new JsonApiError([
    { ...createErrorDetails('resource.id-value', `Expected an id of '${type.name}'.`), field: 'id' },
  ])
}

function candidatesFromValues({ type, values }: CreatePlan, mapping: DatabaseMapping): readonly KeyPartCandidate[] {
  const { key } = mapping.tableOf(type)
  return [...values].flatMap(([attribute, value]) => {
    const { column, toDatabase } = mapping.columnOf(attribute)
    const index = key.findIndex((part) => part.column === column)
    return index < 0 ? [] : [{ index, part: toDatabase(value), field: attribute.name }]
  })
}

function candidatesFromLinks({ links }: CreatePlan, mapping: DatabaseMapping): readonly KeyPartCandidate[] {
  return toOwnedForeignKeyChanges(links, mapping, undefined).flatMap(({ relationship, key, link }) =>
    link.columns.flatMap(({ primaryKeyIndex }, columnIndex) =>
      primaryKeyIndex === undefined || key == null
        ? []
        : [{ index: primaryKeyIndex, part: key[columnIndex], field: relationship.name }],
    ),
  )
}

/** Rejects 0 in an auto-increment column, because MySQL replaces it by the next number. */
function rejectZero(
  candidates: readonly KeyPartCandidate[],
  key: readonly ColumnMapping[],
  { dialect }: DatabaseMapping,
): void {
  if (dialect.name !== 'mysql') return
  const zero = candidates.find(
    ({ index, part }) => key[index]?.metadata.generationStrategy === 'increment' && Number(part) === 0,
  )
  if (zero === undefined) return
  const detail = "Expected a number other than '0', which the database replaces by the next free one."
  throw new JsonApiError([{ ...createErrorDetails('resource.id-value', detail), field: zero.field }])
}

function agreedValue([first, ...rest]: readonly KeyPartCandidate[]): unknown {
  const other = rest.find(({ part }) => !isSameKeyPart(part, first?.part))
  if (first === undefined || other === undefined) return first?.part
  const detail = `'${first.field}' and '${other.field}' give different values for one part of the id.`
  throw new JsonApiError([{ ...createErrorDetails('resource.id-mismatch', detail), field: other.field }])
}

function generatedPart({ metadata, toDatabase }: ColumnMapping, partCount: number): unknown {
  if (metadata.generationStrategy === 'uuid') return toDatabase(randomUUID())
  // MySQL does not return generated values.
  const { default: columnDefault }: { readonly default?: unknown } = metadata
  const isConstant = typeof columnDefault === 'string' || typeof columnDefault === 'number'
  return partCount > 1 && isConstant ? columnDefault : undefined
}
