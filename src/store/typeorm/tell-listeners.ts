import { isDeepStrictEqual } from 'node:util'
import type { ObjectLiteral, QueryRunner } from 'typeorm'
import type { ColumnMetadata } from 'typeorm/metadata/ColumnMetadata'
import type { EmbeddedMetadata } from 'typeorm/metadata/EmbeddedMetadata'
import type { RelationMetadata } from 'typeorm/metadata/RelationMetadata'
import type { StoredType } from '../../graph/resource-graph'
import type { CreatePlan, DeletePlan, LinkChange, UpdatePlan } from '../../plan/write-plan'
import { columnsBehind, divide } from './column-parts'
import { keyOf } from './keys'
import { loadEntities } from './load-entities'
import { relationMetadataOf } from './map-relation'
import type { Key, Mapping, TableMapping } from './mapping'
import { value } from './sql'
import type { Assignments } from './writing'

// TypeORM tells its listeners and subscribers of what its own `save` and `remove` do. Our statements are not among that, so they are told
// here, with TypeORM's own broadcaster. What they change in the entity before it is written, is written.

export interface Telling {
  readonly queryRunner: QueryRunner
  readonly mapping: Mapping
}

/** A write of which listeners have been told that it is to come. */
export interface Told {
  /** What they have changed in the row. */
  readonly changed: Assignments
  /** Tells them that it is done. */
  tellDone(key: Key): Promise<void>
}

const NOBODY: Told = { changed: new Map(), tellDone: async () => undefined }

export async function tellOfInsert(plan: CreatePlan, telling: Telling): Promise<Told> {
  const { queryRunner, mapping } = telling
  const { metadata, listeners } = mapping.tableOf(plan.type)
  if (!listeners.insert) return NOBODY
  const entity = metadata.create(queryRunner)
  fillIn(entity, plan, telling)
  const before = valuesOf(entity, columnsOfRow(plan.type, mapping), telling)
  await queryRunner.broadcaster.broadcast('BeforeInsert', metadata, entity)
  return {
    changed: changesOf(entity, before, telling),
    async tellDone(key) {
      setKey(entity, mapping.tableOf(plan.type), key)
      await queryRunner.broadcaster.broadcast('AfterInsert', metadata, entity)
    },
  }
}

export async function tellOfUpdate(plan: UpdatePlan, telling: Telling): Promise<Told> {
  const { queryRunner, mapping } = telling
  const { metadata, listeners } = mapping.tableOf(plan.type)
  if (!listeners.update || plan.values.size + plan.links.length === 0) return NOBODY
  const stored = await loadEntity(plan, telling)
  if (stored === undefined) return NOBODY
  const embeddeds = mapping.tableOf(plan.type).parts.flatMap((part) => part.metadata.embeddeds)
  const entity = Object.assign(metadata.create(queryRunner), stored, copiesWithin(stored, embeddeds))
  fillIn(entity, plan, telling)
  const columns = [...plan.values.keys()].flatMap((attribute) => {
    return columnsBehind(mapping.columnOf(plan.type, attribute)).map(({ metadata }) => metadata)
  })
  const relations = plan.links.map(({ relationship }) => relationMetadataOf(relationship, mapping.dataSource))
  const before = valuesOf(entity, columnsOfRow(plan.type, mapping), telling)
  await queryRunner.broadcaster.broadcast('BeforeUpdate', metadata, entity, stored, columns, relations)
  return {
    changed: changesOf(entity, before, telling),
    tellDone: () => queryRunner.broadcaster.broadcast('AfterUpdate', metadata, entity, stored, columns, relations),
  }
}

/** Of embedded objects: what is written into one must not show in what is stored. */
function copiesWithin(entity: ObjectLiteral, embeddeds: readonly EmbeddedMetadata[]): ObjectLiteral {
  return Object.fromEntries(
    embeddeds.flatMap((embedded) => {
      const held: unknown = entity[embedded.propertyName]
      if (typeof held !== 'object' || held === null || embedded.isArray) return []
      const copy: unknown = Object.assign(embedded.create(), held, copiesWithin(held, embedded.embeddeds))
      return [[embedded.propertyName, copy] as const]
    }),
  )
}

