import { isDeepStrictEqual } from 'node:util'
import type { EntityMetadata, ObjectLiteral, QueryRunner } from 'typeorm'
import type { StoredType } from '../../../graph/model/resource-graph'
import type { CreatePlan, DeletePlan, RelationshipChange, UpdatePlan } from '../../../plan/write-plan'
import type { DatabaseMapping, Key, ResourceTypeMapping } from '../mapping/database-mapping'
import { columnOrEmbeddedColumns, flattenWrittenValue } from '../mapping/embedded-columns'
import { getKeyOfCheckedId } from '../mapping/keys'
import { relationMetadataOf } from '../mapping/map-relation'
import type { ColumnMetadata, EmbeddedMetadata, RelationMetadata } from '../metadata/typeorm-metadata'
import { loadRowsAsEntities, reloadColumnsIntoEntity } from '../reading/load-rows-as-entities'
import type { ColumnValues } from './write-statements'

// TypeORM calls listeners and subscribers only for its own `save` and `remove`. This module calls them for our statements, and writes the changes that
// they make to the entity.

export interface EntityListenerCallContext {
  readonly queryRunner: QueryRunner
  readonly mapping: DatabaseMapping
}

/** A write whose `before` listeners have run. */
interface PendingBroadcast {
  /** The values that listeners changed. */
  readonly changes: ColumnValues
  /** Calls the `after` listeners. */
  broadcastAfter(key: Key): Promise<void>
}

const NO_BROADCAST: PendingBroadcast = { changes: new Map(), broadcastAfter: async () => undefined }

export async function broadcastBeforeInsert(
  plan: CreatePlan,
  context: EntityListenerCallContext,
): Promise<PendingBroadcast> {
  const { queryRunner, mapping } = context
  const { metadata, listeners } = mapping.tableOf(plan.type)
  if (!listeners.insert) return NO_BROADCAST
  const entity = metadata.create(queryRunner)
  fillEntity(entity, plan, context)
  const before = valuesOf(entity, columnsOfRow(plan.type, mapping), context)
  await queryRunner.broadcaster.broadcast('BeforeInsert', metadata, entity)
  return {
    changes: changesOf(entity, before, context),
    async broadcastAfter(key) {
      setKey(entity, mapping.tableOf(plan.type), key)
      if (listeners.afterInsert)
        await reloadColumnsIntoEntity(entity, { type: plan.type, key, isReloaded: isSetByInsert }, context)
      // The declarations of TypeORM lack the third argument, from which events get their `entityId`.
      const event = [metadata, entity, metadata.getEntityIdMap(entity)] as unknown as [EntityMetadata, ObjectLiteral]
      await queryRunner.broadcaster.broadcast('AfterInsert', ...event)
    },
  }
}

export async function broadcastBeforeUpdate(
  plan: UpdatePlan,
  context: EntityListenerCallContext,
): Promise<PendingBroadcast> {
  const { queryRunner, mapping } = context
  const { metadata, listeners } = mapping.tableOf(plan.type)
  if (!listeners.update || plan.values.size + plan.relationshipChanges.length === 0) return NO_BROADCAST
  const stored = await loadEntity(plan, context)
  if (stored === undefined) return NO_BROADCAST
  const embeddeds = mapping.tableOf(plan.type).tables.flatMap((part) => part.metadata.embeddeds)
  const entity = Object.assign(metadata.create(queryRunner), stored, copyEmbedded(stored, embeddeds))
  fillEntity(entity, plan, context)
  const columns = [...plan.values.keys()].flatMap((attribute) => {
    return columnOrEmbeddedColumns(mapping.columnOf(attribute)).map(({ metadata }) => metadata)
  })
  const relations = plan.relationshipChanges.map(({ relationship }) =>
    relationMetadataOf(relationship, mapping.dataSource),
  )
  const before = valuesOf(entity, columnsOfRow(plan.type, mapping), context)
  await queryRunner.broadcaster.broadcast('BeforeUpdate', metadata, entity, stored, columns, relations)
  return {
    changes: changesOf(entity, before, context),
    async broadcastAfter(key) {
      if (listeners.afterUpdate)
        await reloadColumnsIntoEntity(entity, { type: plan.type, key, isReloaded: isSetByUpdate }, context)
      await queryRunner.broadcaster.broadcast('AfterUpdate', metadata, entity, stored, columns, relations)
    },
  }
}

/** Returns true for columns that TypeORM sets in the entity after an insert. */
function isSetByInsert(column: ColumnMetadata): boolean {
  const { default: defaultValue, isGenerated, isCreateDate, relationMetadata } = column
  const isGeneratedByDatabase = defaultValue != null || isGenerated || isCreateDate
  return relationMetadata === undefined && (isGeneratedByDatabase || isSetByUpdate(column))
}

/** Returns true for columns that TypeORM sets in the entity after an update or a soft removal. */
function isSetByUpdate({ isUpdateDate, isDeleteDate, isVersion, asExpression }: ColumnMetadata): boolean {
  return isUpdateDate || isDeleteDate || isVersion || asExpression !== undefined
}

