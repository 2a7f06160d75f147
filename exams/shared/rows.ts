import type { DataSource } from 'typeorm'
import type { DatabaseName, Layout } from './databases'
import { type AttributeModel, classNameOf, isToMany, keyColumnsOf, pairTableOf, type Types } from './model'

/** The content of a row. Texts, numbers and dates have the form of `attributes` in a document; decimals and 64-bit integers are strings. */
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

/** Inserts rows with its own SQL, independently of the library. Sets foreign keys last, since rows may refer to later rows. */
export async function insertRows(target: Target, rows: readonly Row[]): Promise<void> {
  const { types, dataSource } = target
  for (const row of rows) {
    for (const [table, columns] of partsOf(target, row)) await insert(target, table, columns)
  }
  for (const row of rows) {
    for (const [field, relationship] of types.relationships(row.type)) {
      const ends = row.links[field] ?? []
      const declaring = types.declaring(row.type, field)
      if (relationship.kind === 'pairs') {
        const table = pairTableOf(declaring, field)
        const left = referTo(types, 'left', row.type, row.id)
        for (const end of ends)
          await insert(target, table, { ...left, ...referTo(types, 'right', relationship.to, end) })
      } else if (!isToMany(relationship) && ends[0] !== undefined && relationship.required === undefined) {
        const table = quote(target, tableOf(target, row.type, declaring))
        const given = Object.entries(referTo(types, field, relationship.to, ends[0]))
        const key = Object.entries(keyOf(types, row.type, row.id))
        const equal = [...given, ...key].map(
          ([name], place) => `${quote(target, name)} = ${target.database === 'postgres' ? `$${place + 1}` : '?'}`,
        )
        await dataSource.query(
          `update ${table} set ${equal.slice(0, given.length).join()} where ${equal.slice(given.length).join(' and ')}`,
          [...given, ...key].map(([, value]) => value),
        )
      }
    }
  }
}

/** The inserted values by table. */
function partsOf(target: Target, row: Row): Map<string, Record<string, unknown>> {
  const { types, layout } = target
  const { type, values, links } = row
  const key = keyOf(types, type, row.id)
  const parts = new Map<string, Record<string, unknown>>()
  for (const each of types.chain(type).toReversed()) {
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
      const [end] = links[name] ?? []
      if (required && (kind === 'belongsTo' || kind === 'ownsOne') && end !== undefined)
        Object.assign(columns, referTo(types, name, to, end))
    }
    parts.set(table, columns)
  }
  return parts
}

/** The table with the columns that another type of the lineage declares. */
function tableOf({ types, layout }: Target, type: string, declaring: string): string {
  if (layout === 'single') return types.rootOf(type)
  return layout === 'joined' ? declaring : type
}

/** Values by column. */
function keyOf(types: Types, type: string, id: string): Readonly<Record<string, string | number>> {
  const { kind, parts } = types.idModel(type)
  if (parts === undefined) return { id: kind === 'integer' ? Number(id) : id }
  const texts = partsOfId(id)
  return Object.fromEntries(Object.keys(parts).map((name, place) => [name, texts[place] ?? '']))
}

/** The values of the columns of a relationship. */
function referTo(types: Types, relationship: string, to: string, id: string): Record<string, string | number> {
  const columns = keyColumnsOf(relationship, types.keyNames(to))
  return Object.fromEntries(Object.values(keyOf(types, to, id)).map((value, place) => [columns[place], value]))
}

/** Splits an id: `a!~b~7` has the parts `a~b` and `7`. */
export function partsOfId(id: string): readonly string[] {
  return id.split(/(?<=(?:^|[^!])(?:!!)*)~/).map((part) => part.replaceAll(/!([~!])/g, '$1'))
}

export function idOfParts(parts: readonly unknown[]): string {
  return parts.map((part) => String(part).replaceAll(/[~!]/g, '!$&')).join('~')
}

async function insert(target: Target, table: string, columns: Readonly<Record<string, unknown>>): Promise<void> {
  const names = Object.keys(columns).map((name) => quote(target, name))
  const places = names.map((_, place) => (target.database === 'postgres' ? `$${place + 1}` : '?'))
  const text = `insert into ${quote(target, table)} (${names.join()}) values (${places.join()})`
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
  if (kind === 'moment' && database !== 'postgres') return String(value).replace('T', ' ').replace('Z', '')
  return value
}
