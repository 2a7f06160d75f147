import { isMaintainedByServer } from '../metadata/declared-columns'
import type { ColumnMapping } from './database-mapping'

/** Returns the columns of an attribute: one, or those of an embedded object. */
export function columnOrEmbeddedColumns(mapping: ColumnMapping): readonly ColumnMapping[] {
  return mapping.embeddedColumns?.map(({ column }) => column) ?? [mapping]
}

/** Returns each column of an attribute with its part of the value. The parts of a missing object are null. */
export function flattenEmbeddedValue(
  mapping: ColumnMapping,
  value: unknown,
): readonly (readonly [ColumnMapping, unknown])[] {
  if (mapping.embeddedColumns === undefined) return [[mapping, value]]
  return mapping.embeddedColumns.map(({ path, column }) => [column, valueAt(value, path)])
}

/** Returns each column that a write of an attribute sets, with its part of the value. Members that the server maintains stay as they are. */
export function flattenWrittenValue(mapping: ColumnMapping, value: unknown): ReturnType<typeof flattenEmbeddedValue> {
  const parts = flattenEmbeddedValue(mapping, value)
  return mapping.embeddedColumns === undefined
    ? parts
    : parts.filter(([{ metadata }]) => !isMaintainedByServer(metadata))
}

function valueAt(embedded: unknown, path: readonly string[]): unknown {
  return path.reduce((value, name) => (value as Record<string, unknown> | null | undefined)?.[name], embedded) ?? null
}

/** Returns the value of an attribute from those of its columns, in their order. */
export function composeEmbeddedValue({ embeddedColumns }: ColumnMapping, values: readonly unknown[]): unknown {
  if (embeddedColumns === undefined) return values[0]
  return toObject(embeddedColumns.map(({ path }, index) => ({ path, value: values[index] })))
}

interface EmbeddedMember {
  readonly path: readonly string[]
  readonly value: unknown
}

/** Creates an object; null if all members are null. */
function toObject(members: readonly EmbeddedMember[]): Readonly<Record<string, unknown>> | null {
  if (members.every(({ value }) => value === null || value === undefined)) return null
  const names = new Set(members.map(({ path: [name = ''] }) => name))
  return Object.fromEntries(
    [...names].map((name) => {
      const membersOfName = members.filter(({ path }) => path[0] === name)
      const [first] = membersOfName
      if (first?.path.length === 1) return [name, first.value]
      return [name, toObject(membersOfName.map(({ path, value }) => ({ path: path.slice(1), value })))]
    }),
  )
}
