import type { ColumnMapping } from './mapping'

/** The columns that an attribute lies in: one, or those of an embedded object. */
export function leafColumns(mapping: ColumnMapping): readonly ColumnMapping[] {
  return mapping.embeddedColumns?.map(({ column }) => column) ?? [mapping]
}

/** Each of them with what it is to hold; of no object nothing. */
export function flattenEmbedded(
  mapping: ColumnMapping,
  value: unknown,
): readonly (readonly [ColumnMapping, unknown])[] {
  if (mapping.embeddedColumns === undefined) return [[mapping, value]]
  return mapping.embeddedColumns.map(({ path, column }) => [column, valueAt(value, path)])
}

function valueAt(embedded: unknown, path: readonly string[]): unknown {
  const found = path.reduce((value, name) => (value as Record<string, unknown> | null | undefined)?.[name], embedded)
  return found ?? null
}

/** The reverse, from the values in the order of the columns. */
export function composeEmbedded({ embeddedColumns }: ColumnMapping, values: readonly unknown[]): unknown {
  if (embeddedColumns === undefined) return values[0]
  return toObject(embeddedColumns.map(({ path }, index) => ({ path, value: values[index] })))
}

interface EmbeddedMember {
  readonly path: readonly string[]
  readonly value: unknown
}

/** An embedded object whose columns are all null is null. */
function toObject(members: readonly EmbeddedMember[]): Readonly<Record<string, unknown>> | null {
  if (members.every(({ value }) => value === null || value === undefined)) return null
  const names = new Set(members.map(({ path: [name = ''] }) => name))
  return Object.fromEntries(
    [...names].map((name) => {
      const own = members.filter(({ path }) => path[0] === name)
      const [first] = own
      if (first?.path.length === 1) return [name, first.value]
      return [name, toObject(own.map(({ path, value }) => ({ path: path.slice(1), value })))]
    }),
  )
}
