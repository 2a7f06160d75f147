import type { ColumnMapping } from './mapping'

/** The columns that an attribute lies in: one, or those of an embedded object. */
export function columnsBehind(mapping: ColumnMapping): readonly ColumnMapping[] {
  return mapping.parts?.map(({ column }) => column) ?? [mapping]
}

/** Each of them with what it is to hold; of no object nothing. */
export function divide(mapping: ColumnMapping, held: unknown): readonly (readonly [ColumnMapping, unknown])[] {
  if (mapping.parts === undefined) return [[mapping, held]]
  return mapping.parts.map(({ path, column }) => [column, follow(held, path)])
}

function follow(held: unknown, path: readonly string[]): unknown {
  const found = path.reduce((value, name) => (value as Record<string, unknown> | null | undefined)?.[name], held)
  return found ?? null
}

/** The reverse, from the values in the order of the columns. */
export function assemble({ parts }: ColumnMapping, values: readonly unknown[]): unknown {
  if (parts === undefined) return values[0]
  return toObject(parts.map(({ path }, place) => ({ path, value: values[place] })))
}

interface Member {
  readonly path: readonly string[]
  readonly value: unknown
}

/** An object of which all columns are null is none. */
function toObject(members: readonly Member[]): Readonly<Record<string, unknown>> | null {
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