/** Copies embedded objects, so that a write does not change the stored entity. */
function copyEmbedded(entity: ObjectLiteral, embeddeds: readonly EmbeddedMetadata[]): ObjectLiteral {
  return Object.fromEntries(
    embeddeds.flatMap((embedded) => {
      const value: unknown = entity[embedded.propertyName]
      if (typeof value !== 'object' || value === null || embedded.isArray) return []
      const copy: unknown = Object.assign(embedded.create(), value, copyEmbedded(value, embedded.embeddeds))
      return [[embedded.propertyName, copy] as const]
    }),
  )
}

export async function broadcastBeforeDelete(
  plan: DeletePlan,
  context: EntityListenerCallContext,
): Promise<PendingBroadcast> {
  const { queryRunner, mapping } = context
  const { metadata, listeners, deletedAt } = mapping.tableOf(plan.type)
  if (!listeners.remove) return NO_BROADCAST
  const entity = await loadEntity(plan, context)
  if (entity === undefined) return NO_BROADCAST
  const [before, after] =
    deletedAt === undefined
      ? (['BeforeRemove', 'AfterRemove'] as const)
      : (['BeforeSoftRemove', 'AfterSoftRemove'] as const)
  await queryRunner.broadcaster.broadcast(before, metadata, entity, entity)
  return {
    changes: new Map(),
    async broadcastAfter(key) {
      if (deletedAt !== undefined)
        await reloadColumnsIntoEntity(entity, { type: plan.type, key, isReloaded: isSetByUpdate }, context)
      await queryRunner.broadcaster.broadcast(after, metadata, entity, entity)
    },
  }
}

async function loadEntity(
  { type, id }: UpdatePlan | DeletePlan,
  { queryRunner, mapping }: EntityListenerCallContext,
): Promise<ObjectLiteral | undefined> {
  const [entity] = await loadRowsAsEntities(type, [getKeyOfCheckedId(mapping, type, id)], { queryRunner, mapping })
  return entity
}

/** Returns the columns of the class and, for joined tables, of its base classes, each with the key. */
function columnsOfRow(type: StoredType, mapping: DatabaseMapping): readonly ColumnMetadata[] {
  const columns = mapping.tableOf(type).tables.flatMap(({ metadata }) => metadata.columns)
  return [...new Map(columns.map((column) => [mapping.nameOf(column), column])).values()]
}

/** Fills an entity with the values and foreign keys of a plan. */
function fillEntity(
  entity: ObjectLiteral,
  plan: CreatePlan | UpdatePlan,
  { mapping }: EntityListenerCallContext,
): void {
  for (const [attribute, value] of plan.values) {
    for (const [{ metadata }, part] of flattenWrittenValue(mapping.columnOf(attribute), value)) {
      metadata.setEntityValue(entity, part)
    }
  }
  for (const change of plan.relationshipChanges) {
    if (change.relationship.kind === 'toOne') setRelated(entity, change, mapping)
  }
}

function setRelated(
  entity: ObjectLiteral,
  { relationship, related: records }: RelationshipChange,
  mapping: DatabaseMapping,
): void {
  const [target] = records
  const relation: RelationMetadata = relationMetadataOf(relationship, mapping.dataSource)
  if (target === undefined || target === 'self') {
    relation.setEntityValue(entity, target === undefined ? null : entity)
    return
  }
  const table = mapping.tableOf(target.type)
  const related = table.metadata.create()
  setKey(related, table, getKeyOfCheckedId(mapping, target.type, target.id))
  relation.setEntityValue(entity, related)
}

function setKey(entity: ObjectLiteral, { key: columns }: ResourceTypeMapping, key: Key): void {
  columns.forEach(({ metadata, fromDatabase }, index) => {
    metadata.setEntityValue(entity, fromDatabase(key[index]))
  })
}

/**
 * Returns the values of an entity as driver parameters, with foreign keys. Parameters can be copied and compared, unlike objects that transformers create.
 * They are copied, because a listener can change a date or an object in place.
 */
function valuesOf(
  entity: ObjectLiteral,
  columns: readonly ColumnMetadata[],
  { mapping }: EntityListenerCallContext,
): BoundValues {
  const withProperty = columns.filter((column) => !column.isDiscriminator && !column.isVirtualProperty)
  return new Map(withProperty.map((column) => [column, copyOf(boundValue(entity, column, mapping))]))
}

type BoundValues = ReadonlyMap<ColumnMetadata, unknown>

/** Returns the parameter of a column; `undefined` if the property is not set, as in TypeORM. */
function boundValue(
  entity: ObjectLiteral,
  column: ColumnMetadata,
  { dataSource: { driver } }: DatabaseMapping,
): unknown {
  const value: unknown = column.getEntityValue(entity)
  return value === undefined ? undefined : driver.preparePersistentValue(value, column)
}

function copyOf(bound: unknown): unknown {
  return Buffer.isBuffer(bound) ? Buffer.from(bound) : structuredClone(bound)
}

function changesOf(entity: ObjectLiteral, before: BoundValues, { mapping }: EntityListenerCallContext): ColumnValues {
  const now = [...before.keys()].map((column) => [column, boundValue(entity, column, mapping)] as const)
  const changed = now.filter(([column, bound]) => bound !== undefined && !isDeepStrictEqual(bound, before.get(column)))
  return new Map(changed.map(([column, bound]) => [mapping.nameOf(column), bound]))
}
