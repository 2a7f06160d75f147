import type { Relationship, ResourceType } from '../../graph/resource-graph'
import type { IncludeLayer, Layer, NumberRange, ShownFields } from '../../plan/read-plan'
import { compileAmong, type KeyedAmong } from './among'
import { compileCondition } from './compile-filter'
import { compileSort, orderBy, sortTerms } from './compile-sort'
import { isDeep } from './deep-page'
import { isAmongKeys, type KeySql } from './key-sql'
import type { ReadKey } from './keys'
import { selectKeysFirst } from './keys-first'
import { keysOf, type LeftKeys } from './left-keys'
import { limitEach } from './limit-each'
import type { Branch, ColumnMapping, Mapping, RelationMapping, Source } from './mapping'
import { inDirection } from './page-position'
import { joinPairs } from './pairs'
import { given } from './parameter'
import { foreignColumns, fromClause, keyColumns, presence, rootScope, type Scope, whereClause } from './scope'
import { type Selection, selectBetween } from './select-between'
import { type SelectedColumns, selectColumns, selectKey } from './select-columns'
import { join, NOTHING, type Sql, toSql, value } from './sql'
import { unitePages } from './unite-pages'

/** A statement that is ready to run, and how to read what it gives. */
export interface LayerSelect {
  readonly sql: Sql
  /** Of the table that the rows are from. */
  readonly alias: string
  readonly columns: SelectedColumns
}

export interface Selecting {
  readonly shown: ShownFields
  readonly mapping: Mapping
  /** Of the tables that rows of the type lie in, those to read from. */
  readonly branches: readonly Branch[]
  /** What stands behind all columns of a page with a number, unless that is deep. */
  readonly further: readonly Sql[]
  /** What locks the pairs that lead to the rows. */
  readonly pairLock?: Sql
}

/** The rows of the topmost layer. */
export function selectPrimary(layer: Layer, among: KeyedAmong, selecting: Selecting): LayerSelect {
  const { shown, mapping, branches, further, pairLock } = selecting
  const scope = rootScope(mapping, layer.type)
  const columns = selectColumns(layer, shown, scope)
  const conditions = [...compileAmong(among, scope, pairLock), ...conditionsOf(layer, scope)]
  const selection = { branches, columns, conditions, scope }
  if (layer.range?.kind === 'cursors') {
    return { alias: scope.alias, ...selectBetween(layer.range, layer.sort, selection) }
  }
  const sql = selectDeep(layer, among, selection) ?? selectNumbered(layer, layer.range, { ...selection, further })
  return { sql, alias: scope.alias, columns }
}

function selectDeep(layer: Layer, among: KeyedAmong, { branches, columns, scope }: Selection): Sql | undefined {
  const { range } = layer
  const [only, ...others] = branches
  if (!isDeep(range) || only === undefined || others.length > 0) return undefined
  const conditionsIn = (inner: Scope) => [...compileAmong(among, inner), ...conditionsOf(layer, inner)]
  return selectKeysFirst({
    layer,
    range,
    columns,
    scope,
    source: only.source,
    conditionsIn,
    limit: compileRange(range),
  })
}

function selectNumbered(
  { sort, type }: Layer,
  range: NumberRange | undefined,
  { branches, columns, conditions, scope, further: behind }: Selection & Pick<Selecting, 'further'>,
): Sql {
  const terms = inDirection(range, sortTerms(sort, scope))
  const order = terms.length === 0 ? NOTHING : toSql` order by ${orderBy(terms, scope)}`
  const select = (from: Source, further: readonly Sql[], limit: Sql) => {
    const rows = toSql`${fromClause(scope, from)}${whereClause(conditions)}`
    return toSql`select ${join([columns.sql, ...further], ', ')} from ${rows}${order}${limit}`
  }
  const [only, ...others] = branches
  if (only !== undefined && others.length === 0) return select(only.source, behind, compileRange(range))
  if (range === undefined || terms.length === 0) {
    return select(scope.mapping.tableOf(type).source, behind, compileRange(range))
  }
  // No table has more rows on this page and those before it than all together.
  const limit = toSql` limit ${value(given(range, ({ offset, size }) => offset + size + 1))}`
  const pieces = branches.map(({ source }) => ({
    stretch: 0,
    select: (further: readonly Sql[]) => select(source, further, limit),
  }))
  return toSql`${unitePages({ pieces, further: behind }, terms, scope)}${compileRange(range)}`
}

/** How many rows the layer has beyond its page. `upTo`: no table is looked at further than one row behind so many. */
export function countPrimary(
  layer: Layer,
  among: KeyedAmong,
  { mapping, upTo }: { readonly mapping: Mapping; readonly upTo: number | undefined },
): Sql {
  const scope = rootScope(mapping, layer.type)
  const where = whereClause([...compileAmong(among, scope), ...conditionsOf(layer, scope)])
  const { source: whole, branches } = mapping.tableOf(layer.type)
  // What is looked up for each row stands in the statement once, and not for each table.
  const isWhole = mapping.dialect.looksIntoUnions !== 'nowhere' && where.text.includes('(select ')
  const sources = isWhole ? [whole] : branches.map(({ source }) => source)
  const counts = sources.map((source) => {
    const rows = toSql`${fromClause(scope, source)}${where}`
    if (upTo === undefined) return toSql`select count(*) as total from ${rows}`
    return toSql`select count(*) as total from (select 1 as there from ${rows} limit ${value(upTo + 1)}) counted`
  })
  return counts.length === 1
    ? join(counts, ' ')
    : toSql`select sum(total) as total from (${join(counts, ' union all ')}) counts`
}

