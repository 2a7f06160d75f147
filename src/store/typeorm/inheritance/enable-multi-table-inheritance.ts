import { type DataSource, type EntityMetadata, getMetadataArgsStorage } from 'typeorm'
import { ConfigurationError } from '../../../errors/configuration-error'
import { recordInheritanceStrategyOfEntity } from '../metadata/inheritance-strategy'
import type { TableMetadataArgs } from '../metadata/typeorm-metadata'
import { asDataSourceInternals } from './build-metadata-offline'
import { findEntityClassHierarchyIssues } from './check-entity-class-hierarchies'
import { findHierarchyTableIssues } from './check-hierarchy-tables'
import {
  completeConcreteTableMetadata,
  type GetEntityMetadata,
  removeMultiTargetForeignKeys,
} from './complete-concrete-tables'
import {
  findMultiTableHierarchies,
  hierarchyClassesFromRoot,
  type MultiTableHierarchy,
} from './find-multi-table-hierarchies'
import { InheritanceEntityMetadataBuilder } from './inheritance-entity-metadata-builder'
import { addForeignKeyReferencingBaseTable } from './joined-table-keys'

/**
 * Gives each class of a hierarchy a table of its own, which TypeORM does not know by itself. The classes are plain entities that extend
 * each other. With `@TableInheritance` on the topmost the tables are joined: each has the key and what its class adds. Without it, each
 * type that rows can have has a table with all of its columns.
 *
 * ```ts
 * @Resource('humans', { abstract: true })
 * @Entity()
 * abstract class Human {
 *   @PrimaryGeneratedColumn('uuid') id: string
 *   @Attribute() @Column({ type: 'varchar' }) name: string
 * }
 *
 * @Resource('men')
 * @Entity()
 * class Man extends Human {
 *   @Attribute() @Column({ type: 'boolean', default: false }) hasBeard: boolean
 * }
 *
 * const dataSource = enableMultiTableInheritance(new DataSource({ type: 'better-sqlite3', database: ':memory:', entities: [Human, Man] }))
 * await dataSource.initialize()
 * ```
 *
 * -> `man` with the columns `id`, `name` and `hasBeard`, and no table for `Human`
 */
export function enableMultiTableInheritance<Source extends DataSource>(dataSource: Source): Source {
  if (dataSource.isInitialized) throw new ConfigurationError([INITIALIZED])
  const source = asDataSourceInternals(dataSource)
  const build = source.buildMetadatas.bind(dataSource)
  source.buildMetadatas = async () => {
    throwIfAny(findEntityClassHierarchyIssues(listedTables(dataSource)))
    await build()
    const tables = getMetadataArgsStorage().filterTables(dataSource.entityMetadatas.map(({ target }) => target))
    const hierarchies = findMultiTableHierarchies(tables)
    throwIfAny([
      ...findEntityClassHierarchyIssues(tables),
      ...findHierarchyTableIssues(hierarchies, dataSource.entityMetadatas),
    ])
    if (hierarchies.length > 0) rebuild(dataSource, hierarchies)
  }
  return dataSource
}

/** Returns none if the entities are file patterns. */
function listedTables({ options: { entities = [] } }: DataSource): readonly TableMetadataArgs[] {
  const listed: readonly unknown[] = Object.values(entities)
  if (listed.some((entity) => typeof entity === 'string')) return []
  return getMetadataArgsStorage().filterTables(listed.filter((entity) => typeof entity === 'function'))
}

const INITIALIZED = {
  location: 'enableMultiTableInheritance',
  message: 'the data source is initialized already, with other tables.',
  remedy: 'Call enableMultiTableInheritance(dataSource) before dataSource.initialize().',
}

function throwIfAny(issues: ConfigurationError['issues']): void {
  if (issues.length > 0) throw new ConfigurationError(issues)
}

/** Rebuilds the metadata of all decorated entities, because their relations refer to each other. Metadata of entity schemas stay. */
function rebuild(dataSource: DataSource, hierarchies: readonly MultiTableHierarchy[]): void {
  const before = dataSource.entityMetadatas
  const decorated = before.filter(({ target }) =>
    getMetadataArgsStorage().tables.some((table) => table.target === target),
  )
  const replaced = new Set(decorated.flatMap((metadata) => [metadata, ...extraTables(metadata)]))
  const rebuilt = new InheritanceEntityMetadataBuilder(dataSource, hierarchies).build(
    decorated.map(({ target }) => target as Function),
  )
  const metadatas = [...rebuilt, ...before.filter((metadata) => !replaced.has(metadata))]
  const byTarget = new Map(metadatas.map((metadata) => [metadata.target, metadata]))
  complete(rebuilt, hierarchies, ({ target }) => byTarget.get(target) as EntityMetadata)
  for (const metadata of decorated) removeStaleLazyProperties(metadata, byTarget.get(metadata.target))
  Object.assign(dataSource, { entityMetadatas: metadatas, entityMetadatasMap: byTarget })
}

/** Returns the junction tables and closure tables of an entity. */
function extraTables({ relations, closureJunctionTable }: EntityMetadata): readonly EntityMetadata[] {
  const junctions = relations.flatMap(({ junctionEntityMetadata }) => junctionEntityMetadata ?? [])
  return closureJunctionTable === undefined ? junctions : [...junctions, closureJunctionTable]
}

function complete(
  metadatas: readonly EntityMetadata[],
  hierarchies: readonly MultiTableHierarchy[],
  metadataOf: GetEntityMetadata,
): void {
  for (const hierarchy of hierarchies) {
    if (hierarchy.strategy === 'tablePerConcreteClass') completeConcreteTableMetadata(hierarchy, metadataOf)
    const metadatasOfHierarchy = hierarchy.classes.map(metadataOf)
    for (const hierarchyClass of hierarchy.classes) {
      if (hierarchy.strategy === 'joined' && hierarchyClass.base !== undefined)
        addForeignKeyReferencingBaseTable(metadataOf(hierarchyClass), metadataOf(hierarchyClass.base))
      recordInheritanceStrategyOfEntity(metadataOf(hierarchyClass), {
        strategy: hierarchy.strategy,
        tables: (hierarchy.strategy === 'joined' ? hierarchyClassesFromRoot(hierarchyClass) : [hierarchyClass]).map(
          metadataOf,
        ),
        hierarchy: metadatasOfHierarchy,
      })
    }
  }
  removeMultiTargetForeignKeys(metadatas, hierarchies, metadataOf)
}

/** Removes lazy relations that TypeORM defined on the prototype before. A subclass inherits those of its base class. */
function removeStaleLazyProperties({ target, lazyRelations }: EntityMetadata, now: EntityMetadata | undefined): void {
  for (const { propertyName } of lazyRelations) {
    if (typeof target !== 'function' || now?.lazyRelations.some((relation) => relation.propertyName === propertyName))
      continue
    Reflect.deleteProperty(target.prototype, propertyName)
  }
}
