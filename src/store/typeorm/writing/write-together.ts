import type { QueryRunner } from 'typeorm'
import type { Caches } from '../../../cache/caches'
import { getOrCompute } from '../../../cache/get-or-compute'
import { JsonApiError } from '../../../errors/json-api-error'
import type { StoredType, ToManyRelationship } from '../../../graph/model/resource-graph'
import type { ReadPlan } from '../../../plan/read-plan'
import type { CreatePlan, UpdatePlan } from '../../../plan/write-plan'
import type { CreateTogetherResult } from '../../store'
import type { CertifyGaleraRows } from '../cluster/certify-rows'
import { findConstraintViolation } from '../drivers/find-violation'
import type { RunStatement } from '../drivers/run-statement'
import { rootSqlScope } from '../joins/scope'
import type { DatabaseMapping } from '../mapping/database-mapping'
import { columnOrEmbeddedColumns } from '../mapping/embedded-columns'
import { getKeyOfCheckedId } from '../mapping/keys'
import { type SelectedColumns, selectPlanLayerColumns } from '../select/select-columns'
import { rawSql, type Sql, toSqlStatement } from '../sql/sql'
import { insertRows } from './insert-rows'
import {
  isReadPlanOfOwnRowOnly,
  isReturnedRowUnreliable,
  resourceTypeSupportsInsertReturning,
} from './single-statement-support'
import { updatePlannedRows } from './update-rows'
import type { ColumnValues, SqlWriteContext } from './write-statements'

interface WriteTogetherContext {
  readonly mapping: DatabaseMapping
  readonly caches: Caches
  readonly queryRunner: QueryRunner
  readonly run: RunStatement
  readonly certify: CertifyGaleraRows | undefined
}

/**
 * Inserts rows of one type. The statement returns the columns of a plan if it can. `undefined`: listeners or triggers may depend on the order of the
 * inserts, or the database does not say which rows it has inserted.
 */
export async function tryCreateRowsTogether(
  plans: readonly [CreatePlan, ...CreatePlan[]],
  readPlan: ReadPlan | undefined,
  context: WriteTogetherContext,
): Promise<CreateTogetherResult | undefined> {
  const { mapping } = context
  const { type } = plans[0]
  const { listeners, toId } = mapping.tableOf(type)
  if (listeners.insert || (await hasTriggersInAnyTable(type, context))) return undefined
  const readBack = readPlan && selectReturnedColumns(readPlan, type, mapping)
  const rows = plans.map((plan) => ({ plan, changed: NO_CHANGES }))
  const inserted = await insertRows(rows, toWriteContext(context), readBack)
  if (inserted.length < plans.length) return undefined
  return {
    ids: inserted.map(({ key }) => toId(key)),
    rows: readBack && inserted.flatMap(({ row }) => row ?? []),
  }
}

/** Selects the columns that a plan reads, if an insert can return them. */
function selectReturnedColumns(
  { layer, projection, ...plan }: ReadPlan,
  type: StoredType,
  mapping: DatabaseMapping,
): SelectedColumns | undefined {
  const isReturned =
    resourceTypeSupportsInsertReturning(type, mapping) && isReadPlanOfOwnRowOnly({ layer, projection, ...plan }, type)
  if (!isReturned) return undefined
  const [part] = mapping.tableOf(type).tables
  return selectPlanLayerColumns(layer, projection, { ...rootSqlScope(mapping, type), alias: part.table })
}

/**
 * Updates rows of one type, each with its own values. `undefined`: a row is missing, or the result could depend on the order of the updates: because of
 * listeners, triggers, or columns whose values must differ from row to row.
 */
export async function tryUpdateRowsTogether(
  plans: readonly [UpdatePlan, ...UpdatePlan[]],
  context: WriteTogetherContext,
): Promise<'updated' | undefined> {
  const { mapping } = context
  const { type } = plans[0]
  if (mapping.tableOf(type).listeners.update || writesConstrainedColumn(plans[0], mapping)) return undefined
  if (await hasTriggersInAnyTable(type, context)) return undefined
  const rows = plans.map((plan) => ({ plan, key: getKeyOfCheckedId(mapping, type, plan.id), changed: NO_CHANGES }))
  const found = await updatePlannedRows(rows, toWriteContext(context))
  return found === plans.length ? 'updated' : undefined
}

