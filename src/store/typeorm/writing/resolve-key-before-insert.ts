import { randomUUID } from 'node:crypto'
import { createErrorDetails, JsonApiError } from '../../../errors/json-api-error'
import { indexesOfServerSetKeyParts } from '../../../graph/model/key-fields'
import type { CreatePlan } from '../../../plan/write-plan'
import type { ColumnMapping, DatabaseMapping } from '../mapping/database-mapping'
import { findKeyOfId, isSameKeyPart } from '../mapping/keys'
import { toOwnedForeignKeyChanges } from './owned-foreign-keys'
import type { ColumnValues } from './write-statements'

/** The known parts of the key of a new row; `undefined`: the database generates the part. */
export type PartialKey = readonly unknown[]

/**
 * Resolves the parts of a key. A value that a listener set comes first, then the client's id, attributes and to-one relationships, then generated
 * UUIDs. The values of the client for one part have to be equal. A part that the client may not write has to be set by a listener, a rule or a
 * constant default; values of the client for it have to equal that.
 */
export function resolveKeyBeforeInsert(plan: CreatePlan, changed: ColumnValues, mapping: DatabaseMapping): PartialKey {
  const { key } = mapping.tableOf(plan.type)
  const candidates = [
    ...candidatesFromId(plan, mapping),
    ...candidatesFromValues(plan, mapping),
    ...candidatesFromRelationshipChanges(plan, mapping),
  ]
  rejectZero(candidates, key, mapping)
  const partsOfServer = indexesOfServerSetKeyParts(plan.type, plan.readOnlyKeyFields)
  return key.map((column, index) => {
    const fromListener = changed.get(column.column) ?? undefined
    const all = candidates.filter((candidate) => candidate.index === index)
    const agreed = partsOfServer.has(index) ? valueOfServer(all, fromListener, column) : agreedValue(all)
    return fromListener ?? agreed ?? generatedPart(column, key.length)
  })
}

/** Returns the value of a part that the client may not write. Throws if the client sends another one. */
function valueOfServer(candidates: readonly KeyPartCandidate[], fromListener: unknown, column: ColumnMapping): unknown {
  const fromRule = agreedValue(candidates.filter(({ isReadOnly }) => isReadOnly))
  const value = fromListener ?? fromRule ?? constantDefault(column)
  const isOther = (part: unknown) => value === undefined || !isSameKeyPart(part, value)
  const other = candidates.find(({ part, isReadOnly }) => !isReadOnly && isOther(part))
  if (other !== undefined) throw mismatchWithServerError(other.field)
  return value
}

interface KeyPartCandidate {
  readonly index: number
  readonly part: unknown
  /** The field of the request that contains the value. */
  readonly field: string
  /** Whether the client may not write the field. Then a rule has set it, and errors must not reveal its name. */
  readonly isReadOnly: boolean
}

function candidatesFromId({ type, id }: CreatePlan, mapping: DatabaseMapping): readonly KeyPartCandidate[] {
  if (id === undefined) return []
  const key = findKeyOfId(mapping, type, id)
  if (key !== undefined) return key.map((part, index) => ({ index, part, field: 'id', isReadOnly: false }))
  // The request was validated before, except for transformers and types that only the database knows.
  throw new JsonApiError([
    { ...createErrorDetails('resource.id-value', `Expected an id of '${type.name}'.`), field: 'id' },
  ])
}

function candidatesFromValues(
  { type, values, readOnlyKeyFields }: CreatePlan,
  mapping: DatabaseMapping,
): readonly KeyPartCandidate[] {
  const { key } = mapping.tableOf(type)
  return [...values].flatMap(([attribute, value]) => {
    const { column, toDatabase } = mapping.columnOf(attribute)
    const index = key.findIndex((part) => part.column === column)
    const isReadOnly = readOnlyKeyFields.has(attribute)
    return index < 0 ? [] : [{ index, part: toDatabase(value), field: attribute.name, isReadOnly }]
  })
}

function candidatesFromRelationshipChanges(
  { relationshipChanges }: CreatePlan,
  mapping: DatabaseMapping,
): readonly KeyPartCandidate[] {
  return toOwnedForeignKeyChanges(relationshipChanges, mapping, undefined).flatMap(({ relationship, key, relation }) =>
    relation.columns.flatMap(({ primaryKeyIndex }, columnIndex) =>
      primaryKeyIndex === undefined || key == null
        ? []
        : [{ index: primaryKeyIndex, part: key[columnIndex], field: relationship.name, isReadOnly: false }],
    ),
  )
}

/** Returns true for a column with a counter in the database. */
export function isAutoIncremented({ metadata: { generationStrategy } }: ColumnMapping): boolean {
  return ['increment', 'identity'].includes(String(generationStrategy))
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
  const sent = [other, first].find(({ isReadOnly }) => !isReadOnly)
  if (first.isReadOnly || other.isReadOnly) throw mismatchWithServerError(sent?.field ?? 'id')
  const detail = `'${first.field}' and '${other.field}' give different values for one part of the id.`
  throw new JsonApiError([{ ...createErrorDetails('resource.id-mismatch', detail), field: other.field }])
}

function mismatchWithServerError(field: string): JsonApiError {
  const detail = `'${field}' and the server give different values for one part of the id.`
  return new JsonApiError([{ ...createErrorDetails('resource.id-mismatch', detail), field }])
}

function generatedPart(column: ColumnMapping, partCount: number): unknown {
  if (column.metadata.generationStrategy === 'uuid') return column.toDatabase(randomUUID())
  // MySQL does not return generated values.
  return partCount > 1 ? constantDefault(column) : undefined
}

function constantDefault({ metadata }: ColumnMapping): unknown {
  const { default: columnDefault }: { readonly default?: unknown } = metadata
  return typeof columnDefault === 'string' || typeof columnDefault === 'number' ? columnDefault : undefined
}
