import type { Relationship, ResourceType } from '../../graph/resource-graph'
import type { Among, IncludeLayer, Layer, NumberRange, ShownFields } from '../../plan/read-plan'
import { compileFilter } from './compile-filter'
import { compileSort } from './compile-sort'
import type { ColumnMapping, Mapping, RelationMapping } from './mapping'
import { toKey, toKeys } from './record-key'
import { fromClause, idColumn, innerScope, presence, qualified, rootScope, type Scope, whereClause } from './scope'
import { selectBetween } from './select-between'
import { type SelectedColumns, selectColumns, selectedAs } from './select-columns'
import { identifier, NOTHING, type Sql, toSql, value } from './sql'

/** A statement that is ready to run, and how to read what it gives. */
export interface LayerSelect {
  readonly sql: Sql
  /** Of the table that the rows are from. */
  readonly alias: string
  readonly columns: SelectedColumns
}

/** The rows of the topmost layer. `undefined`: it is known without asking that there are none. */
export function selectPrimary(layer: Layer, shown: ShownFields, mapping: Mapping): LayerSelect | undefined {
  const scope = rootScope(mapping, layer.type)
  const among = compileAmong(layer.among, scope)
  if (among === undefined) return undefined
  const columns = selectColumns(layer, shown, scope)
  const conditions = [...among, ...conditionsOf(layer, scope)]
  if (layer.range?.kind === 'cursors') {
    return { alias: scope.alias, ...selectBetween(layer.range, layer.sort, { columns, conditions, scope }) }
  }
  const order = layer.sort.length === 0 ? NOTHING : toSql` order by ${compileSort(layer.sort, scope)}`
  const from = toSql`${fromClause(scope)}${whereClause(conditions)}`
  const sql = toSql`select ${columns.sql} from ${from}${order}${compileRange(layer.range)}`
  return { sql, alias: scope.alias, columns }
}

/** How many rows the layer has beyond its page. */
export function countPrimary(layer: Layer, mapping: Mapping): Sql | undefined {
  const scope = rootScope(mapping, layer.type)
  const among = compileAmong(layer.among, scope)
  if (among === undefined) return undefined
  const where = whereClause([...among, ...conditionsOf(layer, scope)])
  return toSql`select count(*) as total from ${fromClause(scope)}${where}`
}

/** The column by which rows of an include are told apart by the row above that they belong to. */
export const PARENT = 'parent'
/** Where pages are counted: the number of a row among those of its parent, and how many those are. */
export const PLACE = 'place'
export const TOTAL = 'total'

/**
 * The rows at the other end of a relationship, of all these rows above; of each row above its own range.
 * `keys` are the foreign keys of the rows above where those hold them, else their own keys.
 */
export function selectIncluded(
  { relationship, layer, pages }: IncludeLayer,
  shown: ShownFields,
  mapping: Mapping,
  keys: readonly unknown[],
): LayerSelect {
  const scope = rootScope(mapping, layer.type)
  const link = linkTo(mapping.relationOf(relationship), scope)
  const columns = selectColumns(layer, shown, scope)
  const { comparedAs, selectAs } = parentKey(relationship, layer.type, mapping)
  const among = mapping.dialect.isAmong(link.parent, keys, comparedAs)
  const where = whereClause([...link.conditions, among, ...conditionsOf(layer, scope)])
  const order = layer.sort.length === 0 ? undefined : compileSort(layer.sort, scope)
  const from = toSql`from ${fromClause(scope)}${link.join}${where}`
  const select = toSql`select ${columns.sql}, ${selectedAs(link.parent, selectAs)} as ${identifier(PARENT)}`
  const { alias } = scope
  if (order === undefined) return { sql: toSql`${select} ${from}`, alias, columns }
  // Pages of included resources have numbers.
  if (layer.range?.kind !== 'numbers') return { sql: toSql`${select} ${from} order by ${order}`, alias, columns }
  const parts = { select, parent: link.parent, order, from }
  const sql = pages === undefined ? ofEachParent(parts, layer.range) : countedOfEachParent(parts, layer.range)
  return { sql, alias, columns }
}