export interface IncludedSelect extends LayerSelect {
  /** The key of the row above that a row belongs to. */
  readonly parentOf: ReadKey
}

/**
 * The rows at the other end of a relationship, of all these rows above; of each row above its own range.
 * `lefts` are the foreign keys of the rows above where those hold them, else their own keys.
 */
export function selectIncluded(
  include: IncludeLayer,
  shown: ShownFields,
  mapping: Mapping,
  lefts: LeftKeys,
): IncludedSelect {
  const { relationship, layer, pages } = include
  const { range } = layer
  const isCounted = pages?.total === 'counted'
  const isLimited = range?.kind === 'numbers' && !isCounted
  const limited = isLimited ? limitEach({ include, range, lefts }, { mapping, shown }) : undefined
  if (limited !== undefined) return limited
  const scope = rootScope(mapping, layer.type)
  const link = linkToParents(mapping.relationOf(relationship), scope)
  const columns = selectColumns(layer, shown, scope)
  const parentKey = parentKeyOf(relationship, layer.type, mapping)
  const among = isAmongKeys(link.parent, keysOf(lefts), parentKey, mapping.dialect)
  const where = whereClause([among, ...conditionsOf(layer, scope)])
  const order = layer.sort.length === 0 ? undefined : compileSort(layer.sort, scope)
  const from = toSql`from ${fromClause(scope)}${link.joined}${where}`
  const parent = selectKey(link.parent, parentKey, { name: 'parent', place: columns.count })
  const select = toSql`select ${columns.sql}, ${parent.sql}`
  const made = { alias: scope.alias, columns, parentOf: parent.readKey }
  if (order === undefined) return { sql: toSql`${select} ${from}`, ...made }
  // Pages of included resources have numbers.
  if (range?.kind !== 'numbers') return { sql: toSql`${select} ${from} order by ${order}`, ...made }
  const parts = { select, parent: join(link.parent, ', '), order, from }
  const sql = isCounted ? countedOfEachParent(parts, range) : ofEachParent(parts, range)
  return { sql, ...made }
}

/** The primary key that the columns of the parent hold. */
function parentKeyOf(relationship: Relationship, right: ResourceType, mapping: Mapping): readonly ColumnMapping[] {
  const isOnLeft = mapping.relationOf(relationship).kind === 'keyOnLeft'
  return mapping.tableOf(isOnLeft ? right : relationship.declaringType).key
}

interface RankedParts {
  readonly select: Sql
  readonly parent: Sql
  readonly order: Sql
  readonly from: Sql
}

function ofEachParent({ select, parent, order, from }: RankedParts, range: NumberRange): Sql {
  const ranked = toSql`${select}, row_number() over (partition by ${parent} order by ${order}) as place ${from}`
  return toSql`select * from (${ranked}) ranked where ${onPage(range, ONE_MORE)} order by place`
}

/**
 * The last two columns tell the number of a row among those of its parent, and how many those are: the first row of each parent comes along on
 * every page for that.
 */
function countedOfEachParent({ select, parent, order, from }: RankedParts, range: NumberRange): Sql {
  const place = toSql`row_number() over (partition by ${parent} order by ${order}) as place`
  const total = toSql`count(*) over (partition by ${parent}) as total`
  const ranked = toSql`${select}, ${place}, ${total} ${from}`
  return toSql`select * from (${ranked}) ranked where (${onPage(range)}) or place = 1 order by place`
}

/** How many rows are read beyond a page, to know whether there are more. */
const ONE_MORE = 1

function onPage(range: NumberRange, beyond = 0): Sql {
  const first = given(range, ({ offset }) => offset)
  const last = given(range, ({ offset, size }) => offset + size + beyond)
  return toSql`place > ${value(first)} and place <= ${value(last)}`
}

interface ParentLink {
  /** The key of the row above. */
  readonly parent: KeySql
  /** Joins the table of pairs that has it, if there is one. */
  readonly joined: Sql
}

function linkToParents(link: RelationMapping, scope: Scope): ParentLink {
  if (link.kind === 'keyOnLeft') return { parent: keyColumns(scope), joined: NOTHING }
  if (link.kind === 'keyOnRight') return { parent: foreignColumns(scope, link.columns), joined: NOTHING }
  const { lefts, joined } = joinPairs(link, scope)
  return { parent: lefts, joined }
}

function conditionsOf(layer: Layer, scope: Scope): readonly Sql[] {
  return [...presence(scope), ...(layer.filter === undefined ? [] : [compileCondition(layer.filter, scope)])]
}

/** One row more than the page has tells whether there is another page. */
function compileRange(range: NumberRange | undefined): Sql {
  if (range === undefined) return NOTHING
  const limit = given(range, ({ size }) => size + 1)
  return toSql` limit ${value(limit)} offset ${value(given(range, ({ offset }) => offset))}`
}