export async function tellOfDelete(plan: DeletePlan, telling: Telling): Promise<Told> {
  const { queryRunner, mapping } = telling
  const { metadata, listeners, deletedAt } = mapping.tableOf(plan.type)
  if (!listeners.remove) return NOBODY
  const entity = await loadEntity(plan, telling)
  if (entity === undefined) return NOBODY
  const [before, after] =
    deletedAt === undefined
      ? (['BeforeRemove', 'AfterRemove'] as const)
      : (['BeforeSoftRemove', 'AfterSoftRemove'] as const)
  await queryRunner.broadcaster.broadcast(before, metadata, entity, entity)
  return { changed: new Map(), tellDone: () => queryRunner.broadcaster.broadcast(after, metadata, entity, entity) }
}

async function loadEntity(
  { type, id }: UpdatePlan | DeletePlan,
  { queryRunner, mapping }: Telling,
): Promise<ObjectLiteral | undefined> {
  const [entity] = await loadEntities(type, [keyOf(mapping, type, id)], { queryRunner, mapping })
  return entity
}

/** Those of its own class and, of joined tables, those of the classes above; a key is in each of these. */
function columnsOfRow(type: StoredType, mapping: Mapping): readonly ColumnMetadata[] {
  const columns = mapping.tableOf(type).parts.flatMap(({ metadata }) => metadata.columns)
  return [...new Map(columns.map((column) => [mapping.nameOf(column), column])).values()]
}

/** What the plan will write into the row; of related resources their keys. */
function fillIn(entity: ObjectLiteral, plan: CreatePlan | UpdatePlan, { mapping }: Telling): void {
  for (const [attribute, held] of plan.values) {
    for (const [{ metadata }, part] of divide(mapping.columnOf(plan.type, attribute), held)) {
      metadata.setEntityValue(entity, part)
    }
  }
  for (const link of plan.links) {
    if (link.relationship.kind === 'toOne') setRelated(entity, link, mapping)
  }
}

function setRelated(entity: ObjectLiteral, { relationship, rights }: LinkChange, mapping: Mapping): void {
  const [right] = rights
  const relation: RelationMetadata = relationMetadataOf(relationship, mapping.dataSource)
  if (right === undefined || right === 'itself') {
    relation.setEntityValue(entity, right === undefined ? null : entity)
    return
  }
  const table = mapping.tableOf(right.type)
  const related = table.metadata.create()
  setKey(related, table, keyOf(mapping, right.type, right.id))
  relation.setEntityValue(entity, related)
}

function setKey(entity: ObjectLiteral, { key: columns }: TableMapping, key: Key): void {
  columns.forEach(({ metadata, fromDatabase }, place) => {
    metadata.setEntityValue(entity, fromDatabase(key[place]))
  })
}

/**
 * What the driver would be given, keys of what is related included: of objects that transformers make, nobody knows how to copy or compare
 * them. Copies: what listeners do to a date or an object is a change too.
 */
function valuesOf(entity: ObjectLiteral, columns: readonly ColumnMetadata[], { mapping }: Telling): BoundValues {
  const own = columns.filter((column) => !column.isDiscriminator && !column.isVirtualProperty)
  return new Map(own.map((column) => [column, copyOf(boundValue(entity, column, mapping))]))
}

type BoundValues = ReadonlyMap<ColumnMetadata, unknown>

/** `undefined`: nothing was said, as with TypeORM. */
function boundValue(entity: ObjectLiteral, column: ColumnMetadata, { dataSource: { driver } }: Mapping): unknown {
  const held: unknown = column.getEntityValue(entity)
  return held === undefined ? undefined : driver.preparePersistentValue(held, column)
}

function copyOf(bound: unknown): unknown {
  return Buffer.isBuffer(bound) ? Buffer.from(bound) : structuredClone(bound)
}

function changesOf(entity: ObjectLiteral, before: BoundValues, { mapping }: Telling): Assignments {
  const now = [...before.keys()].map((column) => [column, boundValue(entity, column, mapping)] as const)
  const changed = now.filter(([column, bound]) => bound !== undefined && !isDeepStrictEqual(bound, before.get(column)))
  return new Map(changed.map(([column, bound]) => [mapping.nameOf(column), value(bound)]))
}