/** The primary key that the column of the parent holds. */
function parentKey(relationship: Relationship, right: ResourceType, mapping: Mapping): ColumnMapping {
  const isOnLeft = mapping.relationOf(relationship).kind === 'keyOnLeft'
  return mapping.tableOf(isOnLeft ? right : relationship.declaringType).id
}

interface RankedParts {
  readonly select: Sql
  readonly parent: Sql
  readonly order: Sql
  readonly from: Sql
}

function ofEachParent({ select, parent, order, from }: RankedParts, range: NumberRange): Sql {
  const ranked = toSql`${select}, row_number() over (partition by ${parent} order by ${order}) as place ${from}`
  return toSql`select * from (${ranked}) ranked where ${onPage(range)} order by place`
}

/** The first row of each parent comes along on every page: it tells how many there are. */
function countedOfEachParent({ select, parent, order, from }: RankedParts, range: NumberRange): Sql {
  const place = toSql`row_number() over (partition by ${parent} order by ${order}) as ${identifier(PLACE)}`
  const total = toSql`count(*) over (partition by ${parent}) as ${identifier(TOTAL)}`
  const ranked = toSql`${select}, ${place}, ${total} ${from}`
  return toSql`select * from (${ranked}) ranked where (${onPage(range)}) or place = 1 order by place`
}

function onPage({ offset, size }: NumberRange): Sql {
  return toSql`place > ${value(offset)} and place <= ${value(offset + size)}`
}

interface ParentLink {
  readonly parent: Sql
  readonly join: Sql
  readonly conditions: readonly Sql[]
}

function linkTo(link: RelationMapping, scope: Scope): ParentLink {
  if (link.kind === 'keyOnLeft') return { parent: idColumn(scope), join: NOTHING, conditions: [] }
  if (link.kind === 'keyOnRight') return { parent: qualified(scope, link.column), join: NOTHING, conditions: [] }
  const pair = scope.nextAlias()
  const right = identifier(`${pair}.${link.rightColumn}`)
  return {
    parent: identifier(`${pair}.${link.leftColumn}`),
    join: toSql` join ${identifier(`${link.table} ${pair}`)} on ${right} = ${idColumn(scope)}`,
    conditions: [],
  }
}

function conditionsOf(layer: Layer, scope: Scope): readonly Sql[] {
  return [...presence(scope), ...(layer.filter === undefined ? [] : [compileFilter(layer.filter, scope)])]
}

function compileAmong(among: Among, scope: Scope): readonly Sql[] | undefined {
  if (among.kind === 'all') return []
  if (among.kind === 'relatedTo') return relatedTo(among, scope)
  const { id } = scope.mapping.tableOf(scope.type)
  const keys = toKeys(scope.mapping, scope.type, among.ids)
  if (keys.length === 0) return undefined
  const { dialect } = scope.mapping
  if (keys.length > 1) return [dialect.isAmong(idColumn(scope), keys, id.comparedAs)]
  const key = value(keys[0])
  return [id.comparedAs === 'text' ? dialect.textEquals(idColumn(scope), key) : toSql`${idColumn(scope)} = ${key}`]
}

function relatedTo({ relationship, left }: Extract<Among, { kind: 'relatedTo' }>, scope: Scope): readonly Sql[] {
  const { mapping } = scope
  const link = mapping.relationOf(relationship)
  const key = value(toKey(mapping, left.type, left.id))
  if (link.kind === 'keyOnRight') return [toSql`${qualified(scope, link.column)} = ${key}`]
  if (link.kind === 'keyOnLeft') {
    const above = innerScope(scope, left.type)
    const from = toSql`${qualified(above, link.column)} from ${fromClause(above)} where ${idColumn(above)} = ${key}`
    return [toSql`${idColumn(scope)} = (select ${from})`]
  }
  const pairs = toSql`${identifier(link.rightColumn)} from ${identifier(link.table)} where ${identifier(link.leftColumn)}`
  return [toSql`${idColumn(scope)} in (select ${pairs} = ${key})`]
}

/** One row more than the page has tells whether there is another page. */
function compileRange(range: NumberRange | undefined): Sql {
  if (range === undefined) return NOTHING
  return toSql` limit ${value(range.size + 1)} offset ${value(range.offset)}`
}
