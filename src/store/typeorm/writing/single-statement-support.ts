import type { DataSource, QueryRunner } from 'typeorm'
import type { Caches } from '../../../cache/caches'
import { getOrCompute } from '../../../cache/get-or-compute'
import type { LruCacheDefinition } from '../../../cache/segmented-lru-cache'
import { keyHasSeveralTexts } from '../../../graph/model/record-id'
import type { StoredType } from '../../../graph/model/resource-graph'
import type { ReadPlan } from '../../../plan/read-plan'
import type { RelationshipChange } from '../../../plan/write-plan'
import type { Dialect } from '../dialects/dialect'
import { isIsolationLevelConfigured } from '../drivers/query-listeners'
import type { RunStatement } from '../drivers/run-statement'
import type { DatabaseMapping, Key, PhysicalTable } from '../mapping/database-mapping'
import { columnOrEmbeddedColumns } from '../mapping/embedded-columns'
import { findKeyOfId, getKeyOfCheckedId } from '../mapping/keys'
import { inheritanceStrategyOf } from '../metadata/inheritance-strategy'
import { boundValueSql, type Sql, sqlTag, toSqlStatement } from '../sql/sql'
import type { OwnedForeignKeyChange } from './owned-foreign-keys'

/** A foreign key of a row, and the type of the row that it refers to. */
export interface ForeignKeyChangeWithTarget extends OwnedForeignKeyChange {
  readonly related: { readonly type: StoredType; readonly key: Key } | undefined
}

/**
 * Returns true if one statement can write and return a row of this type: the row is stored in one table, has no listeners, and no transformer converts its
 * columns.
 */
export function resourceTypeSupportsSingleStatementWrite(type: StoredType, mapping: DatabaseMapping): boolean {
  const { dataSource } = mapping
  return returnsRows(dataSource) && !isIsolationLevelConfigured(dataSource) && isStoredInOneRow(type, mapping)
}

/** Returns true if one statement can insert and return rows of this type within a transaction. */
export function resourceTypeSupportsInsertReturning(type: StoredType, mapping: DatabaseMapping): boolean {
  const { dataSource } = mapping
  return (returnsRows(dataSource) || returnsInsertedRows(mapping)) && isStoredInOneRow(type, mapping)
}

/** Returns true if the driver returns the rows of any write. */
function returnsRows({ options: { type } }: DataSource): boolean {
  return type === 'better-sqlite3' || type === 'postgres'
}

/** Returns true for MariaDB, which returns the rows of inserts, but not of updates. */
function returnsInsertedRows({ dialect, dataSource: { driver } }: DatabaseMapping): boolean {
  return dialect.name === 'mysql' && driver.isReturningSqlSupported('insert')
}

function isStoredInOneRow(type: StoredType, mapping: DatabaseMapping): boolean {
  const storedInOneRow = getOrCompute(STORED_IN_ONE_ROW, mapping, () => new Map<StoredType, boolean>())
  return getOrCompute(storedInOneRow, type, () => hasOnlyPlainColumns(type, mapping))
}

const STORED_IN_ONE_ROW = new WeakMap<DatabaseMapping, Map<StoredType, boolean>>()

function hasOnlyPlainColumns(type: StoredType, mapping: DatabaseMapping): boolean {
  const { tables, joinedColumns, tableRowSources, columns, listeners, key, metadata } = mapping.tableOf(type)
  const { insert, update, load } = listeners
  if (tables.length + tableRowSources.length > 2 || joinedColumns.size > 0 || columns !== undefined) return false
  if (inheritanceStrategyOf(metadata) === 'tablePerConcreteClass' || metadata.database !== undefined || key.length > 1)
    return false
  if (insert || update || load || type.id.isTransformed || type.id.constraints.codec !== undefined) return false
  if (keyHasSeveralTexts(type.id.constraints)) return false
  const leaves = type.attributes.flatMap((attribute) => columnOrEmbeddedColumns(mapping.columnOf(attribute)))
  const areOwnColumns = leaves.every(({ query, column }) => query === undefined && column !== key[0]?.column)
  return areOwnColumns && type.attributes.every(({ isTransformed }) => !isTransformed)
}

/** Returns true if a plan reads a row of this type and nothing else. */
export function isReadPlanOfOwnRowOnly({ layer, projection }: ReadPlan, type: StoredType): boolean {
  const { type: declared, filter, includes } = layer
  if (declared !== type || filter !== undefined || includes.length > 0) return false
  const { hooks, linked } = projection.of(type)
  return hooks === undefined && linked.length === 0
}