const NO_CHANGES: ColumnValues = new Map()

async function hasTriggersInAnyTable(type: StoredType, context: WriteTogetherContext): Promise<boolean> {
  for (const { table } of context.mapping.tableOf(type).tables) {
    if (await isReturnedRowUnreliable(table, context.queryRunner, context)) return true
  }
  return false
}

/** Returns true if triggers may see how many links of a relationship a statement writes. */
export async function hasDatabaseTriggersOnLinks(
  relationship: ToManyRelationship,
  context: WriteTogetherContext,
): Promise<boolean> {
  const relation = context.mapping.relationOf(relationship)
  if (relation.kind === 'junction') return isReturnedRowUnreliable(relation.table, context.queryRunner, context)
  for (const type of relationship.target.concreteTypes) if (await hasTriggersInAnyTable(type, context)) return true
  return false
}

/** Returns true if an update writes a column of a unique or exclusion constraint. One by one, a value may have to be free before the next row takes it. */
function writesConstrainedColumn({ type, values, relationshipChanges }: UpdatePlan, mapping: DatabaseMapping): boolean {
  const types = getOrCompute(CONSTRAINED_COLUMNS, mapping, () => new Map<StoredType, ReadonlySet<string> | 'any'>())
  const constrained = getOrCompute(types, type, () => constrainedColumnsOf(type, mapping))
  const owned = relationshipChanges.flatMap(({ relationship }) => {
    const relation = mapping.relationOf(relationship)
    return relation.kind === 'owning' ? relation.columns : []
  })
  const columns = [
    ...[...values.keys()].flatMap((attribute) => columnOrEmbeddedColumns(mapping.columnOf(attribute))),
    ...owned,
  ]
  return constrained === 'any' || columns.some(({ column }) => constrained.has(column))
}

const CONSTRAINED_COLUMNS = new WeakMap<DatabaseMapping, Map<StoredType, ReadonlySet<string> | 'any'>>()

/** Returns the columns of unique constraints. The columns of exclusion constraints are unknown. */
function constrainedColumnsOf(type: StoredType, mapping: DatabaseMapping): ReadonlySet<string> | 'any' {
  const paths = new Set(mapping.tableOf(type).tables.map(({ metadata }) => metadata.tablePath))
  const classes = mapping.dataSource.entityMetadatas.filter(({ tablePath }) => paths.has(tablePath))
  if (classes.some(({ exclusions }) => exclusions.length > 0)) return 'any'
  const unique = classes.flatMap(({ uniques, indices }) => [...uniques, ...indices.filter(({ isUnique }) => isUnique)])
  return new Set(unique.flatMap(({ columns }) => columns).map((column) => mapping.nameOf(column)))
}

function toWriteContext({ mapping, queryRunner, run, certify }: WriteTogetherContext): SqlWriteContext {
  return { mapping, certify, run: (sql: Sql) => run(queryRunner, toSqlStatement(sql, mapping.dialect)) }
}

/**
 * Runs work in a savepoint. Undoes it and returns `undefined` if it returns `undefined`, throws a `JsonApiError` or violates a constraint. PostgreSQL accepts
 * no other statement after a violation.
 */
export async function tryInSavepoint<Value>(
  work: () => Promise<Value | undefined>,
  context: WriteTogetherContext,
): Promise<Value | undefined> {
  const { run } = toWriteContext(context)
  await run(rawSql('savepoint attempt'))
  const value = await work().catch((error: unknown) => {
    if (!(error instanceof JsonApiError) && findConstraintViolation(error) === undefined) throw error
    return undefined
  })
  if (value === undefined) await run(rawSql('rollback to savepoint attempt'))
  await run(rawSql('release savepoint attempt'))
  return value
}
