import type { DataSource } from 'typeorm'
import type { DatabaseName, Layout } from './databases'
import { type AttributeModel, classNameOf, isToMany, junctionTableOf, keyColumnsOf, type Types } from './model'

/** A row. Values have the format of `attributes` in a document; decimals and 64-bit integers are strings. */
export interface Row {
  readonly type: string
  readonly id: string
  readonly values: Record<string, unknown>
  /** Linked ids by relationship. A to-one relationship has at most one. */
  readonly links: Record<string, readonly string[]>
}

interface Target {
  readonly dataSource: DataSource
  readonly types: Types
  readonly database: DatabaseName
  readonly layout: Layout
}

/** Inserts rows without the library. Sets foreign keys last, because rows may refer to later rows. */
export async function insertRows(target: Target, rows: readonly Row[]): Promise<void> {
  const { types, dataSource } = target
  for (const row of rows) {
    for (const [table, columns] of columnsByTable(target, row)) await insert(target, table, columns)
  }
  for (const row of rows) {
    for (const [field, relationship] of types.relationships(row.type)) {
      const relatedIds = row.links[field] ?? []
      const declaring = types.declaringType(row.type, field)
      if (relationship.kind === 'manyToMany') {
        const table = junctionTableOf(declaring, field)
        const left = foreignKeyOf(types, 'left', row.type, row.id)
        for (const relatedId of relatedIds)
          await insert(target, table, { ...left, ...foreignKeyOf(types, 'right', relationship.to, relatedId) })
      } else if (!isToMany(relationship) && relatedIds[0] !== undefined && relationship.required === undefined) {
        const table = quote(target, tableOf(target, row.type, declaring))
        const assignments = Object.entries(foreignKeyOf(types, field, relationship.to, relatedIds[0]))
        const conditions = Object.entries(keyOf(types, row.type, row.id))
        const equations = [...assignments, ...conditions].map(
          ([name], index) => `${quote(target, name)} = ${target.database === 'postgres' ? `$${index + 1}` : '?'}`,
        )
        await dataSource.query(
          `update ${table} set ${equations.slice(0, assignments.length).join()} where ${equations.slice(assignments.length).join(' and ')}`,
          [...assignments, ...conditions].map(([, value]) => value),
        )
      }
    }
  }
}

/** Returns the inserted values by table and column. */
function columnsByTable(target: Target, row: Row): Map<string, Record<string, unknown>> {
  const { types, layout } = target
  const { type, values, links } = row
  const key = keyOf(types, type, row.id)
  const parts = new Map<string, Record<string, unknown>>()
  for (const each of types.lineage(type).toReversed()) {
    const table = tableOf(target, type, each)
    const columns = parts.get(table) ?? { ...key }
    if (each === types.rootOf(type) && types.isHierarchy(type) && layout !== 'concrete')
      columns.kind = classNameOf(type)
    if (types.get(each).version) columns.version = 1
    for (const [name, attribute] of Object.entries(types.get(each).attributes ?? {})) {
      if (values[name] !== undefined)
        columns[attribute.property ?? name] = toColumn(values[name], attribute, target.database)
    }
    for (const [name, { kind, to, required }] of Object.entries(types.get(each).relationships ?? {})) {
      const [relatedId] = links[name] ?? []
      if (required && (kind === 'belongsTo' || kind === 'ownsOneToOne') && relatedId !== undefined)
        Object.assign(columns, foreignKeyOf(types, name, to, relatedId))
    }
    parts.set(table, columns)
  }
  return parts
}

/** Returns the table of a row that has the columns of `declaring`, one of its types. */
function tableOf({ types, layout }: Target, type: string, declaring: string): string {
  if (layout === 'single') return types.rootOf(type)
  return layout === 'joined' ? declaring : type
}

/** Returns the values of the key columns. */
function keyOf(types: Types, type: string, id: string): Readonly<Record<string, string | number>> {
  const { kind, keyColumns: parts } = types.idModel(type)
  if (parts === undefined) return { id: kind === 'integer' ? Number(id) : id }
  const texts = splitId(id)
  return Object.fromEntries(Object.keys(parts).map((name, index) => [name, texts[index] ?? '']))
}

/** The values of the columns of a relationship. */
function foreignKeyOf(types: Types, relationship: string, to: string, id: string): Record<string, string | number> {
  const columns = keyColumnsOf(relationship, types.keyNames(to))
  return Object.fromEntries(Object.values(keyOf(types, to, id)).map((value, index) => [columns[index], value]))
}

/** Splits an id: `a!~b~7` has the parts `a~b` and `7`. */
export function splitId(id: string): readonly string[] {
  return id.split(/(?<=(?:^|[^!])(?:!!)*)~/).map((part) => part.replaceAll(/!([~!])/g, '$1'))
}

export function joinId(parts: readonly unknown[]): string {
  return parts.map((part) => String(part).replaceAll(/[~!]/g, '!$&')).join('~')
}

async function insert(target: Target, table: string, columns: Readonly<Record<string, unknown>>): Promise<void> {
  const names = Object.keys(columns).map((name) => quote(target, name))
  const placeholders = names.map((_, index) => (target.database === 'postgres' ? `$${index + 1}` : '?'))
  const text = `insert into ${quote(target, table)} (${names.join()}) values (${placeholders.join()})`
  await target.dataSource.query(text, Object.values(columns))
}

function quote({ database, dataSource }: Target, name: string): string {
  if (database === 'mariadb') return `\`${name}\``
  const { schema } = dataSource.options as { readonly schema?: string }
  const isTable = database === 'postgres' && dataSource.entityMetadatas.some(({ tableName }) => tableName === name)
  return isTable ? `"${schema}"."${name}"` : `"${name}"`
}

function toColumn(value: unknown, { kind }: AttributeModel, database: DatabaseName): unknown {
  if (value === null) return null
  if (kind === 'json') return JSON.stringify(value)
  if (kind === 'list') return (value as readonly string[]).join()
  if (kind === 'boolean' && database === 'sqlite') return value ? 1 : 0
  if (kind === 'timestamp' && database !== 'postgres') return String(value).replace('T', ' ').replace('Z', '')
  return value
}