/**
 * Returns the foreign keys that relationship changes write; `undefined` if other tables or rows are written too, no constraint protects the related
 * row, or two foreign keys share a column.
 */
export function findForeignKeysIfAllWritableWithRow(
  relationshipChanges: readonly RelationshipChange[],
  mapping: DatabaseMapping,
): readonly ForeignKeyChangeWithTarget[] | undefined {
  const keys: ForeignKeyChangeWithTarget[] = []
  const written = new Set<string>()
  for (const { relationship, related: resources } of relationshipChanges) {
    const [related] = resources
    const relation = mapping.relationOf(relationship)
    if (relation.kind !== 'owning' || relation.isUnique || !relation.hasForeignKeyConstraint || related === 'self')
      return undefined
    for (const { column, primaryKeyIndex, isShared } of relation.columns) {
      if (primaryKeyIndex !== undefined || isShared || written.has(column)) return undefined
      written.add(column)
    }
    if (related !== undefined && !isStoredInOneTable(related, mapping)) return undefined
    const key = related === undefined ? null : getKeyOfCheckedId(mapping, related.type, related.id)
    keys.push({ relationship, key, relation, related: related && key ? { type: related.type, key } : undefined })
  }
  return keys
}

/** Returns true if the resource is stored in one table. */
function isStoredInOneTable(
  { type, id }: { readonly type: StoredType; readonly id: string },
  mapping: DatabaseMapping,
): boolean {
  if (keyHasSeveralTexts(type.id.constraints)) return false
  const { tables, joinedColumns } = mapping.tableOf(type)
  return tables.length === 1 && joinedColumns.size === 0 && findKeyOfId(mapping, type, id) !== undefined
}

/**
 * Returns true if the stored row can differ from the returned one: a trigger or rule changes it, the table is partitioned, or the writer may not read
 * it. Queried at most once a minute for each table. On MariaDB only triggers before a write can change its row, and the returned row has their changes.
 */
export async function isReturnedRowUnreliable(
  table: PhysicalTable['table'],
  queryRunner: QueryRunner,
  { mapping: { dialect }, caches, run }: TriggerContext,
): Promise<boolean> {
  const lookups = caches.of(LOOKUPS)
  const known = lookups.get(table)
  if (known !== undefined && known.until > performance.now()) return known.hasTrigger
  const query = selectTriggers(table, dialect)
  const hasTrigger = query !== undefined && (await run(queryRunner, toSqlStatement(query, dialect))).records.length > 0
  lookups.set(table, { hasTrigger, until: performance.now() + CACHE_MS })
  return hasTrigger
}

/** Returns the name of a quoted table: `"main"."run ""one"""` -> `run "one"` */
function unquotedName(table: string): string {
  const [, name = ''] = /^(?:"(?:[^"]|"")*"\.)*"((?:[^"]|"")*)"$/.exec(table) ?? []
  return name.replaceAll('""', '"')
}

interface TriggerContext {
  readonly mapping: DatabaseMapping
  readonly caches: Caches
  readonly run: RunStatement
}

/** `until`: the expiry, on the clock of `performance.now`. */
const LOOKUPS: LruCacheDefinition<{ readonly hasTrigger: boolean; readonly until: number }> = {
  name: 'trigger lookups',
  maxEntries: 1000,
}
const CACHE_MS = 60_000

/** Compiles a select that returns a row if the table has such triggers; `undefined` if the database has none. */
function selectTriggers(table: PhysicalTable['table'], { name }: Dialect): Sql | undefined {
  if (name === 'sqlite') {
    const isTrigger = sqlTag`type = 'trigger' and lower(tbl_name) = lower(${boundValueSql(unquotedName(table))})`
    return sqlTag`select 1 from sqlite_master where ${isTrigger} union all select 1 from sqlite_temp_master where ${isTrigger}`
  }
  if (name !== 'postgres') return undefined
  const hasTrigger = sqlTag`exists (select 1 from pg_trigger where tgrelid = pg_class.oid and not tgisinternal)`
  const canDiffer = sqlTag`relkind <> 'r' or relhasrules or relhassubclass or relrowsecurity or ${hasTrigger}`
  return sqlTag`select 1 from pg_class where oid = to_regclass(${boundValueSql(table)}) and (${canDiffer})`
}
